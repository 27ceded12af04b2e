/* SPDX-License-Identifier: MIT */
#ifndef UE_LINUX_KCONFIG_H
#define UE_LINUX_KCONFIG_H
#pragma GCC system_header

/*
 * Expands to 1 if OPTION is defined as 1, otherwise to 0. Can be used in #if. Programs may define
 * options as in the kernel.
 */
#define IS_ENABLED(option) UE__IS_ENABLED(option)
#define UE__IS_ENABLED(value) UE__IS_ENABLED_(UE__ENABLED_##value 1, 0, ~)
#define UE__IS_ENABLED_(...) UE__IS_ENABLED__(__VA_ARGS__)
#define UE__IS_ENABLED__(ignored, result, ...) result
#define UE__ENABLED_1 ~,
#define IS_REACHABLE(option) IS_ENABLED(option)

#endif
