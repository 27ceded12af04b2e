/* SPDX-License-Identifier: MIT */
/*
 * The decoder converts events of the .NET runtime to EventHeader events, with the names and types
 * in their metadata. An event without usable metadata is shown with its ID and size.
 *
 * Also compiled as C++.
 */
#include "decode_build.h"
#include "dotnet_build.h"

static struct net about, tags, extension_bytes, values, record;
static char buffer[150000];

static const uint8_t guid[16] = { 0x33, 0x22, 0x11, 0x00, 0x55, 0x44, 0x77, 0x66,
				  0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff };
#define GUID "00112233-4455-6677-8899-aabbccddeeff"

static void clear(void)
{
	about.n = tags.n = extension_bytes.n = values.n = 0;
}

/* Decodes a record with this metadata, from copies of exactly the right size. Returns its JSON. */
static const char *json_with(const struct net *metadata, unsigned flags)
{
	uint8_t *copy = exactly(record.p, record.n), *net = exactly(metadata->p, metadata->n);
	struct ue_decode_dotnet dotnet;
	struct ue_decode_event e;
	size_t n, used;
	char *exact;

	assert_int_equal(ue_decode_dotnet_parse(&dotnet, copy, record.n, 0), 0);
	n = ue_decode_dotnet_convert(&dotnet, "dot", 3, metadata->n ? net : NULL, metadata->n,
				     buffer, sizeof(buffer));
	assert_true(n <= sizeof(buffer));
	assert_true(n <= 8 * (metadata->n + 3) + dotnet.payload_length + 128);
	/* a buffer of the returned size is large enough, and a smaller buffer is not overrun */
	exact = (char *)exactly(buffer, n);
	assert_int_equal(ue_decode_dotnet_convert(&dotnet, "dot", 3, metadata->n ? net : NULL,
						  metadata->n, exact, n),
			 n);
	assert_memory_equal(exact, buffer, n);
	free(exact);
	for (used = 0; used < 40 && used < n; used++) {
		exact = (char *)exactly(buffer, used);
		assert_true(ue_decode_dotnet_convert(&dotnet, "dot", 3, metadata->n ? net : NULL,
						     metadata->n, exact, used) > used);
		free(exact);
	}
	used = strlen(buffer) + 1;
	ue_decode_parse(&e, buffer, used - 1, buffer + used, n - used);
	assert_int_equal(e.error, 0);
	ue_decode_json(&e, NULL, flags, out, sizeof(out));
	free(copy);
	free(net);
	return out;
}

static const char *json(unsigned flags)
{
	net_record(&record, 7, &extension_bytes, &values);
	return json_with(&about, flags);
}

TEST(test_each_type_is_shown_by_name)
{
	clear();
	net_about(&about, "My-Source", 7, "Request", 0x20, 3, 4, 15);
	net_field(&about, NET_BOOLEAN, "ok");
	net_number(&values, 1, 4);
	net_field(&about, NET_CHAR, "letter");
	net_number(&values, 0xe9, 2);
	net_field(&about, NET_SBYTE, "s8");
	net_number(&values, (uint64_t)-8, 1);
	net_field(&about, NET_BYTE, "u8");
	net_number(&values, 200, 1);
	net_field(&about, NET_INT16, "s16");
	net_number(&values, (uint64_t)-16, 2);
	net_field(&about, NET_UINT16, "u16");
	net_number(&values, 60000, 2);
	net_field(&about, NET_INT32, "s32");
	net_number(&values, (uint64_t)-32, 4);
	net_field(&about, NET_UINT32, "u32");
	net_number(&values, 4000000000u, 4);
	net_field(&about, NET_INT64, "s64");
	net_number(&values, (uint64_t)-64, 8);
	net_field(&about, NET_UINT64, "u64");
	net_number(&values, UINT64_MAX, 8);
	net_field(&about, NET_SINGLE, "f");
	net_number(&values, 0x3fc00000, 4);
	net_field(&about, NET_DOUBLE, "d");
	net_number(&values, 0xc004000000000000, 8);
	net_field(&about, NET_DATETIME, "when");
	net_number(&values, 133801632001234567, 8);
	net_field(&about, NET_GUID, "guid");
	net_bytes(&values, guid, 16);
	net_field(&about, NET_STRING, "path");
	net_text(&values, "/caf\xe9");
	assert_string_equal(
		json(0),
		"{\"n\":\"My-Source:Request\",\"ok\":true,\"letter\":\"\xc3\xa9\",\"s8\":-8,"
		"\"u8\":200,\"s16\":-16,\"u16\":60000,\"s32\":-32,\"u32\":4000000000,\"s64\":-64,"
		"\"u64\":18446744073709551615,\"f\":1.5,\"d\":-2.5,"
		"\"when\":\"2025-01-01T00:00:00\",\"guid\":\"" GUID "\",\"path\":\"/caf\xc3\xa9\","
		"\"meta\":{\"id\":7,\"version\":3,\"level\":4,\"keyword\":\"0x20\"}}");
}

