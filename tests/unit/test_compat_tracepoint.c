/* SPDX-License-Identifier: MIT */
/*
 * Programs written for LinuxTracepoints' tracepoint-provider.h register the tracepoints they
 * describe and write events in the kernel's format.
 *
 * Also compiled as C++.
 */
#define UE_MAX_EVENT 200000
#define FAKE_KERNEL_HOOKS
#include "test.h"
#include "fake_kernel.h"

#include <tracepoint/tracepoint-provider.h>

TPP_DECLARE_PROVIDER(provider);
TPP_DEFINE_PROVIDER(provider);
TPP_DEFINE_PROVIDER(flagged);
TPP_DEFINE_PROVIDER(empty);

TPP_FUNCTION(provider, "compat_none", compat_none)
TPP_FUNCTION(provider, "compat_one", compat_one, TPP_STRING("s", text))
TPP_FUNCTION(provider, "compat_some", compat_some, TPP_INT32("a", number), TPP_STRING("b", text),
	     TPP_CUSTOM_REL_LOC("u8[] c", uint8_t, size, data), TPP_CHAR_ARRAY("d", 3, chars),
	     TPP_CUSTOM_BYREF("struct pair e 4", uint16_t, 4, pair), TPP_UINT64("f", large))

static int registered(void **state)
{
	struct fake_world world = fake_world_default();

	(void)state;
	ue_unregister_all();
	fake_kernel_reset(&world);
	if (TPP_REGISTER_PROVIDER(provider) != 0 || TPP_REGISTER_PROVIDER(empty) != 0)
		return -1;
	fake_kernel_enable("*", FAKE_FTRACE);
	return 0;
}

/* Expected payload of the record. */
static unsigned char expected[100000];
static size_t size;

static void put(const void *p, size_t n)
{
	memcpy(expected + size, p, n);
	size += n;
}

static void put_loc(size_t bytes, size_t offset)
{
	uint32_t loc = (uint32_t)(bytes << 16 | offset);

	put(&loc, sizeof(loc));
}

static void expect_record(const char *name, const char *fields)
{
	const struct fake_record *record = fake_kernel_record(0);
	char text[512] = "";

	assert_int_equal(fake_kernel_records(), 1);
	assert_string_equal(record->name, name);
	assert_true(fake_kernel_fields(name, text, sizeof(text)) >= 0);
	assert_string_equal(text, fields);
	assert_int_equal(record->size, size);
	assert_memory_equal(record->data, expected, size);
	fake_kernel_clear_records();
	size = 0;
}

