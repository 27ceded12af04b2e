/* SPDX-License-Identifier: MIT */
/*
 * The decoder prints the shortest decimal number that reads back as the same value. libc's printf()
 * and strtod() are the reference, for difficult cases and many random values.
 */
#include "decode_build.h"

#include <math.h>

static uint64_t random64(void)
{
	static uint64_t state[2] = { 88172645463325252, 0x9e3779b97f4a7c15 };
	uint64_t a = state[0], b = state[1];

	state[0] = b;
	a ^= a << 23;
	state[1] = a ^ b ^ a >> 18 ^ b >> 5;
	return state[1] + b;
}

static const char *text_of(uint64_t bits, size_t size)
{
	static char text[64];
	struct ue_decode_item item;
	uint8_t p[8];
	size_t i;

	for (i = 0; i < size; i++)
		p[i] = (uint8_t)(bits >> 8 * i);
	memset(&item, 0, sizeof(item));
	item.kind = size == 4 ? UE_DECODE_KIND_VALUE32 : UE_DECODE_KIND_VALUE64;
	item.format = UE_DECODE_FORMAT_FLOAT;
	item.value = p;
	item.size = size;
	ue_decode_value(&item, 0, text, sizeof(text));
	return text;
}

static double double_of(uint64_t bits)
{
	double d;

	memcpy(&d, &bits, 8);
	return d;
}

static float float_of(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, 4);
	return f;
}

static uint64_t bits_of(double d)
{
	uint64_t bits;

	memcpy(&bits, &d, 8);
	return bits;
}

static uint32_t float_bits_of(float f)
{
	uint32_t bits;

	memcpy(&bits, &f, 4);
	return bits;
}

static size_t digits_in(const char *text)
{
	size_t n = 0, zeros = 0;

	for (; *text && *text != 'e'; text++) {
		if (*text == '0')
			zeros++;
		else if (*text >= '1' && *text <= '9') {
			n += n ? zeros + 1 : 1;
			zeros = 0;
		}
	}
	return n;
}

/*
 * Checks that TEXT reads back as X, and that no shorter output of printf("%.*e") does. Also checks
 * that TEXT is the shorter of the plain and the scientific form, or the plain form if both have the
 * same length.
 */
static void check(const char *text, double x, int is_float)
{
	char plain[400], scientific[64], precise[64];
	int digits, places;
	size_t n;
	double back = is_float ? (double)strtof(text, NULL) : strtod(text, NULL);

	if (bits_of(back) != bits_of(x))
		fail_msg("%s does not read back as %.17g", text, x);
	for (digits = 1; digits < 17; digits++) {
		snprintf(precise, sizeof(precise), "%.*e", digits - 1, x);
		if ((is_float ? (double)strtof(precise, NULL) : strtod(precise, NULL)) == x)
			break;
	}
	n = digits_in(text);
	/* the plain form of an integer contains all of its digits */
	if (!strpbrk(text, ".e")) {
		snprintf(plain, sizeof(plain), "%.0f", x);
		assert_string_equal(text, plain);
	} else if (n > (size_t)digits) {
		fail_msg("%s has more digits than %.*e", text, digits - 1, x);
	}

	/*
	 * libc may choose other digits, but never more of them, so compare the lengths of our two
	 * forms
	 */
	snprintf(scientific, sizeof(scientific), "%.*e", (n < (size_t)digits ? (int)n : digits) - 1,
		 x);
	places = digits - 1 - atoi(strchr(scientific, 'e') + 1);
	snprintf(plain, sizeof(plain), "%.*f", places > 0 ? places : 0, x);
	if (strlen(plain) <= strlen(scientific) ? strchr(text, 'e') != NULL : !strchr(text, 'e'))
		fail_msg("%s is not the shorter one of %s and %s", text, plain, scientific);
	if (strtod(strchr(text, 'e') ? scientific : plain, NULL) == back && n == (size_t)digits)
		assert_int_equal(strlen(text), strlen(strchr(text, 'e') ? scientific : plain));
}

static void check_double(uint64_t bits)
{
	double d = double_of(bits);

	if (isfinite(d))
		check(text_of(bits, 8), d, 0);
}

static void check_float(uint32_t bits)
{
	float f = float_of(bits);

	if (isfinite(f))
		check(text_of(bits, 4), (double)f, 1);
}

static double power_of_ten(int e)
{
	char text[16];

	snprintf(text, sizeof(text), "1e%d", e);
	return strtod(text, NULL);
}

