/* SPDX-License-Identifier: MIT */
#ifndef UE_LINUX_SOCKET_H
#define UE_LINUX_SOCKET_H
#pragma GCC system_header

#include <sys/socket.h>
#if __has_include_next(<linux/socket.h>)
#include_next <linux/socket.h>
#endif

#endif
