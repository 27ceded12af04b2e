/* SPDX-License-Identifier: MIT */
/*
 * Tests the JSON output of EventHeader events. Each rule in the description of the format has a
 * test, which runs in both byte orders.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* for strerrorname_np() */
#endif
#include "decode_build.h"

#include <arpa/inet.h>

static const char *shown_field(void)
{
	finish();
	to_json(UE_DECODE_NO_META);
	memmove(out, out + 22, strlen(out) - 22 + 1);
	out[strlen(out) - 1] = 0;
	return out;
}

/* Returns the JSON of an event with one field "f" of the given kind and format. */
static const char *shown(unsigned kind, unsigned format, uint64_t v, size_t size)
{
	begin("Event");
	field("f", kind, format);
	value(v, size);
	return shown_field();
}

struct scalar {
	unsigned kind, format;
	uint64_t value;
	const char *json;
};

static void check_scalars(const struct scalar *rows, size_t n)
{
	size_t i;

	BOTH_ORDERS {
		for (i = 0; i < n; i++) {
			const struct scalar *r = &rows[i];

			assert_string_equal(
				shown(r->kind, r->format, r->value, 1u << (r->kind - U8)), r->json);
		}
	}
}

/* Returns the JSON of an event with one counted string or byte array. */
static const char *shown_bytes(unsigned kind, unsigned format, const void *p, size_t n)
{
	size_t unit = kind == S16 ? 2 : kind == S32 ? 4 : 1;

	begin("Event");
	field("f", kind, format);
	value(n / unit, 2);
	raw(p, n);
	return shown_field();
}

static const char *shown_units(unsigned kind, unsigned format, const uint32_t *units, size_t n)
{
	size_t unit = kind == S16 ? 2 : kind == S32 ? 4 : 1, i;

	begin("Event");
	field("f", kind, format);
	value(n, 2);
	for (i = 0; i < n; i++)
		value(units[i], unit);
	return shown_field();
}

#define CHECK_SCALARS(rows) check_scalars(rows, sizeof(rows) / sizeof((rows)[0]))

static size_t written, allowed;

static int write_some(void *context, const char *text, size_t length)
{
	assert_true(context == &written);
	assert_true(length);
	if (written + length > allowed)
		return -EIO;
	memcpy(out + written, text, length);
	written += length;
	return 0;
}

struct expected {
	unsigned format;
	const char *little;
	const char *other; /* expected text for a big-endian event if it differs; otherwise NULL */
};

struct matrix {
	unsigned kind;
	size_t units, unit; /* number of units in the payload, and size of a unit */
	uint32_t payload[16];
	uint64_t wide;
	const char *normal; /* expected text if the format does not apply to this kind */
	const char *normal_big;
	struct expected expected[12];
};

static const struct matrix matrix[] = {
	{ U8, 1, 1, { 0xc1 }, 0, "193", NULL,
	  { { SIGNED, "-63", NULL }, { HEX, "\"0xC1\"", NULL }, { BYTES, "\"c1\"", NULL },
	    { LATIN1, "\"\xc3\x81\"", NULL } } },
	{ U16, 1, 2, { 0xff02 }, 0, "65282", NULL,
	  { { SIGNED, "-254", NULL }, { HEX, "\"0xFF02\"", NULL },
	    { BYTES, "\"02 ff\"", "\"ff 02\"" }, { UTF, "\"\xef\xbc\x82\"", NULL },
	    { PORT, "767", "65282" } } },
	{ U32, 1, 4, { 0x80000001 }, 0, "2147483649", NULL,
	  { { SIGNED, "-2147483647", NULL }, { HEX, "\"0x80000001\"", NULL },
	    { ERRNO, "\"ERRNO(-2147483647)\"", NULL }, { PID, "-2147483647", NULL },
	    { TIME, "\"1901-12-13T20:45:53\"", NULL }, { BOOL, "-2147483647", NULL },
	    { FLOAT, "-1e-45", NULL }, { BYTES, "\"01 00 00 80\"", "\"80 00 00 01\"" },
	    { UTF, "\"\xef\xbf\xbd\"", NULL },
	    { IP, "\"1.0.0.128\"", "\"128.0.0.1\"" },
	    { IP_OLD, "\"1.0.0.128\"", "\"128.0.0.1\"" } } },
	{ U64, 1, 8, { 0 }, 0x8000000000000001, "9223372036854775809", NULL,
	  { { SIGNED, "-9223372036854775807", NULL }, { HEX, "\"0x8000000000000001\"", NULL },
	    { TIME, "\"TIME(-9223372036854775807)\"", NULL }, { FLOAT, "-5e-324", NULL },
	    { BYTES, "\"01 00 00 00 00 00 00 80\"", "\"80 00 00 00 00 00 00 01\"" } } },
	{ U128, 16, 1, { 0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0xab, 0xcd, 0, 9 }, 0,
	  "\"20 01 0d b8 00 00 00 00 00 00 00 00 ab cd 00 09\"", NULL,
	  { { UUID, "\"20010db8-0000-0000-0000-0000abcd0009\"", NULL },
	    { IP, "\"2001:db8::abcd:9\"", NULL }, { IP_OLD, "\"2001:db8::abcd:9\"", NULL } } },
	{ Z8, 4, 1, { 'A', 0xc3, 0xa9, 0 }, 0, "\"A\xc3\xa9\"", NULL,
	  { { BYTES, "\"41 c3 a9\"", NULL }, { LATIN1, "\"A\xc3\x83\xc2\xa9\"", NULL } } },
	{ Z16, 3, 2, { 'A', 0xe9, 0 }, 0, "\"A\xc3\xa9\"", NULL,
	  { { BYTES, "\"41 00 e9 00\"", "\"00 41 00 e9\"" } } },
	{ Z32, 2, 4, { 0x1f600, 0 }, 0, "\"\xf0\x9f\x98\x80\"", NULL,
	  { { BYTES, "\"00 f6 01 00\"", "\"00 01 f6 00\"" } } },
	{ S8, 3, 1, { 'A', 0xc3, 0xa9 }, 0, "\"A\xc3\xa9\"", NULL,
	  { { BYTES, "\"41 c3 a9\"", NULL }, { LATIN1, "\"A\xc3\x83\xc2\xa9\"", NULL } } },
	{ S16, 2, 2, { 'A', 0xe9 }, 0, "\"A\xc3\xa9\"", NULL,
	  { { BYTES, "\"41 00 e9 00\"", "\"00 41 00 e9\"" } } },
	{ S32, 1, 4, { 0x1f600 }, 0, "\"\xf0\x9f\x98\x80\"", NULL,
	  { { BYTES, "\"00 f6 01 00\"", "\"00 01 f6 00\"" } } },
	{ BIN, 3, 1, { 'A', 0xc3, 0xa9 }, 0, "\"41 c3 a9\"", NULL,
	  { { LATIN1, "\"A\xc3\x83\xc2\xa9\"", NULL }, { UTF, "\"A\xc3\xa9\"", NULL },
	    { BOM, "\"A\xc3\xa9\"", NULL }, { XML, "\"A\xc3\xa9\"", NULL },
	    { JSON, "\"A\xc3\xa9\"", NULL } } },
};

