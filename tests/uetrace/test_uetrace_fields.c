/* SPDX-License-Identifier: MIT */
/*
 * Tests text output: floating-point numbers are rounded to a few digits, and all other values are
 * printed unchanged.
 */
#include "test.h"

#include "fields/fields.h"

static void check_item(const char *expected, struct ue_decode_item item)
{
	struct writer w = { .line = NULL };

	item.type = UE_DECODE_VALUE;
	item.count = 1;
	item.big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	put_value(&w, &item);
	put_bytes(&w, "", 1);
	assert_string_equal(w.line, expected);
	free(w.line);
}

static void check(const char *expected, double value)
{
	check_item(expected, (struct ue_decode_item){ .value = (const uint8_t *)&value,
						      .size = sizeof(value),
						      .kind = UE_DECODE_KIND_VALUE64,
						      .format = UE_DECODE_FORMAT_FLOAT });
}

TEST(test_durations_print_as_people_read_them)
{
	check("0.034898", 0.034897999837994576);
	check("0.3", 0.1 + 0.2);
	check("-0.333333", -1.0 / 3);
	check("33.3333333", 100.0 / 3);
	check("123456.789", 123456.789);
	check("3", 3.0000000000000004);
	check("1", 0.99999999);
	check("-100", -99.9999999999);
	check("123456789", 123456789.123);
	check("1.23457e-07", 1.2345678912e-07);
	check("-0.0012345", -0.00123449999);
}

TEST(test_short_numbers_are_unchanged)
{
	check("0", 0);
	check("19.5", 19.5);
	check("4.00025", 4.00025);
	check("1e-300", 1e-300);
	check("0.1234567", 0.1234567);
}

TEST(test_large_numbers_keep_their_digits)
{
	check("1234567890123", 1234567890123);
	check("1795281853.585503", 1795281853.585503);
	check("nan", __builtin_nan(""));
	check("-inf", -__builtin_inf());
}

TEST(test_other_values_are_unchanged)
{
	uint64_t whole = 12345678901234567890u;

	check_item("12345678901234567890",
		   (struct ue_decode_item){ .value = (const uint8_t *)&whole,
					    .size = sizeof(whole),
					    .kind = UE_DECODE_KIND_VALUE64,
					    .format = UE_DECODE_FORMAT_UNSIGNED });
	check_item("\"0.034897999837994576\"",
		   (struct ue_decode_item){ .value = (const uint8_t *)"0.034897999837994576",
					    .size = 20,
					    .kind = UE_DECODE_KIND_STRING8,
					    .format = UE_DECODE_FORMAT_UTF });
}

TESTS_MAIN
