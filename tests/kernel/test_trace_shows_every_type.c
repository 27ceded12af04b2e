/* SPDX-License-Identifier: MIT */
/*
 * Checks the text that ftrace prints for each type of a kernel-typed event.
 *
 * ftrace formats values by their size, not by their type: one byte as a character and an unsigned
 * number, two bytes as unsigned, four and eight bytes as signed. perf and other tools use the types
 * from the format file.
 */
#include "witness.h"

#include <arpa/inet.h>

#define BYTE_FF "'\xff'" /* printable in Latin-1, the encoding that the kernel assumes */

enum colour { RED, GREEN };

TEST(test_trace_shows_integers_of_each_size_and_sign)
{
	trace_from_now("type_integers");
	UE_TRACE(type_integers, UE_U8(u8, 0xff), UE_U16(u16, 0xffff), UE_U32(u32, 0xffffffff),
		 UE_U64(u64, UINT64_MAX), UE_I8(i8, INT8_MIN), UE_I16(i16, INT16_MIN),
		 UE_I32(i32, INT32_MIN), UE_I64(i64, INT64_MIN));
	assert_traced("type_integers: u8=" BYTE_FF "(255) u16=0xffff (65535) u32=0xffffffff (-1) "
		      "u64=0xffffffffffffffff (-1) i8=(128) i16=0x8000 (32768) "
		      "i32=0x80000000 (-2147483648) "
		      "i64=0x8000000000000000 (-9223372036854775808)");
}

TEST(test_trace_shows_hexadecimals_and_pointers)
{
	trace_from_now("type_hex");
	UE_TRACE(type_hex, UE_X8(x8, 0x12), UE_X16(x16, 0x1234), UE_X32(x32, 0x12345678),
		 UE_X64(x64, 0x123456789abcdef0), UE_PTR(ptr, (void *)0xdead));
	assert_traced("type_hex: x8=(18) x16=0x1234 (4660) x32=0x12345678 (305419896) "
		      "x64=0x123456789abcdef0 (1311768467463790320) ptr=0xdead (57005)");
}

TEST(test_trace_shows_integers_with_formats)
{
	trace_from_now("type_meaning");
	UE_TRACE(type_meaning, UE_BOOL(yes, true), UE_BOOL(no, false), UE_CHAR(letter, 'q'),
		 UE_CHAR16(c16, 0x20ac), UE_CHAR32(c32, 0x1f600), UE_PID(pid, 4711),
		 UE_ERRNO(error, ENOENT), UE_PORT(port, htons(8080)), UE_TIME32(t32, 86400),
		 UE_TIME64(t64, (int64_t)1 << 33));
	trace_text();
	/* the kernel does not know the byte order of fields, so it prints a port as it is stored */
	assert_line("type_meaning: yes=(1) no=(0) letter='q'(113) c16=0x20ac (8364) "
		    "c32=0x1f600 (128512) pid=0x1267 (4711) error=0x2 (2) port=0x901f (36895) "
		    "t32=0x15180 (86400) t64=0x200000000 (8589934592)");
}

TEST(test_trace_shows_bare_variables_by_their_type)
{
	signed char schar = -1;
	unsigned char uchar = 255;
	short half = -2;
	unsigned short uhalf = 65534;
	int whole = -3;
	unsigned int uwhole = 4294967293u;
	long native = -4;
	unsigned long unative = 4;
	long long big = -5;
	unsigned long long ubig = 5;
	bool flag = true;
	enum colour colour = GREEN;
	char letter = 'l', array[8] = "array";
	const char *string = "string";
	void *pointer = (void *)0x10;

	trace_from_now("type_bare");
	UE_TRACE(type_bare, schar, uchar, half, uhalf, whole, uwhole, native, unative, big, ubig,
		 flag, colour, letter, array, string, pointer);
	assert_traced("type_bare: schar=" BYTE_FF "(255) uchar=" BYTE_FF
		      "(255) half=0xfffe (65534) "
		      "uhalf=0xfffe (65534) whole=0xfffffffd (-3) uwhole=0xfffffffd (-3) "
		      "native=0xfffffffffffffffc (-4) unative=0x4 (4) "
		      "big=0xfffffffffffffffb (-5) ubig=0x5 (5) flag=(1) colour=0x1 (1) "
		      "letter='l'(108) array=array string=string pointer=0x10 (16)");
}

TEST(test_trace_shows_strings)
{
	const char *none = NULL;

	trace_from_now("type_strings");
	UE_TRACE(type_strings, UE_STR(plain, "plain"), UE_STR(none), UE_STR(empty, ""),
		 UE_STRN(part, "partly", 4), UE_LATIN1(latin, "latin"), UE_XML(xml, "<a/>"),
		 UE_JSON(json, "{}"), UE_STR(last, "last"));
	assert_traced(
		"type_strings: plain=plain none= empty= part=part latin=latin xml=<a/> json={} "
		"last=last");
}

