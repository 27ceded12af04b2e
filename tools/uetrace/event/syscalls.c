/* SPDX-License-Identifier: MIT */
/* System call names of this machine, taken from the kernel headers that uetrace was built with. */
#include "event/event.h"
#include "util/util.h"

#include <asm/unistd.h>

/* some system call numbers have two names, so the table below initialises an entry twice */
#ifdef __clang__
#pragma clang diagnostic ignored "-Winitializer-overrides"
#else
#pragma GCC diagnostic ignored "-Woverride-init"
#endif

/* entries such as [__NR_read] = "read"; build.mk generates the file from <asm/unistd.h> */
static const char *const syscalls[] = {
#include <syscalls.inc>
};

const char *syscall_name(uint64_t number)
{
	return number < ARRAY_SIZE(syscalls) ? syscalls[number] : NULL;
}