TEST(test_every_kind_with_every_format)
{
	size_t i, j, k;
	unsigned format;

	BOTH_ORDERS {
		for (i = 0; i < sizeof(matrix) / sizeof(matrix[0]); i++) {
			const struct matrix *m = &matrix[i];

			for (format = 0; format < 128; format++) {
				const char *want = m->normal;

				begin("Event");
				field("f", m->kind, format);
				if (m->kind >= S8)
					value(m->units, 2);
				for (j = 0; j < m->units; j++)
					value(m->wide ? m->wide : m->payload[j], m->unit);
				/*
				 * if a value were read with a wrong length, the next field would be
				 * wrong
				 */
				field("end", U8, 0);
				value(7, 1);
				finish();
				for (k = 0; k < 12; k++) {
					const struct expected *e = &m->expected[k];

					if (e->format == format && format)
						want = big && e->other ? e->other : e->little;
				}
				to_json(UE_DECODE_NO_META);
				if (strncmp(out + 22, want, strlen(want)) ||
				    strcmp(out + 22 + strlen(want), ",\"end\":7}"))
					fail_msg("kind %u format %u: %s, expected %s", m->kind,
						 format, out, want);
			}
		}
	}
}

TEST(test_counted_bytes_with_a_fixed_size_format)
{
	static const uint8_t bytes[17] = {
		1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
	};
	static const struct {
		unsigned format;
		size_t length;
		const char *little, *other;
	} rows[] = {
		{ UNSIGNED, 1, "1", "1" },
		{ UNSIGNED, 2, "513", "258" },
		{ UNSIGNED, 4, "67305985", "16909060" },
		{ UNSIGNED, 8, "578437695752307201", "72623859790382856" },
		{ SIGNED, 2, "513", "258" },
		{ HEX, 2, "\"0x201\"", "\"0x102\"" },
		{ ERRNO, 4, "\"ERRNO(67305985)\"", "\"ERRNO(16909060)\"" },
		{ PID, 4, "67305985", "16909060" },
		{ TIME, 4, "\"1972-02-19T00:06:25\"", "\"1970-07-15T16:57:40\"" },
		{ BOOL, 1, "true", "true" },
		{ FLOAT, 4, "1.5399896e-36", "2.3879393e-38" },
		{ FLOAT, 8, "5.447603722011605e-270", "8.20788039913184e-304" },
		{ PORT, 2, "258", "258" },
		{ IP, 4, "\"1.2.3.4\"", "\"1.2.3.4\"" },
		{ IP, 16, "\"102:304:506:708:90a:b0c:d0e:f10\"",
		  "\"102:304:506:708:90a:b0c:d0e:f10\"" },
		{ UUID, 16, "\"01020304-0506-0708-090a-0b0c0d0e0f10\"",
		  "\"01020304-0506-0708-090a-0b0c0d0e0f10\"" },
	};
	/*
	 * Value lengths that each format applies to. For other lengths, the default format is
	 * used.
	 */
	static const struct {
		unsigned format;
		uint32_t lengths; /* bitmask with one bit per length */
	} fits[] = {
		{ UNSIGNED, 0x116 }, { SIGNED, 0x116 }, { HEX, 0x116 }, { ERRNO, 0x10 },
		{ PID, 0x10 }, { TIME, 0x110 }, { BOOL, 0x16 }, { FLOAT, 0x110 },
		{ UUID, 0x10000 }, { PORT, 4 }, { IP, 0x10010 }, { IP_OLD, 0x10010 },
	};
	size_t i, n;

	BOTH_ORDERS {
		for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			const char *want = big ? rows[i].other : rows[i].little;

			assert_string_equal(shown_bytes(S8, rows[i].format, bytes, rows[i].length),
					    want);
			assert_string_equal(shown_bytes(BIN, rows[i].format, bytes, rows[i].length),
					    want);
		}
		for (i = 0; i < sizeof(fits) / sizeof(fits[0]); i++) {
			unsigned format = fits[i].format;

			assert_string_equal(shown_bytes(S8, format, bytes, 0), "null");
			assert_string_equal(shown_bytes(BIN, format, bytes, 0), "null");
			for (n = 1; n <= 17; n++) {
				char normal[128];

				strcpy(normal, shown_bytes(BIN, 0, bytes, n));
				shown_bytes(BIN, format, bytes, n);
				assert_int_equal(!strcmp(out, normal), !(fits[i].lengths >> n & 1));
				strcpy(normal, shown_bytes(S8, 0, bytes, n));
				shown_bytes(S8, format, bytes, n);
				assert_int_equal(!strcmp(out, normal), !(fits[i].lengths >> n & 1));
			}
		}
		assert_string_equal(shown_bytes(S8, 0, bytes, 0), "\"\"");
		assert_string_equal(shown_bytes(S8, BYTES, bytes, 0), "\"\"");
		assert_string_equal(shown_bytes(BIN, 0, bytes, 0), "\"\"");
	}
}

TEST(test_an_event_is_one_object)
{
	BOTH_ORDERS {
		begin("Event");
		field("a", U8, 0);
		value(1, 1);
		finish();
		assert_string_equal(to_json(0), "{\"n\":\"Prov:Event\",\"a\":1,"
						"\"meta\":{\"level\":4,\"keyword\":\"0x1F\"}}");
	}
}

TEST(test_spaced_form)
{
	BOTH_ORDERS {
		begin("Event");
		field("a", STRUCT, 2);
		field("b", U8 | VARIABLE, 0);
		value(2, 2);
		value(1, 1);
		value(2, 1);
		field("c", U8 | VARIABLE, 0);
		value(0, 2);
		finish();
		assert_string_equal(to_json(UE_DECODE_SPACED),
				    "{ \"n\": \"Prov:Event\", \"a\": { \"b\": [ 1, 2 ], \"c\": [ ] "
				    "}, \"meta\": { \"level\": 4, \"keyword\": \"0x1F\" } }");
	}
}

