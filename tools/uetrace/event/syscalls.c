/* SPDX-License-Identifier: MIT */
/*
 * The names of this machine's system calls, from the kernel's headers that uetrace was built with.
 */
#include "event/event.h"
#include "util/util.h"

#include <asm/unistd.h>

/* Some have two names. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Winitializer-overrides"
#else
#pragma GCC diagnostic ignored "-Woverride-init"
#endif

/* [__NR_read] = "read", and so on, made by build.mk of <asm/unistd.h> */
static const char *const syscalls[] = {
#include <syscalls.inc>
};

const char *syscall_name(uint64_t number)
{
	return number < ARRAY_SIZE(syscalls) ? syscalls[number] : NULL;
}
