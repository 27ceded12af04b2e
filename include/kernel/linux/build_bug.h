/* SPDX-License-Identifier: MIT */
#ifndef UE_LINUX_BUILD_BUG_H
#define UE_LINUX_BUILD_BUG_H
#pragma GCC system_header

#define BUILD_BUG_ON(condition) ((void)sizeof(char[1 - 2 * !!(condition)]))

#endif
