/* SPDX-License-Identifier: MIT */
/*
 * Programs written for LinuxTracepoints' TraceLoggingProvider.h write valid EventHeader events.
 * Every field macro, level, keyword, struct and packed field is compared with a reference encoder
 * and the decoder.
 *
 * Also compiled as C++.
 */
#include "log_witness.h"

#include <eventheader/TraceLoggingProvider.h>
#include <limits.h>
#include <wchar.h>

TRACELOGGING_DECLARE_PROVIDER(provider);
#define ID (0xb3864c38, 0x4273, 0x58c5, 0x54, 0x5b, 0x8b, 0x36, 0x08, 0x34, 0x34, 0x71)
TRACELOGGING_DEFINE_PROVIDER(provider, "Test_Compat", ID);
TRACELOGGING_DEFINE_PROVIDER(grouped, "Test_Compat_Grouped", ID,
			     TraceLoggingOptionGroupName("g0up"));

static const struct ref_header plain = { 0, 0, 0, 0, 5 };

static void expect_ref(void)
{
	recorded("Test_Compat_L5K0", &plain, NULL, NULL);
}

/* Resets the fake kernel, registers both providers and enables their events. */
static int registered(void **state)
{
	if (traced(state) != 0 || TraceLoggingRegister(provider) != 0 ||
	    TraceLoggingRegister(grouped) != 0)
		return -1;
	fake_kernel_enable("*", FAKE_FTRACE);
	return 0;
}

enum {
	PTR = sizeof(void *) == 8 ? REF_VALUE64 : REF_VALUE32,
	LONG = sizeof(long) == 8 ? REF_VALUE64 : REF_VALUE32,
	WCHAR = sizeof(wchar_t) == 4 ? REF_VALUE32 : REF_VALUE16,
	WIDE = sizeof(wchar_t) == 4 ? 2 : 1
}; /* WIDE is the offset from the kind of an 8-bit string to the kind of a wchar_t string */

/* columns: macro, C type, kind, format, value */
#define TYPES(_)                                                 \
	_(Int8, int8_t, REF_VALUE8, REF_SIGNED, INT8_MIN)        \
	_(UInt8, uint8_t, REF_VALUE8, 0, UINT8_MAX)              \
	_(Int16, int16_t, REF_VALUE16, REF_SIGNED, INT16_MIN)    \
	_(UInt16, uint16_t, REF_VALUE16, 0, UINT16_MAX)          \
	_(Int32, int32_t, REF_VALUE32, REF_SIGNED, INT32_MIN)    \
	_(UInt32, uint32_t, REF_VALUE32, 0, UINT32_MAX)          \
	_(Int64, int64_t, REF_VALUE64, REF_SIGNED, INT64_MIN)    \
	_(UInt64, uint64_t, REF_VALUE64, 0, UINT64_MAX)          \
	_(IntPtr, intptr_t, PTR, REF_SIGNED, INTPTR_MIN)         \
	_(UIntPtr, uintptr_t, PTR, 0, UINTPTR_MAX)               \
	_(Long, long, LONG, REF_SIGNED, LONG_MIN)                \
	_(ULong, unsigned long, LONG, 0, ULONG_MAX)              \
	_(HexInt8, int8_t, REF_VALUE8, REF_HEX, INT8_MIN)        \
	_(HexUInt8, uint8_t, REF_VALUE8, REF_HEX, UINT8_MAX)     \
	_(HexInt16, int16_t, REF_VALUE16, REF_HEX, INT16_MIN)    \
	_(HexUInt16, uint16_t, REF_VALUE16, REF_HEX, UINT16_MAX) \
	_(HexInt32, int32_t, REF_VALUE32, REF_HEX, INT32_MIN)    \
	_(HexUInt32, uint32_t, REF_VALUE32, REF_HEX, UINT32_MAX) \
	_(HexInt64, int64_t, REF_VALUE64, REF_HEX, INT64_MIN)    \
	_(HexUInt64, uint64_t, REF_VALUE64, REF_HEX, UINT64_MAX) \
	_(HexIntPtr, intptr_t, PTR, REF_HEX, INTPTR_MIN)         \
	_(HexUIntPtr, uintptr_t, PTR, REF_HEX, UINTPTR_MAX)      \
	_(HexLong, long, LONG, REF_HEX, LONG_MIN)                \
	_(HexULong, unsigned long, LONG, REF_HEX, ULONG_MAX)     \
	_(Float32, float, REF_VALUE32, REF_FLOAT, 3.14f)         \
	_(Float64, double, REF_VALUE64, REF_FLOAT, -1.0 / 3)     \
	_(Boolean, uint8_t, REF_VALUE8, REF_BOOL, true)          \
	_(Bool, int32_t, REF_VALUE32, REF_BOOL, INT32_MIN)       \
	_(Char, char, REF_VALUE8, REF_LATIN1, 'A')               \
	_(Char16, char16_t, REF_VALUE16, REF_UTF, u'\xfffe')     \
	_(Char32, char32_t, REF_VALUE32, REF_UTF, U'\x10ffff')   \
	_(WChar, wchar_t, WCHAR, REF_UTF, L'B')                  \
	_(Pointer, const void *, PTR, REF_HEX, &plain)           \
	_(Pid, int32_t, REF_VALUE32, REF_PID, INT32_MAX)         \
	_(Port, uint16_t, REF_VALUE16, REF_PORT, 80)             \
	_(Errno, int32_t, REF_VALUE32, REF_ERRNO, 131)           \
	_(Time32, int32_t, REF_VALUE32, REF_TIME, 2000000000)    \
	_(Time64, int64_t, REF_VALUE64, REF_TIME, -11644473601)