TEST(test_arrays_and_objects_are_shown)
{
	struct net type = { { 0 }, 0 }, member = { { 0 }, 0 };

	/* an array of pairs of strings, as written by DiagnosticSource, and an array of GUIDs */
	clear();
	net_about(&about, "P", 7, "Activity", 0, 0, 4, 0);
	net_number(&tags, 2, 4);
	net_number(&type, NET_ARRAY, 4);
	net_number(&type, NET_OBJECT, 4);
	net_number(&type, 2, 4);
	net_number(&member, NET_STRING, 4);
	net_tagged_field(&type, "Key", &member);
	net_tagged_field(&type, "Value", &member);
	net_tagged_field(&tags, "Arguments", &type);
	type.n = 0;
	net_number(&type, NET_ARRAY, 4);
	net_number(&type, NET_GUID, 4);
	net_tagged_field(&tags, "ids", &type);
	net_tag(&about, 2, &tags);
	net_number(&values, 2, 2);
	net_text(&values, "a");
	net_text(&values, "b");
	net_text(&values, "c");
	net_text(&values, "");
	net_number(&values, 1, 2);
	net_bytes(&values, guid, 16);
	assert_string_equal(json(UE_DECODE_NO_META),
			    "{\"n\":\"P:Activity\",\"Arguments\":[{\"Key\":\"a\",\"Value\":\"b\"},"
			    "{\"Key\":\"c\",\"Value\":\"\"}],\"ids\":[\"" GUID "\"]}");

	/* an object in a field list in which names follow the types, as written by EventCounters */
	clear();
	net_about(&about, "System.Runtime", 7, "EventCounters", 0, 0, 4, 2);
	net_number(&about, NET_OBJECT, 4);
	net_number(&about, 2, 4);
	net_field(&about, NET_STRING, "Name");
	net_number(&about, NET_OBJECT, 4);
	net_number(&about, 1, 4);
	net_field(&about, NET_DOUBLE, "Mean");
	net_text(&about, "inner");
	net_text(&about, "Payload");
	net_field(&about, NET_BYTE, "last");
	net_text(&values, "cpu-usage");
	net_number(&values, 0x3ff8000000000000, 8);
	net_number(&values, 9, 1);
	assert_string_equal(json(UE_DECODE_NO_META),
			    "{\"n\":\"System.Runtime:EventCounters\",\"Payload\":{\"Name\":"
			    "\"cpu-usage\",\"inner\":{\"Mean\":1.5}},\"last\":9}");
}

TEST(test_opcode_and_activities_are_shown)
{
	struct ue_decode_dotnet dotnet;
	uint8_t related[16] = { 1 };

	clear();
	net_about(&about, "P", 7, "Start", 0, 0, 4, 0);
	net_number(&tags, 1, 1);
	net_tag(&about, 1, &tags);
	tags.n = 0;
	net_number(&tags, 42, 8); /* an unknown tag */
	net_tag(&about, 9, &tags);
	net_label_id(&extension_bytes, 2, guid);
	net_label_metadata(&extension_bytes, &about);
	net_label_id(&extension_bytes, 3, related);
	assert_string_equal(json(0),
			    "{\"n\":\"P:Start\",\"meta\":{\"id\":7,\"level\":4,\"opcode\":1,"
			    "\"activity\":\"" GUID "\",\"relatedActivity\":"
			    "\"00000001-0000-0000-0000-000000000000\"}}");
	assert_int_equal(ue_decode_dotnet_parse(&dotnet, record.p, record.n, 0), 0);
	assert_int_equal(dotnet.metadata_length, about.n);
	assert_memory_equal(dotnet.metadata, about.p, about.n);
}

