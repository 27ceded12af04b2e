/* SPDX-License-Identifier: MIT */
/*
 * Tests the decoding of events: the identity of an event, the order of its fields, and the errors
 * for damaged, malicious and future events.
 */
#include "decode_build.h"

static struct ue_decode_event e;
static struct ue_decode_fields fields;
static const struct ue_decode_item *item = &fields.item;

/* Decodes the event. The tracepoint's name is passed without a NUL. */
static int parse(const char *tracepoint)
{
	static uint8_t *name;
	size_t n = tracepoint ? strlen(tracepoint) : 0;

	free(name);
	name = tracepoint ? exactly(tracepoint, n) : NULL;
	return ue_decode_parse(&e, (char *)name, n, event.p, event.n);
}

#define assert_text(text, length, wanted)                                   \
	do {                                                                \
		assert_int_equal(length, strlen(wanted));                   \
		assert_true(!strlen(wanted) || !memcmp(text, wanted, length)); \
	} while (0)

TEST(test_tracepoint_names_are_parsed)
{
	static const struct {
		const char *name, *provider;
		unsigned level;
		uint64_t keyword;
		const char *options, *group;
	} rows[] = {
		{ "MyProvider_L3K2a", "MyProvider", 3, 0x2a, "", "" },
		{ "OtherProvider_L5K1fGperf", "OtherProvider", 5, 0x1f, "Gperf", "perf" },
		{ "user_events:MyProvider_L3K2a", "MyProvider", 3, 0x2a, "", "" },
		{ "user_events_multi:P_L3K2a.0", "P", 3, 0x2a, "", "" },
		{ "user_events_multi:P_L3K2aGx.1f", "P", 3, 0x2a, "Gx", "x" },
		{ "a_b_L1_L4K0", "a_b_L1", 4, 0, "", "" },
		{ "P_LffKffffffffffffffff", "P", 0xff, UINT64_MAX, "", "" },
		{ "P_L4K1A1BGgroup9Hx", "P", 4, 1, "A1BGgroup9Hx", "group9" },
		{ "P_L4K1AGaz09Z", "P", 4, 1, "AGaz09Z", "az09" },
		{ "P_L4K1G", "P", 4, 1, "G", "" },
		{ "P_L04K00000000000000001", "P", 4, 1, "", "" },
	};
	size_t i;

	BOTH_ORDERS {
		for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			begin("Event");
			header[7] = (uint8_t)rows[i].level;
			finish();
			if (parse(rows[i].name) || e.error)
				fail_msg("cannot decode %s: %s", rows[i].name,
					 ue_decode_strerror(e.error));
			assert_text(e.provider, e.provider_length, rows[i].provider);
			assert_text(e.options, e.options_length, rows[i].options);
			assert_text(e.group, e.group_length, rows[i].group);
			assert_true(e.keyword == rows[i].keyword);
		}
	}
}

TEST(test_other_names_are_reported_and_the_event_is_read)
{
	static const struct {
		const char *name;
		size_t at;
	} rows[] = {
		{ "", 0 },
		{ "P", 0 },
		{ "_L4K1", 1 },
		{ "x:_L4K1", 3 },
		{ "P_", 2 },
		{ "P_l4K1", 3 },
		{ "P_L", 3 },
		{ "P_LK1", 3 },
		{ "P_L0K1", 4 },
		{ "P_L100K1", 6 },
		{ "P_L4", 4 },
		{ "P_L4k1", 5 },
		{ "P_L4K", 5 },
		{ "P_L4K11111111111111111", 21 },
		{ "P_L4K1g", 6 },
		{ "P_L4K1G-", 7 },
		{ "P_L4K1G{", 7 },
		{ "P_L4K1.", 7 },
		{ "P_L4K1.x", 7 },
		{ "P_L4K1.0.", 8 },
		{ "_L4Kabcd", 1 },
		{ "Longname_l4K1", 10 },
		{ "Longname_L0K1", 11 },
		{ "Longname_L4k1", 12 },
		{ "Longname_L4K1g", 13 },
	};
	size_t i;

	BOTH_ORDERS {
		for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			begin("Event");
			header[7] = 9;
			field("a", U8, 0);
			raw("\1", 1);
			finish();
			assert_int_equal(parse(rows[i].name), -EBADMSG);
			assert_int_equal(e.error, UE_DECODE_ETRACEPOINT);
			if (e.error_offset != rows[i].at)
				fail_msg("%s: error at offset %d, expected %d", rows[i].name,
					 (int)e.error_offset, (int)rows[i].at);
			assert_true(e.keyword == 0);
			assert_int_equal(e.options_length, 0);
			assert_int_equal(e.group_length, 0);
			assert_text(e.name, e.name_length, "Event");
			assert_int_equal(e.level, 9);
			ue_decode_start(&fields, &e);
			assert_int_equal(ue_decode_next(&fields), 1);
		}
		parse("sched:sched_switch");
		assert_text(e.provider, e.provider_length, "sched_switch");
		ue_decode_json(&e, NULL, 0, out, sizeof(out));
		assert_string_equal(out,
				    "{\"n\":\"sched_switch:Event\",\"a\":1,\"meta\":{\"level\":9,"
				    "\"error\":\"the tracepoint name does not have the form "
				    "PROVIDER_LxKy at "
				    "character 13\"}}");
	}
}