#define TYPE_TEST(T, ctype, kind, format, value)                                                   \
	static void type_##T(void)                                                                 \
	{                                                                                          \
		ctype v = value;                                                                   \
		ctype const list[3] = { value, v, 0 };                                             \
		unsigned short n = 2;                                                              \
                                                                                                   \
		assert_int_equal(0,                                                                \
				 TraceLoggingWrite(provider, "scalar", TraceLogging##T(v),         \
						   TraceLogging##T(v, "any name; \xc3\xa9"),       \
						   TraceLogging##T(list[1], "c", "description"),   \
						   TraceLogging##T(v, "d", "", 0xbeef)));          \
		ref_begin(&ref, "scalar");                                                         \
		ref_value(&ref, "v", kind, format, 0, &v, sizeof(v));                              \
		ref_value(&ref, "any name; \xc3\xa9", kind, format, 0, &v, sizeof(v));             \
		ref_value(&ref, "c", kind, format, 0, &v, sizeof(v));                              \
		ref_value(&ref, "d", kind, format, 0xbeef, &v, sizeof(v));                         \
		expect_ref();                                                                      \
                                                                                                   \
		assert_int_equal(                                                                  \
			0, TraceLoggingWrite(provider, "arrays", TraceLogging##T##Array(list, n),  \
					     TraceLogging##T##Array(&v, 1, "b"),                   \
					     TraceLogging##T##Array(NULL, 0, "c", "d"),            \
					     TraceLogging##T##Array(list, 3, "d", "d", 1)));       \
		ref_begin(&ref, "arrays");                                                         \
		ref_counted(&ref, "list", kind | REF_VARIABLE, format, 0, list, 2, sizeof(v));     \
		ref_counted(&ref, "b", kind | REF_VARIABLE, format, 0, list, 1, sizeof(v));        \
		ref_counted(&ref, "c", kind | REF_VARIABLE, format, 0, list, 0, sizeof(v));        \
		ref_counted(&ref, "d", kind | REF_VARIABLE, format, 1, list, 3, sizeof(v));        \
		expect_ref();                                                                      \
                                                                                                   \
		assert_int_equal(                                                                  \
			0,                                                                         \
			TraceLoggingWrite(provider, "fixed", TraceLogging##T##FixedArray(list, 3), \
					  TraceLogging##T##FixedArray(&v, 1, "b", "", 0x8001)));   \
		ref_begin(&ref, "fixed");                                                          \
		ref_fixed(&ref, "list", kind, 3, format, 0, list, sizeof(list));                   \
		ref_fixed(&ref, "b", kind, 1, format, 0x8001, &v, sizeof(v));                      \
		expect_ref();                                                                      \
	}
TYPES(TYPE_TEST)

TEST_SETUP(test_values_and_arrays_of_every_type, registered)
{
#define CALL(T, ctype, kind, format, value) type_##T();
	TYPES(CALL)
}

/* columns: macro, C type, kind of a zero-terminated string, format, text */
#define STRINGS(_)                                    \
	_(String, char, 0, REF_LATIN1, "How are you") \
	_(Utf8String, char, 0, 0, "\xc3\xa9")         \
	_(String16, char16_t, 1, 0, u"How are you")   \
	_(String32, char32_t, 2, 0, U"How are you")   \
	_(WideString, wchar_t, WIDE, 0, L"How are you")

TEST_SETUP(test_strings_of_every_type, registered){
#define STRING(T, ctype, wide, format, text)                                               \
	{                                                                                  \
		const ctype *s = text, empty[1] = { 0 };                                   \
		size_t size = sizeof(ctype), units = sizeof(text) / size - 1;              \
                                                                                           \
		TraceLoggingWrite(provider, "strings", TraceLogging##T(s),                 \
				  TraceLogging##T(NULL, "null"),                           \
				  TraceLogging##T(empty, "empty", "", 7));                 \
		ref_begin(&ref, "strings");                                                \
		ref_zstring(&ref, "s", REF_ZSTRING8 + wide, format, 0, s, units, size);    \
		ref_zstring(&ref, "null", REF_ZSTRING8 + wide, format, 0, NULL, 0, size);  \
		ref_zstring(&ref, "empty", REF_ZSTRING8 + wide, format, 7, NULL, 0, size); \
		expect_ref();                                                              \
		TraceLoggingWrite(provider, "counted", TraceLoggingCounted##T(s, units),   \
				  TraceLoggingCounted##T(NULL, 0, "null"),                 \
				  TraceLoggingCounted##T(s + 1, 1, "one", "", 7));         \
		ref_begin(&ref, "counted");                                                \
		ref_counted(&ref, "s", REF_STRING8 + wide, format, 0, s, units, size);     \
		ref_counted(&ref, "null", REF_STRING8 + wide, format, 0, NULL, 0, size);   \
		ref_counted(&ref, "one", REF_STRING8 + wide, format, 7, s + 1, 1, size);   \
		expect_ref();                                                              \
	}
	STRINGS(STRING)
}

TEST_SETUP(test_bytes_ids_and_addresses, registered)
{
	static const uint8_t guid[16] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
	uint32_t ipv4 = 0x0100007f;

	TraceLoggingWrite(provider, "bytes", TraceLoggingBinary(guid, 5),
			  TraceLoggingBinary(NULL, 0, "n", "d", 9),
			  TraceLoggingBinaryEx(guid, 3, event_field_format_string_json),
			  TraceLoggingBinaryEx(guid, 2, event_field_format_uuid, "u", "d", 0x100),
			  TraceLoggingGuid(guid), TraceLoggingGuid(&guid, "g", "d", 1),
			  TraceLoggingIPv4Address(ipv4),
			  TraceLoggingIPv6Address("0123456789abcdef", "v6"));
	ref_begin(&ref, "bytes");
	ref_counted(&ref, "guid", REF_STRING8, REF_HEX_BYTES, 0, guid, 5, 1);
	ref_counted(&ref, "n", REF_STRING8, REF_HEX_BYTES, 9, guid, 0, 1);
	ref_counted(&ref, "guid", REF_STRING8, REF_JSON, 0, guid, 3, 1);
	ref_counted(&ref, "u", REF_STRING8, REF_UUID, 0x100, guid, 2, 1);
	ref_value(&ref, "guid", REF_VALUE128, REF_UUID, 0, guid, 16);
	ref_value(&ref, "g", REF_VALUE128, REF_UUID, 1, guid, 16);
	ref_value(&ref, "ipv4", REF_VALUE32, REF_IP, 0, &ipv4, 4);
	ref_value(&ref, "v6", REF_VALUE128, REF_IP + 1, 0, "0123456789abcdef", 16);
	expect_ref();
}

/*
 * Structs are encoded flat: each struct states the number of following fields that are its
 * members.
 */
TEST_SETUP(test_structs_and_packed_fields, registered)
{
	static const struct {
		uint16_t count;
		uint8_t a[2][3];
	} items = { 2, { { 1, 'x', 0 }, { 2, 'y', 0 } } };
	static const uint16_t list[] = { 2, 8, 9 };
	int five = 5;

	TraceLoggingWrite(
		provider, "structs", TraceLoggingStruct(20, "more than there are", "d", 0xbeef),
		TraceLoggingStruct(2, "outer"), TraceLoggingInt32(five),
		TraceLoggingStruct(1, "inner"), TraceLoggingInt32(five),
		TraceLoggingPackedStruct(1, "packed", "d"), TraceLoggingPackedData(&five, 4),
		TraceLoggingPackedMetadata(event_field_encoding_value32, "m"),
		TraceLoggingPackedStructArray(2, "items", "", 3),
		TraceLoggingPackedMetadata(event_field_encoding_value8, "number", "d", 4),
		TraceLoggingPackedMetadataEx(event_field_encoding_zstring_char8,
					     event_field_format_string8, "s"),
		TraceLoggingPackedData(&items.count, sizeof(items)),
		TraceLoggingPackedField(&five, sizeof(five), event_field_encoding_value32),
		TraceLoggingPackedField(
			list, 6, event_field_encoding_value16 | event_field_encoding_varray_flag,
			"list"),
		TraceLoggingPackedFieldEx(&five, 4, event_field_encoding_value32,
					  event_field_format_default, "f"),
		TraceLoggingPackedFieldEx(&five, 4, event_field_encoding_value32,
					  event_field_format_pid, "p", "", 5));
	ref_begin(&ref, "structs");
	ref_define(&ref, "more than there are", REF_STRUCT, 0, 0, 20, 0xbeef);
	ref_define(&ref, "outer", REF_STRUCT, 0, 0, 2, 0);
	ref_define(&ref, "five", REF_VALUE32, 0, 0, REF_SIGNED, 0);
	ref_define(&ref, "inner", REF_STRUCT, 0, 0, 1, 0);
	ref_define(&ref, "five", REF_VALUE32, 0, 0, REF_SIGNED, 0);
	ref_define(&ref, "packed", REF_STRUCT, 0, 0, 1, 0);
	ref_define(&ref, "m", REF_VALUE32, 0, 0, 0, 0);
	ref_define(&ref, "items", REF_STRUCT, REF_VARIABLE, 0, 2, 3);
	ref_define(&ref, "number", REF_VALUE8, 0, 0, 0, 4);
	ref_define(&ref, "s", REF_ZSTRING8, 0, 0, REF_LATIN1, 0);
	ref_define(&ref, "&five", REF_VALUE32, 0, 0, 0, 0);
	ref_define(&ref, "list", REF_VALUE16, REF_VARIABLE, 0, 0, 0);
	/* naming the default format explicitly adds one byte */
	ref_meta(&ref, "f\0\x84\0", 4);
	ref_define(&ref, "p", REF_VALUE32, 0, 0, REF_PID, 5);
	ref_put(&ref, &five, 4);
	ref_put(&ref, &five, 4);
	ref_put(&ref, &five, 4);
	ref_put(&ref, &items, sizeof(items));
	ref_put(&ref, &five, 4);
	ref_put(&ref, list, 6);
	ref_put(&ref, &five, 4);
	ref_put(&ref, &five, 4);
	expect_ref();
}

TEST_SETUP(test_last_level_wins_and_keywords_are_ored, registered)
{
	struct ref_header h = { 0, 0, 0, 0, 5 };

	TraceLoggingWrite(provider, "none");
	ref_begin(&ref, "none");
	expect_ref();
	TraceLoggingWrite(provider, "all", TraceLoggingIdVersion(7, 1), TraceLoggingLevel(2),
			  TraceLoggingKeyword(0x80), TraceLoggingOpcode(3),
			  TraceLoggingLevel(event_level_information), TraceLoggingKeyword(5),
			  TraceLoggingEventTag(1), TraceLoggingOpcode(event_opcode_receive),
			  TraceLoggingDescription("Hello"), TraceLoggingIdVersion(65535, 255),
			  TraceLoggingEventTag(0x1234), TraceLoggingUInt8(1, "a"),
			  TraceLoggingKeyword(0x8000000000000000));
	h.version = 255;
	h.id = 65535;
	h.tag = 0x1234;
	h.opcode = 0xf0;
	h.level = 4;
	ref_begin(&ref, "all");
	ref_value(&ref, "a", REF_VALUE8, 0, 0, "\1", 1);
	recorded("Test_Compat_L4K8000000000000085", &h, NULL, NULL);
	memset(&h, 0, sizeof(h));
	h.level = 255;
	TraceLoggingWrite(grouped, "group", TraceLoggingLevel(255),
			  TraceLoggingKeyword(0xf123456789abcdef));
	ref_begin(&ref, "group");
	recorded("Test_Compat_Grouped_LffKf123456789abcdefGg0up", &h, NULL, NULL);
}

/* Sites with the same level and keyword share a tracepoint, enable word and descriptor. */
TEST_SETUP(test_a_pair_of_level_and_keyword_is_one_set, registered)
{
	unsigned int words, descriptors;

	TraceLoggingUnregister(provider);
	TraceLoggingUnregister(grouped);
	words = fake_kernel_enablers();
	descriptors = fake_kernel_fds();
	assert_int_equal(TraceLoggingRegister(grouped), 0);
	TraceLoggingWrite(grouped, "group", TraceLoggingLevel(255),
			  TraceLoggingKeyword(0xf123456789abcdef));
	TraceLoggingWrite(grouped, "group again", TraceLoggingLevel(255),
			  TraceLoggingKeyword(0xf123456789abcdef));
	/* the set L5K1, which is used below, has registered an enable word, too */
	assert_int_equal(fake_kernel_enablers(), words + 2);
	assert_int_equal(fake_kernel_fds(), descriptors + 2);
	(void)TraceLoggingProviderEnabled(grouped, 5, 1);
	TraceLoggingUnregister(grouped);
	assert_int_equal(fake_kernel_enablers(), words);
	assert_int_equal(fake_kernel_fds(), descriptors);
}

TEST_SETUP(test_activities, registered)
{
	static const uint8_t a[16] = { 1 }, b[16] = { 2 };

	assert_int_equal(TraceLoggingWriteActivity(provider, "none", NULL, NULL), 0);
	ref_begin(&ref, "none");
	expect_ref();
	TraceLoggingWriteActivity(provider, "one", a, NULL, TraceLoggingUInt8(1, "x"));
	ref_begin(&ref, "one");
	ref_value(&ref, "x", REF_VALUE8, 0, 0, "\1", 1);
	recorded("Test_Compat_L5K0", &plain, a, NULL);
	TraceLoggingWriteActivity(provider, "two", &a[0], &b[0]);
	ref_begin(&ref, "two");
	recorded("Test_Compat_L5K0", &plain, a, b);
}

static int calls;
static int32_t next(void)
{
	return ++calls;
}

static int write_one(void)
{
	return TraceLoggingWrite(provider, "one", TraceLoggingInt32(next(), "a"),
				 TraceLoggingInt32(next(), "b"));
}

TEST_SETUP(test_enabled_event_evaluates_values_once_in_order, registered)
{
	int32_t first = 1, second = 2;

	calls = 0;
	assert_int_equal(write_one(), 0);
	ref_begin(&ref, "one");
	ref_value(&ref, "a", REF_VALUE32, REF_SIGNED, 0, &first, 4);
	ref_value(&ref, "b", REF_VALUE32, REF_SIGNED, 0, &second, 4);
	expect_ref();
	fake_kernel_disable("*", FAKE_FTRACE);
	assert_int_equal(write_one(), 0);
	fake_kernel_enable("*", FAKE_FTRACE);
	TraceLoggingUnregister(provider);
	TraceLoggingUnregister(provider);
	assert_int_equal(write_one(), 0);
	assert_int_equal(calls, 2);
	assert_int_equal(fake_kernel_records(), 0);
	assert_int_equal(TraceLoggingRegister(provider), 0);
	fake_kernel_enable("*", FAKE_FTRACE);
	write_one();
	assert_int_equal(fake_kernel_records(), 1);
}

TEST_SETUP(test_provider_reports_its_name_options_and_enabled_state, registered)
{
	assert_string_equal(TraceLoggingProviderName(provider), "Test_Compat");
	assert_string_equal(TraceLoggingProviderOptions(provider), "");
	assert_string_equal(TraceLoggingProviderName(grouped), "Test_Compat_Grouped");
	assert_string_equal(TraceLoggingProviderOptions(grouped), "Gg0up");
	fake_kernel_disable("*", FAKE_FTRACE);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(
			TraceLoggingProviderEnabled(provider, event_level_error, 0x123) != 0, i);
		assert_int_equal(fake_kernel_enable("Test_Compat_L2K123", FAKE_FTRACE), 1);
	}
	assert_false(TraceLoggingProviderEnabled(provider, 5, 0));
}

TEST_SETUP(test_results_are_errnos, registered)
{
	struct fake_world world = fake_world_default();

	errno = 77;
	fake_kernel_fail(FAKE_WRITE, 1, 1, EFAULT);
	assert_int_equal(write_one(), EFAULT);
	assert_int_equal(write_one(), 0);
	assert_int_equal(errno, 77);
	TraceLoggingUnregister(provider);
	world.tracefs = NULL;
	fake_kernel_reset(&world);
	assert_int_equal(TraceLoggingRegister(provider), ENOENT);
	assert_int_equal(write_one(), 0);
	TraceLoggingUnregister(provider);
	assert_int_equal(TraceLoggingRegister(provider), ENOENT);
	fake_kernel_reset(NULL);
	assert_int_equal(TraceLoggingRegister(provider), 0);
	assert_int_equal(fake_kernel_enable("Test_Compat_L5K0", FAKE_FTRACE), 1);
	write_one();
	assert_int_equal(fake_kernel_records(), 1);
	assert_int_equal(TraceLoggingRegister(provider), 0); /* registers the same sets again */
}

/*
 * Small events are written as one segment. Large data is written as separate segments, without
 * copying it.
 */
TEST_SETUP(test_small_and_large_events_are_whole, registered)
{
	static char s[2000];
	size_t n;

	memset(s, 'x', sizeof(s) - 1);
	for (n = 0; n < sizeof(s); n += 1 + n / 8) {
		TraceLoggingWrite(provider, "sized", TraceLoggingString(s + sizeof(s) - 1 - n, "s"),
				  TraceLoggingCountedString(s, n, "c"));
		assert_int_equal(fake_kernel_record(0)->segments == 0,
				 fake_kernel_record(0)->size <= UE_INLINE_BYTES);
		ref_begin(&ref, "sized");
		ref_zstring(&ref, "s", REF_ZSTRING8, REF_LATIN1, 0, s, n, 1);
		ref_counted(&ref, "c", REF_STRING8, REF_LATIN1, 0, s, n, 1);
		expect_ref();
	}
}

#define A TraceLoggingUInt8(7, "a")
#define A5 A, A, A, A, A
#define A10 A5, A5
#define A40 A10, A10, A10, A10
TEST_SETUP(test_0_to_64_arguments, registered)
{
#define COUNTED(n, ...)                                          \
	TraceLoggingWrite(provider, __VA_ARGS__);                \
	ref_begin(&ref, "n");                                    \
	for (int i = 0; i < n; i++) {                            \
		ref_value(&ref, "a", REF_VALUE8, 0, 0, "\7", 1); \
	}                                                        \
	expect_ref();
	COUNTED(0, "n")
	COUNTED(1, "n", A)
	COUNTED(2, "n", A, A)
	COUNTED(3, "n", A, A, A)
	COUNTED(4, "n", A, A, A, A)
	COUNTED(5, "n", A5)
	COUNTED(6, "n", A5, A)
	COUNTED(7, "n", A5, A, A)
	COUNTED(8, "n", A5, A, A, A)
	COUNTED(9, "n", A5, A, A, A, A)
	COUNTED(10, "n", A10)
	COUNTED(11, "n", A10, A)
	COUNTED(15, "n", A10, A5)
	COUNTED(16, "n", A10, A5, A)
	COUNTED(17, "n", A10, A5, A, A)
	COUNTED(24, "n", A10, A10, A, A, A, A)
	COUNTED(25, "n", A10, A10, A5)
	COUNTED(35, "n", A10, A10, A10, A5)
	COUNTED(45, "n", A40, A5)
	COUNTED(55, "n", A40, A10, A5)
	COUNTED(63, "n", A40, A10, A10, A, A, A)
	COUNTED(64, "n", A40, A10, A10, A, A, A, A)
}

/* The decoder returns the field names and values. */
TEST_SETUP(test_a_reader_shows_names_and_values, registered)
{
#ifdef UE_TEST_DECODE
	const struct fake_record *record;
	struct ue_decode_event event;
	char line[1000];
	int status = 404;
	int16_t sizes[] = { -1, 2 };

	TraceLoggingWrite(provider, "Request", TraceLoggingIdVersion(3, 1),
			  TraceLoggingLevel(event_level_warning), TraceLoggingKeyword(0x10),
			  TraceLoggingInt32(status), TraceLoggingStruct(2, "http.request"),
			  TraceLoggingUtf8String("/index", "http.path"),
			  TraceLoggingHexUInt8(255, "flags"),
			  TraceLoggingInt16Array(sizes, 2, "sizes"), TraceLoggingBool(1, "ok"),
			  TraceLoggingFloat64(0.5, "ratio"), TraceLoggingWideString(L"wide", "w"));
	assert_int_equal(fake_kernel_records(), 1);
	record = fake_kernel_record(0);
	ue_decode_parse(&event, record->name, strlen(record->name), record->data, record->size);
	assert_in_range(ue_decode_json(&event, NULL, UE_DECODE_SPACED, line, sizeof(line)), 1,
			sizeof(line) - 1);
	assert_string_equal(
		line,
		"{ \"n\": \"Test_Compat:Request\", \"status\": 404, "
		"\"http.request\": { \"http.path\": \"/index\", \"flags\": \"0xFF\" }, "
		"\"sizes\": [ -1, 2 ], \"ok\": true, \"ratio\": 0.5, \"w\": \"wide\", "
		"\"meta\": { \"id\": 3, \"version\": 1, \"level\": 3, \"keyword\": \"0x10\" } }");
#endif
}

#ifdef __cplusplus
#include <string>

static std::string text(const char *s)
{
	return std::string(s) + ", long enough to be allocated";
}

TEST_SETUP(test_temporaries_live_until_the_write, registered)
{
	const std::string s = text("one"), t = text("two");

	TraceLoggingWrite(provider, "temporaries", TraceLoggingString(text("one").c_str(), "s"),
			  TraceLoggingValue(text("two").c_str(), "t"));
	ref_begin(&ref, "temporaries");
	ref_zstring(&ref, "s", REF_ZSTRING8, REF_LATIN1, 0, s.c_str(), s.size(), 1);
	ref_zstring(&ref, "t", REF_ZSTRING8, REF_LATIN1, 0, t.c_str(), t.size(), 1);
	expect_ref();
}

template <class T> static void value(T v, unsigned int kind, unsigned int format)
{
	TraceLoggingWrite(provider, "value", TraceLoggingValue(v),
			  TraceLoggingValue(T(v), "b", "d"),
			  TraceLoggingValue(v, "c", "d", 0xbeef));
	ref_begin(&ref, "value");
	ref_value(&ref, "v", kind, format, 0, &v, sizeof(v));
	ref_value(&ref, "b", kind, format, 0, &v, sizeof(v));
	ref_value(&ref, "c", kind, format, 0xbeef, &v, sizeof(v));
	expect_ref();
}

template <class C>
static void string_value(C *s, size_t units, unsigned int kind, unsigned int format)
{
	TraceLoggingWrite(provider, "string", TraceLoggingValue(s),
			  TraceLoggingValue((C *)NULL, "null"));
	ref_begin(&ref, "string");
	ref_zstring(&ref, "s", kind, format, 0, s, units, sizeof(C));
	ref_zstring(&ref, "null", kind, format, 0, s, 0, sizeof(C));
	expect_ref();
}

TEST_SETUP(test_value_has_the_type_of_its_argument, registered)
{
	const int constant = 5, &reference = constant;
	char array[8] = "array";

	value<bool>(true, REF_VALUE8, REF_BOOL);
	value<char>('x', REF_VALUE8, REF_LATIN1);
	value<char16_t>(u'x', REF_VALUE16, REF_UTF);
	value<char32_t>(U'x', REF_VALUE32, REF_UTF);
	value<wchar_t>(L'x', WCHAR, REF_UTF);
	value<signed char>(-1, REF_VALUE8, REF_SIGNED);
	value<unsigned char>(255, REF_VALUE8, 0);
	value<short>(-1, REF_VALUE16, REF_SIGNED);
	value<unsigned short>(65535, REF_VALUE16, 0);
	value<int>(-1, REF_VALUE32, REF_SIGNED);
	value<unsigned int>(UINT_MAX, REF_VALUE32, 0);
	value<long>(-1, LONG, REF_SIGNED);
	value<unsigned long>(ULONG_MAX, LONG, 0);
	value<long long>(-1, REF_VALUE64, REF_SIGNED);
	value<unsigned long long>(ULLONG_MAX, REF_VALUE64, 0);
	value<float>(0.5f, REF_VALUE32, REF_FLOAT);
	value<double>(0.5, REF_VALUE64, REF_FLOAT);
	value<void *>(array, PTR, REF_HEX);
	value<const void *>(array, PTR, REF_HEX);
	string_value<char>(array, 5, REF_ZSTRING8, REF_LATIN1);
	string_value<const char>("abc", 3, REF_ZSTRING8, REF_LATIN1);
	string_value<const char16_t>(u"abc", 3, REF_ZSTRING16, 0);
	string_value<const char32_t>(U"abc", 3, REF_ZSTRING32, 0);
	string_value<const wchar_t>(L"abc", 3, REF_ZSTRING8 + WIDE, 0);

	TraceLoggingWrite(provider, "qualified", TraceLoggingValue(reference),
			  TraceLoggingValue(array), TraceLoggingValue("literal", "l"));
	ref_begin(&ref, "qualified");
	ref_value(&ref, "reference", REF_VALUE32, REF_SIGNED, 0, &constant, 4);
	ref_zstring(&ref, "array", REF_ZSTRING8, REF_LATIN1, 0, "array", 5, 1);
	ref_zstring(&ref, "l", REF_ZSTRING8, REF_LATIN1, 0, "literal", 7, 1);
	expect_ref();
}

TEST_SETUP(test_lambdas_and_inline_functions_have_events, registered)
{
	const uint64_t keyword = 0x40; /* this expression is a constant in C++ */
	struct ref_header h = plain;

	[&] {
		TraceLoggingWrite(provider, "lambda", TraceLoggingLevel(1),
				  TraceLoggingKeyword(keyword));
	}();
	ref_begin(&ref, "lambda");
	h.level = 1;
	recorded("Test_Compat_L1K40", &h, NULL, NULL);
}
#endif

TESTS_MAIN
