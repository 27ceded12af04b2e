/* SPDX-License-Identifier: MIT */
/* A library for LD_PRELOAD that writes an event at each write() of the program. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <user_events.h>

#include <sys/syscall.h>
#include <unistd.h>

ssize_t write(int fd, const void *buffer, size_t size)
{
	UE_TRACE(preloaded, UE_I32(fd), UE_U64(size, size));
	return syscall(SYS_write, fd, buffer, size);
}
