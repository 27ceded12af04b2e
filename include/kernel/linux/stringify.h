/* SPDX-License-Identifier: MIT */
#ifndef UE_LINUX_STRINGIFY_H
#define UE_LINUX_STRINGIFY_H
#pragma GCC system_header

#define __stringify_1(...) #__VA_ARGS__
#define __stringify(...) __stringify_1(__VA_ARGS__)

#endif