TEST(test_the_shorter_form_is_printed)
{
	static const struct {
		double x;
		const char *text;
	} rows[] = {
		{ 1, "1" }, { -1, "-1" }, { 10, "10" }, { 100, "100" }, { 1000, "1000" },
		{ 10000, "10000" }, { 100000, "1e+05" }, { 120000, "120000" },
		{ 1200000, "1200000" }, { 12000000, "1.2e+07" }, { 1234567, "1234567" },
		{ 0.1, "0.1" }, { 0.01, "0.01" }, { 0.001, "0.001" }, { 0.0001, "1e-04" },
		{ 0.00001, "1e-05" }, { 0.00012, "0.00012" }, { 0.000012, "1.2e-05" },
		{ 3.14, "3.14" }, { 123.456, "123.456" }, { 1e20, "1e+20" }, { 1e100, "1e+100" },
		{ 1e-7, "1e-07" }, { 1e-100, "1e-100" }, { 1.5e300, "1.5e+300" },
		{ 123456789012345678.0, "123456789012345680" },
		{ 9007199254740993.0, "9007199254740992" },
		{ 123456789012345680000.0, "123456789012345683968" },
		{ 1.2345678901234567e21, "1234567890123456774144" },
		{ 1.2345678901234567e22, "1.2345678901234568e+22" },
		{ 1e23, "1e+23" },
		{ 5e-324, "5e-324" },
		{ 2.2250738585072014e-308, "2.2250738585072014e-308" },
		{ 2.225073858507201e-308, "2.225073858507201e-308" },
		{ 1.7976931348623157e308, "1.7976931348623157e+308" },
		{ 9.5367431640625e-07, "9.5367431640625e-07" },
		{ 1.0 / 3, "0.3333333333333333" },
		{ 2.0 / 3, "0.6666666666666666" },
		{ 0.30000000000000004, "0.30000000000000004" },
		{ 2251799813685248.5, "2251799813685248.5" },
		{ 9007199254740991.0, "9007199254740991" },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_string_equal(text_of(bits_of(rows[i].x), 8), rows[i].text);
		check_double(bits_of(rows[i].x));
	}
	assert_string_equal(text_of(0x3eaaaaab, 4), "0.33333334");
	assert_string_equal(text_of(1, 4), "1e-45");
	assert_string_equal(text_of(0x7f7fffff, 4), "3.4028235e+38");
	assert_string_equal(text_of(0x00800000, 4), "1.1754944e-38");
	assert_string_equal(text_of(0x4b800000, 4), "16777216");
	assert_string_equal(text_of(0x501502f9, 4), "1e+10");
	assert_string_equal(text_of(0x4cbebc20, 4), "1e+08");
	assert_string_equal(text_of(0x4e932c06, 4), "1234567936");
}

TEST(test_hard_doubles)
{
	static const uint64_t hard[] = {
		/* difficult cases from the literature on floating-point conversion */
		0x44b52d02c7e14af7, /* the largest double below 1e23 */
		0x44b52d02c7e14af6,
		0x0000000000000001, 0x0000000000000002, 0x000fffffffffffff, 0x0010000000000000,
		0x0010000000000001, 0x7fefffffffffffff, 0x4340000000000000, 0x4340000000000001,
		0x433fffffffffffff, 0x3ff0000000000001, 0x3fefffffffffffff,
		0x00a0000000000000, 0x0170000000000000, 0x3d00000000000000,
		0x3e60000000000000, 0x3da5fd7fe1796495, 0x02ca39b6e9f6e8f1,
	};
	size_t i;
	int e, near;

	for (i = 0; i < sizeof(hard) / sizeof(hard[0]); i++)
		check_double(hard[i]);
	/*
	 * powers of two and their neighbours; the next lower number is only half as far away as the
	 * next higher one
	 */
	for (e = 0; e < 0x7ff; e++)
		for (near = -1; near <= 1; near++)
			check_double(((uint64_t)e << 52) + (uint64_t)(int64_t)near);
	/* powers of ten and their neighbours */
	for (e = -323; e < 309; e++) {
		for (near = -2; near <= 2; near++)
			check_double(bits_of(power_of_ten(e)) + (uint64_t)(int64_t)near);
	}
}

TEST(test_hard_floats)
{
	int e, near;

	for (e = 0; e < 0xff; e++)
		for (near = -1; near <= 1; near++)
			check_float(((uint32_t)e << 23) + (uint32_t)near);
	for (e = -45; e < 39; e++) {
		for (near = -2; near <= 2; near++)
			check_float(float_bits_of((float)power_of_ten(e)) + (uint32_t)near);
	}
}

TEST(test_random_values)
{
	int i;

	for (i = 0; i < 10000; i++) {
		uint64_t r = random64();
		int e = (int)(random64() % 40);

		check_double(r);
		check_float((uint32_t)r);
		/* typical measurements: integers, thousandths, products of numbers */
		check_double(bits_of((double)(r >> (r & 63))));
		check_double(bits_of((double)(r % 10000000) / 1000));
		/*
		 * numbers with up to 15 digits, of which up to six are decimals, and their
		 * neighbours
		 */
		check_double(bits_of((double)(r % 1100000000000000) / 1e6) + random64() % 5 - 2);
		check_double(bits_of((double)(r % 1000000 + 1) / 1e6) + random64() % 3 - 1);
		check_double(bits_of((double)(r % 1000) * power_of_ten(e - 20)));
		check_double(bits_of(ldexp((double)(r >> 11), e - 30)));
		check_float(float_bits_of((float)(r % 100000) / 100));
		check_float(float_bits_of((float)ldexp((double)(r >> 40), e - 20)));
	}
}

TEST(test_specials)
{
	assert_string_equal(text_of(0, 8), "0");
	assert_string_equal(text_of(0, 4), "0");
	assert_string_equal(text_of((uint64_t)1 << 63, 8), "-0");
	assert_string_equal(text_of(0x80000000, 4), "-0");
	assert_string_equal(text_of(0x7ff0000000000001, 8), "nan");
	assert_string_equal(text_of(0xffffffff, 4), "-nan");
	assert_string_equal(text_of(0xfff0000000000000, 8), "-inf");
}

TESTS_MAIN