static const char *with_meta(const struct ue_decode_meta *m, const char *tracepoint)
{
	static const uint8_t ids[32] = { 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8,
					 0xAA, 0xBB };
	struct ue_decode_event e;

	begin("Event");
	header[1] = 5;
	memcpy(header + 2, big ? "\x12\x34" : "\x34\x12", 2);
	memcpy(header + 4, big ? "\xbe\xef" : "\xef\xbe", 2);
	header[6] = 2;
	extension(0x8002, ids, 32);
	finish();
	assert_int_equal(ue_decode_parse(&e, tracepoint, strlen(tracepoint), event.p, event.n), 0);
	ue_decode_json(&e, m, 0, out, sizeof(out));
	return out;
}

#define EVENT_META                                                                     \
	"\"id\":4660,\"version\":5,\"level\":4,\"keyword\":\"0x1F\",\"opcode\":2,"     \
	"\"tag\":\"0xBEEF\",\"activity\":\"01020304-0506-0708-0102-030405060708\","    \
	"\"relatedActivity\":\"aabb0000-0000-0000-0000-000000000000\"}}"

/*
 * The pieces passed to the callback may end at any byte. The concatenated output is always the
 * same.
 */
TEST(test_meta_may_be_split_at_every_position)
{
	const struct ue_decode_meta m = { 1711586712640913120, 3, 100, 101,
					  UE_DECODE_HAS_WALL_TIME | UE_DECODE_HAS_CPU |
						  UE_DECODE_HAS_PID | UE_DECODE_HAS_TID };
	static char whole[4096], text[400];
	struct ue_decode_event e;
	size_t n;

	allowed = sizeof(out);
	for (n = 0; n < 300; n++) {
		with_meta(&m, "Prov_L4K1f");
		memset(text, 'x', n);
		begin("Event");
		header[1] = 5;
		header[2] = header[4] = 1;
		header[6] = 2;
		extension(0x8002, text + 300, 32);
		field("f", Z8, 0);
		raw(text, n + 1);
		payload.p[payload.n - 1] = 0;
		finish();
		ue_decode_parse(&e, "Prov_L4K1f", 10, event.p, event.n);
		ue_decode_json(&e, &m, 0, whole, sizeof(whole));
		written = 0;
		ue_decode_parse(&e, "Prov_L4K1f", 10, event.p, event.n);
		assert_int_equal(ue_decode_json_to(&e, &m, 0, write_some, &written), 0);
		out[written] = 0;
		assert_string_equal(out, whole);
	}
}

TEST(test_long_texts_that_are_not_json_stay_unchanged)
{
	static const char letters[] =
		"a \"text\" of \\ over 32 letters\n with \xc3\xa9 in the end, and a \x01";
	struct ue_decode_item item = { .kind = UE_DECODE_KIND_STRING8,
				       .format = UE_DECODE_FORMAT_UTF,
				       .value = (const uint8_t *)letters,
				       .size = sizeof(letters) - 1 };
	char text[200];

	assert_int_equal(ue_decode_value(&item, 0, text, sizeof(text)), sizeof(letters) - 1);
	assert_string_equal(text, letters);
}

TEST(test_meta_is_in_order)
{
	struct ue_decode_meta m = { 1711586712640913120, 3, 100, 101, 0 };

	BOTH_ORDERS {
		m.known = UE_DECODE_HAS_WALL_TIME | UE_DECODE_HAS_CPU | UE_DECODE_HAS_PID |
			  UE_DECODE_HAS_TID;
		assert_string_equal(with_meta(&m, "Prov_L4K1f"),
				    "{\"n\":\"Prov:Event\",\"meta\":{"
				    "\"time\":\"2024-03-28T00:45:12.640913120Z\",\"cpu\":3,"
				    "\"pid\":100,\"tid\":101," EVENT_META);
	}
}

/* Splits the metadata into two pieces, at every position. */
TEST(test_meta_is_the_same_in_pieces)
{
	static char whole[1000], name[300];
	struct ue_decode_meta m = { 1711586712640913120, 3, 100, 101, 31 };
	struct ue_decode_event e;
	unsigned flags;
	size_t n, length;

	for (n = 0; n < sizeof(name) - 1; n++)
		for (flags = 0; flags < 2; flags++) {
			with_meta(&m, "Prov_L4K1f");
			memset(name, 'x', n);
			name[n] = 0;
			ue_decode_parse(&e, "Prov_L4K1f", 10, event.p, event.n);
			e.name = name;
			e.name_length = n;
			length = ue_decode_json(&e, &m, flags, whole, sizeof(whole));
			assert_true(strstr(whole, flags ? "xx\", \"meta\"" : "xx\",\"meta\"") ||
				    n < 2);
			allowed = sizeof(out);
			written = 0;
			assert_int_equal(ue_decode_json_to(&e, &m, flags, write_some, &written), 0);
			assert_int_equal(written, length);
			assert_memory_equal(out, whole, length);
		}
	assert_string_equal(strstr(whole, "\"meta\""),
			    "\"meta\": { \"time\": \"2024-03-28T00:45:12.640913120Z\", \"cpu\": 3, "
			    "\"pid\": 100, \"tid\": 101, \"id\": 4660, \"version\": 5, \"level\": "
			    "4, \"keyword\": \"0x1F\", \"opcode\": 2, \"tag\": \"0xBEEF\", "
			    "\"activity\": \"01020304-0506-0708-0102-030405060708\", "
			    "\"relatedActivity\": \"aabb0000-0000-0000-0000-000000000000\" } }");
}

TEST(test_time_without_a_date_is_a_number)
{
	struct ue_decode_meta m = { 12345000000678, 0, 0, 0, UE_DECODE_HAS_TIME };

	assert_string_equal(with_meta(&m, "Prov_L4K1f"),
			    "{\"n\":\"Prov:Event\",\"meta\":{"
			    "\"time\":\"12345.000000678\"," EVENT_META);
}