TEST(test_event_without_usable_metadata_is_shown_by_id_and_size)
{
	/* no metadata */
	clear();
	net_number(&values, 1, 3);
	assert_string_equal(json(0),
			    "{\"n\":\"dot:7\",\"payload_size\":3,\"meta\":{\"id\":7,\"level\":4}}");

	/*
	 * The runtime's native events have a provider and no fields. The runtime writes 90 bytes
	 * for event 80 of this provider, as shown in dotnet/runtime pull request 118294.
	 */
	net_about(&about, "Microsoft-Windows-DotNETRuntime", 7, "", 0x8000, 1, 2, 0);
	assert_int_equal(about.n, 90);
	assert_string_equal(json(UE_DECODE_NO_META),
			    "{\"n\":\"Microsoft-Windows-DotNETRuntime:7\",\"payload_size\":3}");

	/* the payload is too short, too long, or belongs to another event */
	about.n = 0;
	net_about(&about, "P", 7, "E", 0, 0, 4, 1);
	net_field(&about, NET_INT32, "x");
	assert_string_equal(json(UE_DECODE_NO_META), "{\"n\":\"P:E\",\"payload_size\":3}");
	net_number(&values, 0, 2);
	assert_string_equal(json(UE_DECODE_NO_META), "{\"n\":\"P:E\",\"payload_size\":5}");
	values.n--;
	assert_string_equal(json(UE_DECODE_NO_META), "{\"n\":\"P:E\",\"x\":1}");
	net_record(&record, 8, &extension_bytes, &values);
	assert_string_equal(json_with(&about, UE_DECODE_NO_META),
			    "{\"n\":\"dot:8\",\"payload_size\":4}");

	/* the metadata is truncated, at any byte */
	while (about.n-- > 1)
		assert_non_null(strstr(json(UE_DECODE_NO_META), "\"payload_size\":4}"));
}

TEST(test_hostile_metadata_is_rejected)
{
	struct net type = { { 0 }, 0 };
	unsigned i;

	/*
	 * fields of unsupported types; objects without members, with too many members, and with too
	 * many levels
	 */
	for (i = 0; i < 8; i++) {
		static const uint32_t codes[] = { 0, 2, 19, 20, 0xffffffff };
		unsigned depth;

		clear();
		net_number(&values, 0, 4);
		net_about(&about, "P", 7, "E", 0, 0, 4, 1);
		if (i < 5) {
			net_field(&about, codes[i], "x");
		} else if (i < 7) {
			net_number(&about, NET_OBJECT, 4);
			net_number(&about, i == 5 ? 0 : 128, 4);
			net_text(&about, "x");
		} else {
			for (depth = 0; depth < 9; depth++) {
				net_number(&about, NET_OBJECT, 4);
				net_number(&about, 1, 4);
			}
			net_field(&about, NET_INT32, "x");
			for (depth = 0; depth < 9; depth++)
				net_text(&about, "x");
		}
		assert_string_equal(json(UE_DECODE_NO_META),
				    "{\"n\":\"dot:7\",\"payload_size\":4}");
	}

	/* a tag of a wrong length, a field with tag 2 of a wrong length, and an array of arrays */
	for (i = 0; i < 4; i++) {
		clear();
		type.n = 0;
		net_number(&type, NET_ARRAY, 4);
		net_number(&type, i == 3 ? NET_ARRAY : NET_INT32, 4);
		net_number(&tags, 1, 4);
		net_tagged_field(&tags, "x", &type);
		if (i == 1 || i == 2)
			tags.p[4] = i == 1 ? 3 : 100;
		net_about(&about, "P", 7, "E", 0, 0, 4, 0);
		net_tag(&about, 2, &tags);
		if (i == 0)
			about.p[about.n - tags.n - 5]++;
		net_number(&values, 0, 4);
		assert_string_equal(json(UE_DECODE_NO_META),
				    i == 0 ? "{\"n\":\"dot:7\",\"payload_size\":4}"
					   : "{\"n\":\"P:E\",\"payload_size\":4}");
	}

	/* a name that is too long for an EventHeader event */
	clear();
	net_text(&about, "P");
	net_number(&about, 7, 4);
	for (i = 0; i < 30000; i++)
		net_number(&about, 0x20ac, 2); /* this character takes 3 bytes in UTF-8 */
	net_text(&about, "");
	net_number(&about, 0, 8);
	net_number(&about, 0, 8);
	net_number(&about, 0, 4);
	assert_string_equal(json(UE_DECODE_NO_META), "{\"n\":\"dot:7\",\"payload_size\":0}");
}

