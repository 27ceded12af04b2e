/* SPDX-License-Identifier: MIT */
/*
 * Programs written for LTTng-UST write the events that their providers declare. The providers in
 * this test follow the style of three projects and of the examples in Debian's liblttng-ust-dev.
 * One of them uses every kind of field.
 *
 * Also compiled as C++, because C++ programs also include provider headers.
 */

#include "test.h"

#define TRACEPOINT_CREATE_PROBES
#define TRACEPOINT_DEFINE
#define TRACE_DEBUG 7	   /* a macro of the program whose name LTTng-UST also defines */
static unsigned int taken; /* number of times a sequence's length was evaluated */
#define TAKEN(n) (taken++, n)
#include "trace/ros2_like.h"
#include "trace/ceph_like.h"
#include "trace/seastar_like.h"
#include "trace/ros2_like.h" /* included a second time, as by another header */
#include <lttng/tracef.h>
#include <lttng/tracelog.h>
#include <user_events_capture.h>

#if __has_include("demo/demo.c") && !defined(__cplusplus)
#define main example_demo
#include "demo/demo.c"
#undef main
#define main example_easy
#define usleep(x) ((void)0)
#include "easy-ust/sample.c"
#undef main
#undef usleep
#define EXAMPLES 1
#endif

UE_EVENT_SET(sizes_set, "Sizes", UE_LEVEL_INFORMATION, 1);

static struct ue_capture capture;
static char memory[1 << 20] __attribute__((__aligned__(8)));

static int captured(void **state)
{
	(void)state;
	return ue_capture_memory(&capture, memory, sizeof(memory));
}

static int stopped(void **state)
{
	(void)state;
	return ue_capture_stop(&capture);
}

/*
 * Checks that TITLE ("tracepoint[:name]") recorded exactly one event, and that the event's JSON
 * contains FIELDS.
 */
static void expect_event(const char *title, const char *fields)
{
	static struct ue_capture_event event;
	const char *name = strchr(title, ':');
	char json[2000], expected[2000], tracepoint[100];
	int n = (int)strcspn(title, ":");

	snprintf(tracepoint, sizeof(tracepoint), "%.*s", n, title);
	assert_int_equal(ue_capture_find(&capture, name ? name + 1 : title, &event), 0);
	assert_true(strncmp(event.spec, tracepoint, (size_t)n) == 0 &&
		    strchr(" ", event.spec[n]) != NULL);
	ue_captured_json(&event, 0, json, sizeof(json));
	if (name)
		*strrchr(tracepoint, '_') = '\0'; /* cut off everything after the provider */
	snprintf(expected, sizeof(expected), "{\"n\":\"%s%s%s\"%s%s,\"meta\"",
		 name ? "" : "user_events:", tracepoint, name ? name : "", *fields ? "," : "",
		 fields);
	if (strncmp(json, expected, strlen(expected)) != 0)
		fail_msg("recorded:\n%s\nexpected:\n%s", json, expected);
}

TEST_SETUP_TEARDOWN(test_events_of_a_provider_like_ros_2, captured, stopped)
{
	static const uint8_t gid[] = { 1, 2, 3, 255 };

	tracepoint(TRACEPOINT_PROVIDER, node_init, (void *)0x10, "talker", gid, 10);
	tracepoint(robot, callback_start, (void *)0xffff, true);
	tracepoint(robot, spin);
	expect_event("robot__callback_start", "\"callback\":65535,\"intra_process\":1");
	expect_event("robot__node_init",
		     "\"node_handle\":16,\"node_name\":\"talker\",\"gid\":[1,2,3,255],"
		     "\"queue_depth\":10,\"version\":\"1.0\"");
	expect_event("robot__spin", "");
}

TEST_SETUP_TEARDOWN(test_events_of_a_provider_like_ceph, captured, stopped)
{
	static const uint16_t parts[] = { 0x0102, 3 };
	static const char fields[] =
		"\"name_is_null\":0,\"name\":\"x\",\"error\":-5,\"error_hex\":\"0xFFFFFFFB\","
		"\"address\":0,\"_parts_length\":2,\"parts\":[258,3],"
		"\"first\":[\"0x102\",\"0x3\"],\"first_network\":[513,768],\"text\":\"ab\","
		"\"_prefix_length\":2,\"prefix\":\"ab\",\"weight\":1.5,\"half\":0.75,\"letter\":65,"
		"\"at\":\"0xABC\"";

	tracepoint(store, write_enter, NULL, (const unsigned char *)"\1\xff", 2, OP_WRITE, -1);
	expect_event("store__write_enter",
		     "\"name_is_null\":1,\"name\":\"\",\"_data_length\":2,\"data\":[1,255],"
		     "\"_data_hex_length\":2,\"data_hex\":[1,255],\"op\":1,\"offset\":-1");
	tracepoint(store, begin, "x", -5, parts, 2, 1.5, (void *)0xabc);
	tracepoint(store, end, "x", -5, parts, 2, 1.5, (void *)0xabc);
	expect_event("store__begin_L5K1:begin", fields);
	expect_event("store__end_L1K1:end", fields);
}