TEST(test_unknown_or_zero_meta_is_omitted)
{
	struct ue_decode_meta m = { 5, 6, 7, 8, 0 };
	struct ue_decode_event e;

	assert_string_equal(with_meta(NULL, "Prov_L4K1f"),
			    "{\"n\":\"Prov:Event\",\"meta\":{" EVENT_META);
	assert_string_equal(with_meta(&m, "Prov_L4K1f"),
			    "{\"n\":\"Prov:Event\",\"meta\":{" EVENT_META);
	/* 0 is a valid CPU and a valid ID, but not a valid time */
	memset(&m, 0, sizeof(m));
	m.known = UE_DECODE_HAS_TIME | UE_DECODE_HAS_WALL_TIME | UE_DECODE_HAS_CPU |
		  UE_DECODE_HAS_PID | UE_DECODE_HAS_TID;
	begin("Event");
	finish();
	ue_decode_parse(&e, "Prov_L4K0", 9, event.p, event.n);
	ue_decode_json(&e, &m, 0, out, sizeof(out));
	assert_string_equal(out, "{\"n\":\"Prov:Event\",\"meta\":{\"cpu\":0,\"pid\":0,\"tid\":0,"
				 "\"level\":4}}");
	/* nothing remains */
	begin("Event");
	header[7] = 0;
	finish();
	ue_decode_parse(&e, NULL, 0, event.p, event.n);
	ue_decode_json(&e, NULL, 0, out, sizeof(out));
	assert_string_equal(out, "{\"n\":\":Event\",\"meta\":{}}");
	ue_decode_json(&e, NULL, UE_DECODE_SPACED, out, sizeof(out));
	assert_string_equal(out, "{ \"n\": \":Event\", \"meta\": { } }");
	ue_decode_json(&e, &m, UE_DECODE_NO_META, out, sizeof(out));
	assert_string_equal(out, "{\"n\":\":Event\"}");
}

TEST(test_an_activity_without_a_related_one)
{
	static const uint8_t id[16] = { 0xff };

	BOTH_ORDERS {
		begin("Event");
		extension(0x8002, id, 16);
		finish();
		assert_string_equal(to_json(0),
				    "{\"n\":\"Prov:Event\",\"meta\":{\"level\":4,"
				    "\"keyword\":\"0x1F\","
				    "\"activity\":\"ff000000-0000-0000-0000-000000000000\"}}");
	}
}

TEST(test_a_tag_and_attributes_are_part_of_a_field_name)
{
	BOTH_ORDERS {
		begin("Event");
		tagged("a", U8, 0, 0xbeef);
		tagged("b;unit=ms", U8, HEX, 0x1);
		tagged("c", U8 | VARIABLE, 0, 0x20);
		tagged("d", STRUCT, 1, 0x300);
		field("e", U8, 0);
		raw("\1\2", 2);
		value(0, 2);
		raw("\3", 1);
		expect_fields("\"a;tag=0xBEEF\":1,\"b;unit=ms;tag=0x1\":\"0x2\",\"c;tag=0x20\":[],"
			      "\"d;tag=0x300\":{\"e\":3}");
	}
}

TEST(test_no_field_replaces_the_events_name_or_meta)
{
	begin("Event");
	field("n", U8, 0);
	field("meta", STRUCT, 2);
	field("n", U8, 0);
	field("meta", U8, 0);
	field("n;unit=ms", U8, 0);
	tagged("meta", U8, 0, 1);
	field("name", U8, 0);
	field("met", U8, 0);
	raw("\1\2\3\4\5\6\7", 7);
	expect_fields(
		"\"n#2\":1,\"meta#2\":{\"n\":2,\"meta\":3},\"n;unit=ms\":4,\"meta;tag=0x1\":5,"
		"\"name\":6,\"met\":7");
}

TEST(test_attributes_of_the_event_are_not_its_name)
{
	struct ue_decode_event e;

	begin("Event;a=b;c=d;;e");
	field("f", U8, 0);
	value(1, 1);
	expect_fields("\"f\":1");
	ue_decode_parse(&e, "P_L4K1", 6, event.p, event.n);
	ue_decode_json(&e, NULL, 0, out, sizeof(out));
	assert_string_equal(out,
			    "{\"n\":\"P:Event\",\"f\":1,\"meta\":{\"level\":4,\"keyword\":\"0x1\","
			    "\"attributes\":\"a=b;c=d;;e\"}}");
}