TEST(test_the_header_is_read)
{
	static const uint8_t ids[32] = { 1, 2, 3 };

	BOTH_ORDERS {
		begin("Event;x=y");
		header[1] = 7;
		memcpy(header + 2, big ? "\x12\x34\x56\x78" : "\x34\x12\x78\x56", 4);
		header[6] = 0xf0;
		header[7] = 5;
		extension(0x8002, ids, 32);
		finish();
		assert_int_equal(parse("P_L5K0"), 0);
		assert_int_equal(e.flags, big ? 5 : 7);
		assert_int_equal(e.version, 7);
		assert_int_equal(e.id, 0x1234);
		assert_int_equal(e.tag, 0x5678);
		assert_int_equal(e.opcode, 0xf0);
		assert_int_equal(e.level, 5);
		assert_text(e.name, e.name_length, "Event");
		assert_text(e.name + e.name_length, e.attributes_length, ";x=y");
		assert_true(e.activity == event.p + 12);
		assert_true(e.related == event.p + 28);
		/* without a name, the provider is unknown, which is not an error */
		assert_int_equal(parse(NULL), 0);
		assert_int_equal(e.provider_length, 0);
	}
}

TEST(test_extensions_come_in_any_order_and_unknown_ones_are_skipped)
{
	static const uint8_t ids[16] = { 9 };

	BOTH_ORDERS {
		begin("Event");
		extension(0x8003, "xyz", 3);
		extension(0xffff, "", 0);
		extension(0x8004, "x", 1);
		extension(0x8002, ids, 16);
		finish();
		assert_int_equal(parse("P_L4K0"), 0);
		assert_text(e.name, e.name_length, "Event");
		assert_int_equal(e.activity[0], 9);
		assert_true(!e.related);

		/* the metadata may also be the first extension */
		event.n = 0;
		put(&event, header, 8);
		put_int(&event, 2, 2);
		put_int(&event, 0x8001, 2);
		put(&event, "E", 2);
		put_int(&event, 16, 2);
		put_int(&event, 2, 2);
		put(&event, ids, 16);
		assert_int_equal(parse("P_L4K0"), 0);
		assert_text(e.name, e.name_length, "E");
		assert_int_equal(e.activity[0], 9);
		assert_true(e.payload == event.p + event.n);
	}
}

/* A name ends at its first ';', regardless of the name's position and of the following bytes. */
TEST(test_attributes_begin_at_the_first_semicolon_at_any_position)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
	size_t at, length, start;
	char name[64];

	for (length = 1; length <= 26; length++)
		for (at = 0; at < length; at++)
			for (start = 0; start < 8; start++) {
				memcpy(name, letters, length);
				name[length] = 0;
				name[at] = ';';
				begin(name);
				/*
				 * place the name at every offset, followed by enough bytes for the
				 * decoder's word-sized reads
				 */
				field(letters + 26 - start, U8, 0);
				field(name, U8, 0);
				field(letters, U8, 0);
				raw("\1\2\3", 3);
				finish();
				assert_int_equal(parse("P_L4K0"), 0);
				assert_text(e.name, e.name_length, (name[at] = 0, name));
				assert_int_equal(e.attributes_length, length - at);
				ue_decode_start(&fields, &e);
				assert_int_equal(ue_decode_next(&fields), 1);
				assert_int_equal(item->name_length, start);
				assert_int_equal(ue_decode_next(&fields), 1);
				assert_text(item->name, item->name_length, name);
				assert_int_equal(item->attributes_length, length - at);
			}
}

TEST(test_an_event_without_metadata_is_header_and_payload_in_hex)
{
	char wanted[200];
	static const uint8_t ids[16] = { 0xaa };

	BOTH_ORDERS {
		begin("");
		header[0] &= 3;
		header[1] = 2;
		memcpy(header + 2, big ? "\0\7" : "\7\0", 2);
		event.n = 0;
		put(&event, header, 8);
		put(&event, "\1\2\xff", 3);
		assert_int_equal(parse("P_L4K0"), 0);
		assert_true(!e.name && !e.name_length);
		assert_int_equal(e.id, 7);
		ue_decode_start(&fields, &e);
		assert_int_equal(ue_decode_next(&fields), 1);
		assert_int_equal(item->type, UE_DECODE_VALUE);
		assert_text(item->name, item->name_length, "header");
		assert_true(item->value == event.p);
		assert_int_equal(item->size, 8);
		assert_int_equal(item->kind, UE_DECODE_KIND_BINARY);
		assert_int_equal(ue_decode_next(&fields), 1);
		assert_int_equal(item->type, UE_DECODE_VALUE);
		assert_text(item->name, item->name_length, "payload");
		assert_true(item->value == event.p + 8);
		assert_int_equal(item->size, 3);
		assert_int_equal(item->kind, UE_DECODE_KIND_BINARY);
		assert_true(fields.payload == event.p + event.n);
		assert_int_equal(ue_decode_next(&fields), 0);
		assert_int_equal(ue_decode_next(&fields), 0);
		ue_decode_json(&e, NULL, 0, out, sizeof(out));
		snprintf(wanted, sizeof(wanted),
			 "{\"n\":\"P:\",\"header\":\"%s 00 00 00 04\",\"payload\":\"01 02 ff\","
			 "\"meta\":{\"id\":7,\"version\":2,\"level\":4}}",
			 big ? "01 02 00 07" : "03 02 07 00");
		assert_string_equal(out, wanted);

		/*
		 * Other extensions may precede the metadata. A header without metadata is a valid
		 * event.
		 */
		header[0] |= 4;
		event.n = 0;
		put(&event, header, 8);
		put_int(&event, 16, 2);
		put_int(&event, 2, 2);
		put(&event, ids, 16);
		assert_int_equal(parse("P_L4K0"), 0);
		ue_decode_start(&fields, &e);
		assert_int_equal(ue_decode_next(&fields), 1);
		assert_text(item->name, item->name_length, "header");
		assert_int_equal(ue_decode_next(&fields), 0);
		put(&event, "x", 1);
		assert_int_equal(parse("P_L4K0"), 0);
		assert_true(e.activity == event.p + 12);
		ue_decode_json(&e, NULL, UE_DECODE_NO_META, out, sizeof(out));
		snprintf(wanted, sizeof(wanted), "{\"n\":\"P:\",\"header\":\"%s 00 00 00 04\","
						 "\"payload\":\"78\"}",
			 big ? "05 02 00 07" : "07 02 07 00");
		assert_string_equal(out, wanted);
	}
}

