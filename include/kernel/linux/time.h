/* SPDX-License-Identifier: MIT */
/*
 * Includes the libc header, because the kernel's UAPI header would define the same structs again.
 */
#ifndef UE_LINUX_TIME_H
#define UE_LINUX_TIME_H
#pragma GCC system_header

#include <sys/time.h>
#include <time.h>
#if __has_include_next(<linux/time_types.h>)
#include_next <linux/time_types.h>
#endif
#include <linux/ktime.h>

#endif