TEST(test_strings_are_escaped)
{
	static const char text[] = "\"\\/\b\f\n\r\t\x01\x1f\x7f"
				   "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80";
	uint32_t units[32];
	size_t i;

	BOTH_ORDERS {
		for (i = 0; i < 12; i++)
			units[i] = (unsigned char)text[i];
		assert_string_equal(shown_bytes(S8, 0, text, sizeof(text) - 1),
				    "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\x7f"
				    "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"");
		assert_string_equal(shown_units(S16, 0, units, 12),
				    "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\x7f" "a\"");
		assert_string_equal(shown_units(S32, 0, units, 12),
				    "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\x7f" "a\"");
		assert_string_equal(shown_units(S8, LATIN1, units, 12),
				    "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\x7f" "a\"");
		assert_string_equal(shown(U8, LATIN1, 0, 1), "\"\\u0000\"");
		assert_string_equal(shown(U16, UTF, '"', 2), "\"\\\"\"");
		assert_string_equal(shown(U32, UTF, 0x1f600, 4), "\"\xf0\x9f\x98\x80\"");
	}
}

TEST(test_names_are_escaped)
{
	struct ue_decode_event e;

	BOTH_ORDERS {
		begin("E\"\n\xff");
		field("a\\\t\xe9", U8, 0);
		value(1, 1);
		finish();
		ue_decode_parse(&e, "P\"\xe8_L4K1", 8, event.p, event.n);
		ue_decode_json(&e, NULL, UE_DECODE_NO_META, out, sizeof(out));
		assert_string_equal(
			out, "{\"n\":\"P\\\"\xc3\xa8:E\\\"\\n\xc3\xbf\",\"a\\\\\\t\xc3\xa9\":1}");
	}
}

/*
 * The decoder scans 8, 16 or 32 bytes at once, so test every position in strings of about these
 * lengths.
 */
TEST(test_characters_are_escaped_at_every_position)
{
	static const char *const each[][2] = {
		{ "\n", "\\n" },     { "\"", "\\\"" }, { "\\", "\\\\" }, { "\x1f", "\\u001f" },
		{ "\x7f", "\x7f" }, { "~", "~" },     { "\xe9", "\xc3\xa9" },
		{ " ", " " },	     { "!", "!" },   { "#", "#" },
	};
	char text[80], xs[80], want[200];
	size_t n, at, i;

	memset(xs, 'x', sizeof(xs));
	for (n = 1; n < 71; n += n < 27 || n > 60 ? 1 : 4)
		for (at = 0; at < n; at++)
			for (i = 0; i < sizeof(each) / sizeof(each[0]); i++) {
				memset(text, 'x', n);
				text[at] = *each[i][0];
				snprintf(want, sizeof(want), "\"%.*s%s%.*s\"", (int)at, xs,
					 each[i][1], (int)(n - at - 1), xs);
				assert_string_equal(shown_bytes(S8, 0, text, n), want);
			}
}

TEST(test_numbers_are_bare)
{
	static const struct scalar rows[] = {
		{ U8, 0, 0, "0" }, { U8, 0, 9, "9" }, { U8, 0, 10, "10" }, { U8, 0, 99, "99" },
		{ U8, 0, 100, "100" }, { U8, SIGNED, 0x80, "-128" },
		{ U16, SIGNED, 0x8000, "-32768" }, { U32, SIGNED, 0x7fffffff, "2147483647" },
		{ U32, 0, 0xffffffff, "4294967295" }, { U64, 0, 4294967296, "4294967296" },
		{ U64, 0, 10000000000000000001u, "10000000000000000001" },
		{ U64, 0, UINT64_MAX, "18446744073709551615" },
		{ U64, SIGNED, (uint64_t)1 << 63, "-9223372036854775808" },
		{ U64, SIGNED, UINT64_MAX, "-1" }, { U32, PID, UINT32_MAX, "-1" },
	};

	CHECK_SCALARS(rows);
}

TEST(test_hex_integers_have_no_leading_zeros)
{
	static const struct scalar rows[] = {
		{ U8, HEX, 0, "\"0x0\"" }, { U8, HEX, 0xff, "\"0xFF\"" },
		{ U16, HEX, 0xabc, "\"0xABC\"" }, { U32, HEX, 0x1000, "\"0x1000\"" },
		{ U64, HEX, 0xfedcba9876543210, "\"0xFEDCBA9876543210\"" },
	};

	CHECK_SCALARS(rows);
}

TEST(test_booleans)
{
	static const struct scalar rows[] = {
		{ U8, BOOL, 0, "false" }, { U8, BOOL, 1, "true" }, { U8, BOOL, 2, "2" },
		{ U16, BOOL, 0, "false" }, { U16, BOOL, 1, "true" }, { U32, BOOL, 1, "true" },
		{ U32, BOOL, 0xfffffffe, "-2" },
		/* narrower BOOL values are zero-extended to 32 bits */
		{ U8, BOOL, 0xff, "255" }, { U16, BOOL, 0xffff, "65535" },
	};

	CHECK_SCALARS(rows);
}

TEST(test_floats)
{
	static const struct scalar rows[] = {
		{ U64, FLOAT, 0x40091eb851eb851f, "3.14" },
		{ U32, FLOAT, 0x3eaaaaab, "0.33333334" }, { U32, FLOAT, 0x7fc00000, "\"nan\"" },
		{ U32, FLOAT, 0xffc00000, "\"-nan\"" }, { U32, FLOAT, 0x7f800000, "\"inf\"" },
		{ U32, FLOAT, 0xff800000, "\"-inf\"" },
		{ U64, FLOAT, 0x7ff8000000000000, "\"nan\"" },
		{ U64, FLOAT, 0xfff8000000000000, "\"-nan\"" },
		{ U64, FLOAT, 0x7ff0000000000000, "\"inf\"" },
		{ U64, FLOAT, 0xfff0000000000000, "\"-inf\"" }, { U64, FLOAT, 0, "0" },
		{ U64, FLOAT, (uint64_t)1 << 63, "-0" },
	};

	CHECK_SCALARS(rows);
}

TEST(test_error_numbers_have_names)
{
	static const struct scalar rows[] = {
		{ U32, ERRNO, 1, "\"EPERM(1)\"" },
		{ U32, ERRNO, 131, "\"ENOTRECOVERABLE(131)\"" },
		{ U32, ERRNO, 133, "\"EHWPOISON(133)\"" }, { U32, ERRNO, 134, "\"ERRNO(134)\"" },
		{ U32, ERRNO, 0, "\"ERRNO(0)\"" }, { U32, ERRNO, 41, "\"ERRNO(41)\"" },
		{ U32, ERRNO, 58, "\"ERRNO(58)\"" },
		{ U32, ERRNO, 2000000000, "\"ERRNO(2000000000)\"" },
		{ U32, ERRNO, UINT32_MAX, "\"ERRNO(-1)\"" }, { U32, ERRNO, 11, "\"EAGAIN(11)\"" },
		{ U32, ERRNO, 35, "\"EDEADLK(35)\"" }, { U32, ERRNO, 95, "\"EOPNOTSUPP(95)\"" },
	};

	CHECK_SCALARS(rows);
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 32)
	BOTH_ORDERS {
		for (unsigned i = 0; i < 134; i++) {
			const char *name = strerrorname_np((int)i);
			char want[40];

			/* each of these numbers has two names */
			if (i == EWOULDBLOCK || i == EDEADLOCK || i == ENOTSUP)
				continue;
			snprintf(want, sizeof(want), "\"%s(%u)\"", name && i ? name : "ERRNO", i);
			assert_string_equal(shown(U32, ERRNO, i, 4), want);
		}
	}
#endif
}

TEST(test_times_are_dates)
{
	static const struct {
		int64_t time;
		const char *text;
	} rows[] = {
		{ 0, "1970-01-01T00:00:00" },
		{ -1, "1969-12-31T23:59:59" },
		{ 82800, "1970-01-01T23:00:00" },
		{ 82740, "1970-01-01T22:59:00" },
		{ 2000000000, "2033-05-18T03:33:20" },
		{ 951782399, "2000-02-28T23:59:59" },
		{ 951782400, "2000-02-29T00:00:00" },
		{ 4107542400, "2100-03-01T00:00:00" },
		{ -11644473600, "1601-01-01T00:00:00" },
		{ -11644473601, "1600-12-31T23:59:59" },
		{ 910692730085, "30828-09-14T02:48:05" },
		{ -62135596800, "0001-01-01T00:00:00" },
		{ -62167219201, "-001-12-31T23:59:59" },
		{ -74784816000, "-400-03-01T00:00:00" }, /* 400-year eras begin on March 1st */
		{ -74784816001, "-400-02-29T23:59:59" },
		{ -67768040609740800, "-2147481748-01-01T00:00:00" },
		{ -67768040609740801, "TIME(-67768040609740801)" },
		{ 67768036191676799, "2147485547-12-31T23:59:59" },
		{ 67768036191676800, "TIME(67768036191676800)" },
		{ 9000000000000000000, "TIME(9000000000000000000)" },
		{ INT64_MIN, "TIME(-9223372036854775808)" },
	};
	char want[50];
	size_t i;

	BOTH_ORDERS {
		for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			snprintf(want, sizeof(want), "\"%s\"", rows[i].text);
			assert_string_equal(shown(U64, TIME, (uint64_t)rows[i].time, 8), want);
		}
		assert_string_equal(shown(U32, TIME, 2000000000, 4), "\"2033-05-18T03:33:20\"");
		assert_string_equal(shown(U32, TIME, 0xffffffff, 4), "\"1969-12-31T23:59:59\"");
	}
}