/* Checks that decoding fails with ERROR at byte OFFSET and returns -EBADMSG. */
static void expect_bad(int error, size_t offset)
{
	assert_int_equal(parse("P_L4K0"), -EBADMSG);
	assert_string_equal(ue_decode_strerror(e.error), ue_decode_strerror(error));
	assert_int_equal(e.error_offset, offset);
	ue_decode_start(&fields, &e);
	while (ue_decode_next(&fields) > 0)
		;
	ue_decode_json(&e, NULL, 0, out, sizeof(out));
	assert_true(strstr(out, ue_decode_strerror(error)) != NULL);
}

TEST(test_damaged_headers_are_reported)
{
	static const uint8_t ids[32] = { 0 };
	size_t n;

	BOTH_ORDERS {
		for (n = 0; n < 8; n++) {
			begin("Event");
			finish();
			event.n = n;
			expect_bad(UE_DECODE_EHEADER, n);
		}
		assert_int_equal(ue_decode_parse(&e, "P_L4K0", 6, NULL, 0), -EBADMSG);
		ue_decode_json(&e, NULL, 0, out, sizeof(out));
		assert_string_equal(out,
				    "{\"n\":\"P:\",\"meta\":{\"error\":\"the event is shorter than "
				    "its header at byte 0\"}}");
		begin("Event");
		header[0] |= 8;
		finish();
		expect_bad(UE_DECODE_EFLAGS, 0);
		assert_text(e.name, e.name_length, "Event");
		begin("Event");
		header[7] = 5;
		finish();
		expect_bad(UE_DECODE_ELEVEL, 7);
		assert_text(e.name, e.name_length, "Event");
		/* extension kind 0 is invalid, but the decoder continues with the next extension */
		begin("Event");
		extension(0x8000, "x", 1);
		finish();
		expect_bad(UE_DECODE_EEXTENSIONKIND, 8);
		assert_text(e.name, e.name_length, "Event");
		begin("Event");
		extension(0x8002, ids, 17);
		finish();
		expect_bad(UE_DECODE_EACTIVITY, 12);
		assert_true(!e.activity);
		assert_text(e.name, e.name_length, "Event");
		begin("Event");
		extension(0x8002, ids, 16);
		extension(0x8002, ids, 32);
		finish();
		expect_bad(UE_DECODE_ETWICE, 32);
		assert_true(e.activity == event.p + 12);
		begin("Event");
		extension(0x8001, "E", 2);
		finish();
		expect_bad(UE_DECODE_ETWICE, 18);
		assert_text(e.name, e.name_length, "E");
		begin("Event");
		finish();
		for (n = 8; n < 12 + 6; n++) {
			event.n = n;
			expect_bad(UE_DECODE_EEXTENSION, 8);
		}
		begin("Event");
		meta.n--;
		finish();
		expect_bad(UE_DECODE_ENAME, 12);
		meta.n = 0;
		finish();
		expect_bad(UE_DECODE_ENAME, 12);
		/* the decoder reports the first error */
		header[7] = 1;
		finish();
		expect_bad(UE_DECODE_ELEVEL, 7);
	}
}

/* Prints one line per item with its depth, type, name and the values that the tests check. */
static const char *walk(void)
{
	static const char *const types[] = { "value", "struct", "/struct", "array", "/array" };
	char text[256];
	int more;

	out[0] = 0;
	ue_decode_start(&fields, &e);
	while ((more = ue_decode_next(&fields)) > 0) {
		ue_decode_value(item, 0, text, sizeof(text));
		sprintf(out + strlen(out), "%d%s %.*s[%u/%u]%s%s\n", item->depth, types[item->type],
			(int)item->name_length, item->name, (unsigned)item->index,
			(unsigned)item->count, *text ? "=" : "", text);
		if (item->tag)
			sprintf(out + strlen(out) - 1, " tag %u\n", item->tag);
	}
	assert_int_equal(more, fields.error ? -EBADMSG : 0);
	if (more < 0)
		sprintf(out + strlen(out), "%s at %d\n", ue_decode_strerror(fields.error),
			(int)fields.error_offset);
	assert_int_equal(ue_decode_next(&fields), more);
	return out;
}

