/* SPDX-License-Identifier: MIT */
/*
 * user_events_decode.h: what values look like as text, and events as JSON. Written apart
 * from the other decode_*.c, with an event builder of its own, so that a misunderstanding
 * of the format would have to be had twice.
 */
#include "test.h"

#include <user_events_decode.h>

struct wire {
	unsigned char bytes[1024];
	size_t size, block;
	int big;
};

static void put(struct wire *w, uint64_t value, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		w->bytes[w->size + (w->big ? size - 1 - i : i)] = (unsigned char)(value >> 8 * i);
	w->size += size;
}

static void put_bytes(struct wire *w, const void *p, size_t size)
{
	memcpy(w->bytes + w->size, p, size);
	w->size += size;
}

static void begin(struct wire *w, int big)
{
	w->size = 0;
	w->big = big;
	put(w, big ? 5 : 7, 1);
	put(w, 2, 1);
	put(w, 0x102, 2);
	put(w, 0xbee, 2);
	put(w, 1, 1);
	put(w, 4, 1);
	w->block = w->size;
	put(w, 0, 2);
	put(w, 1, 2);
	put_bytes(w, "E", 2);
}

static void define(struct wire *w, const char *name, unsigned kind, unsigned format, unsigned tag)
{
	put_bytes(w, name, strlen(name) + 1);
	put(w, kind | (format || tag ? 0x80 : 0), 1);
	if (format || tag)
		put(w, format | (tag ? 0x80 : 0), 1);
	if (tag)
		put(w, tag, 2);
}

static void payload(struct wire *w)
{
	size_t end = w->size;

	w->size = w->block;
	put(w, end - w->block - 4, 2);
	w->size = end;
}

/* Through a copy of just the size, so that AddressSanitizer sees a read beyond it. */
static int json(const struct wire *w, size_t size, unsigned flags,
		const struct ue_decode_meta *meta, char *text, size_t room)
{
	unsigned char *copy = (unsigned char *)malloc(size ? size : 1);
	struct ue_decode_event event;
	size_t n;

	assert_non_null(copy);
	memcpy(copy, w->bytes, size);
	ue_decode_parse(&event, "P_L4K1f", 7, copy, size);
	n = ue_decode_json(&event, meta, flags, text, room);
	assert_true(n < room && strlen(text) == n);
	free(copy);
	return event.error;
}

static void shows(unsigned kind, unsigned format, const void *p, size_t size, int big,
		  const char *expected)
{
	struct ue_decode_item item;
	char text[256];

	memset(&item, 0, sizeof(item));
	item.kind = (uint8_t)kind;
	item.format = (uint8_t)format;
	item.value = (const uint8_t *)p;
	item.size = size;
	item.count = 1;
	item.big_endian = (uint8_t)big;
	ue_decode_value(&item, UE_DECODE_JSON, text, sizeof(text));
	if (strcmp(text, expected))
		fail_msg("kind %u, format %u: %s, not %s", kind, format, text, expected);
}

#define BYTES16 "\"41 41 41 41 41 41 41 41 41 41 41 41 41 41 41 41\""
#define UUID "\"41414141-4141-4141-4141-414141414141\""
#define IPV6 "\"4141:4141:4141:4141:4141:4141:4141:4141\""
#define C16 "\xe4\x85\x81"
#define C32 "\xef\xbf\xbd" /* beyond Unicode */