/* Iterates over all days of more than 400 years around 1970. */
TEST(test_every_day_has_its_date)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	int64_t day = -135140; /* 1600-01-01 */
	int year, month, date;
	char want[60];

	big = 0;
	for (year = 1600; year < 2401; year++)
		for (month = 0; month < 12; month++) {
			int leap = month == 1 && year % 4 == 0 && (year % 100 || year % 400 == 0);

			for (date = 1; date <= days[month] + leap; date++, day++) {
				/*
				 * on emulators, which are slow, check only the first and last days
				 * of a month
				 */
				if (date > 1 && date < days[month])
					continue;
				snprintf(want, sizeof(want), "\"%04d-%02d-%02dT13:14:15\"", year,
					 month + 1, date);
				shown(U64, TIME, (uint64_t)(day * 86400 + 47655), 8);
				assert_string_equal(out, want);
			}
		}
}

TEST(test_uuids_and_ports)
{
	static const uint8_t uuid[16] = { 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8 };

	BOTH_ORDERS {
		begin("Event");
		field("u", U128, UUID);
		raw(uuid, 16);
		field("p", U16, PORT);
		raw("\0P", 2);
		field("h", S8, BYTES);
		counted("How", 3);
		expect_fields("\"u\":\"01020304-0506-0708-0102-030405060708\",\"p\":80,"
			      "\"h\":\"48 6f 77\"");
	}
}

static uint32_t random32(void)
{
	static uint64_t state = 88172645463325252;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 16);
}

TEST(test_addresses_are_formatted_like_inet_ntop)
{
	static const uint8_t hard[][16] = {
		{ 0 },
		{ 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 },
		{ 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2 },
		{ 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0 },
		{ 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 127, 0, 0, 1 },
		{ 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1 },
		{ 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xfe, 127, 0, 0, 1 },
		{ 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 127, 0, 0, 1 },
		{ 0x20, 1, 0xd, 0xb8, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 },
		{ 0x20, 1, 0xd, 0xb8, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1 },
		{ 0xff, 2 },
		{ 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 },
	};
	char want[64], text[INET6_ADDRSTRLEN];
	uint8_t address[16];
	int i, j;

	for (i = 0; i < 20000; i++) {
		big = i & 1;
		for (j = 0; j < 16; j++)
			address[j] = (uint8_t)random32();
		/*
		 * set most bytes to zero, in whole words and at the start, because runs of zeros
		 * are abbreviated
		 */
		for (j = 0; j < 8; j++)
			if (i % 4 && random32() % 3)
				address[2 * j] = address[2 * j + 1] = 0;
		for (j = 0; j < 12 && i % 4 == 3; j++)
			address[j] = j < 10 ? 0 : i & 4 ? 0xff : 0;
		if ((size_t)i < sizeof(hard) / 16)
			memcpy(address, hard[i], 16);
		inet_ntop(AF_INET6, address, text, sizeof(text));
		snprintf(want, sizeof(want), "\"%s\"", text);
		begin("Event");
		field("f", U128, IP);
		raw(address, 16);
		finish();
		to_json(UE_DECODE_NO_META);
		out[strlen(out) - 1] = 0;
		assert_string_equal(out + 22, want);
		inet_ntop(AF_INET, address, text, sizeof(text));
		snprintf(want, sizeof(want), "\"%s\"", text);
		begin("Event");
		field("f", U32, IP);
		raw(address, 4);
		finish();
		to_json(UE_DECODE_NO_META);
		out[strlen(out) - 1] = 0;
		assert_string_equal(out + 22, want);
	}
}

TEST(test_invalid_utf8_is_latin1_byte_by_byte)
{
	static const struct {
		const char *bytes, *text;
	} rows[] = {
		{ "\x80", "\xc2\x80" },				/* continuation byte alone */
		{ "\xff\xfe", "\xc3\xbf\xc3\xbe" },		/* never valid */
		{ "\xc3", "\xc3\x83" },				/* truncated by the end */
		{ "\xc3(", "\xc3\x83(" },			/* truncated by another character */
		{ "\xe2\x82", "\xc3\xa2\xc2\x82" },
		{ "\xe2\x82z", "\xc3\xa2\xc2\x82z" },
		{ "\xe2z\x82", "\xc3\xa2z\xc2\x82" },
		{ "\xf0\x9f\x98", "\xc3\xb0\xc2\x9f\xc2\x98" },
		{ "\xf0\x9f\x98z", "\xc3\xb0\xc2\x9f\xc2\x98z" },
		{ "\xc0\x80", "\xc3\x80\xc2\x80" },		/* overlong */
		{ "\xc1\xbf", "\xc3\x81\xc2\xbf" },
		{ "\xe0\x9f\xbf", "\xc3\xa0\xc2\x9f\xc2\xbf" },
		{ "\xf0\x8f\xbf\xbf", "\xc3\xb0\xc2\x8f\xc2\xbf\xc2\xbf" },
		{ "\xed\xa0\x80", "\xc3\xad\xc2\xa0\xc2\x80" }, /* a surrogate */
		{ "\xf4\x90\x80\x80", "\xc3\xb4\xc2\x90\xc2\x80\xc2\x80" }, /* beyond Unicode */
		{ "\xf5\x80\x80\x80", "\xc3\xb5\xc2\x80\xc2\x80\xc2\x80" },
		/* the first and last valid characters of each length in bytes */
		{ "\xc2\x80\xdf\xbf", "\xc2\x80\xdf\xbf" },
		{ "\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf",
		  "\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf" },
		{ "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf" },
	};
	char want[64];
	size_t i;

	BOTH_ORDERS {
		for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			snprintf(want, sizeof(want), "\"%s\"", rows[i].text);
			assert_string_equal(
				shown_bytes(S8, 0, rows[i].bytes, strlen(rows[i].bytes)), want);
		}
	}
}

