/* SPDX-License-Identifier: MIT */
/*
 * UE_LOG writes the bytes required by the EventHeader format. A reference encoder, which shares no
 * code with the header, checks every type, format, array kind, nesting and option.
 */
#include "log_witness.h"

#include <float.h>
#include <limits.h>

UE_EVENT_SET(info, "Test_Log", UE_LEVEL_INFORMATION, 0x2a);
UE_EVENT_SET(grouped, "Test_Log", UE_LEVEL_CRITICAL, 0xffffffffffffffff, "g0up9z");
UE_EVENT_SET(highest, "9lead.My-App", 255, 0, "webHopt");

#define TRACEPOINT "Test_Log_L4K2a"

static const struct ref_header plain = { 0, 0, 0, 0, 4 };

static void expect_ref(void)
{
	recorded(TRACEPOINT, &plain, NULL, NULL);
}

enum { PTR_KIND = sizeof(void *) == 8 ? REF_VALUE64 : REF_VALUE32 };

/* columns: type, C type, kind, format, random value */
#define VALUES(_)                                                       \
	_(U8, uint8_t, REF_VALUE8, 0, random64())                       \
	_(U16, uint16_t, REF_VALUE16, 0, random64())                    \
	_(U32, uint32_t, REF_VALUE32, 0, random64())                    \
	_(U64, uint64_t, REF_VALUE64, 0, random64())                    \
	_(I8, int8_t, REF_VALUE8, REF_SIGNED, random64())               \
	_(I16, int16_t, REF_VALUE16, REF_SIGNED, random64())            \
	_(I32, int32_t, REF_VALUE32, REF_SIGNED, random64())            \
	_(I64, int64_t, REF_VALUE64, REF_SIGNED, random64())            \
	_(X8, uint8_t, REF_VALUE8, REF_HEX, random64())                 \
	_(X16, uint16_t, REF_VALUE16, REF_HEX, random64())              \
	_(X32, uint32_t, REF_VALUE32, REF_HEX, random64())              \
	_(X64, uint64_t, REF_VALUE64, REF_HEX, random64())              \
	_(PTR, const void *, PTR_KIND, REF_HEX, (uintptr_t)random64())  \
	_(F32, float, REF_VALUE32, REF_FLOAT, (int32_t)random64())      \
	_(F64, double, REF_VALUE64, REF_FLOAT, (int32_t)random64())     \
	_(BOOL, bool, REF_VALUE8, REF_BOOL, random64() & 1)             \
	_(CHAR, char, REF_VALUE8, REF_LATIN1, random64())               \
	_(CHAR16, uint16_t, REF_VALUE16, REF_UTF, random64())           \
	_(CHAR32, uint32_t, REF_VALUE32, REF_UTF, random64())           \
	_(PID, int32_t, REF_VALUE32, REF_PID, random64())               \
	_(ERRNO, int32_t, REF_VALUE32, REF_ERRNO, random64())           \
	_(PORT, uint16_t, REF_VALUE16, REF_PORT, random64())            \
	_(TIME32, int32_t, REF_VALUE32, REF_TIME, random64())           \
	_(TIME64, int64_t, REF_VALUE64, REF_TIME, random64())

#define FIXED 7
#define MOST 400 /* maximum array length; short arrays are copied, long ones are segments */