#if __SIZEOF_POINTER__ == 8
#define WORD(sign) sign "64"
#else
#define WORD(sign) sign "32"
#endif
TEST_SETUP(test_integers_of_every_type, registered){
#define INTEGER(T, ctype, type, value)                                                           \
	{                                                                                        \
		ctype v = value, w = 1;                                                          \
                                                                                                 \
		assert_int_equal(                                                                \
			TPP_WRITE(provider, "compat_" #T, TPP_##T("v", v), TPP_##T("w", 1)), 0); \
		put(&v, sizeof(v));                                                              \
		put(&w, sizeof(w));                                                              \
		expect_record("compat_" #T, type " v; " type " w");                              \
	}
	INTEGER(UINT8, uint8_t, "u8", UINT8_MAX) INTEGER(INT8, int8_t, "s8", INT8_MIN)
		INTEGER(UINT16, uint16_t, "u16",
			UINT16_MAX) INTEGER(INT16, int16_t, "s16",
					    INT16_MIN) INTEGER(UINT32, uint32_t, "u32", UINT32_MAX)
			INTEGER(INT32, int32_t, "s32", INT32_MIN) INTEGER(UINT64, uint64_t, "u64",
									  UINT64_MAX)
				INTEGER(INT64, int64_t, "s64", INT64_MIN)
					INTEGER(UINTPTR, uintptr_t, WORD("u"), UINTPTR_MAX)
						INTEGER(INTPTR, intptr_t, WORD("s"), INTPTR_MIN)
}

TEST_SETUP(test_strings_and_data, registered)
{
	static const unsigned char bytes[] = "0123456789abcdef";
	const char *null = NULL;
	uint32_t seven = 7;

	assert_int_equal(TPP_WRITE(provider, "compat_data", TPP_STRING("s", "abc"),
				   TPP_UINT8("x", 5), TPP_STRING("t", null),
				   TPP_UCHAR_ARRAY("u", 16, bytes), TPP_CHAR_ARRAY("c", 0x2, "xy"),
				   TPP_STRUCT_PTR("p", "pair", 4, bytes),
				   TPP_CUSTOM_BYVAL("unsigned int v", uint32_t, 7),
				   TPP_CUSTOM_REL_LOC("u8[] r", unsigned char, 3, bytes + 1),
				   TPP_CUSTOM_REL_LOC_STR("char[] l", unsigned char, bytes)),
			 0);
	put_loc(4, 43 - 4);
	put("\5", 1);
	put_loc(1, 47 - 9);
	put(bytes, 16);
	put("xy", 2);
	put(bytes, 4);
	put(&seven, 4);
	put_loc(3, 48 - 39);
	put_loc(17, 51 - 43);
	put("abc", 4);
	put("", 1);
	put(bytes + 1, 3);
	put(bytes, 17);
	expect_record(
		"compat_data",
		"__rel_loc char[] s; u8 x; __rel_loc char[] t; unsigned char[16] u; char[0x2] c; "
		"struct pair p 4; unsigned int v; __rel_loc u8[] r; __rel_loc char[] l");
}

static int calls;
static int32_t next(void)
{
	return ++calls;
}

static int write_one(void)
{
	return TPP_WRITE(provider, "compat_calls", TPP_INT32("a", next()), TPP_INT32("b", next()));
}

TEST_SETUP(test_enabled_event_evaluates_values_once_in_order, registered)
{
	int32_t first = 1, second = 2;

	calls = 0;
	assert_int_equal(write_one(), 0);
	put(&first, 4);
	put(&second, 4);
	expect_record("compat_calls", "s32 a; s32 b");
	fake_kernel_disable("*", FAKE_FTRACE);
	assert_int_equal(write_one(), 0);
	fake_kernel_enable("*", FAKE_FTRACE);
	TPP_UNREGISTER_PROVIDER(provider);
	TPP_UNREGISTER_PROVIDER(provider);
	assert_int_equal(write_one(), 0);
	assert_int_equal(calls, 2);
	assert_int_equal(TPP_REGISTER_PROVIDER(provider), 0);
	assert_int_equal(TPP_REGISTER_PROVIDER(provider), 0);
	fake_kernel_enable("*", FAKE_FTRACE);
	write_one();
	assert_int_equal(calls, 4);
	assert_int_equal(fake_kernel_records(), 1);
	fake_kernel_clear_records();
}

TEST_SETUP(test_functions_take_the_fields_and_report_the_enabled_state, registered)
{
	static const uint16_t pair[2] = { 3, 4 };
	int32_t number = -1;
	uint64_t large = 5;

	assert_int_equal(compat_none(), 0);
	expect_record("compat_none", "");
	assert_int_equal(compat_one("x"), 0);
	put_loc(2, 0);
	put("x", 2);
	expect_record("compat_one", "__rel_loc char[] s");
	assert_true(compat_some_enabled());
	assert_int_equal(
		compat_some(number, "text", 2, (const uint8_t *)"\1\2", "abc", pair, large), 0);
	put(&number, 4);
	put_loc(5, 27 - 8);
	put_loc(2, 32 - 12);
	put("abc", 3);
	put(pair, 4);
	put(&large, 8);
	put("text", 5);
	put("\1\2", 2);
	expect_record(
		"compat_some",
		"s32 a; __rel_loc char[] b; __rel_loc u8[] c; char[3] d; struct pair e 4; u64 f");
	fake_kernel_disable("compat_some", FAKE_FTRACE);
	assert_false(compat_some_enabled());
	assert_true(compat_none_enabled());
}

TEST_SETUP(test_results_are_errnos, registered)
{
	static char s[70000];
	struct fake_world world = fake_world_default();

	memset(s, 'x', sizeof(s) - 1);
	errno = 77;
	fake_kernel_fail(FAKE_WRITE, 1, 1, EFAULT);
	assert_int_equal(compat_one("x"), EFAULT);
	assert_int_equal(compat_one(s), E2BIG);
	assert_int_equal(compat_one(s + 69998), 0);
	assert_int_equal(errno, 77);
	TPP_UNREGISTER_PROVIDER(provider);
	world.data_errno = EACCES;
	fake_kernel_reset(&world);
	assert_int_equal(TPP_REGISTER_PROVIDER(provider), EACCES);
	assert_int_equal(compat_one("x"), 0);
	assert_int_equal(TPP_REGISTER_PROVIDER(provider), EACCES);
	TPP_UNREGISTER_PROVIDER(provider);
	fake_kernel_reset(NULL);
	assert_int_equal(TPP_REGISTER_PROVIDER(provider), 0);
	assert_int_equal(fake_kernel_enable("compat_one", FAKE_FTRACE), 1);
	assert_true(compat_one_enabled());
	assert_int_equal(TPP_WRITE(flagged, "compat_flagged:FLAG"), 0);
	assert_int_equal(TPP_REGISTER_PROVIDER(flagged), EINVAL);
}

/* A loc has 16 bits for the length and 16 bits for the offset of its data. */
TEST_SETUP(test_data_up_to_65535_bytes_or_at_that_offset_are_written, registered)
{
	static char s[65536];
	struct fake_world world = fake_world_default();
	const uint16_t pair[2] = { 1, 2 };
	const struct fake_record *record;
	uint32_t loc;

	world.ftrace_max = UE_MAX_EVENT;
	fake_kernel_change(&world);
	memset(s, 'x', sizeof(s) - 1);
	assert_int_equal(compat_one(s), E2BIG);
	assert_int_equal(compat_one(s + 1), 0);
	/* offset of c's data: 15 bytes of fixed fields, then the string that follows its loc */
	assert_int_equal(compat_some(1, s + 15, 1, (const uint8_t *)"c", "abc", pair, 2), E2BIG);
	fake_kernel_clear_records();
	assert_int_equal(compat_some(1, s + 16, 1, (const uint8_t *)"c", "abc", pair, 2), 0);
	record = fake_kernel_record(0);
	assert_non_null(record);
	memcpy(&loc, record->data + 8, sizeof(loc));
	assert_int_equal(loc, 1u << 16 | 65535);
	assert_int_equal(record->data[12 + 65535], 'c');
}

TESTS_MAIN