TEST(test_fields_come_one_by_one_with_their_depth)
{
	BOTH_ORDERS {
		begin("Event");
		tagged("a;unit=s", U16, 0, 77);
		value(258, 2);
		field("list", U8 | FIXED, 0);
		count(2);
		raw("\1\2", 2);
		tagged("s", STRUCT | VARIABLE, 2, 5);
		value(2, 2);
		field("x", Z8, 0);
		field("t", STRUCT, 1);
		field("y", S8 | VARIABLE, 0);
		raw("one", 4);
		value(1, 2);
		counted("first", 5);
		raw("", 1);
		value(0, 2);
		finish();
		assert_int_equal(parse("P_L4K0"), 0);
		assert_string_equal(walk(), "0value a[0/1]=258 tag 77\n"
					    "0array list[0/2]=[1,2]\n"
					    "1value list[0/2]=1\n"
					    "1value list[1/2]=2\n"
					    "0/array list[0/2]\n"
					    "0array s[0/2] tag 5\n"
					    "1struct s[0/2] tag 5\n"
					    "2value x[0/1]=one\n"
					    "2struct t[0/1]\n"
					    "3array y[0/1]\n"
					    "4value y[0/1]=first\n"
					    "3/array y[0/1]\n"
					    "2/struct t[0/1]\n"
					    "1/struct s[0/2] tag 5\n"
					    "1struct s[1/2] tag 5\n"
					    "2value x[0/1]\n"
					    "2struct t[0/1]\n"
					    "3array y[0/0]\n"
					    "3/array y[0/0]\n"
					    "2/struct t[0/1]\n"
					    "1/struct s[1/2] tag 5\n"
					    "0/array s[0/2] tag 5\n");
		assert_true(fields.payload == fields.payload_end);
	}
}

TEST(test_items_describe_how_to_read_them)
{
	BOTH_ORDERS {
		begin("Event");
		field("a;k=v", U32, HEX);
		value(0x01020304, 4);
		field("b", STRUCT | FIXED, 1);
		count(1);
		field("c", S16 | VARIABLE, 99);
		value(1, 2);
		value(2, 2);
		raw("abcd", 4);
		finish();
		assert_int_equal(parse("P_L4K0"), 0);
		ue_decode_start(&fields, &e);
		assert_int_equal(ue_decode_next(&fields), 1);
		assert_int_equal(item->kind, UE_DECODE_KIND_VALUE32);
		assert_int_equal(item->format, UE_DECODE_FORMAT_HEX);
		assert_int_equal(item->array, 0);
		assert_int_equal(item->big_endian, big);
		assert_text(item->name + item->name_length, item->attributes_length, ";k=v");
		assert_int_equal(item->size, 4);
		assert_true(item->value >= event.p && item->value + 4 <= event.p + event.n);
		assert_int_equal(ue_decode_next(&fields), 1);
		assert_int_equal(item->type, UE_DECODE_ARRAY);
		assert_int_equal(item->kind, UE_DECODE_KIND_STRUCT);
		assert_int_equal(item->array, UE_DECODE_CONSTANT_ARRAY);
		assert_true(!item->value);
		assert_int_equal(ue_decode_next(&fields), 1);
		assert_int_equal(item->type, UE_DECODE_STRUCT);
		assert_int_equal(item->format, 1);
		assert_int_equal(ue_decode_next(&fields), 1);
		assert_int_equal(item->type, UE_DECODE_ARRAY);
		assert_int_equal(item->array, UE_DECODE_VARIABLE_ARRAY);
		assert_int_equal(item->format, 99);
		assert_true(!item->value);
		assert_int_equal(ue_decode_next(&fields), 1);
		assert_int_equal(item->type, UE_DECODE_VALUE);
		assert_text(item->value, item->size, "abcd");
		/* attributes extend to the end of the name, which may be at any offset */
		begin("Event");
		field("a;b;c", U8, 0);
		field("abcdefgh;j;k=lmnopqrstuvw", U8, 0);
		field("a;b;c", U8, 0);
		raw("\1\2\3", 3);
		finish();
		assert_int_equal(parse("P_L4K0"), 0);
		ue_decode_start(&fields, &e);
		assert_int_equal(ue_decode_next(&fields), 1);
		assert_text(item->name, item->name_length, "a");
		assert_text(item->name + 1, item->attributes_length, ";b;c");
		assert_int_equal(ue_decode_next(&fields), 1);
		assert_text(item->name, item->name_length, "abcdefgh");
		assert_text(item->name + 8, item->attributes_length, ";j;k=lmnopqrstuvw");
		assert_int_equal(ue_decode_next(&fields), 1);
		assert_text(item->name, item->name_length, "a");
		assert_text(item->name + 1, item->attributes_length, ";b;c");
	}
}

TEST(test_long_names_in_arrays_of_structs_count_as_work)
{
	char name[301];
	int more, n = 0;

	BOTH_ORDERS {
		memset(name, 'n', 300);
		name[300] = 0;
		begin("Event");
		field("a", STRUCT | VARIABLE, 1);
		field(name, Z8, 0);
		value(65535, 2);
		memset(payload.p + payload.n, 0, 3000);
		payload.n += 3000;
		finish();
		assert_int_equal(parse("P_L4K0"), 0);
		ue_decode_start(&fields, &e);
		for (n = 0; (more = ue_decode_next(&fields)) > 0; n++)
			;
		assert_int_equal(more, -EBADMSG);
		assert_int_equal(fields.error, UE_DECODE_EWORK);
		assert_true(n < 3 * 3000);
	}
}