TEST(test_numbers_beyond_unicode_become_the_replacement_character)
{
	static const struct {
		uint32_t c;
		const char *text;
	} rows[] = {
		{ 0x7f, "\x7f" },
		{ 0x80, "\xc2\x80" },
		{ 0x7ff, "\xdf\xbf" },
		{ 0x800, "\xe0\xa0\x80" },
		{ 0xd800, "\xef\xbf\xbd" },
		{ 0xd7ff, "\xed\x9f\xbf" },
		{ 0xdfff, "\xef\xbf\xbd" },
		{ 0xe000, "\xee\x80\x80" },
		{ 0xffff, "\xef\xbf\xbf" },
		{ 0x10000, "\xf0\x90\x80\x80" },
		{ 0x10ffff, "\xf4\x8f\xbf\xbf" },
		{ 0x110000, "\xef\xbf\xbd" },
		{ 0x1fffff, "\xef\xbf\xbd" },
		{ 0x200000, "\xef\xbf\xbd" },
		{ 0x3ffffff, "\xef\xbf\xbd" },
		{ 0x4000000, "\xef\xbf\xbd" },
		{ 0x7fffffff, "\xef\xbf\xbd" },
		{ 0x80000000, "\xef\xbf\xbd" },
		{ 0xffffffff, "\xef\xbf\xbd" },
	};
	char want[16];
	size_t i;

	BOTH_ORDERS {
		for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			snprintf(want, sizeof(want), "\"%s\"", rows[i].text);
			assert_string_equal(shown_units(S32, 0, &rows[i].c, 1), want);
			assert_string_equal(shown(U32, UTF, rows[i].c, 4), want);
		}
	}
}

TEST(test_surrogates_are_joined_or_the_replacement_character)
{
	static const uint32_t pair[] = { 0xd83d, 0xde00 }, high[] = { 'a', 0xd83d },
			      highs[] = { 0xd83d, 0xd83d, 0xde00 }, low[] = { 0xde00, 'a' },
			      wrong[] = { 0xd83d, 'a' },
			      edges[] = { 0xd800, 0xdc00, 0xdbff, 0xdfff };

	BOTH_ORDERS {
		assert_string_equal(shown_units(S16, 0, pair, 2), "\"\xf0\x9f\x98\x80\"");
		assert_string_equal(shown_units(S16, 0, high, 2), "\"a\xef\xbf\xbd\"");
		assert_string_equal(shown_units(S16, 0, highs, 3),
				    "\"\xef\xbf\xbd\xf0\x9f\x98\x80\"");
		assert_string_equal(shown_units(S16, 0, low, 2), "\"\xef\xbf\xbd" "a\"");
		assert_string_equal(shown_units(S16, 0, wrong, 2), "\"\xef\xbf\xbd" "a\"");
		assert_string_equal(shown_units(S16, 0, edges, 4),
				    "\"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\"");
		assert_string_equal(shown(U16, UTF, 0xd83d, 2), "\"\xef\xbf\xbd\"");
	}
}

TEST(test_a_byte_order_mark_determines_the_encoding)
{
	static const struct {
		const char *bytes;
		size_t n;
		const char *text;
	} rows[] = {
		{ "\xef\xbb\xbf" "a\xc3\xa9", 6, "\"a\xc3\xa9\"" },
		{ "\xff\xfe" "a\0\xe9\0", 6, "\"a\xc3\xa9\"" },
		{ "\xfe\xff\0a\0\xe9", 6, "\"a\xc3\xa9\"" },
		{ "\xff\xfe\0\0a\0\0\0", 8, "\"a\"" },
		{ "\0\0\xfe\xff\0\0\0a", 8, "\"a\"" },
		{ "\xff\xfe" "a\0b", 5, "\"a\"" }, /* an incomplete unit is ignored */
		{ "\xef\xbb", 2, "\"\xc3\xaf\xc2\xbb\"" },
		{ "\xfe", 1, "\"\xc3\xbe\"" },
		{ "abc", 3, "\"abc\"" },
		{ "", 0, "\"\"" },
	};
	static const uint32_t units[] = { 0xfeff, 'a', 0xe9 };
	unsigned format;
	size_t i;

	BOTH_ORDERS {
		for (format = BOM; format <= JSON; format++) {
			for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
				assert_string_equal(
					shown_bytes(S8, format, rows[i].bytes, rows[i].n),
					rows[i].text);
			assert_string_equal(shown_units(S16, format, units, 3), "\"a\xc3\xa9\"");
			assert_string_equal(shown_units(S32, format, units, 3), "\"a\xc3\xa9\"");
			assert_string_equal(shown_units(S16, format, units + 1, 2),
					    "\"a\xc3\xa9\"");
		}
		/* without the UTF format, U+FEFF is an ordinary character */
		assert_string_equal(shown_units(S16, UTF, units, 2), "\"\xef\xbb\xbf" "a\"");
	}
}

TEST(test_arrays)
{
	BOTH_ORDERS {
		begin("Event");
		field("fixed", U16 | FIXED, 0);
		count(2);
		value(1, 2);
		value(2, 2);
		field("variable", U8 | VARIABLE, HEX);
		value(3, 2);
		raw("\1\2\3", 3);
		field("empty", U64 | VARIABLE, 0);
		value(0, 2);
		field("strings", Z8 | FIXED, 0);
		count(2);
		raw("a\0b", 4);
		field("counted", S8 | VARIABLE, 0);
		value(2, 2);
		counted("", 0);
		counted("xyz", 3);
		expect_fields("\"fixed\":[1,2],\"variable\":[\"0x1\",\"0x2\",\"0x3\"],\"empty\":[],"
			      "\"strings\":[\"a\",\"b\"],\"counted\":[\"\",\"xyz\"]");
	}
}

TEST(test_structs_are_objects)
{
	BOTH_ORDERS {
		begin("Event");
		field("s", STRUCT, 2);
		field("a", U8, 0);
		field("t", STRUCT, 1);
		field("u", STRUCT, 1);
		field("b", U8, 0);
		field("c", U8, 0);
		raw("\1\2\3", 3);
		expect_fields("\"s\":{\"a\":1,\"t\":{\"u\":{\"b\":2}}},\"c\":3");
	}
}

