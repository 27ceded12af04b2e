/* SPDX-License-Identifier: MIT */
#ifndef UE_LINUX_MATH64_H
#define UE_LINUX_MATH64_H
#pragma GCC system_header

#include <linux/types.h>

/* Divides N in place, and returns the remainder. */
#define do_div(n, base) \
	(__extension__({ \
		const uint32_t ue__base = (uint32_t)(base); \
		const uint32_t ue__remainder = (uint32_t)((n) % ue__base); \
		(n) /= ue__base; \
		ue__remainder; \
	}))

static inline unsigned long long div_u64(uint64_t n, uint32_t divisor)
{
	return n / divisor;
}

static inline unsigned long long div64_u64(uint64_t n, uint64_t divisor)
{
	return n / divisor;
}

#endif
