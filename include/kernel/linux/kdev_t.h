/* SPDX-License-Identifier: MIT */
#ifndef UE_LINUX_KDEV_T_H
#define UE_LINUX_KDEV_T_H
#pragma GCC system_header

#include <sys/sysmacros.h>

#define MAJOR(device) ((unsigned int)major(device))
#define MINOR(device) ((unsigned int)minor(device))
#define MKDEV(ma, mi) makedev(ma, mi)

#endif
