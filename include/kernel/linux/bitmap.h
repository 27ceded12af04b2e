/* SPDX-License-Identifier: MIT */
#ifndef UE_LINUX_BITMAP_H
#define UE_LINUX_BITMAP_H
#pragma GCC system_header

#include <linux/bitops.h>

#define DECLARE_BITMAP(name, bits) unsigned long name[BITS_TO_LONGS(bits)]

#endif
