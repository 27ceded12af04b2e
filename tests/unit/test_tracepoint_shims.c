/* SPDX-License-Identifier: MIT */
/* The names in the shim headers must behave as in the kernel's headers. */
#define CONFIG_SHIMS 1
#define CONFIG_ZERO 0
#include "test.h"

#include <linux/bitmap.h>
#include <linux/cpumask.h>
#include <linux/kdev_t.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/string.h>
#include <linux/time.h>
#include <linux/trace_events.h>
#include <linux/types.h>

#if !IS_ENABLED(CONFIG_SHIMS) || IS_ENABLED(CONFIG_ZERO) || IS_ENABLED(CONFIG_NOWHERE)
#error "IS_ENABLED()"
#endif
#if !IS_REACHABLE(CONFIG_SHIMS)
#error "IS_REACHABLE()"
#endif

TEST(test_strscpy)
{
	char eight[8], one[1] = "x";

	assert_int_equal(strscpy(eight, "seven77"), 7);
	assert_string_equal(eight, "seven77");
	assert_int_equal(strscpy(eight, "eight888"), -E2BIG);
	assert_string_equal(eight, "eight88");
	assert_int_equal(strscpy(eight, "", 8), 0);
	assert_string_equal(eight, "");
	assert_int_equal(strscpy(eight, "abc", 3), -E2BIG);
	assert_string_equal(eight, "ab");
	assert_int_equal(strscpy(one, "a"), -E2BIG);
	assert_string_equal(one, "");
	assert_int_equal(strscpy(eight, "a", 0), -E2BIG);
	assert_string_equal(eight, "ab");
	assert_int_equal(strlcpy(eight, "eight888", sizeof(eight)), 8);
	assert_string_equal(eight, "eight88");
	assert_string_equal(kbasename("/a/b.c"), "b.c");
	assert_string_equal(kbasename("b.c"), "b.c");
}

static int evaluated;

static int once(int n)
{
	evaluated++;
	return n;
}

TEST(test_numbers)
{
	u64 n = 12345678901ull;

	assert_int_equal(min(once(3), once(4)), 3);
	assert_int_equal(max(once(3), once(4)), 4);
	assert_int_equal(evaluated, 4);
	assert_int_equal(min_t(u8, once(0x101), 2), 1);
	assert_int_equal(max_t(int, -1, 2u), 2);
	assert_int_equal(min(min(5, 4), max(1, 3)), 3);
	assert_int_equal(do_div(n, 1000000000), 345678901);
	assert_int_equal(n, 12);
	assert_int_equal(div_u64(100, 7), 14);
	assert_int_equal(DIV_ROUND_UP(7, 4), 2);
	assert_int_equal(div64_u64(100, 7), 14);
	assert_int_equal(MSEC_PER_SEC, 1000);
	assert_int_equal(USEC_PER_MSEC, 1000);
	assert_int_equal(NSEC_PER_USEC, 1000);
	assert_int_equal(NSEC_PER_MSEC, 1000000);
	assert_int_equal(USEC_PER_SEC, 1000000);
	assert_int_equal(NSEC_PER_SEC, 1000000000);
	assert_int_equal(ktime_to_ns(1500000), 1500000);
	assert_int_equal(ktime_to_us(1500000), 1500);
	assert_int_equal(ktime_to_ms(1500000), 1);
	assert_int_equal(sizeof(u8) + sizeof(u16) + sizeof(u32) + sizeof(u64), 15);
	assert_true((s8)-1 < 0 && (s16)-1 < 0 && (s32)-1 < 0 && (s64)-1 < 0);
	assert_int_equal(MAJOR(MKDEV(8, 300)), 8);
	assert_int_equal(MINOR(MKDEV(8, 300)), 300);
	assert_int_equal(upper_32_bits(0x123456789abcdef0ull), 0x12345678);
	assert_int_equal(lower_32_bits(0x123456789abcdef0ull), 0x9abcdef0);
}

TEST(test_bits)
{
	DECLARE_BITMAP(bits, 130) = { 0 };

	assert_int_equal(BITS_PER_BYTE, 8);
	assert_int_equal(BITS_PER_TYPE(u16), 16);
	assert_int_equal(BITS_PER_LONG_LONG, 64);
	assert_int_equal(BITS_PER_LONG, 8 * sizeof(long));
	assert_int_equal(BIT_MASK(BITS_PER_LONG + 3), 8);
	assert_int_equal(BIT_WORD(2 * BITS_PER_LONG + 3), 2);
	assert_int_equal(sizeof(bits), BITS_TO_LONGS(130) * sizeof(long));
	assert_int_equal(BIT(3) | BIT_ULL(40), 8 | 1ull << 40);
	assert_int_equal(GENMASK(7, 4), 0xf0);
	assert_int_equal(GENMASK_ULL(39, 36), 0xfull << 36);
	assert_true(GENMASK(BITS_PER_LONG - 1, 0) == ~0ul);
	__set_bit(129, bits);
	__set_bit(0, bits);
	assert_true(test_bit(129, bits) && test_bit(0, bits) && !test_bit(128, bits));
	__clear_bit(129, bits);
	assert_false(test_bit(129, bits));
	assert_int_equal(ARRAY_SIZE(bits), BITS_TO_LONGS(130));
}

TEST(test_sets_of_processors)
{
	struct cpumask a, b;
	char text[64];

	cpumask_clear(&a);
	cpumask_set_cpu(0, &a);
	cpumask_set_cpu(NR_CPUS - 1, &a);
	cpumask_copy(&b, &a);
	cpumask_clear_cpu(0, &a);
	assert_true(cpumask_test_cpu(0, &b) && cpumask_test_cpu(NR_CPUS - 1, &b));
	assert_false(cpumask_test_cpu(0, &a));
	assert_true(nr_cpu_ids >= 1 && nr_cpu_ids <= NR_CPUS);
	ue__format(text, sizeof(text), "%*pbl", cpumask_pr_args(&b));
	assert_string_equal(text, nr_cpu_ids == NR_CPUS ? "0,1023" : "0");
}

TESTS_MAIN
