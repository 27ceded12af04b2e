/* SPDX-License-Identifier: MIT */
/* The parts of <linux/kernel.h> that the kernel's trace headers use. */
#ifndef UE_LINUX_KERNEL_H
#define UE_LINUX_KERNEL_H
#pragma GCC system_header

#include <linux/types.h>
#if __has_include_next(<linux/kernel.h>)
#include_next <linux/kernel.h>
#endif
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/kconfig.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/stringify.h>
#include <errno.h>
#include <stdarg.h>

#ifndef ARRAY_SIZE
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#endif
#define DIV_ROUND_UP(n, d) (((n) + (d) - 1) / (d))
#define sizeof_field(type, member) sizeof(((type *)0)->member)
#define upper_32_bits(n) ((uint32_t)((uint64_t)(n) >> 32))
#define lower_32_bits(n) ((uint32_t)((uint64_t)(n) & 0xffffffff))

/* Argument of %pV. */
struct va_format {
	const char *fmt;
	va_list *va;
};

#endif
