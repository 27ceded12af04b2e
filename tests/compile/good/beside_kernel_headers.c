/* SPDX-License-Identifier: MIT */
/*
 * Headers of the kernel, before and behind. user_events.h includes headers of POSIX, beside which
 * <linux/time.h>, <linux/termios.h> and <asm/fcntl.h> cannot stand: beside_kernel_headers_shared.c.
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