#define VALUE_TEST(T, ctype, kind, format, random)                                      \
	static void value_##T(void)                                                     \
	{                                                                               \
		static ctype list[MOST];                                                \
		ctype const *p = list;                                                  \
		ctype v = (ctype)(random);                                              \
		size_t n, i;                                                            \
		uint8_t after = (uint8_t)random64();                                    \
                                                                                        \
		for (i = 0; i < MOST; i++)                                              \
			list[i] = (ctype)(random);                                      \
		UE_LOG(info, "value", UE_##T(v), UE_U8(after));                         \
		ref_begin(&ref, "value");                                               \
		ref_value(&ref, "v", kind, format, 0, &v, sizeof(v));                   \
		ref_value(&ref, "after", REF_VALUE8, 0, 0, &after, 1);                  \
		expect_ref();                                                           \
                                                                                        \
		UE_LOG(info, "value by expression", UE_##T(x, p[1]), UE_##T(y, (list)[2])); \
		ref_begin(&ref, "value by expression");                                 \
		ref_value(&ref, "x", kind, format, 0, &list[1], sizeof(v));             \
		ref_value(&ref, "y", kind, format, 0, &list[2], sizeof(v));             \
		expect_ref();                                                           \
                                                                                        \
		n = below(4) ? below(MOST + 1) : 0;                                     \
		UE_LOG(info, "array", UE_ARRAY(T, list, p, n), UE_U8(after));           \
		ref_begin(&ref, "array");                                               \
		ref_counted(&ref, "list", kind | REF_VARIABLE, format, 0, list, n, sizeof(v)); \
		ref_value(&ref, "after", REF_VALUE8, 0, 0, &after, 1);                  \
		expect_ref();                                                           \
                                                                                        \
		UE_LOG(info, "fixed", UE_FIXED_ARRAY(T, f, list + 3, FIXED),            \
		       UE_FIXED_ARRAY(T, list, MOST), UE_U8(after));                    \
		ref_begin(&ref, "fixed");                                               \
		ref_fixed(&ref, "f", kind, FIXED, format, 0, list + 3, FIXED * sizeof(v)); \
		ref_fixed(&ref, "list", kind, MOST, format, 0, list, sizeof(list));     \
		ref_value(&ref, "after", REF_VALUE8, 0, 0, &after, 1);                  \
		expect_ref();                                                           \
                                                                                        \
		UE_LOG(info, "tagged", UE_TAGGED(0xbeef, UE_##T(v)),                    \
		       UE_TAGGED(1, UE_ARRAY(T, a, p, 3)),                              \
		       UE_TAGGED(0xff00, UE_FIXED_ARRAY(T, f, p, FIXED)),               \
		       UE_STRUCT(s, UE_TAGGED(0x80, UE_##T(v)), UE_##T(w, v)));         \
		ref_begin(&ref, "tagged");                                              \
		ref_value(&ref, "v", kind, format, 0xbeef, &v, sizeof(v));              \
		ref_counted(&ref, "a", kind | REF_VARIABLE, format, 1, list, 3, sizeof(v)); \
		ref_fixed(&ref, "f", kind, FIXED, format, 0xff00, list, FIXED * sizeof(v)); \
		ref_define(&ref, "s", REF_STRUCT, 0, 0, 2, 0);                          \
		ref_value(&ref, "v", kind, format, 0x80, &v, sizeof(v));                \
		ref_value(&ref, "w", kind, format, 0, &v, sizeof(v));                   \
		expect_ref();                                                           \
                                                                                        \
		UE_LOG(info, "shown", UE_AS(UE_FORMAT_HEX_BYTES, UE_##T(v)),            \
		       UE_AS(UE_FORMAT_UNSIGNED, UE_TAGGED(2, UE_##T(w, v))),           \
		       UE_TAGGED(2, UE_AS(UE_FORMAT_IP, UE_ARRAY(T, a, p, 2))));        \
		ref_begin(&ref, "shown");                                               \
		ref_value(&ref, "v", kind, REF_HEX_BYTES, 0, &v, sizeof(v));            \
		ref_value(&ref, "w", kind, REF_UNSIGNED, 2, &v, sizeof(v));             \
		ref_counted(&ref, "a", kind | REF_VARIABLE, REF_IP, 2, list, 2, sizeof(v)); \
		expect_ref();                                                           \
	}
VALUES(VALUE_TEST)

TEST_SETUP(test_values_of_every_type_and_array_kind, traced)
{
	int i;

	for (i = 0; i < 100; i++) {
#define CALL(T, ...) value_##T();
		VALUES(CALL)
#undef CALL
	}
}

#define POINTERS(_)                            \
	_(UUID, REF_VALUE128, REF_UUID, 16)    \
	_(IPV4, REF_VALUE32, REF_IP, 4)        \
	_(IPV6, REF_VALUE128, REF_IP, 16)
#define POINTER_TEST(T, kind, format, size)                                             \
	static void pointer_##T(void)                                                   \
	{                                                                               \
		static const unsigned char zero[size];                                  \
		unsigned char list[60][size];                                           \
		const void *v = list[1], *none = NULL;                                  \
		size_t n = below(61);                                                   \
                                                                                        \
		random_bytes(list, sizeof(list));                                       \
		UE_LOG(info, "pointer", UE_##T(v), UE_##T(w, list[2]), UE_##T(none));   \
		ref_begin(&ref, "pointer");                                             \
		ref_value(&ref, "v", kind, format, 0, list[1], size);                   \
		ref_value(&ref, "w", kind, format, 0, list[2], size);                   \
		ref_value(&ref, "none", kind, format, 0, zero, size);                   \
		expect_ref();                                                           \
                                                                                        \
		UE_LOG(info, "pointers", UE_ARRAY(T, a, list, n),                       \
		       UE_TAGGED(3, UE_FIXED_ARRAY(T, f, list, 2)));                    \
		ref_begin(&ref, "pointers");                                            \
		ref_counted(&ref, "a", kind | REF_VARIABLE, format, 0, list, n, size);  \
		ref_fixed(&ref, "f", kind, 2, format, 3, list, 2 * size);               \
		expect_ref();                                                           \
	}
POINTERS(POINTER_TEST)

TEST_SETUP(test_values_by_pointer, traced)
{
	int i;

	for (i = 0; i < 100; i++) {
		pointer_UUID();
		pointer_IPV4();
		pointer_IPV6();
	}
}

/*
 * The field types determine which encoder a site uses. Therefore, each kind of non-scalar field is
 * tested alone, in an event whose other fields are scalars.
 */
#define AMONG(field, kind, format, ...)                                                 \
	do {                                                                            \
		UE_LOG(info, "few", UE_U8(a, 1), field, UE_U64(b, 2));                  \
		ref_begin(&ref, "few");                                                 \
		ref_scalar("a", REF_VALUE8, 1, 1);                                      \
		ref_define(&ref, "x", kind, 0, 0, format, 0);                           \
		__VA_ARGS__;                                                            \
		ref_scalar("b", REF_VALUE64, 2, 8);                                     \
		expect_ref();                                                           \
		UE_LOG(info, "many", UE_U8(a, 1), UE_U16(b, 2), UE_U32(c, 3), UE_U64(d, 4), \
		       UE_U16(e, 5), UE_U8(f, 6), field);                               \
		ref_begin(&ref, "many");                                                \
		ref_scalar("a", REF_VALUE8, 1, 1);                                      \
		ref_scalar("b", REF_VALUE16, 2, 2);                                     \
		ref_scalar("c", REF_VALUE32, 3, 4);                                     \
		ref_scalar("d", REF_VALUE64, 4, 8);                                     \
		ref_scalar("e", REF_VALUE16, 5, 2);                                     \
		ref_scalar("f", REF_VALUE8, 6, 1);                                      \
		ref_define(&ref, "x", kind, 0, 0, format, 0);                           \
		__VA_ARGS__;                                                            \
		expect_ref();                                                           \
	} while (0)

static void ref_scalar(const char *name, unsigned int kind, uint64_t value, size_t size)
{
	unsigned char bytes[8];

	for (size_t i = 0; i < size; i++) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
		bytes[size - 1 - i] = (unsigned char)(value >> 8 * i);
#else
		bytes[i] = (unsigned char)(value >> 8 * i);
#endif
	}
	ref_value(&ref, name, kind, 0, 0, bytes, size);
}

TEST_SETUP(test_each_kind_of_field_works_among_few_and_many_scalars, traced)
{
	static const unsigned char id[16] = "0123456789abcde";

	AMONG(UE_UUID(x, id), REF_VALUE128, REF_UUID, ref_put(&ref, id, 16));
	AMONG(UE_IPV4(x, id), REF_VALUE32, REF_IP, ref_put(&ref, id, 4));
	AMONG(UE_STR(x, "string"), REF_STRING8, 0, ref_put_counted(&ref, "string", 6, 1));
	AMONG(UE_STR16(x, u"s"), REF_STRING16, 0, ref_put_counted(&ref, u"s", 1, 2));
	AMONG(UE_STRN(x, "string", 3), REF_STRING8, 0, ref_put_counted(&ref, "str", 3, 1));
	AMONG(UE_BYTES(x, id, 5), REF_BINARY, 0, ref_put_counted(&ref, id, 5, 1));
}

/* Strings in network packets and packed structs may be unaligned. */
TEST_SETUP(test_strings_of_wide_units_may_be_at_any_address, traced)
{
	static const uint32_t text[] = { 'a', 0x100, 0x10000, 'b', 0 };
	static const uint16_t text16[] = { 'a', 0x100, 'b', 0 };
	unsigned char bytes[sizeof(text) + 4];

	for (size_t i = 0; i < 4; i++) {
		memcpy(bytes + i, text, sizeof(text));
		UE_LOG(info, "any", UE_STR32(x, bytes + i));
		ref_begin(&ref, "any");
		ref_counted(&ref, "x", REF_STRING32, 0, 0, text, 4, 4);
		expect_ref();
		memcpy(bytes + i, text16, sizeof(text16));
		UE_LOG(info, "any", UE_STR16(x, bytes + i));
		ref_begin(&ref, "any");
		ref_counted(&ref, "x", REF_STRING16, 0, 0, text16, 3, 2);
		expect_ref();
	}
}

/* Each array of strings may need several segments. The encoder has space for 60 such arrays. */
TEST_SETUP(test_an_event_of_60_arrays_of_strings_is_whole, traced)
{
	static const char *const list[] = { "one", "two" };

#define TEN(_) _, _, _, _, _, _, _, _, _, _
#define FIFTY(_) TEN(_), TEN(_), TEN(_), TEN(_), TEN(_)
#define ARRAY UE_ARRAY(STR, a, list, 2)
	UE_LOG(info, "arrays", FIFTY(ARRAY), TEN(ARRAY));
#undef ARRAY
	ref_begin(&ref, "arrays");
	for (int i = 0; i < 60; i++) {
		ref_define(&ref, "a", REF_STRING8, REF_VARIABLE, 0, 0, 0);
		ref_put(&ref, &(uint16_t){ 2 }, 2);
		ref_put_counted(&ref, "one", 3, 1);
		ref_put_counted(&ref, "two", 3, 1);
	}
	expect_ref();
}

/* columns: type, unit, type with a length argument, kind, format, kind of the counted string */
#define STRINGS(_)                                                         \
	_(STR, char, STRN, REF_STRING8, 0, REF_STRING8)                   \
	_(STR16, uint16_t, STR16N, REF_STRING16, 0, REF_STRING16)         \
	_(STR32, uint32_t, STR32N, REF_STRING32, 0, REF_STRING32)         \
	_(LATIN1, char, STRN, REF_STRING8, REF_LATIN1, REF_STRING8)       \
	_(XML, char, STRN, REF_STRING8, REF_XML, REF_STRING8)             \
	_(JSON, char, STRN, REF_STRING8, REF_JSON, REF_STRING8)
#define STRING_TEST(T, unit, TN, kind, format, counted)                                 \
	static void string_##T(void)                                                    \
	{                                                                               \
		static const unit none_at_all[1];                                       \
		static unit s[1300];                                                    \
		const unit *list[5], *none = NULL;                                      \
		size_t n = below(2) ? below(40) : below(1299), i, count;                \
		uint32_t after = (uint32_t)random64();                                  \
                                                                                        \
		for (i = 0; i < n; i++)                                                 \
			s[i] = (unit)(1 + below(127));                                  \
		s[n] = 0;                                                               \
		UE_LOG(info, "string", UE_##T(s), UE_U32(after));                       \
		ref_begin(&ref, "string");                                              \
		ref_counted(&ref, "s", kind, format, 0, s, n, sizeof(unit));            \
		ref_value(&ref, "after", REF_VALUE32, 0, 0, &after, 4);                 \
		expect_ref();                                                           \
                                                                                        \
		UE_LOG(info, "strings", UE_##T(none), UE_##T(a, none_at_all), UE_##T(b, s), \
		       UE_##T(c, s + n / 2), UE_TAGGED(7, UE_##T(d, s)));               \
		ref_begin(&ref, "strings");                                             \
		ref_counted(&ref, "none", kind, format, 0, s, 0, sizeof(unit));         \
		ref_counted(&ref, "a", kind, format, 0, s, 0, sizeof(unit));            \
		ref_counted(&ref, "b", kind, format, 0, s, n, sizeof(unit));            \
		ref_counted(&ref, "c", kind, format, 0, s + n / 2, n - n / 2, sizeof(unit)); \
		ref_counted(&ref, "d", kind, format, 7, s, n, sizeof(unit));            \
		expect_ref();                                                           \
                                                                                        \
		count = below(6);                                                       \
		for (i = 0; i < 5; i++)                                                 \
			list[i] = i == 3 ? none : s + i * n / 5;                        \
		UE_LOG(info, "array of strings", UE_ARRAY(T, list, list, count), UE_U32(after), \
		       UE_##T(s));                                                      \
		ref_begin(&ref, "array of strings");                                    \
		ref_define(&ref, "list", kind, REF_VARIABLE, 0, format, 0);             \
		ref_put_u16(&ref, count);                                               \
		for (i = 0; i < count; i++)                                             \
			ref_put_counted(&ref, list[i], i == 3 ? 0 : n - i * n / 5, sizeof(unit)); \
		ref_value(&ref, "after", REF_VALUE32, 0, 0, &after, 4);                 \
		ref_counted(&ref, "s", kind, format, 0, s, n, sizeof(unit));            \
		expect_ref();                                                           \
                                                                                        \
		UE_LOG(info, "counted", UE_##TN(s, s, n), UE_##TN(none, none, 5),       \
		       UE_TAGGED(0x8000, UE_##TN(some, s, n / 2)), UE_##TN(null, NULL, 0), \
		       UE_AS(UE_FORMAT_UTF_BOM, UE_##TN(bom, s, n < 3 ? n : 3)));       \
		ref_begin(&ref, "counted");                                             \
		ref_counted(&ref, "s", counted, 0, 0, s, n, sizeof(unit));              \
		ref_counted(&ref, "none", counted, 0, 0, "", 0, 1);                     \
		ref_counted(&ref, "some", counted, 0, 0x8000, s, n / 2, sizeof(unit));  \
		ref_counted(&ref, "null", counted, 0, 0, "", 0, 1);                     \
		ref_counted(&ref, "bom", counted, REF_UTF_BOM, 0, s, n < 3 ? n : 3,     \
			  sizeof(unit));                                                \
		expect_ref();                                                           \
	}                                                                               \
	static void fixed_strings_##T(void)                                             \
	{                                                                               \
		static const unit a[] = { 'o', 'n', 'e', 0 }, b[] = { 0 };              \
		const unit *list[3] = { a, b, NULL };                                   \
		uint32_t after = 0x01020304;                                            \
                                                                                        \
		UE_LOG(info, "fixed", UE_FIXED_ARRAY(T, list, list, 3), UE_U32(after)); \
		ref_begin(&ref, "fixed");                                               \
		ref_define(&ref, "list", kind, REF_CONSTANT, 3, format, 0);             \
		ref_put_counted(&ref, a, 3, sizeof(unit));                              \
		ref_put_counted(&ref, b, 0, sizeof(unit));                              \
		ref_put_counted(&ref, b, 0, sizeof(unit));                              \
		ref_value(&ref, "after", REF_VALUE32, 0, 0, &after, 4);                 \
		expect_ref();                                                           \
	}
STRINGS(STRING_TEST)

TEST_SETUP(test_strings_of_every_type_and_length, traced)
{
	int i;

	for (i = 0; i < 300; i++) {
#define CALL(T, ...) string_##T();
		STRINGS(CALL)
#undef CALL
	}
}

TEST_SETUP(test_fixed_arrays_of_strings, traced)
{
#define CALL(T, ...) fixed_strings_##T();
	STRINGS(CALL)
#undef CALL
}

TEST_SETUP(test_bytes, traced)
{
	static unsigned char data[2000];
	size_t n, i;

	for (i = 0; i < 300; i++) {
		n = below(sizeof(data));
		random_bytes(data, n);
		UE_LOG(info, "bytes", UE_BYTES(data, data, n), UE_BYTES(none, NULL, 9),
		       UE_AS(UE_FORMAT_IP, UE_BYTES(ip, data, 4)));
		ref_begin(&ref, "bytes");
		ref_counted(&ref, "data", REF_BINARY, 0, 0, data, n, 1);
		ref_counted(&ref, "none", REF_BINARY, 0, 0, "", 0, 1);
		ref_counted(&ref, "ip", REF_BINARY, REF_IP, 0, data, 4, 1);
		expect_ref();
	}
}

/* UE_FORMAT_IP is the largest format that is ever written. Format 18 is obsolete. */
TEST_SETUP(test_every_format_byte, traced)
{
	uint32_t v = 5;

#define FORMAT(n)                                                       \
	UE_LOG(info, "format", UE_AS(n, UE_U32(v)), UE_TAGGED(n, UE_U32(w, v))); \
	ref_begin(&ref, "format");                                      \
	ref_value(&ref, "v", REF_VALUE32, n, 0, &v, 4);                 \
	ref_value(&ref, "w", REF_VALUE32, 0, n, &v, 4);                 \
	expect_ref();
	FORMAT(0) FORMAT(UE_FORMAT_UNSIGNED) FORMAT(UE_FORMAT_SIGNED) FORMAT(UE_FORMAT_HEX)
	FORMAT(UE_FORMAT_ERRNO) FORMAT(UE_FORMAT_PID) FORMAT(UE_FORMAT_TIME)
	FORMAT(UE_FORMAT_BOOL) FORMAT(UE_FORMAT_FLOAT) FORMAT(UE_FORMAT_HEX_BYTES)
	FORMAT(UE_FORMAT_STRING8) FORMAT(UE_FORMAT_UTF) FORMAT(UE_FORMAT_UTF_BOM)
	FORMAT(UE_FORMAT_XML) FORMAT(UE_FORMAT_JSON) FORMAT(UE_FORMAT_UUID)
	FORMAT(UE_FORMAT_PORT) FORMAT(UE_FORMAT_IP)
#undef FORMAT
}

TEST_SETUP(test_nested_structs, traced)
{
	int i;

	for (i = 0; i < 200; i++) {
		int32_t a = (int32_t)random64();
		double d = (double)a / 3;
		char s[600];
		size_t n = below(sizeof(s));
		uint16_t list[3] = { 1, 2, (uint16_t)a };

		memset(s, 'x', sizeof(s));
		s[n] = '\0';
		UE_LOG(info, "nested", a,
		       UE_STRUCT(one, a, UE_STR(s),
				 UE_STRUCT(two, UE_F64(d), UE_STRUCT(three, a, UE_STRUCT(four, a)),
					   UE_STRUCT(three_too, UE_ARRAY(U16, l, list, 3))),
				 UE_X32(last, (uint32_t)a)),
		       UE_TAGGED(0x1234, UE_STRUCT(one_too, UE_STRUCT(two, UE_STR(s)))),
		       UE_STR(s));
		ref_begin(&ref, "nested");
		ref_value(&ref, "a", REF_VALUE32, REF_SIGNED, 0, &a, 4);
		ref_define(&ref, "one", REF_STRUCT, 0, 0, 4, 0);
		ref_value(&ref, "a", REF_VALUE32, REF_SIGNED, 0, &a, 4);
		ref_counted(&ref, "s", REF_STRING8, 0, 0, s, n, 1);
		ref_define(&ref, "two", REF_STRUCT, 0, 0, 3, 0);
		ref_value(&ref, "d", REF_VALUE64, REF_FLOAT, 0, &d, 8);
		ref_define(&ref, "three", REF_STRUCT, 0, 0, 2, 0);
		ref_value(&ref, "a", REF_VALUE32, REF_SIGNED, 0, &a, 4);
		ref_define(&ref, "four", REF_STRUCT, 0, 0, 1, 0);
		ref_value(&ref, "a", REF_VALUE32, REF_SIGNED, 0, &a, 4);
		ref_define(&ref, "three_too", REF_STRUCT, 0, 0, 1, 0);
		ref_counted(&ref, "l", REF_VALUE16 | REF_VARIABLE, 0, 0, list, 3, 2);
		ref_value(&ref, "last", REF_VALUE32, REF_HEX, 0, &a, 4);
		ref_define(&ref, "one_too", REF_STRUCT, 0, 0, 1, 0x1234);
		ref_define(&ref, "two", REF_STRUCT, 0, 0, 1, 0);
		ref_counted(&ref, "s", REF_STRING8, 0, 0, s, n, 1);
		ref_counted(&ref, "s", REF_STRING8, 0, 0, s, n, 1);
		expect_ref();
	}
}

TEST_SETUP(test_options_and_activities, traced)
{
	struct ref_header h = { 0xfe, 0xfffe, 0xbeef, UE_OPCODE_RECEIVE, 4 };
	uint8_t id[16], related[16];
	const uint8_t *none = NULL;
	uint32_t v = 77;
	int i;

	for (i = 0; i < 50; i++) {
		random_bytes(id, sizeof(id));
		random_bytes(related, sizeof(related));
		ref_begin(&ref, "o");
		ref_value(&ref, "v", REF_VALUE32, 0, 0, &v, 4);

		UE_LOG(info, "o", UE_ID(0xfffe, 0xfe), UE_TAG(0xbeef), UE_OPCODE(UE_OPCODE_RECEIVE),
		       v);
		recorded(TRACEPOINT, &h, NULL, NULL);
		UE_LOG(info, "o", v, UE_OPCODE(UE_OPCODE_RECEIVE), UE_ACTIVITY(id), UE_TAG(0xbeef),
		       UE_ID(0xfffe, 0xfe));
		recorded(TRACEPOINT, &h, id, NULL);
		UE_LOG(info, "o", UE_ACTIVITY(id, related), v);
		recorded(TRACEPOINT, &plain, id, related);
		UE_LOG(info, "o", UE_ACTIVITY(id, none), v);
		recorded(TRACEPOINT, &plain, id, NULL);
		UE_LOG(info, "o", UE_ACTIVITY(none), v);
		expect_ref();
		UE_LOG(info, "o", UE_ACTIVITY(NULL, NULL), v);
		expect_ref();
		UE_LOG(info, "o", UE_ACTIVITY(none, related), v);
		expect_ref();
	}
	ref_begin(&ref, "only");
	UE_LOG(info, "only", UE_ACTIVITY(id, related), UE_OPCODE(1));
	h = plain;
	h.opcode = 1;
	recorded(TRACEPOINT, &h, id, related);
}

TEST_SETUP(test_level_keyword_and_group_come_from_the_set, traced)
{
	struct ref_header h = plain;
	int v = -1;

	ref_begin(&ref, "name;attribute=value");
	ref_value(&ref, "v", REF_VALUE32, REF_SIGNED, 0, &v, 4);
	UE_LOG(info, "name;attribute=value", v);
	expect_ref();
	h.level = 1;
	UE_LOG(grouped, "name;attribute=value", v);
	recorded("Test_Log_L1KffffffffffffffffGg0up9z", &h, NULL, NULL);
	h.level = 255;
	UE_LOG(highest, "name;attribute=value", v);
	recorded("9lead.My-App_LffK0GwebHopt", &h, NULL, NULL);
}

enum colour { RED, GREEN = 70000 };

/*
 * Checks variables of all basic C types. The argument c is a check of a plain char variable, or
 * empty.
 */
#define EACH_NUMBER(c)                                                                            \
	IS(b, REF_VALUE8, REF_BOOL) c IS(sc, REF_VALUE8, REF_SIGNED) IS(uc, REF_VALUE8, 0)         \
	IS(s, REF_VALUE16, REF_SIGNED) IS(us, REF_VALUE16, 0) IS(i, REF_VALUE32, REF_SIGNED)       \
	IS(u, REF_VALUE32, 0) IS(l, word, REF_SIGNED) IS(ul, word, 0)                              \
	IS(ll, REF_VALUE64, REF_SIGNED) IS(ull, REF_VALUE64, 0)                                    \
	IS(f, REF_VALUE32, REF_FLOAT) IS(d, REF_VALUE64, REF_FLOAT)

TEST_SETUP(test_bare_scalars_have_their_own_type, traced)
{
	bool b = true;
	char c = 'c';
	signed char sc = -1;
	unsigned char uc = 200;
	short s = SHRT_MIN;
	unsigned short us = USHRT_MAX;
	int i = INT_MIN;
	unsigned int u = UINT_MAX;
	long l = LONG_MIN;
	unsigned long ul = ULONG_MAX;
	long long ll = LLONG_MIN;
	unsigned long long ull = ULLONG_MAX;
	float f = -FLT_MIN;
	double d = DBL_MAX;
	const volatile int cv = 5;
	enum colour e = GREEN;
	void *p = &i;
	const int *ip = &i;
	int matrix[2][2] = { { 1 } }, (*rows)[2] = matrix;
	unsigned int word = sizeof(long) == 8 ? REF_VALUE64 : REF_VALUE32;

	UE_LOG(info, "bare", b, c, sc, uc, s, us, i, u, l, ul, ll, ull, f, d, cv, e, p, ip, rows);
	ref_begin(&ref, "bare");
#define IS(v, kind, format)                             \
	ref_value(&ref, #v, kind, format, 0, (const void *)(uintptr_t)&v, sizeof(v));
	EACH_NUMBER(IS(c, REF_VALUE8, REF_LATIN1))
	IS(cv, REF_VALUE32, REF_SIGNED)
	IS(e, REF_VALUE32, 0) /* if an enum has no negative value, GCC and clang make it unsigned */
	IS(p, PTR_KIND, REF_HEX)
	IS(ip, PTR_KIND, REF_HEX)
	IS(rows, PTR_KIND, REF_HEX)
#undef IS
	expect_ref();
}

TEST_SETUP(test_bare_arrays_have_their_elements_type, traced)
{
	bool b[2] = { true, false };
	signed char sc[3] = { -1, 0, 1 };
	unsigned char uc[1] = { 9 };
	short s[2] = { -1, 2 };
	const unsigned short us[2] = { 1, 2 };
	int i[200] = { -1, 7 };
	unsigned int u[2] = { 1, 2 };
	const long l[2] = { -1, 2 };
	unsigned long ul[2] = { 1, 2 };
	long long ll[2] = { -1, 2 };
	unsigned long long ull[2] = { 1, 2 };
	float f[2] = { 1, 2 };
	double d[300] = { 1, 2 };
	unsigned int word = sizeof(long) == 8 ? REF_VALUE64 : REF_VALUE32;

	UE_LOG(info, "arrays", b, sc, uc, s, us, i, u, l, ul, ll, ull, f, d);
	ref_begin(&ref, "arrays");
#define IS(v, kind, format)                                                                    \
	ref_fixed(&ref, #v, kind, sizeof(v) / sizeof((v)[0]), format, 0, v, sizeof(v));
	EACH_NUMBER()
#undef IS
	expect_ref();
}

TEST_SETUP(test_bare_strings_end_at_their_nul_or_their_array, traced)
{
	const char *pointer = "pointer", *none = NULL;
	char *writable = (char *)(uintptr_t)pointer;
	char array[] = "array";
	const char long_array[700] = "short";
	char full[5] = { 'f', 'u', 'l', 'l', '!' };
	static char full_and_long[600];
	static const char empty[] = "";

	memset(full_and_long, 'F', sizeof(full_and_long));
	UE_LOG(info, "s", pointer, none, writable, array, long_array, full, full_and_long, empty);
	ref_begin(&ref, "s");
#define IS(v, s, n)                                             \
	ref_counted(&ref, #v, REF_STRING8, 0, 0, s, n, 1);
	IS(pointer, "pointer", 7)
	IS(none, "", 0)
	IS(writable, "pointer", 7)
	IS(array, "array", 5)
	IS(long_array, "short", 5)
	IS(full, "full!", 5)
	IS(full_and_long, full_and_long, sizeof(full_and_long))
	IS(empty, "", 0)
#undef IS
	expect_ref();
}

static unsigned int calls, order;

static uint32_t call(unsigned int turn)
{
	if (calls++ != turn)
		order++;
	return turn;
}

static const char *call_string(unsigned int turn)
{
	call(turn);
	return "s";
}

static const uint8_t *call_id(unsigned int turn)
{
	static const uint8_t id[16] = { 1 };

	call(turn);
	return id;
}

static void evaluate(void)
{
	calls = order = 0;
	UE_LOG(info, "order", UE_U32(a, call(0)), UE_STR(b, call_string(1)),
	       UE_BYTES(c, call_string(2), call(3) - 2),
	       UE_STRUCT(d, UE_I8(e, call(4)), UE_STRUCT(f, UE_F32(g, call(5))),
			 UE_ARRAY(U8, h, (const uint8_t *)call_string(6), call(7) - 6)),
	       UE_ACTIVITY(call_id(8), call_id(9)), UE_FIXED_ARRAY(U8, j, call_string(10), 1),
	       UE_TAGGED(3, UE_AS(UE_FORMAT_XML, UE_STR(k, call_string(11)))),
	       UE_ARRAY(CHAR, l, call_string(12), call(13) - 12));
}

TEST_SETUP(test_enabled_event_evaluates_each_value_once_in_order, traced)
{
	evaluate();
	assert_int_equal(calls, 14);
	assert_int_equal(fake_kernel_records(), 1);
}

TEST_SETUP(test_values_in_structs_are_evaluated_in_order, traced)
{
	evaluate();
	assert_int_equal(order, 0);
}

TEST_SETUP(test_disabled_event_evaluates_nothing, traced)
{
	fake_kernel_disable("*", FAKE_FTRACE);
	assert_false(UE_LOG_ENABLED(info));
	evaluate();
	assert_int_equal(calls, 0);
	assert_int_equal(fake_kernel_calls(FAKE_WRITE) + fake_kernel_calls(FAKE_WRITEV), 0);
	assert_int_equal(fake_kernel_enable("Test_Log_L4K2a", FAKE_PERF), 1);
	assert_true(UE_LOG_ENABLED(info));
	assert_false(UE_LOG_ENABLED(grouped));
	evaluate();
	assert_int_equal(calls, 14);
}

static uint64_t cuts(void)
{
	static uint64_t before;
	uint64_t now = ue_status().cut, n = now - before;

	before = now;
	return n;
}

#define MAX_UNITS 65535

TEST_SETUP(test_strings_over_65535_units_are_truncated_and_counted, traced)
{
	static uint32_t s[MAX_UNITS + 3];
	uint8_t after = 9;
	size_t i;

#define CUT(T, unit, kind)                                                      \
	for (i = 0; i < 2; i++) {                                               \
		unit *u = (unit *)(void *)s;                                    \
		size_t n, filled = MAX_UNITS + i;                               \
		for (n = 0; n < filled; n++)                                    \
			u[n] = (unit)(1 + n % 100);                             \
		u[filled] = 0;                                                  \
		UE_LOG(info, "cut", UE_##T(s, u), UE_U8(after));                \
		ref_begin(&ref, "cut");                                         \
		ref_counted(&ref, "s", kind, 0, 0, u, MAX_UNITS, sizeof(unit)); \
		ref_value(&ref, "after", REF_VALUE8, 0, 0, &after, 1);          \
		ref_mark(&ref, i);                                              \
		expect_ref();                                                   \
		assert_int_equal(cuts(), i);                                    \
	}
	cuts();
	CUT(STR, char, REF_STRING8)
	CUT(STR16, uint16_t, REF_STRING16)
	CUT(STR32, uint32_t, REF_STRING32)
#undef CUT
}

TEST_SETUP(test_utf_8_over_65535_bytes_is_truncated_at_a_character, traced)
{
	static char s[MAX_UNITS + 2];

	memset(s, 'a', MAX_UNITS - 1);
	memcpy(s + MAX_UNITS - 1, "\xc3\xa4", 2);
	UE_LOG(info, "cut", UE_STR(s, s));
	ref_begin(&ref, "cut");
	ref_counted(&ref, "s", REF_STRING8, 0, 0, s, MAX_UNITS - 1, 1);
	ref_mark(&ref, true);
	expect_ref();
	assert_int_equal(cuts(), 1);
}

TEST_SETUP(test_a_char_array_over_65535_may_lack_the_nul, traced)
{
	enum { SIZE = MAX_UNITS + 1 };
	struct {
		char text[SIZE];
	} *large = malloc(sizeof(*large));

	assert_non_null(large);
	memset(large, 'x', sizeof(*large));
	cuts();
	UE_LOG(info, "cut", UE_NAMED("s", large->text));
	ref_begin(&ref, "cut");
	ref_counted(&ref, "s", REF_STRING8, 0, 0, large->text, MAX_UNITS, 1);
	ref_mark(&ref, true);
	expect_ref();
	assert_int_equal(cuts(), 1);
	large->text[MAX_UNITS] = '\0';
	UE_LOG(info, "cut", UE_NAMED("s", large->text));
	ref_begin(&ref, "cut");
	ref_counted(&ref, "s", REF_STRING8, 0, 0, large->text, MAX_UNITS, 1);
	expect_ref();
	assert_int_equal(cuts(), 0);
	free(large);
}

TEST_SETUP(test_counts_over_65535_are_truncated_and_counted, traced)
{
	static uint64_t s[MAX_UNITS + 1];
	size_t i;

	random_bytes(s, sizeof(s));
#define CUT(field, kind, array, size)                                   \
	for (i = 0; i < 2; i++) {                                       \
		const void *p = s;                                      \
		UE_LOG(info, "cut", field);                             \
		ref_begin(&ref, "cut");                                 \
		ref_counted(&ref, "f", kind | array, 0, 0, p, MAX_UNITS, size); \
		ref_mark(&ref, i);                                      \
		expect_ref();                                           \
		assert_int_equal(cuts(), i);                            \
	}
	cuts();
	CUT(UE_STRN(f, p, MAX_UNITS + i), REF_STRING8, 0, 1)
	CUT(UE_STR16N(f, p, MAX_UNITS + i), REF_STRING16, 0, 2)
	CUT(UE_STR32N(f, p, MAX_UNITS + i), REF_STRING32, 0, 4)
	CUT(UE_BYTES(f, p, MAX_UNITS + i * 100000), REF_BINARY, 0, 1)
	CUT(UE_ARRAY(U8, f, (const uint8_t *)p, MAX_UNITS + i), REF_VALUE8, REF_VARIABLE, 1)
	CUT(UE_ARRAY(U64, f, s, MAX_UNITS + i), REF_VALUE64, REF_VARIABLE, 8)
#undef CUT
}

TEST_SETUP(test_a_string_over_65535_units_in_an_array_is_truncated_and_counted, traced)
{
	static char s[MAX_UNITS + 2];
	const char *list[] = { "a", s, "b" };
	uint8_t after = 3;
	size_t i;

	cuts();
	for (i = 0; i < 2; i++) {
		memset(s, 's', sizeof(s));
		s[MAX_UNITS + i] = '\0';
		UE_LOG(info, "cut", UE_ARRAY(STR, list, list, 3), UE_U8(after));
		ref_begin(&ref, "cut");
		ref_define(&ref, "list", REF_STRING8, REF_VARIABLE, 0, 0, 0);
		ref_put_u16(&ref, 3);
		ref_put_counted(&ref, "a", 1, 1);
		ref_put_counted(&ref, s, MAX_UNITS, 1);
		ref_put_counted(&ref, "b", 1, 1);
		ref_value(&ref, "after", REF_VALUE8, 0, 0, &after, 1);
		ref_mark(&ref, i);
		expect_ref();
		assert_int_equal(cuts(), i);
	}
}

TEST_SETUP(test_bare_arrays_over_65535_elements_are_truncated_and_counted, traced)
{
	static unsigned char bytes[MAX_UNITS + 2];
	static char string[MAX_UNITS + 10];

	cuts();
	random_bytes(bytes, sizeof(bytes));
	UE_LOG(info, "cut", bytes);
	ref_begin(&ref, "cut");
	ref_fixed(&ref, "bytes", REF_VALUE8, MAX_UNITS, 0, 0, bytes, MAX_UNITS);
	ref_mark(&ref, true);
	expect_ref();
	assert_int_equal(cuts(), 1);
	memset(string, 's', sizeof(string) - 1);
	UE_LOG(info, "cut", string);
	ref_begin(&ref, "cut");
	ref_counted(&ref, "string", REF_STRING8, 0, 0, string, MAX_UNITS, 1);
	ref_mark(&ref, true);
	expect_ref();
	assert_int_equal(cuts(), 1);
	string[3] = '\0';
	UE_LOG(info, "cut", string);
	ref_begin(&ref, "cut");
	ref_counted(&ref, "string", REF_STRING8, 0, 0, string, 3, 1);
	expect_ref();
	assert_int_equal(cuts(), 0);
}

TEST_SETUP(test_an_array_of_over_64_strings_is_truncated_and_counted, traced)
{
	static char s[1000];
	static const char *list[2000];
	size_t count, i, n;
	uint8_t after = 7;

	memset(s, 's', sizeof(s) - 1);
	for (i = 0; i < 2000; i++)
		list[i] = i % 2 ? s : "";
	cuts();
	for (count = 0; count <= 2000; count += count < 70 ? 1 : 370) {
		UE_LOG(info, "long", UE_ARRAY(STR, list, list, count), UE_U8(after));
		ref_begin(&ref, "long");
		n = count < 64 ? count : 64;
		ref_define(&ref, "list", REF_STRING8, REF_VARIABLE, 0, 0, 0);
		ref_put_u16(&ref, n);
		for (i = 0; i < n; i++)
			ref_put_counted(&ref, list[i], strlen(list[i]), 1);
		ref_value(&ref, "after", REF_VALUE8, 0, 0, &after, 1);
		ref_mark(&ref, count > 64);
		expect_ref();
		assert_int_equal(cuts(), count > 64);
	}
}

/*
 * Varies the length of the first string up to the size of the buffer. The scalar after the string
 * always fits.
 */
TEST_SETUP(test_strings_are_whole_at_every_buffer_boundary, traced)
{
	static char s[700], t[2000];
	uint64_t v = 0x0123456789abcdef;
	size_t n;

	memset(t, 't', sizeof(t) - 1);
	for (n = 0; n < sizeof(s); n++) {
		memset(s, 's', n);
		UE_LOG(info, "edge", UE_STR(s), UE_U64(v), UE_STR(t));
		ref_begin(&ref, "edge");
		ref_counted(&ref, "s", REF_STRING8, 0, 0, s, n, 1);
		ref_value(&ref, "v", REF_VALUE64, 0, 0, &v, 8);
		ref_counted(&ref, "t", REF_STRING8, 0, 0, t, sizeof(t) - 1, 1);
		expect_ref();
	}
}

TEST_SETUP(test_a_macro_with_a_named_type_keeps_its_name, traced)
{
	static const struct {
		int32_t s;
	} reply = { -7 };
	int32_t error = 5;

#define status (reply.s)
	errno = error;
	UE_LOG(info, "macros", UE_I32(status), UE_ERRNO(errno));
#undef status
	ref_begin(&ref, "macros");
	ref_value(&ref, "status", REF_VALUE32, REF_SIGNED, 0, &reply.s, 4);
	ref_value(&ref, "errno", REF_VALUE32, REF_ERRNO, 0, &error, 4);
	expect_ref();
}

TEST_SETUP(test_null_fixed_arrays_are_zeros, traced)
{
	static const unsigned char zeros[4 * 2000];
	const uint32_t *none = NULL;
	uint8_t after = 1;

	UE_LOG(info, "null", UE_FIXED_ARRAY(U32, none, 3), UE_FIXED_ARRAY(U32, two, none, 2),
	       UE_U8(after));
	ref_begin(&ref, "null");
	ref_fixed(&ref, "none", REF_VALUE32, 3, 0, 0, zeros, 12);
	ref_fixed(&ref, "two", REF_VALUE32, 2, 0, 0, zeros, 8);
	ref_value(&ref, "after", REF_VALUE8, 0, 0, &after, 1);
	expect_ref();
	UE_LOG(info, "null", UE_STR(text, "text"), UE_FIXED_ARRAY(U32, none, 2000));
	ref_begin(&ref, "null");
	ref_counted(&ref, "text", REF_STRING8, 0, 0, "text", 4, 1);
	ref_fixed(&ref, "none", REF_VALUE32, 2000, 0, 0, zeros, sizeof(zeros));
	expect_ref();
}

#define F1(n) UE_U16(f##n, 0##n)
#define F7(n) F1(n##0), F1(n##1), F1(n##2), F1(n##3), F1(n##4), F1(n##5), F1(n##6)
#define F8(n) F7(n), F1(n##7)
#define F63 F8(0), F8(1), F8(2), F8(3), F8(4), F8(5), F8(6), F7(7)

static void expect_fields(unsigned int n)
{
	char name[16];
	unsigned int i;

	for (i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "f%02o", i);
		ref_define(&ref, name, REF_VALUE16, 0, 0, 0, 0);
		ref_put_u16(&ref, (uint16_t)i);
	}
}

TEST_SETUP(test_64_fields_and_a_struct_of_63_members_are_whole, traced)
{
	uint8_t activity[16];

	UE_LOG(info, "64", F63, F1(77));
	ref_begin(&ref, "64");
	expect_fields(64);
	expect_ref();
	UE_LOG(info, "63 members", UE_STRUCT(most, F63));
	ref_begin(&ref, "63 members");
	ref_define(&ref, "most", REF_STRUCT, 0, 0, 63, 0);
	expect_fields(63);
	expect_ref();
	/* each option uses up one of the 64 fields */
	ue_activity_new(activity);
	UE_LOG(info, "activity", F63, UE_ACTIVITY(activity));
	ref_begin(&ref, "activity");
	expect_fields(63);
	recorded(TRACEPOINT, &plain, activity, NULL);
}

TEST_SETUP(test_every_number_of_fields, traced)
{
	uint8_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10;
	size_t n;

#define FIELDS(count, ...)                                                              \
	UE_LOG(info, "n", __VA_ARGS__);                                                 \
	ref_begin(&ref, "n");                                                           \
	for (n = 0; n < count; n++) {                                                   \
		const char name[2] = { "abcdefghij"[n % 10], '\0' };                    \
		ref_value(&ref, name, REF_VALUE8, 0, 0, &(uint8_t){ (uint8_t)(n % 10 + 1) }, 1); \
	}                                                                               \
	expect_ref();
	FIELDS(1, a)
	FIELDS(2, a, b)
	FIELDS(3, a, b, c)
	FIELDS(4, a, b, c, d)
	FIELDS(5, a, b, c, d, e)
	FIELDS(6, a, b, c, d, e, f)
	FIELDS(7, a, b, c, d, e, f, g)
	FIELDS(8, a, b, c, d, e, f, g, h)
	FIELDS(9, a, b, c, d, e, f, g, h, i)
	FIELDS(10, a, b, c, d, e, f, g, h, i, j)
#undef FIELDS
}

TEST_SETUP(test_an_event_is_one_write, traced)
{
	static char s[3000];
	uint32_t v = 5;

	memset(s, 's', sizeof(s) - 1);
	UE_LOG(info, "small", v, UE_STR(s, s + 2900));
	UE_LOG(info, "large", v, s, UE_ARRAY(U32, list, &v, 1), UE_STR(again, s));
	assert_int_equal(fake_kernel_calls(FAKE_WRITE), 2);
	assert_int_equal(fake_kernel_calls(FAKE_WRITEV), 0);
}

TEST_SETUP(test_errno_survives_an_event, traced)
{
	int v = 1;

	errno = 77;
	UE_LOG(info, "errno", v);
	assert_int_equal(errno, 77);
	fake_kernel_fail(FAKE_WRITE, 1, 1, ENOSPC);
	UE_LOG(info, "errno", v);
	assert_int_equal(errno, 77);
}

TEST_SETUP(test_event_rejected_by_the_kernel_is_counted, traced)
{
	uint64_t before = ue_status().failed;
	int v = 1;

	fake_kernel_fail(FAKE_WRITE, 1, 1, ENOMEM);
	UE_LOG(info, "refused", v);
	assert_int_equal(ue_status().failed - before, 1);
	fake_kernel_fail(FAKE_WRITE, 1, 1, EBADF); /* here, the tracer has detached */
	UE_LOG(info, "refused", v);
	assert_int_equal(ue_status().failed - before, 1);
}

TEST_SETUP(test_run_time_set_writes_the_same_bytes_as_a_declared_set, traced)
{
	static struct ue_event_set set;
	struct ref_header h = plain;
	int v = 5;

	assert_int_equal(ue_event_set_register(&set, "RunTime", 2, 0xf0, "grp"), 0);
	assert_false(UE_LOG_ENABLED(set));
	fake_kernel_enable("RunTime_L2Kf0Ggrp", FAKE_PERF);
	assert_true(ue_event_set_enabled(&set));
	UE_LOG(set, "e", v);
	h.level = 2;
	ref_begin(&ref, "e");
	ref_value(&ref, "v", REF_VALUE32, REF_SIGNED, 0, &v, 4);
	recorded("RunTime_L2Kf0Ggrp", &h, NULL, NULL);
	assert_int_equal(ue_event_set_unregister(&set), 0);
	UE_LOG(set, "e", v);
	assert_int_equal(fake_kernel_records(), 0);
	assert_int_equal(ue_event_set_unregister(&set), -ENOENT);
}

TEST_SETUP(test_bad_names_of_run_time_sets_are_rejected, traced)
{
	static struct ue_event_set set;
	char name[300];
	size_t n;

	memset(name, 'n', sizeof(name));
	assert_int_equal(ue_event_set_register(&set, NULL, 1, 1, NULL), -EINVAL);
	assert_int_equal(ue_event_set_register(&set, "", 1, 1, NULL), -EINVAL);
	assert_int_equal(ue_event_set_register(&set, "a b", 1, 1, NULL), -EINVAL);
	assert_int_equal(ue_event_set_register(&set, "a:b", 1, 1, NULL), -EINVAL);
	assert_int_equal(ue_event_set_register(&set, "a", 0, 1, NULL), -EINVAL);
	assert_int_equal(ue_event_set_register(&set, "a", 256, 1, NULL), -EINVAL);
	assert_int_equal(ue_event_set_register(&set, "a", 1, 1, "a_b"), -EINVAL);
	assert_int_equal(ue_event_set_register(&set, "a", 1, 1, "HbAa"), -EINVAL);
	assert_int_equal(ue_event_set_register(&set, "a", 1, 1, "GaGb"), -EINVAL);
	assert_int_equal(ue_event_set_register(&set, "a", 1, 1, "aG"), -EINVAL);
	assert_int_equal(ue_event_set_register(&set, "a", 1, 1, "AaGbH"), 0);
	assert_int_equal(ue_event_set_unregister(&set), 0);
	for (n = 240; n < 270; n++) {
		int error;

		name[n] = '\0';
		error = ue_event_set_register(&set, name, 1, 1, NULL);
		assert_int_equal(error, n + strlen("_L1K1") <= 255 ? 0 : -EINVAL);
		if (error == 0)
			assert_int_equal(ue_event_set_unregister(&set), 0);
		name[n] = 'n';
	}
	assert_int_equal(fake_kernel_enablers(), 3);
}

TESTS_MAIN
