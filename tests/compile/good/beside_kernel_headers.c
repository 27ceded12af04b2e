/* SPDX-License-Identifier: MIT */
/*
 * Includes kernel headers before and after user_events.h. <linux/time.h>, <linux/termios.h> and
 * <asm/fcntl.h> are not included, because they conflict with POSIX headers that user_events.h
 * includes; see beside_kernel_headers_shared.c.
 */
#include <linux/perf_event.h>
#include <linux/sched/types.h>
#include <user_events.h>
#include <linux/futex.h>
#include <linux/uio.h>

void beside_kernel_headers(int x);
void beside_kernel_headers(int x)
{
	UE_TRACE(beside_kernel_headers, x);
}
