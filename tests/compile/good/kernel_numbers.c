/* SPDX-License-Identifier: MIT */
/* The kernel's numbers that user_events.h has by value are those of the machine. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <user_events.h>

#ifdef __cplusplus
#define SAME(a, b) static_assert(+(a) == +(b), #a " is " #b)
#else
#define SAME(a, b) _Static_assert(+(a) == +(b), #a " is " #b)
#endif
SAME(UE__CLOEXEC, O_CLOEXEC);
SAME(UE__RDWR, O_RDWR);
SAME(UE__MAP_ANONYMOUS, MAP_ANONYMOUS);
SAME(UE__RLIMIT_NOFILE, RLIMIT_NOFILE);
SAME(UE__SIG_SETMASK, SIG_SETMASK);