TEST(test_arrays_of_structs_are_arrays_of_objects)
{
	BOTH_ORDERS {
		begin("Event");
		field("s", STRUCT | VARIABLE, 2);
		value(2, 2);
		field("a", U8, 0);
		field("t", STRUCT | FIXED, 1);
		count(2);
		field("b", U8 | VARIABLE, 0);
		raw("\1", 1);
		value(1, 2);
		raw("\2", 1);
		value(0, 2);
		raw("\3", 1);
		value(0, 2);
		value(2, 2);
		raw("\4\5", 2);
		field("end", U8, 0);
		raw("\6", 1);
		expect_fields("\"s\":[{\"a\":1,\"t\":[{\"b\":[2]},{\"b\":[]}]},"
			      "{\"a\":3,\"t\":[{\"b\":[]},{\"b\":[4,5]}]}],\"end\":6");
	}
}

TEST(test_an_array_without_structs_has_no_members)
{
	BOTH_ORDERS {
		begin("Event");
		field("s", STRUCT | VARIABLE, 2);
		value(0, 2);
		field("t", STRUCT | FIXED, 1);
		count(9);
		field("b", U8 | FIXED, 0);
		count(300);
		tagged("a", U8, HEX, 7);
		field("end", U8, 0);
		raw("\6", 1);
		expect_fields("\"s\":[],\"end\":6");
	}
}

TEST(test_a_struct_ends_at_the_last_definition)
{
	BOTH_ORDERS {
		begin("Event");
		field("s", STRUCT | FIXED, 127);
		count(2);
		field("a", U8, 0);
		raw("\1\2", 2);
		expect_fields("\"s\":[{\"a\":1},{\"a\":2}]");
	}
}

TEST(test_excess_payload_is_not_a_field)
{
	begin("Event");
	field("a", U8, 0);
	raw("\1padding", 8);
	expect_fields("\"a\":1");
}

/*
 * A buffer of any size receives a text that is truncated to the buffer and NUL-terminated. The
 * returned length is always that of the whole text.
 */
TEST(test_a_short_buffer_truncates_the_text)
{
	static char whole[4000], part[4000];
	struct ue_decode_event e;
	size_t n, length, i;

	BOTH_ORDERS {
		begin("Event");
		for (i = 0; i < 12; i++) {
			tagged("name", S8, 0, 3);
			counted("some text with \"\n\xff\xc3\xa9 and more", 29);
			field("b", BIN, 0);
			counted("0123456789012345678901234567890123456789", 40);
		}
		finish();
		ue_decode_parse(&e, "Prov_L4K1", 9, event.p, event.n);
		length = ue_decode_json(&e, NULL, UE_DECODE_SPACED, whole, sizeof(whole));
		assert_int_equal(length, strlen(whole));
		for (n = 0; n <= length + 70; n++) {
			char *buffer = (char *)malloc(n ? n : 1);

			assert_int_equal(ue_decode_json(&e, NULL, UE_DECODE_SPACED, buffer, n),
					 length);
			if (n) {
				strcpy(part, whole);
				if (n <= length)
					part[n - 1] = 0;
				assert_string_equal(buffer, part);
			}
			free(buffer);
		}
		assert_int_equal(ue_decode_json(&e, NULL, UE_DECODE_SPACED, NULL, 0), length);
	}
}

TEST(test_a_write_function_gets_the_whole_text)
{
	static char whole[4000];
	struct ue_decode_event e;
	size_t length, i;

	begin("Event");
	for (i = 0; i < 30; i++) {
		field("name", S8, 0);
		counted("some text with \"\n\xff\xc3\xa9 and more", 29);
	}
	field("long", S8, 0);
	counted("\"a text of more than 32 bytes\", escaped from its first one on", 60);
	finish();
	ue_decode_parse(&e, "Prov_L4K1", 9, event.p, event.n);
	length = ue_decode_json(&e, NULL, 0, whole, sizeof(whole));
	allowed = sizeof(out);
	written = 0;
	assert_int_equal(ue_decode_json_to(&e, NULL, 0, write_some, &written), 0);
	assert_int_equal(written, length);
	assert_memory_equal(out, whole, length);
	/* the output stops if the callback returns an error */
	for (allowed = 0; allowed < length; allowed++) {
		written = 0;
		assert_int_equal(ue_decode_json_to(&e, NULL, 0, write_some, &written), -EIO);
		assert_memory_equal(out, whole, written);
	}
}

TEST(test_a_value_as_text_is_not_quoted)
{
	struct ue_decode_event e;
	struct ue_decode_fields fields;
	char text[64];

	BOTH_ORDERS {
		begin("Event");
		field("a", S8, 0);
		counted("\"a\"\n\xff" "12345678\xc3\xa9", 15);
		field("b", U32 | FIXED, HEX);
		count(2);
		value(0xab, 4);
		value(0, 4);
		field("c", U64, FLOAT);
		value(0x7ff0000000000000, 8);
		finish();
		ue_decode_parse(&e, NULL, 0, event.p, event.n);
		ue_decode_start(&fields, &e);
		assert_int_equal(ue_decode_next(&fields), 1);
		assert_int_equal(ue_decode_value(&fields.item, 0, text, sizeof(text)), 16);
		assert_string_equal(text, "\"a\"\n\xc3\xbf" "12345678\xc3\xa9");
		assert_int_equal(ue_decode_value(&fields.item, 0, text, 5), 16);
		assert_string_equal(text, "\"a\"\n");
		assert_int_equal(ue_decode_value(&fields.item, UE_DECODE_JSON, text, sizeof(text)),
				 21);
		assert_string_equal(text, "\"\\\"a\\\"\\n\xc3\xbf" "12345678\xc3\xa9\"");
		assert_int_equal(ue_decode_next(&fields), 1);
		assert_int_equal(ue_decode_value(&fields.item, 0, text, sizeof(text)), 10);
		assert_string_equal(text, "[0xAB,0x0]");
		ue_decode_value(&fields.item, UE_DECODE_JSON | UE_DECODE_SPACED, text,
				sizeof(text));
		assert_string_equal(text, "[ \"0xAB\", \"0x0\" ]");
		while (fields.item.type != UE_DECODE_ARRAY_END)
			assert_int_equal(ue_decode_next(&fields), 1);
		assert_int_equal(ue_decode_value(&fields.item, 0, text, sizeof(text)), 0);
		assert_string_equal(text, "");
		assert_int_equal(ue_decode_next(&fields), 1);
		ue_decode_value(&fields.item, 0, text, sizeof(text));
		assert_string_equal(text, "inf");
	}
}

TESTS_MAIN