TEST(test_damaged_definitions_are_reported)
{
	static const struct {
		const char *bytes;
		size_t n;
		int error;
		size_t at; /* offset of the error, counted from the definition */
	} rows[] = {
		{ "a", 1, UE_DECODE_ENAME, 0 },
		{ "abcdefghijkl", 12, UE_DECODE_ENAME, 0 },
		{ "a\0", 2, UE_DECODE_EDEFINITION, 0 },
		{ "a\0\x82", 3, UE_DECODE_EDEFINITION, 0 },
		{ "a\0\x82\x81", 4, UE_DECODE_EDEFINITION, 0 },
		{ "a\0\x82\x81\1", 5, UE_DECODE_EDEFINITION, 0 },
		{ "a\0\x22", 3, UE_DECODE_EDEFINITION, 0 },
		{ "a\0\x22\1", 4, UE_DECODE_EDEFINITION, 0 },
		{ "a\0\x22\0\0", 5, UE_DECODE_ECOUNT, 3 },
		{ "a\0\x62\1\1", 5, UE_DECODE_EARRAY, 2 },
		{ "a\0\0", 3, UE_DECODE_EKIND, 2 },
		{ "a\0\x0e", 3, UE_DECODE_EKIND, 2 },
		{ "a\0\x1f", 3, UE_DECODE_EKIND, 2 },
		{ "a\0\1", 3, UE_DECODE_EMEMBERS, 2 },
		{ "a\0\x81\0", 4, UE_DECODE_EMEMBERS, 2 },
		{ "a\0\x81\x80\1\1", 6, UE_DECODE_EMEMBERS, 2 },
	};
	size_t i;

	BOTH_ORDERS {
		for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			begin("Event");
			field("fine", U8, 0);
			put(&meta, rows[i].bytes, rows[i].n);
			raw("\7\0\0\0\0", 5);
			finish();
			assert_int_equal(parse("P_L4K0"), 0);
			ue_decode_json(&e, NULL, UE_DECODE_NO_META, out, sizeof(out));
			assert_int_equal(e.error, rows[i].error);
			assert_int_equal(e.error_offset, 12 + 6 + 6 + rows[i].at);
			assert_true(!strncmp(
				out, "{\"n\":\"P:Event\",\"fine\":7,\"meta\":{\"error\":\"", 40));
		}
	}
}

TEST(test_skipped_members_are_checked_too)
{
	BOTH_ORDERS {
		begin("Event");
		field("s", STRUCT | VARIABLE, 3);
		value(0, 2);
		field("a", U8, 0);
		field("b", 31, 0);
		finish();
		assert_int_equal(parse("P_L4K0"), 0);
		assert_string_equal(walk(), "0array s[0/0]\n"
					    "a field has an unknown encoding at 27\n");
	}
}

TEST(test_the_available_part_of_a_value_is_shown)
{
	static const struct {
		unsigned encoding, format;
		const char *bytes;
		size_t n;
		const char *text;
	} rows[] = {
		{ U8, 0, "", 0, "a value extends past the end of the event at 21\n" },
		{ U128, 0, "123456789012345", 15,
		  "a value extends past the end of the event at 21\n" },
		{ S8, 0, "\0", 1, "a value extends past the end of the event at 21\n" },
		{ S8, 0, "\2\2abc", 5,
		  "0value f[0/1]=abc\na value extends past the end of the event at 21\n" },
		{ Z8, 0, "abc", 3, "0value f[0/1]=abc\n"
			"a string is not terminated by a NUL at 21\n" },
		{ Z8, 0, "", 0, "0value f[0/1]\na string is not terminated by a NUL at 21\n" },
		{ Z8, 0, "abcdefghijk", 11, "0value f[0/1]=abcdefghijk\n"
					    "a string is not terminated by a NUL at 21\n" },
		{ Z16, UTF, "aa", 2, "0value f[0/1]=\xe6\x85\xa1\n"
			"a string is not terminated by a NUL at 22\n" },
		{ Z16, UTF, "aab", 3, "0value f[0/1]=\xe6\x85\xa1\n"
			"a string is not terminated by a NUL at 22\n" },
		{ Z32, BYTES, "1234567", 7, "0value f[0/1]=31 32 33 34\n"
					    "a string is not terminated by a NUL at 22\n" },
		{ S32, BYTES, "\2\2" "12345", 7,
		  "0value f[0/1]=31 32 33 34\na value extends past the end of the event at 22\n" },
		{ U16 | VARIABLE, 0, "\1", 1, "a value extends past the end of the event at 21\n" },
		{ U16 | VARIABLE, 0, "\2\2\1\1\2", 5,
		  "0array f[0/514]=[257]\n1value f[0/514]=257\n"
		  "a value extends past the end of the event at 25\n" },
		{ STRUCT | VARIABLE, 1, "\1", 1,
		  "a value extends past the end of the event at 22\n" },
	};
	size_t i;

	BOTH_ORDERS {
		for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			begin("Event");
			field("f", rows[i].encoding, rows[i].format);
			raw(rows[i].bytes, rows[i].n);
			finish();
			assert_int_equal(parse("P_L4K0"), 0);
			walk();
			if (strcmp(out, rows[i].text))
				fail_msg("row %d: %s, expected %s", (int)i, out, rows[i].text);
		}
	}
}