/* All bytes are 0x41, so it is the same in either byte order. NULL: the kind's default. */
TEST(test_every_kind_has_every_format_that_fits_and_else_its_default)
{
	static const struct {
		unsigned kind;
		size_t size;
		const char *shown[19];
	} rows[] = {
		{ 2, 1, { "65", "65", "65", "\"0x41\"", 0, 0, 0, "65", 0, "\"41\"", "\"A\"" } },
		{ 3, 2, { "16705", "16705", "16705", "\"0x4141\"", 0, 0, 0, "16705", 0, "\"41 41\"",
			  0, "\"" C16 "\"", 0, 0, 0, 0, "16705" } },
		{ 4, 4, { "1094795585", "1094795585", "1094795585", "\"0x41414141\"",
			  "\"ERRNO(1094795585)\"", "1094795585", "\"2004-09-10T05:53:05\"",
			  "1094795585", "12.078431", "\"41 41 41 41\"", 0, "\"" C32 "\"", 0, 0,
			  0, 0, 0,
			  "\"65.65.65.65\"", "\"65.65.65.65\"" } },
		{ 5, 8, { "4702111234474983745", "4702111234474983745", "4702111234474983745",
			  "\"0x4141414141414141\"", 0, 0, "\"TIME(4702111234474983745)\"", 0,
			  "2261634.5098039214", "\"41 41 41 41 41 41 41 41\"" } },
		{ 6, 16, { BYTES16, 0, 0, 0, 0, 0, 0, 0, 0, BYTES16, 0, 0, 0, 0, 0, UUID, 0, IPV6,
			   IPV6 } },
		{ 7, 2, { "\"AA\"", 0, 0, 0, 0, 0, 0, 0, 0, "\"41 41\"" } },
		{ 8, 2, { "\"" C16 "\"", 0, 0, 0, 0, 0, 0, 0, 0, "\"41 41\"" } },
		{ 9, 4, { "\"" C32 "\"", 0, 0, 0, 0, 0, 0, 0, 0, "\"41 41 41 41\"" } },
		{ 10, 3, { "\"AAA\"", 0, 0, 0, 0, 0, 0, 0, 0, "\"41 41 41\"" } },
		{ 10, 2, { "\"AA\"", "16705", "16705", "\"0x4141\"", 0, 0, 0, "16705", 0,
			   "\"41 41\"", 0, 0, 0, 0, 0, 0, "16705" } },
		{ 11, 2, { "\"" C16 "\"", 0, 0, 0, 0, 0, 0, 0, 0, "\"41 41\"" } },
		{ 12, 4, { "\"" C32 "\"", 0, 0, 0, 0, 0, 0, 0, 0, "\"41 41 41 41\"" } },
		{ 13, 3, { "\"41 41 41\"", 0, 0, 0, 0, 0, 0, 0, 0, 0, "\"AAA\"", "\"AAA\"",
			   "\"AAA\"", "\"AAA\"", "\"AAA\"" } },
		{ 13, 16, { BYTES16, 0, 0, 0, 0, 0, 0, 0, 0, 0, "\"AAAAAAAAAAAAAAAA\"",
			    "\"AAAAAAAAAAAAAAAA\"", "\"AAAAAAAAAAAAAAAA\"", "\"AAAAAAAAAAAAAAAA\"",
			    "\"AAAAAAAAAAAAAAAA\"", UUID, 0, IPV6, IPV6 } },
	};
	size_t i;
	unsigned format;
	int big;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (format = 0; format < 128; format++)
			for (big = 0; big < 2; big++)
				shows(rows[i].kind, format, "AAAAAAAAAAAAAAAA", rows[i].size, big,
				      format < 19 && rows[i].shown[format] ? rows[i].shown[format] :
									      rows[i].shown[0]);
	for (format = 1; format < 9; format++)
		shows(13, format, "", 0, 0, "null");
}