TEST(test_trace_shows_bytes_and_arrays)
{
	static const uint16_t words[] = { 1, 0x1234 };
	static const int64_t longs[] = { -1 };
	static const uint16_t wide[] = { 'w', 'i', 0 };
	static const uint8_t bytes[] = { 0, 0x7f, 0xff };

	trace_from_now("type_arrays");
	UE_TRACE(type_arrays, UE_BYTES(bytes, bytes, sizeof(bytes)), UE_ARRAY(U16, words, words, 2),
		 UE_ARRAY(I64, longs, longs, 1), UE_ARRAY(U32, nothing, (uint32_t *)NULL, 0),
		 UE_STR16(wide, wide), UE_ARRAY(CHAR, chars, "chars", 5),
		 UE_FIXED_ARRAY(CHAR, four, "four", 4), UE_FIXED_ARRAY(U8, eight, "eight\0\0", 8));
	trace_text();
	assert_contains(text, "type_arrays: bytes=00,7f,ff words=01,00,34,12 "
			      "longs=ff,ff,ff,ff,ff,ff,ff,ff nothing= wide=77,00,69,00");
	assert_contains(text, " chars=chars four=four eight=eight");
}

TEST(test_trace_shows_an_event_without_fields)
{
	trace_from_now("type_none");
	UE_TRACE(type_none);
	assert_string_equal(trace_text(), "type_none:No fields found\n");
}

TEST(test_trace_shows_64_fields)
{
	unsigned int i;
	char want[32];

	trace_from_now("type_64");
	UE_TRACE(type_64, UE_U8(a0, 0), UE_U8(a1, 1), UE_U8(a2, 2), UE_U8(a3, 3), UE_U8(a4, 4),
		 UE_U8(a5, 5), UE_U8(a6, 6), UE_U8(a7, 7), UE_U8(b0, 8), UE_U8(b1, 9),
		 UE_U8(b2, 10), UE_U8(b3, 11), UE_U8(b4, 12), UE_U8(b5, 13), UE_U8(b6, 14),
		 UE_U8(b7, 15), UE_U8(c0, 16), UE_U8(c1, 17), UE_U8(c2, 18), UE_U8(c3, 19),
		 UE_U8(c4, 20), UE_U8(c5, 21), UE_U8(c6, 22), UE_U8(c7, 23), UE_U8(d0, 24),
		 UE_U8(d1, 25), UE_U8(d2, 26), UE_U8(d3, 27), UE_U8(d4, 28), UE_U8(d5, 29),
		 UE_U8(d6, 30), UE_U8(d7, 31), UE_U8(e0, 32), UE_U8(e1, 33), UE_U8(e2, 34),
		 UE_U8(e3, 35), UE_U8(e4, 36), UE_U8(e5, 37), UE_U8(e6, 38), UE_U8(e7, 39),
		 UE_U8(f0, 40), UE_U8(f1, 41), UE_U8(f2, 42), UE_U8(f3, 43), UE_U8(f4, 44),
		 UE_U8(f5, 45), UE_U8(f6, 46), UE_U8(f7, 47), UE_U8(g0, 48), UE_U8(g1, 49),
		 UE_U8(g2, 50), UE_U8(g3, 51), UE_U8(g4, 52), UE_U8(g5, 53), UE_U8(g6, 54),
		 UE_U8(g7, 55), UE_U8(h0, 56), UE_U8(h1, 57), UE_U8(h2, 58), UE_U8(h3, 59),
		 UE_U8(h4, 60), UE_U8(h5, 61), UE_U8(h6, 62), UE_U8(h7, 63));
	trace_text();
	for (i = 0; i < 64; i++) {
		if (i < ' ')
			snprintf(want, sizeof(want), " %c%u=(%u)", (char)('a' + i / 8), i % 8, i);
		else
			snprintf(want, sizeof(want), " %c%u='%c'(%u)", (char)('a' + i / 8), i % 8,
				 (char)i, i);
		assert_contains(text, want);
	}
}

/* Checks the names, types, sizes and signs in the format file, which other tools rely on. */
TEST(test_format_file_has_names_types_and_signs)
{
	get("events/user_events/type_integers/format");
	assert_contains(text, "field:u8 u8;\toffset:8;\tsize:1;\tsigned:0;");
	assert_contains(text, "field:u16 u16;\toffset:9;\tsize:2;\tsigned:0;");
	assert_contains(text, "field:u32 u32;\toffset:11;\tsize:4;\tsigned:0;");
	assert_contains(text, "field:u64 u64;\toffset:15;\tsize:8;\tsigned:0;");
	assert_contains(text, "field:s8 i8;\toffset:23;\tsize:1;\tsigned:1;");
	assert_contains(text, "field:s16 i16;\toffset:24;\tsize:2;\tsigned:1;");
	assert_contains(text, "field:s32 i32;\toffset:26;\tsize:4;\tsigned:1;");
	assert_contains(text, "field:s64 i64;\toffset:30;\tsize:8;\tsigned:1;");
}

KERNEL_TESTS_MAIN
