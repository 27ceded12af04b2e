/* SPDX-License-Identifier: MIT */
/*
 * Includes headers of the kernel before and after user_events.h, which includes headers of POSIX
 * that conflict with <linux/time.h>, <linux/termios.h> and <asm/fcntl.h>:
 * beside_kernel_headers_shared.c.
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