TEST(test_strings_are_escaped_and_bad_utf8_is_latin1)
{
	shows(10, 0, "\"\\\b\f\n\r\t\x1f\x7f/", 10, 0, "\"\\\"\\\\\\b\\f\\n\\r\\t\\u001f\x7f/\"");
	shows(10, 0, "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 10, 0,
	      "\"a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"");
	shows(10, 0, "\xff\xc0\xaf", 3, 0, "\"\xc3\xbf\xc3\x80\xc2\xaf\"");
	shows(10, 0, "\xed\xa0\x80", 3, 0, "\"\xc3\xad\xc2\xa0\xc2\x80\"");
	shows(10, 0, "\xe2\x82", 2, 0, "\"\xc3\xa2\xc2\x82\"");
	shows(10, 10, "\xc3\xa9", 2, 0, "\"\xc3\x83\xc2\xa9\"");
	shows(11, 0, "\x3d\xd8\x00\xde\x3d\xd8", 6, 0, "\"\xf0\x9f\x98\x80\xef\xbf\xbd\"");
	shows(11, 0, "\xd8\x3d\xde\x00", 4, 1, "\"\xf0\x9f\x98\x80\"");
	shows(12, 0, "\xff\xff\xff\xff", 4, 0, "\"\xef\xbf\xbd\"");
	shows(10, 12, "\xfe\xff\0A", 4, 0, "\"A\"");
	shows(11, 12, "\xef\xbb\xbf" "A", 4, 0, "\"A\"");
}

static void shows32(unsigned format, uint32_t value, const char *expected)
{
	struct wire w;

	for (w.big = 0; w.big < 2; w.big++) {
		w.size = 0;
		put(&w, value, 4);
		shows(4, format, w.bytes, 4, w.big, expected);
	}
}

static void shows64(unsigned format, uint64_t value, const char *expected)
{
	struct wire w;

	for (w.big = 0; w.big < 2; w.big++) {
		w.size = 0;
		put(&w, value, 8);
		shows(5, format, w.bytes, 8, w.big, expected);
	}
}

TEST(test_floats_times_errnos_and_addresses_read_as_people_write_them)
{
	shows32(8, 0x3eaaaaab, "0.33333334");
	shows32(8, 0x80000000, "-0");
	shows32(8, 0x7f800000, "\"inf\"");
	shows32(8, 0xff800000, "\"-inf\"");
	shows32(8, 0x7fc00000, "\"nan\"");
	shows32(8, 0xffc00000, "\"-nan\"");
	shows64(8, 0x40091eb851eb851f, "3.14");
	shows64(8, 1, "5e-324");
	shows64(8, 0x7fefffffffffffff, "1.7976931348623157e+308");
	shows32(4, 1, "\"EPERM(1)\"");
	shows32(4, 133, "\"EHWPOISON(133)\"");
	shows32(4, 2000000000, "\"ERRNO(2000000000)\"");
	shows32(4, 0xffffffff, "\"ERRNO(-1)\"");
	shows32(5, 0xffffffff, "-1");
	shows32(7, 0, "false");
	shows32(7, 1, "true");
	shows32(7, 0xfffffffe, "-2");
	shows32(6, 2000000000, "\"2033-05-18T03:33:20\"");
	shows64(6, (uint64_t)-11644473600, "\"1601-01-01T00:00:00\"");
	shows64(6, 910692730085, "\"30828-09-14T02:48:05\"");
	shows64(6, 9000000000000000000, "\"TIME(9000000000000000000)\"");
	shows(6, 15, "\1\2\3\4\5\6\7\10\1\2\3\4\5\6\7\10", 16, 0,
	      "\"01020304-0506-0708-0102-030405060708\"");
	shows(3, 16, "\0P", 2, 0, "80");
	shows(4, 17, "\x7f\0\0\1", 4, 0, "\"127.0.0.1\"");
	shows(6, 17, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1", 16, 0, "\"::1\"");
	shows(6, 17, "\0\0\0\0\0\0\0\0\0\0\xff\xff\1\2\3\4", 16, 0, "\"::ffff:1.2.3.4\"");
}

static void nested(struct wire *w, int big)
{
	begin(w, big);
	define(w, "a", 3 | UE_DECODE_VARIABLE_ARRAY, 2, 0xbeef);
	define(w, "none", 7 | UE_DECODE_VARIABLE_ARRAY, 0, 0);
	define(w, "s", 1, 2, 0);
	define(w, "t", 1, 1, 0);
	define(w, "x", 2, 0, 0);
	define(w, "y", 7, 0, 0);
	define(w, "v", 1 | UE_DECODE_CONSTANT_ARRAY, 1, 0);
	put(w, 2, 2);
	define(w, "z", 10, 0, 0);
	payload(w);
	put(w, 2, 2);
	put(w, 1, 2);
	put(w, 0xffff, 2);
	put(w, 0, 2);
	put(w, 5, 1);
	put_bytes(w, "yy", 3);
	put(w, 1, 2);
	put_bytes(w, "p", 1);
	put(w, 0, 2);
}

TEST(test_arrays_and_structs_nest_compact_and_spaced)
{
	struct wire w;
	char text[1024];
	int big;

	for (big = 0; big < 2; big++) {
		nested(&w, big);
		assert_int_equal(json(&w, w.size, UE_DECODE_NO_META, NULL, text, sizeof(text)), 0);
		assert_string_equal(text, "{\"n\":\"P:E\",\"a;tag=0xBEEF\":[1,-1],\"none\":[],"
					  "\"s\":{\"t\":{\"x\":5},\"y\":\"yy\"},"
					  "\"v\":[{\"z\":\"p\"},{\"z\":\"\"}]}");
		json(&w, w.size, UE_DECODE_NO_META | UE_DECODE_SPACED, NULL, text, sizeof(text));
		assert_string_equal(text,
			"{ \"n\": \"P:E\", \"a;tag=0xBEEF\": [ 1, -1 ], \"none\": [ ], "
			"\"s\": { \"t\": { \"x\": 5 }, \"y\": \"yy\" }, "
			"\"v\": [ { \"z\": \"p\" }, { \"z\": \"\" } ] }");
	}
}

TEST(test_meta_is_in_order_and_leaves_out_what_is_not_known)
{
	struct ue_decode_meta meta = { 1711586712640913120, 0, 3, 4,
				       UE_DECODE_HAS_WALL_TIME | UE_DECODE_HAS_CPU |
					       UE_DECODE_HAS_PID | UE_DECODE_HAS_TID };
	struct wire w;
	char text[1024];

	begin(&w, 0);
	payload(&w);
	json(&w, w.size, 0, &meta, text, sizeof(text));
	assert_string_equal(text,
			    "{\"n\":\"P:E\",\"meta\":{\"time\":\"2024-03-28T00:45:12.640913120Z\","
			    "\"cpu\":0,\"pid\":3,\"tid\":4,\"id\":258,\"version\":2,\"level\":4,"
			    "\"keyword\":\"0x1F\",\"opcode\":1,\"tag\":\"0xBEE\"}}");
	meta.known = UE_DECODE_HAS_TIME;
	meta.time = 1000000002;
	memset(w.bytes + 1, 0, 6);
	json(&w, w.size, 0, &meta, text, sizeof(text));
	assert_string_equal(text, "{\"n\":\"P:E\",\"meta\":{\"time\":\"1.000000002\",\"level\":4,"
				  "\"keyword\":\"0x1F\"}}");
}

TEST(test_an_event_cut_anywhere_is_an_object_with_an_error)
{
	struct wire w;
	char text[1024];
	size_t size;
	int big;

	for (big = 0; big < 2; big++) {
		nested(&w, big);
		for (size = 0; size < w.size; size++) {
			assert_true(json(&w, size, 0, NULL, text, sizeof(text)) != 0);
			assert_non_null(strstr(text, "\"error\":\""));
			assert_string_equal(text + strlen(text) - 3, "\"}}");
		}
	}
}

TEST(test_random_damage_is_survived)
{
	struct wire w, damaged;
	char *text = (char *)malloc(1 << 20);
	uint64_t random = 88172645463325252;
	int round, hit;

	assert_non_null(text);
	for (round = 0; round < 20000; round++) {
		nested(&w, round & 1);
		damaged = w;
		for (hit = 0; hit < 4; hit++) {
			random ^= random << 13;
			random ^= random >> 7;
			random ^= random << 17;
			damaged.bytes[random % w.size] = (unsigned char)(random >> 40);
		}
		json(&damaged, w.size, UE_DECODE_SPACED, NULL, text, 1 << 20);
	}
	free(text);
}

static int refuse(void *context, const char *text, size_t length)
{
	(void)text;
	(void)length;
	++*(int *)context;
	return 7;
}

TEST(test_cut_text_is_a_prefix_and_a_refused_write_is_the_last)
{
	struct ue_decode_event event;
	struct wire w;
	char whole[1024], part[1024];
	size_t n, size;
	int calls = 0;

	nested(&w, 0);
	ue_decode_parse(&event, NULL, 0, w.bytes, w.size);
	n = ue_decode_json(&event, NULL, 0, whole, sizeof(whole));
	for (size = 0; size <= n + 1; size++) {
		memset(part, '#', sizeof(part));
		assert_int_equal(ue_decode_json(&event, NULL, 0, size ? part : NULL, size), n);
		assert_int_equal(part[size], '#');
		if (size) {
			assert_int_equal(part[size - 1], 0);
			assert_memory_equal(part, whole, size - 1);
		}
	}
	assert_int_equal(ue_decode_json_to(&event, NULL, 0, refuse, &calls), 7);
	assert_int_equal(calls, 1);
}

static const char format_text[] =
	"name: f\nID: 605\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
	"\tfield:int i;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\tfield:unsigned long ul;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:pid_t pid;\toffset:16;\tsize:4;\tsigned:1;\n"
	"\tfield:char comm[4];\toffset:20;\tsize:4;\tsigned:0;\n"
	"\tfield:u8 b[2];\toffset:24;\tsize:2;\tsigned:0;\n"
	"\tfield:struct p st;\toffset:26;\tsize:2;\tsigned:0;\n"
	"\tfield:__data_loc char[] d;\toffset:28;\tsize:4;\tsigned:0;\n"
	"\tfield:__rel_loc u16[] r;\toffset:32;\tsize:4;\tsigned:0;\n\n"
	"print fmt: \"\"\n";

TEST(test_plain_tracepoints_follow_their_format_file)
{
	static const char expected[] =
		"{\"n\":\"s:f\",\"i\":-2,\"ul\":\"0xFF\",\"pid\":1,\"comm\":\"ab\",\"b\":[1,2],"
		"\"st\":\"03 04\",\"d\":\"hi\",\"r\":[1,2]}";
	struct ue_decode_field fields[16];
	struct ue_decode_format format;
	char text[512];
	struct wire w;
	size_t size;

	for (w.big = 0; w.big < 2; w.big++) {
		memset(&format, 0, sizeof(format));
		format.system = "s";
		format.system_length = 1;
		format.fields = fields;
		format.fields_max = 16;
		format.big_endian = (uint8_t)w.big;
		assert_int_equal(
			ue_decode_format_parse(&format, format_text, sizeof(format_text) - 1), 0);
		assert_int_equal(format.id, 605);
		assert_int_equal(format.field_count, 9);
		assert_int_equal(format.eventheader, 0);
		w.size = 0;
		put(&w, 605, 4);
		put(&w, 0xfffffffe, 4);
		put(&w, 0xff, 8);
		put(&w, 1, 4);
		put_bytes(&w, "ab\0c\1\2\3\4", 8);
		put(&w, 3 << 16 | 40, 4);
		put(&w, 4 << 16 | 8, 4);
		put(&w, 0, 4);
		put_bytes(&w, "hi\0\0", 4);
		put(&w, 1, 2);
		put(&w, 2, 2);
		ue_decode_format_json(&format, w.bytes, w.size, NULL, UE_DECODE_NO_META, text,
				      sizeof(text));
		assert_string_equal(text, expected);
		for (size = 0; size < w.size; size++) {
			unsigned char *copy = (unsigned char *)malloc(size ? size : 1);

			assert_non_null(copy);
			memcpy(copy, w.bytes, size);
			ue_decode_format_json(&format, copy, size, NULL, 0, text, sizeof(text));
			assert_non_null(strstr(text, "null"));
			assert_non_null(strstr(text, "\"error\":\""));
			free(copy);
		}
		format.fields_max = 2;
		assert_int_equal(
			ue_decode_format_parse(&format, format_text, sizeof(format_text) - 1),
			-ENOSPC);
		assert_int_equal(ue_decode_format_parse(&format, "", 0), -EINVAL);
	}
}

TESTS_MAIN
