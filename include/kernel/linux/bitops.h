/* SPDX-License-Identifier: MIT */
/* Non-atomic operations on bits in arrays of unsigned long. */
#ifndef UE_LINUX_BITOPS_H
#define UE_LINUX_BITOPS_H
#pragma GCC system_header

#include <linux/bits.h>
#include <stdbool.h>

static inline bool test_bit(unsigned long n, const unsigned long *bits)
{
	return bits[BIT_WORD(n)] >> (n % BITS_PER_LONG) & 1;
}

static inline void __set_bit(unsigned long n, unsigned long *bits)
{
	bits[BIT_WORD(n)] |= BIT_MASK(n);
}

static inline void __clear_bit(unsigned long n, unsigned long *bits)
{
	bits[BIT_WORD(n)] &= ~BIT_MASK(n);
}

#endif
