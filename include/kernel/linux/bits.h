/* SPDX-License-Identifier: MIT */
#ifndef UE_LINUX_BITS_H
#define UE_LINUX_BITS_H
#pragma GCC system_header

#define BITS_PER_BYTE 8
#ifndef BITS_PER_LONG
#if __SIZEOF_LONG__ == 8
#define BITS_PER_LONG 64
#else
#define BITS_PER_LONG 32
#endif
#endif
#define BITS_PER_LONG_LONG 64
#define BITS_PER_TYPE(type) (sizeof(type) * BITS_PER_BYTE)
#define BITS_TO_LONGS(n) (((n) + BITS_PER_LONG - 1) / BITS_PER_LONG)
#define BIT(n) (1ul << (n))
#define BIT_ULL(n) (1ull << (n))
#define BIT_MASK(n) (1ul << ((n) % BITS_PER_LONG))
#define BIT_WORD(n) ((n) / BITS_PER_LONG)
#define GENMASK(high, low) ((~0ul >> (BITS_PER_LONG - 1 - (high))) & (~0ul << (low)))
#define GENMASK_ULL(high, low) ((~0ull >> (63 - (high))) & (~0ull << (low)))

#endif