TEST_SETUP_TEARDOWN(test_every_field_in_the_new_spelling, captured, stopped)
{
	static const int array[] = { 1, -2, 3 };

	lttng_ust_tracepoint(reactor, numbers, -1, ~0ull, 0x0100, 'a', 0.5, -2.5f, true, NULL,
			     (void *)0x10, 200);
	expect_event(
		"reactor__numbers_L2K1:numbers",
		"\"a\":-1,\"b\":\"0xFFFFFFFFFFFFFFFF\",\"c\":1,\"c_hex\":\"0x4030201\",\"d\":97,"
		"\"e\":0.5,\"f\":-2.5,\"g\":true,\"h\":\"(null)\",\"i\":16,\"j\":200");
	lttng_ust_tracepoint(reactor, arrays, array, "abcd", 3);
	expect_event("reactor__arrays",
		     "\"array\":[1,-2],\"array_hex\":[1,4294967294],\"array_network\":["
		     "16777216,-16777217],\"array_network_hex\":[16777216,4278190079],"
		     "\"array_text\":\"abcd\",\"chars\":[97,98],\"blob\":[97,98]");
	taken = 0;
	lttng_ust_tracepoint(reactor, sequences, array, "abcd", 3);
	/* one evaluation for the length field, and one for all other uses */
	assert_int_equal(taken, 2);
	expect_event(
		"reactor__sequences_L3K1:sequences",
		"\"_sequence_length\":3,\"sequence\":[1,-2,3],\"_sequence_hex_length\":3,"
		"\"sequence_hex\":[\"0x1\",\"0xFFFFFFFE\",\"0x3\"],\"_sequence_network_length\":3,"
		"\"sequence_network\":[16777216,-16777217,50331648],"
		"\"_sequence_network_hex_length\":3,"
		"\"sequence_network_hex\":[\"0x1000000\",\"0xFEFFFFFF\",\"0x3000000\"],"
		"\"_sequence_text_length\":3,\"sequence_text\":\"abc\",\"_blob_length\":3,"
		"\"blob\":\"61 62 63\",\"half\":1.5");
}

static void expect_field(const struct ue_capture_event *event, const char *field,
			 const char *expected)
{
	char text[100];

	ue_captured_string(event, field, text, sizeof(text));
	assert_string_equal(text, expected);
}

TEST_SETUP_TEARDOWN(test_the_maximum_number_of_lttng_fields_is_supported, captured, stopped)
{
	static struct ue_capture_event event;

	tracepoint(reactor, most, -5);
	tracepoint(reactor, more, -5);
	tracepoint(reactor, over, -5);
	tracepoint(reactor, names, -5);
	assert_int_equal(ue_capture_find(&capture, "reactor__most", &event), 0);
	assert_int_equal(ue_captured_i64(&event, "c4"), -5);
	assert_int_equal(ue_capture_find(&capture, "reactor__more_L5K1", &event), 0);
	assert_int_equal(ue_captured_i64(&event, "d4"), -5);
	expect_field(&event, "text", "ab");
	expect_field(&event, "hex", "0x5");
	expect_field(&event, "string", "(null)");
	expect_field(&event, "half", "-2.5");
	expect_field(&event, "list", "[-5]");
	expect_field(&event, "blob", "61 62");
	assert_int_equal(ue_capture_find(&capture, "reactor__over_L5K1", &event), 0);
	assert_int_equal(ue_captured_i64(&event, "d44"), -5);
	assert_int_equal(ue_capture_find(&capture, "reactor__names_L5K1", &event), 0);
	assert_int_equal(ue_captured_i64(&event, "a_field_of_a_long_name44"), -5);
}

/* The expected fields of an event that has more fields than the macros can count. */
TEST_SETUP_TEARDOWN(test_added_integers_have_the_size_of_their_type, captured, stopped)
{
	static struct ue_capture_event event;
	struct ue_decode_item item;
	struct ue_builder b;
	char buffer[512];

	ue_builder_begin(&b, buffer, sizeof(buffer), "sizes", 0);
	ue__tp_add(&b, "s1", UE__TP_CORE(int8_t), (uint64_t)-5, 0);
	ue__tp_add(&b, "s2", UE__TP_CORE(int16_t), (uint64_t)-1500, 0);
	ue__tp_add(&b, "s4", UE__TP_CORE(int32_t), (uint64_t)-70000, 0);
	ue__tp_add(&b, "s8", UE__TP_CORE(int64_t), (uint64_t)-5000000000, 0);
	assert_int_equal(ue_builder_write(&b, &sizes_set, NULL, NULL), 0);
	assert_int_equal(ue_capture_find(&capture, "sizes", &event), 0);
	expect_field(&event, "s1", "-5");
	expect_field(&event, "s2", "-1500");
	expect_field(&event, "s4", "-70000");
	expect_field(&event, "s8", "-5000000000");
	for (unsigned int size = 1; size <= 8; size *= 2) {
		char name[] = { 's', (char)('0' + size), '\0' };

		assert_int_equal(ue_captured_item(&event, name, &item), 0);
		assert_int_equal(item.size, size);
	}
}