TEST(test_json_of_a_damaged_event_is_whole)
{
	BOTH_ORDERS {
		begin("Event");
		field("s", STRUCT | FIXED, 1);
		count(2);
		field("t", STRUCT, 2);
		field("a", U8 | FIXED, 0);
		count(3);
		field("b", U8, 0);
		raw("\1\2\3\4\5", 5);
		finish();
		assert_string_equal(to_json(UE_DECODE_SPACED | UE_DECODE_NO_META),
				    "{ \"n\": \"Prov:Event\", \"s\": [ { \"t\": { \"a\": [ 1, 2, 3 "
				    "], \"b\": 4 } }, { \"t\": { \"a\": [ 5 ] } } ], \"meta\": { "
				    "\"error\": \"a value extends past the end of the event at "
				    "byte 41\" } }");
	}
}

/* Builds an event in which ENCODING is nested in LEVELS structs, within OUTER further structs. */
static void nest_in(unsigned outer, unsigned levels, unsigned encoding)
{
	begin("Event");
	for (; outer; outer--)
		field("o", STRUCT, 1);
	for (; levels; levels--) {
		field("s", encoding, 1);
		if (encoding & FIXED)
			count(1);
		if (encoding & VARIABLE)
			value(1, 2);
	}
	field("x", U8, 0);
	raw("\1", 1);
	finish();
	assert_int_equal(parse("P_L4K0"), 0);
	walk();
}

static void nest(unsigned levels, unsigned encoding)
{
	nest_in(0, levels, encoding);
}

TEST(test_nesting_depth_is_limited)
{
	BOTH_ORDERS {
		nest(UE_DECODE_DEPTH, STRUCT);
		assert_int_equal(fields.error, 0);
		nest(UE_DECODE_DEPTH + 1, STRUCT);
		assert_int_equal(fields.error, UE_DECODE_EDEPTH);
		nest(UE_DECODE_DEPTH / 2, STRUCT | FIXED);
		assert_int_equal(fields.error, 0);
		nest(UE_DECODE_DEPTH / 2 + 1, STRUCT | FIXED);
		assert_int_equal(fields.error, UE_DECODE_EDEPTH);
		nest(UE_DECODE_DEPTH / 2 + 1, STRUCT | VARIABLE);
		assert_int_equal(fields.error, UE_DECODE_EDEPTH);
		/* the array itself is within the depth limit, but its elements exceed it */
		nest_in(1, UE_DECODE_DEPTH / 2, STRUCT | VARIABLE);
		assert_int_equal(fields.error, UE_DECODE_EDEPTH);
		/* the caller skips these structs, so the decoder does not enter them */
		begin("Event");
		field("s", STRUCT | VARIABLE, 1);
		value(0, 2);
		for (unsigned i = 0; i < 100; i++)
			field("s", STRUCT, 1);
		field("x", U8, 0);
		finish();
		assert_int_equal(parse("P_L4K0"), 0);
		assert_string_equal(walk(), "0array s[0/0]\n0/array s[0/0]\n");
	}
}

/* Returns the number of items in the expanded event, and the size of its JSON. */
static size_t items(void)
{
	size_t n = 0;

	assert_int_equal(parse("P_L4K0"), 0);
	ue_decode_start(&fields, &e);
	while (ue_decode_next(&fields) > 0)
		n++;
	assert_true(ue_decode_json(&e, NULL, 0, NULL, 0) < event.n * UE_DECODE_WORK * 6);
	return n;
}

TEST(test_work_is_bounded_by_the_event_size)
{
	unsigned i;

	BOTH_ORDERS {
		/* expands to 65535 * 65535 * ... structs without members */
		begin("Event");
		for (i = 0; i < 5; i++) {
			field("s", STRUCT | FIXED, 127);
			count(65535);
		}
		finish();
		assert_true(items() <= event.n * UE_DECODE_WORK / 4);
		assert_int_equal(fields.error, UE_DECODE_EWORK);
		/* an array that repeats zero-size fields with long names */
		begin("Event");
		field("s", STRUCT | FIXED, 127);
		count(65535);
		for (i = 0; i < 3; i++)
			field("a-long-name-that-is-met-with-every-element-and-printed-each-time",
			      STRUCT, 127);
		finish();
		assert_true(items() <= event.n * UE_DECODE_WORK / 4);
		assert_int_equal(fields.error, UE_DECODE_EWORK);
		/* decode the same event, but skip the items */
		begin("Event");
		field("s", STRUCT | FIXED, 1);
		count(65535);
		field("t", STRUCT | VARIABLE, 127);
		for (i = 0; i < 100; i++)
			field("a-long-name", U8, 0);
		for (i = 0; i < 1000; i++)
			value(0, 2);
		finish();
		assert_true(items() <= event.n * UE_DECODE_WORK / 4);
		/* ordinary events stay far below the limit */
		begin("Event");
		field("flags", STRUCT | FIXED, 1);
		count(1000);
		field("is_this_a_field_with_a_rather_long_name_for_one_byte", U8, BOOL);
		for (i = 0; i < 1000; i++)
			value(1, 1);
		finish();
		assert_int_equal(items(), 3002);
		assert_int_equal(fields.error, 0);
	}
}

/*
 * Returns the maximum length of the JSON for an event of n bytes. In the worst case, a control
 * character in a name takes six characters.
 */
