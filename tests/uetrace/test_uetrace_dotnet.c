/* SPDX-License-Identifier: MIT */
/*
 * uetrace stores the metadata of each .NET runtime event, and uses it only for later records of the
 * same event.
 */
#include "test.h"
#include "dotnet_build.h"

#include "fields/dotnet.h"

static struct dotnet_event event;

/*
 * Builds and reads a record with this event ID. name is the event name in the record's metadata, or
 * NULL for a record without metadata. Returns the name that uetrace shows for the event.
 */
static const char *name_of(const char *tracepoint, pid_t process, uint16_t id, const char *name)
{
	static struct net about, extension, payload, record;
	static struct ue_decode_event e;
	static char shown[64];

	about.n = extension.n = payload.n = 0;
	if (name) {
		net_about(&about, "P", id, name, 0, 0, 4, 0);
		net_label_metadata(&extension, &about);
	}
	net_record(&record, id, &extension, &payload);
	assert_true(dotnet_read(&event, tracepoint, process, record.p, record.n, false));
	ue_decode_parse(&e, event.tracepoint, strlen(event.tracepoint), event.data, event.size);
	assert_int_equal(e.error, 0);
	snprintf(shown, sizeof(shown), "%.*s:%.*s", (int)e.provider_length, e.provider,
		 (int)e.name_length, e.name);
	return shown;
}

TEST(test_metadata_is_used_for_later_records)
{
	assert_string_equal(name_of("t", 1, 7, NULL), "t:7");
	assert_string_equal(name_of("t", 1, 7, "A"), "P:A");
	assert_string_equal(name_of("t", 1, 7, NULL), "P:A");
	/* the same metadata is written again, as in a second tracing session */
	assert_string_equal(name_of("t", 1, 7, "A"), "P:A");
	assert_string_equal(name_of("t", 1, 7, NULL), "P:A");
	dotnet_forget();
	assert_string_equal(name_of("t", 1, 7, NULL), "t:7");
}

TEST(test_metadata_of_another_process_tracepoint_or_id_is_not_used)
{
	assert_string_equal(name_of("t", 1, 7, "A"), "P:A");
	assert_string_equal(name_of("t", 2, 7, NULL), "t:7");
	assert_string_equal(name_of("u", 1, 7, NULL), "u:7");
	assert_string_equal(name_of("t", 1, 8, NULL), "t:8");
	assert_string_equal(name_of("t", -1, 7, NULL), "t:7");
	assert_string_equal(name_of("t", 2, 7, "B"), "P:B");
	assert_string_equal(name_of("t", 1, 7, NULL), "P:A");
	assert_string_equal(name_of("t", 2, 7, NULL), "P:B");
	dotnet_forget();
}

TEST(test_ambiguous_metadata_is_not_used)
{
	assert_string_equal(name_of("t", -1, 7, "A"), "P:A");
	assert_string_equal(name_of("t", -1, 7, "B"), "P:B");
	assert_string_equal(name_of("t", -1, 7, NULL), "t:7");
	dotnet_forget();
}

TEST(test_memory_is_bounded)
{
	static char name[30000];
	unsigned id;

	memset(name, 'x', sizeof(name) - 1);
	for (id = 0; id < 1000; id++)
		name_of("t", 1, (uint16_t)id, name);
	/* the metadata written first is kept, and the rest is discarded */
	assert_int_equal(strncmp(name_of("t", 1, 0, NULL), "P:xxx", 5), 0);
	assert_string_equal(name_of("t", 1, 999, NULL), "t:999");
	dotnet_forget();
	free(event.buffer);
}

TESTS_MAIN