TEST_SETUP_TEARDOWN(test_length_of_a_sequence_shows_its_truncation, captured, stopped)
{
	static struct ue_capture_event event;
	static unsigned char bytes[20000];
	struct ue_decode_item item;

	tracepoint(store, write_enter, NULL, bytes, sizeof(bytes), OP_WRITE, -1);
	assert_int_equal(ue_capture_find(&capture, "store__write_enter", &event), 0);
	assert_int_equal(ue_captured_u64(&event, "_data_length"), sizeof(bytes));
	assert_int_equal(ue_captured_item(&event, "data", &item), 0);
	assert_in_range(item.size, 1000, UE_MAX_EVENT);
}

TEST_SETUP_TEARDOWN(test_formatted_text, captured, stopped)
{
	int number = __LINE__ + 5; /* line number of the tracelog() call below */
	char line[200];

	errno = 7;
	tracef("%d of %s", 1, "two");
	tracelog(TRACE_WARNING, "%d%%", 50);
	snprintf(line, sizeof(line), "\"line\":%d,\"file\":\"%s\",\"func\":\"%s\",\"msg\":\"50%%\"",
		 number, __FILE__, __func__);
	expect_event("lttng_ust_tracef_L5K1:event", "\"msg\":\"1 of two\"");
	expect_event("lttng_ust_tracelog_L3K1:TRACE_WARNING", line);
	tracef("%5000d", 1);
	assert_int_equal(ue_capture_count(&capture, "event"), 2);
	assert_int_equal(errno, 7);
}

static int evaluated;
static int evaluate(void)
{
	return ++evaluated;
}

TEST_SETUP_TEARDOWN(test_disabled_event_evaluates_nothing, captured, stopped)
{
	evaluated = 0;
	stopped(state);
	assert_false(tracepoint_enabled(reactor, sequences));
	tracepoint(reactor, sequences, NULL, NULL, evaluate());
	tracef("%d", evaluate());
	tracelog(TRACE_ERR, "%d", evaluate());
	do_tracepoint(reactor, arrays, NULL, NULL, 0); /* a field of this event reads the array */
	do_tracepoint(store, begin, NULL, 0, NULL, 0, 0, NULL);
	assert_int_equal(evaluated, 0);
	captured(state);
	assert_true(tracepoint_enabled(reactor, sequences));
	do_tracepoint(robot, spin);
	assert_int_equal(ue_capture_count(&capture, NULL), 1);
}

TEST_SETUP_TEARDOWN(test_negative_and_huge_lengths_are_harmless, captured, stopped)
{
	static int array[20000];
	static char text[20000];

	memset(text, 'x', sizeof(text) - 1);
	tracepoint(reactor, sequences, array, "abcd", -1);
	assert_int_equal(ue_capture_count(&capture, "sequences"), 1);
	tracepoint(reactor, sequences, array, text, (int)sizeof(text));
	tracepoint(store, begin, text, 0, (const uint16_t *)array, 3, 0, NULL);
	assert_int_equal(ue_capture_count(&capture, NULL), 3);
}

TEST_SETUP_TEARDOWN(test_examples_of_the_package, captured, stopped)
{
#ifndef EXAMPLES
	print_message("[  SKIPPED ] liblttng-ust-dev's examples are not here, or this is C++\n");
	skip();
#else
	assert_int_equal(example_demo(1, NULL), 0);
	expect_event("ust_tests_demo__starting", "\"value\":123");
	expect_event(
		"ust_tests_demo2__loop_L3K1:loop",
		"\"intfield\":0,\"intfield2\":\"0x0\",\"longfield\":0,\"netintfield\":0,"
		"\"netintfieldhex\":\"0x0\",\"arrfield1\":[1,2,3],\"arrfield2\":\"test\","
		"\"_seqfield1_length\":4,\"seqfield1\":[116,101,115,116],\"_seqfield2_length\":4,"
		"\"seqfield2\":\"test\",\"stringfield\":\"test\",\"floatfield\":2222,"
		"\"doublefield\":2");
	assert_int_equal(ue_capture_count(&capture, "loop"), 5);
	expect_event("ust_tests_demo__done", "\"value\":456");
	assert_int_equal(ue_capture_count(&capture, "ust_tests_demo3__done"), 1);
	assert_int_equal(example_easy(), 0);
	expect_event("sample_component__message", "\"message\":\"Hello World\"");
#endif
}

TESTS_MAIN