static size_t most_text(size_t n)
{
	return n * (UE_DECODE_WORK + 2) * 6;
}

TEST(test_malicious_events_cost_at_most_the_documented_work)
{
	/* field name, number of members stated in the definition, and nesting depth */
	static const struct {
		const char *name;
		unsigned members;
		unsigned levels;
	} rows[] = {
		{ "", 127, 1 },	 /* the maximum number of minimal definitions */
		{ "", 1, UE_DECODE_DEPTH - 2 }, /* the same, nested */
		{ "\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1", 1, 1 },
	};
	size_t i, n, most = 0, longest = 0;
	unsigned level;

	BOTH_ORDERS {
		for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			begin("");
			field("", STRUCT | FIXED, 127);
			count(65535);
			for (level = 0; level < rows[i].levels; level++)
				field(rows[i].name, STRUCT, rows[i].members);
			finish();
			n = items();
			assert_int_equal(fields.error, UE_DECODE_EWORK);
			/* a struct's two items take three bytes or more */
			assert_true(n <= event.n * UE_DECODE_WORK * 2 / 3 + event.n);
			if (n > most * event.n)
				most = n / event.n;
			n = ue_decode_json(&e, NULL, UE_DECODE_SPACED, NULL, 0);
			assert_true(n <= most_text(event.n));
			if (n > longest * event.n)
				longest = n / event.n;
		}
	}
	/* the test is only meaningful if the events are expensive */
	assert_true(most >= UE_DECODE_WORK / 2);
	assert_true(longest >= UE_DECODE_WORK * 4);
}

TEST(test_too_deep_nesting_is_reported_and_the_json_is_valid)
{
	static char want[1000];
	unsigned i;

	BOTH_ORDERS {
		begin("Event");
		field("a", U8, 0);
		value(7, 1);
		for (i = 0; i <= UE_DECODE_DEPTH; i++)
			field("s", STRUCT, 1);
		field("x", U8, 0);
		value(1, 1);
		finish();
		strcpy(want, "{\"n\":\"Prov:Event\",\"a\":7");
		for (i = 0; i < UE_DECODE_DEPTH; i++)
			strcat(want, i ? "\"s\":{" : ",\"s\":{");
		for (i = 0; i < UE_DECODE_DEPTH; i++)
			strcat(want, "}");
		/*
		 * the error is reported at the byte after the definition that is nested too
		 * deeply
		 */
		sprintf(want + strlen(want),
			",\"meta\":{\"error\":\"structs and arrays are nested too deeply at byte "
			"%u\"}}",
			12 + 6 + 3 + (UE_DECODE_DEPTH + 1) * 4);
		assert_string_equal(to_json(UE_DECODE_NO_META), want);
	}
}

/* Texts that end within a character, and the expected text, which is converted byte by byte. */
static const struct {
	const char *cut, *text;
} cafes[] = {
	{ "caf\xc3", "caf\xc3\x83" },
	{ "caf\xe2\x82", "caf\xc3\xa2\xc2\x82" },
	{ "caf\xf0\x9f\x98", "caf\xc3\xb0\xc2\x9f\xc2\x98" },
	{ "caf\xe9", "caf\xc3\xa9" },
	{ "caf\x80", "caf\xc2\x80" },
	{ "caf\xff", "caf\xc3\xbf" },
	{ "\xf4", "\xc3\xb4" },
};

TEST(test_names_may_end_within_a_character)
{
	char want[300], name[100];
	size_t i;

	BOTH_ORDERS {
		for (i = 0; i < sizeof(cafes) / sizeof(cafes[0]); i++) {
			char *tracepoint;
			uint8_t *copy;

			/* the bytes after the name look like the rest of the truncated character */
			snprintf(name, sizeof(name), "a;b=%s", cafes[i].cut);
			begin(cafes[i].cut);
			field(cafes[i].cut, U8, 0);
			tagged(name, STRUCT, 1, 0x8080);
			field(cafes[i].cut, Z8, 0);
			value(0x80, 1);
			raw(cafes[i].cut, strlen(cafes[i].cut) + 1);
			finish();
			copy = exactly(event.p, event.n);
			tracepoint = (char *)exactly(cafes[i].cut, strlen(cafes[i].cut));
			/*
			 * a tracepoint name without the suffix _LxKy consists of the provider only
			 */
			ue_decode_parse(&e, tracepoint, strlen(cafes[i].cut), copy, event.n);
			ue_decode_json(&e, NULL, 0, out, sizeof(out));
			snprintf(
				want, sizeof(want),
				"{\"n\":\"%s:%s\",\"%s\":128,\"a;b=%s;"
				"tag=0x8080\":{\"%s\":\"%s\"},",
				cafes[i].text, cafes[i].text, cafes[i].text, cafes[i].text,
				cafes[i].text, cafes[i].text);
			out[strlen(want)] = 0;
			assert_string_equal(out, want);
			free(tracepoint);
			free(copy);
		}
	}
}

