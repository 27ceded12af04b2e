/* SPDX-License-Identifier: MIT */
/* flags: -DUE_SHARED */
/*
 * With UE_SHARED, a file that only declares events includes none of the headers that conflict with
 * kernel headers.
 */
#include <asm/fcntl.h>
#include <linux/eventpoll.h>
#include <linux/sched/types.h>
#include <linux/termios.h>
#include <linux/time.h>
#include <user_events.h>
#include <linux/uio.h>

void beside_kernel_headers(int x);
void beside_kernel_headers(int x)
{
	UE_TRACE(beside_kernel_headers, x);
}