TEST(test_damaged_records_are_rejected)
{
	struct ue_decode_dotnet dotnet;
	uint8_t *copy;
	size_t n;

	clear();
	net_about(&about, "P", 7, "E", 0, 0, 4, 0);
	net_label_metadata(&extension_bytes, &about);
	net_label_id(&extension_bytes, 2, guid);
	net_number(&values, 5, 2);
	net_record(&record, 7, &extension_bytes, &values);
	for (n = 0; n < record.n; n++) {
		copy = exactly(record.p, n);
		assert_int_equal(ue_decode_dotnet_parse(&dotnet, copy, n, 0), -EBADMSG);
		free(copy);
	}
	record.p[0] = 2;
	assert_int_equal(ue_decode_dotnet_parse(&dotnet, record.p, record.n, 0), -EBADMSG);

	/* extensions that are truncated or have an unknown label */
	for (n = 0; n <= extension_bytes.n; n++) {
		struct net part = extension_bytes;

		part.n = n;
		net_record(&record, 7, &part, &values);
		copy = exactly(record.p, record.n);
		assert_int_equal(ue_decode_dotnet_parse(&dotnet, copy, record.n, 0), 0);
		assert_int_equal(dotnet.metadata != NULL, n >= 5 + about.n);
		assert_int_equal(dotnet.activity != NULL, n == extension_bytes.n);
		assert_int_equal(dotnet.payload_length, 2);
		free(copy);
	}
	extension_bytes.p[0] = 4;
	net_record(&record, 7, &extension_bytes, &values);
	assert_int_equal(ue_decode_dotnet_parse(&dotnet, record.p, record.n, 0), 0);
	assert_null(dotnet.metadata);
}

TEST(test_format_file_of_dotnet_is_recognized)
{
	static const char text[] =
		"name: dot\nID: 7\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
		"\tfield:u8 version;\toffset:8;\tsize:1;\tsigned:0;\n"
		"\tfield:u16 event_id;\toffset:9;\tsize:2;\tsigned:0;\n"
		"\tfield:__rel_loc u8[] extension;\toffset:11;\tsize:4;\tsigned:0;\n"
		"\tfield:__rel_loc u8[] payload;\toffset:15;\tsize:4;\tsigned:0;\n"
		"%s\nprint fmt: \"\"\n";
	char whole[1000];
	struct ue_decode_field fields[8];
	struct ue_decode_format format;

	memset(&format, 0, sizeof(format));
	format.fields = fields;
	format.fields_max = 8;
	snprintf(whole, sizeof(whole), text, "");
	assert_int_equal(ue_decode_format_parse(&format, whole, strlen(whole)), 0);
	assert_int_equal(format.dotnet, 8);
	assert_int_equal(format.eventheader, 0);
	snprintf(whole, sizeof(whole), text, "\tfield:u8 more;\toffset:19;\tsize:1;\tsigned:0;\n");
	assert_int_equal(ue_decode_format_parse(&format, whole, strlen(whole)), 0);
	assert_int_equal(format.dotnet, 0);
}

TESTS_MAIN