TEST(test_text_may_end_within_a_character)
{
	static const unsigned encodings[] = { Z8, S8, BIN };
	char text[40];
	size_t i, j, n;

	BOTH_ORDERS {
		for (i = 0; i < sizeof(cafes) / sizeof(cafes[0]); i++) {
			for (j = 0; j < sizeof(encodings) / sizeof(encodings[0]); j++) {
				uint8_t *copy;

				n = strlen(cafes[i].cut);
				begin("Event");
				field("f", encodings[j], UTF);
				if (encodings[j] != Z8)
					value(n, 2);
				/* the text has no NUL and ends at the end of its allocation */
				raw(cafes[i].cut, n);
				finish();
				copy = exactly(event.p, event.n);
				ue_decode_parse(&e, "P_L4K0", 6, copy, event.n);
				ue_decode_start(&fields, &e);
				assert_int_equal(ue_decode_next(&fields), 1);
				assert_int_equal(item->size, n);
				n = ue_decode_value(item, 0, text, sizeof(text));
				assert_string_equal(text, cafes[i].text);
				assert_int_equal(n, strlen(text));
				free(copy);
			}
		}
	}
}

TEST(test_every_error_has_a_message)
{
	int i, j;

	assert_string_equal(ue_decode_strerror(UE_DECODE_OK), "no error");
	for (i = 0; i <= UE_DECODE_EEXTENSIONKIND; i++)
		for (j = 0; j < i; j++)
			assert_true(strcmp(ue_decode_strerror(i), ue_decode_strerror(j)));
	assert_string_equal(ue_decode_strerror(-1), "unknown error");
	assert_string_equal(ue_decode_strerror(UE_DECODE_EEXTENSIONKIND + 1), "unknown error");
}

static uint32_t random32(void)
{
	static uint64_t state = 0x9e3779b97f4a7c15;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 16);
}

/* Builds an event that uses every feature. */
static void everything(void)
{
	static const uint8_t ids[32] = { 1 };
	unsigned kind;

	begin("Event;attribute=1");
	extension(0x8002, ids, 32);
	for (kind = U8; kind <= BIN; kind++) {
		size_t size = kind < Z8 ? (size_t)1 << (kind - U8) : 0, unit, i, n;

		unit = kind == Z16 || kind == S16 ? 2 : kind == Z32 || kind == S32 ? 4 : 1;
		tagged("a;b=c", kind, random32() % 20, random32() % 3);
		field("f", kind | FIXED, random32() % 20);
		count(2);
		field("v", kind | VARIABLE, random32() % 20);
		for (n = 0; n < 5; n++) {
			if (n == 3)
				value(2, 2);
			if (kind >= S8)
				value(3, 2);
			for (i = 0; i < size; i++)
				value(random32(), 1);
			for (i = 0; !size && i < 3; i++)
				value(kind < S8 ? (random32() | 1) : random32(), unit);
			if (kind >= Z8 && kind < S8)
				value(0, unit);
		}
	}
	field("s", STRUCT | VARIABLE, 2);
	value(2, 2);
	field("t", STRUCT, 1);
	field("x", U16 | FIXED, 0);
	count(2);
	field("y", Z8, 0);
	raw("\1\1\2\2yes\0\1\1\2\2no", 15);
	finish();
}

static void decode_exactly(const uint8_t *p, size_t n)
{
	struct ue_decode_event damaged;
	uint8_t *copy = exactly(p, n);
	size_t length;

	ue_decode_parse(&damaged, "P_L4K0", 6, copy, n);
	length = ue_decode_json(&damaged, NULL, 0, out, sizeof(out));
	assert_true(length < sizeof(out));
	assert_true(out[length - 1] == '}' && !out[length]);
	free(copy);
}

TEST(test_every_truncation_is_safe_and_reported)
{
	size_t n;

	BOTH_ORDERS {
		everything();
		assert_int_equal(parse("P_L4K0"), 0);
		walk();
		assert_int_equal(fields.error, 0);
		for (n = 0; n < event.n; n++) {
			decode_exactly(event.p, n);
			assert_true(strstr(out, "\"error\":\"") != NULL);
		}
	}
}

TEST(test_definitions_are_read_without_values)
{
	static const struct {
		const char *name;
		size_t size;
		unsigned kind, array, format;
	} rows[] = {
		{ "a", 4, U32, 0, UE_DECODE_FORMAT_HEX }, { "s", 0, STRUCT, VARIABLE, 2 },
		{ "b", 2, S16, FIXED, 0 },		  { "c", 1, BIN, 0, 0 },
		{ "d", 16, U128, VARIABLE, 0 },
	};
	size_t i;

	BOTH_ORDERS {
		begin("Event");
		for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			field(rows[i].name, rows[i].kind | rows[i].array, rows[i].format);
			if (rows[i].array == FIXED)
				count(3);
		}
		field("bad", 31, 0);
		finish();
		parse("P_L4K1");
		ue_decode_start(&fields, &e);
		for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			assert_int_equal(ue_decode_next_definition(&fields), 1);
			assert_text(item->name, item->name_length, rows[i].name);
			assert_int_equal(item->size, rows[i].size);
			assert_int_equal(item->kind, rows[i].kind);
			assert_int_equal(item->array, rows[i].array);
			assert_int_equal(item->format, rows[i].format);
			assert_int_equal(item->count, rows[i].array == FIXED ? 3 : 1);
		}
		assert_int_equal(ue_decode_next_definition(&fields), -EBADMSG);
		assert_int_equal(fields.error, UE_DECODE_EKIND);
		assert_int_equal(ue_decode_next_definition(&fields), -EBADMSG);
		begin("Event");
		finish();
		parse("P_L4K1");
		ue_decode_start(&fields, &e);
		assert_int_equal(ue_decode_next_definition(&fields), 0);
	}
}

TESTS_MAIN
