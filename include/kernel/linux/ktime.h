/* SPDX-License-Identifier: MIT */
/* Time values in nanoseconds. */
#ifndef UE_LINUX_KTIME_H
#define UE_LINUX_KTIME_H
#pragma GCC system_header

#include <linux/types.h>

#ifndef NSEC_PER_SEC
#define MSEC_PER_SEC 1000L
#define USEC_PER_MSEC 1000L
#define NSEC_PER_USEC 1000L
#define NSEC_PER_MSEC 1000000L
#define USEC_PER_SEC 1000000L
#define NSEC_PER_SEC 1000000000L
#endif

static inline long long ktime_to_ns(ktime_t time)
{
	return time;
}

static inline long long ktime_to_us(ktime_t time)
{
	return time / NSEC_PER_USEC;
}

static inline long long ktime_to_ms(ktime_t time)
{
	return time / NSEC_PER_MSEC;
}

#endif
