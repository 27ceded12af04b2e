/* SPDX-License-Identifier: MIT */
/*
 * A capture records the events of a program in memory, complete and in order, whether or not the
 * kernel supports user_events.
 */
#include <sys/uio.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "test.h"

#define FAKE_KERNEL_HOOKS
#include "fake_kernel.h"
#include "rounds.h"
#include <user_events_builder.h>
#include <user_events_capture.h>

UE_TRACEPOINT(numbered, UE_U32(number), UE_STR(text));
UE_EVENT_SET(info, "Captured", UE_LEVEL_INFORMATION, 0x2);

static struct ue_capture capture, second;
static struct ue_capture_event event;
static char memory[1 << 16] __attribute__((aligned(8)));

/* Resets the fake kernel before each test. By default, it does not support user_events. */
static int without_kernel(void **state)
{
	static struct fake_world none;

	(void)state;
	none = fake_world_default();
	none.data_errno = ENOENT;
	ue_unregister_all();
	fake_kernel_reset(&none);
	ue_register_all();
	ue_capture_stop(&capture);
	ue_capture_stop(&second);
	return 0;
}

static int with_kernel(void **state)
{
	without_kernel(state);
	ue_unregister_all();
	fake_kernel_reset(NULL);
	ue_register_all();
	return 0;
}

static int end(void **state)
{
	(void)state;
	ue_capture_stop(&capture);
	ue_capture_stop(&second);
	return 0;
}

static void begin_memory(void)
{
	assert_int_equal(ue_capture_memory(&capture, memory, sizeof(memory)), 0);
}

static void find(const char *name)
{
	assert_int_equal(ue_capture_find(&capture, name, &event), 0);
}

static void assert_text(const char *field, const char *text)
{
	char buffer[512];

	assert_int_equal(ue_captured_string(&event, field, buffer, sizeof(buffer)), strlen(text));
	assert_string_equal(buffer, text);
}

/* ---- Memory ---- */

TEST_SETUP_TEARDOWN(test_a_captured_event_has_its_fields, without_kernel, end)
{
	int32_t error = -11;
	uint64_t big = ~0ull - 1;
	uint16_t list[] = { 5, 6, 70 };
	const char *text = "a \"quoted\" text";

	begin_memory();
	UE_TRACE(first, error, big, UE_STR(text), UE_BOOL(yes, true), UE_U8(small, 200),
		 UE_ARRAY(U16, list, list, 3), UE_CHAR(letter, 'x'),
		 UE_FIXED_ARRAY(CHAR, fixed, "abc", 4));
	find("first");
	assert_int_equal(event.name_length, 5);
	assert_int_equal(ue_captured_i64(&event, "error"), -11);
	assert_true(ue_captured_u64(&event, "error") == (uint64_t)-11);
	assert_true(ue_captured_u64(&event, "big") == ~0ull - 1);
	assert_int_equal(ue_captured_u64(&event, "yes"), 1);
	assert_int_equal(ue_captured_u64(&event, "small"), 200);
	assert_int_equal(ue_captured_u64(&event, "list[2]"), 70);
	assert_int_equal(ue_captured_i64(&event, "letter"), 'x');
	assert_text("list", "[5,6,70]");
	assert_text("list[1]", "6");
	assert_text("text", text);
	assert_text("error", "-11");
	assert_text("fixed", "abc");
	assert_true(ue_captured_double(&event, "error") == -11.0);
	assert_int_equal(event.pid, getpid());
	assert_int_equal(event.tid, getpid());
	assert_string_equal(event.spec,
			    "first s32 error; u64 big; __rel_loc char[] text; u8 yes; "
			    "u8 small; __rel_loc u16[] list; char letter; char[4] fixed");
	/* only recordings of several processes have these fields */
	assert_string_equal(event.program, "");
	assert_true(event.wall == 0 && event.cpu == UINT32_MAX);
}

TEST_SETUP_TEARDOWN(test_missing_fields_have_a_defined_answer, without_kernel, end)
{
	struct ue_decode_item item;
	char buffer[8] = "before";

	begin_memory();
	UE_TRACE(plain, UE_U32(a, 1), UE_STR(s, "x"), UE_ARRAY(U8, l, (const uint8_t *)"l", 1));
	UE_LOG(info, "Log", UE_U32(a, 1), UE_F64(f, 1.5), UE_STRUCT(t, UE_U8(m, 1)),
	       UE_ARRAY(U8, l, (const uint8_t *)"l", 1));
	for (int i = 0; i < 2; i++) {
		static const char *const missing[] = { "",
						       "b",
						       "aa",
						       "common_pid[1]",
						       "a[0]",
						       "a.m",
						       "t.n",
						       "t.m.x",
						       "m",
						       "s[0]",
						       "t[0]",
						       "[0]",
						       "a[",
						       "a[]",
						       "a[x]",
						       "t.",
						       "l[",
						       "l[]",
						       "l[x]",
						       "l[0",
						       "l[0]x",
						       "l[1]",
						       "l[4294967295]",
						       "l[4294967296]",
						       "l[18446744073709551616]" };

		find(i ? "Log" : "plain");
		for (size_t n = 0; n < sizeof(missing) / sizeof(missing[0]); n++) {
			assert_true(ue_captured_u64(&event, missing[n]) == UINT64_MAX);
			assert_true(ue_captured_i64(&event, missing[n]) == INT64_MIN);
			assert_true(isnan(ue_captured_double(&event, missing[n])));
			assert_int_equal(ue_captured_string(&event, missing[n], buffer, 8),
					 -ENOENT);
			assert_string_equal(buffer, "");
			assert_int_equal(ue_captured_item(&event, missing[n], &item), -ENOENT);
			strcpy(buffer, "before");
		}
	}
	/* the fields exist but are not integers */
	assert_true(ue_captured_u64(&event, "t") == UINT64_MAX);
	assert_true(ue_captured_u64(&event, "f") == UINT64_MAX);
	assert_true(ue_captured_double(&event, "f") == 1.5);
	assert_int_equal(ue_captured_string(&event, "t", buffer, 8), -ENOENT);
	find("plain");
	assert_true(ue_captured_u64(&event, "s") == UINT64_MAX);
	/* like snprintf() */
	assert_int_equal(ue_captured_string(&event, "s", buffer, 1), 1);
	assert_string_equal(buffer, "");
	assert_int_equal(ue_captured_string(&event, "s", NULL, 0), 1);
}

TEST_SETUP_TEARDOWN(test_fields_of_self_describing_events_are_found_by_path, without_kernel, end)
{
	static const uint16_t ports[] = { 80, 443 };
	static const float ratios[] = { 0.5f, 0.25f };
	static const char *const names[] = { "one", "two" };
	uint8_t activity[16];
	char buffer[100];
	struct ue_builder b;
	uint32_t i;

	ue_activity_new(activity);
	begin_memory();
	UE_LOG(info, "Deep", UE_ACTIVITY(activity), UE_I8(before, -1),
	       UE_STRUCT(outer, UE_U8(id, 1), UE_STRUCT(inner, UE_STR(name, "x"), UE_U8(id, 2))),
	       UE_ARRAY(F32, ratios, ratios, 2), UE_ERRNO(code, -2), UE_PORT(port, 0x5000),
	       UE_F32(single, 1.25f), UE_PID(pid, -3), UE_TIME32(time, -4),
	       UE_U64(large, 1ull << 63), UE_FIXED_ARRAY(STR, names, names, 2),
	       UE_AS(UE_FORMAT_PORT, UE_U8(no_port, 7)));
	find("Deep");
	assert_true(event.eventheader);
	assert_memory_equal(event.decoded.activity, activity, 16);
	assert_int_equal(event.decoded.level, UE_LEVEL_INFORMATION);
	assert_int_equal(ue_captured_i64(&event, "before"), -1);
	assert_int_equal(ue_captured_u64(&event, "outer.id"), 1);
	assert_int_equal(ue_captured_u64(&event, "outer.inner.id"), 2);
	assert_text("outer.inner.name", "x");
	assert_true(ue_captured_u64(&event, "id") == UINT64_MAX);
	assert_true(ue_captured_double(&event, "ratios[1]") == 0.25);
	assert_true(isnan(ue_captured_double(&event, "ratios[2]")));
	assert_true(ue_captured_double(&event, "single") == 1.25);
	assert_text("ratios", "[0.5,0.25]");
	assert_int_equal(ue_captured_i64(&event, "code"), -2);
	assert_int_equal(ue_captured_i64(&event, "pid"), -3);
	assert_int_equal(ue_captured_i64(&event, "time"), -4);
	assert_true(ue_captured_double(&event, "time") == -4.0);
	assert_true(ue_captured_double(&event, "large") == 9223372036854775808.0);
	assert_int_equal(ue_captured_u64(&event, "no_port"), 7);
	assert_text("names[1]", "two");
	assert_int_equal(ue_captured_string(&event, "names", buffer, sizeof(buffer)), -ENOENT);
	assert_int_equal(ue_captured_u64(&event, "port"),
			 __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 80 : 0x5000);
	/* events can also be found by their tracepoint names */
	find("Captured_L4K2");
	assert_memory_equal(event.name, "Deep", 4);

	ue_builder_begin(&b, buffer, sizeof(buffer), "Peers", 0);
	ue_struct_array_begin(&b, "peers");
	for (i = 0; i < 2; i++) {
		ue_struct_array_next(&b);
		ue_add_u32(&b, "id", i + 1);
		ue_add_u16(&b, "port", ports[i]);
	}
	ue_struct_end(&b);
	ue_builder_write(&b, &info, NULL, NULL);
	find("Peers");
	assert_int_equal(ue_captured_u64(&event, "peers[0].port"), 80);
	assert_int_equal(ue_captured_u64(&event, "peers[1].id"), 2);
	assert_int_equal(ue_captured_u64(&event, "peers[1].port"), 443);
	assert_true(ue_captured_u64(&event, "peers[2].port") == UINT64_MAX);
	assert_true(ue_captured_u64(&event, "peers.port") == UINT64_MAX);
}

TEST_SETUP_TEARDOWN(test_truncated_elements_have_no_value, without_kernel, end)
{
	static const int32_t values[] = { -300, -301, -302, -303 };
	size_t size;

	begin_memory();
	UE_LOG(info, "Cut", UE_ARRAY(I32, values, values, 4));
	find("Cut");
	size = event.decoded.size;
	/* simulate a damaged file in which the second element is incomplete */
	event.decoded.size = size - 10;
	assert_int_equal(ue_captured_i64(&event, "values[0]"), -300);
	assert_true(ue_captured_i64(&event, "values[1]") == INT64_MIN);
	event.decoded.size = size - 14;
	assert_true(ue_captured_i64(&event, "values[0]") == INT64_MIN);
	assert_true(ue_captured_u64(&event, "values[3]") == UINT64_MAX);
}

TEST_SETUP_TEARDOWN(test_run_time_events_and_sets_are_captured, without_kernel, end)
{
	static struct ue_event late;
	static struct ue_event_set set;
	uint32_t seven = 7;
	char buffer[256];
	struct ue_builder b;

	begin_memory();
	ue_event_register(&late, "late u32 a", 0);
	assert_true(ue_event_enabled(&late));
	ue_event_write(&late, &seven, 4);
	ue_event_unregister(&late);
	/* register another event in the same struct */
	ue_event_register(&late, "later u16 a; u16 b", 0);
	ue_event_write(&late, &seven, 4);
	ue_event_set_register(&set, "Late", UE_LEVEL_ERROR, 0x1, "g1");
	ue_builder_begin(&b, buffer, sizeof(buffer), "Built", 3);
	ue_add_strn(&b, "s", "text", 4);
	assert_int_equal(ue_builder_write(&b, &set, NULL, NULL), 0);
	ue_event_set_unregister(&set);
	ue_event_unregister(&late);

	find("late");
	assert_int_equal(ue_captured_u64(&event, "a"), 7);
	find("later");
	assert_int_equal(ue_captured_u64(&event, "a") + ue_captured_u64(&event, "b"), 7);
	find("Built");
	assert_int_equal(event.decoded.group_length, 2);
	assert_int_equal(event.decoded.tag, 3);
	assert_text("s", "text");
}

TEST_SETUP_TEARDOWN(test_the_captured_record_equals_the_kernels, with_kernel, end)
{
	begin_memory();
	assert_int_equal(fake_kernel_enable("numbered", FAKE_OTHER), 1);
	trace_numbered(77, "both");
	find("numbered");
	assert_int_equal(fake_kernel_records(), 1);
	assert_int_equal(event.size - 8, fake_kernel_record(0)->size);
	assert_memory_equal(event.record + 8, fake_kernel_record(0)->data, event.size - 8);
	assert_int_equal((int)((const uint32_t *)(const void *)event.record)[1], event.tid);
}

TEST_SETUP_TEARDOWN(test_events_are_found_in_order_and_counted, without_kernel, end)
{
	begin_memory();
	for (uint32_t i = 0; i < 5; i++) {
		trace_numbered(i, "n");
		UE_LOG(info, "Between", UE_U32(i));
	}
	assert_int_equal(ue_capture_count(&capture, "numbered"), 5);
	assert_int_equal(ue_capture_count(&capture, "Between"), 5);
	assert_int_equal(ue_capture_count(&capture, "Captured_L4K2"), 5);
	assert_int_equal(ue_capture_count(&capture, NULL), 10);
	assert_int_equal(ue_capture_count(&capture, "none"), 0);
	assert_int_equal(ue_capture_count(&capture, ""), 0);
	find("numbered");
	for (uint32_t i = 0; i < 5; i++) {
		uint64_t time = event.time;

		assert_int_equal(ue_captured_u64(&event, "number"), i);
		assert_int_equal(ue_capture_find_next(&capture, "numbered", &event),
				 i < 4 ? 0 : -ENOENT);
		assert_true(event.time >= time);
	}
	assert_int_equal(ue_capture_find(&capture, "none", &event), -ENOENT);
}

TEST_SETUP_TEARDOWN(test_times_are_those_of_the_monotonic_clock, without_kernel, end)
{
	struct timespec before, after;

	begin_memory();
	clock_gettime(CLOCK_MONOTONIC, &before);
	trace_numbered(1, "");
	clock_gettime(CLOCK_MONOTONIC, &after);
	find("numbered");
	assert_true(event.time >= (uint64_t)before.tv_sec * 1000000000u + (uint64_t)before.tv_nsec);
	assert_true(event.time <= (uint64_t)after.tv_sec * 1000000000u + (uint64_t)after.tv_nsec);
}

TEST_SETUP_TEARDOWN(test_after_stop_nothing_is_captured, without_kernel, end)
{
	begin_memory();
	trace_numbered(1, "");
	assert_int_equal(ue_capture_stop(&capture), 0);
	assert_int_equal(ue_capture_stop(&capture), -ENOENT);
	assert_false(trace_numbered_enabled());
	trace_numbered(2, "");
	assert_int_equal(ue_capture_count(&capture, "numbered"), 1);
	/* start again with an empty capture */
	begin_memory();
	assert_int_equal(ue_capture_count(&capture, NULL), 0);
	trace_numbered(3, "");
	find(NULL);
	assert_int_equal(ue_captured_u64(&event, "number"), 3);
}

TEST_SETUP_TEARDOWN(test_wrong_use_is_rejected, without_kernel, end)
{
	static char small[255];

	assert_int_equal(ue_capture_memory(&capture, NULL, 1000), -EINVAL);
	assert_int_equal(ue_capture_memory(&capture, small, sizeof(small)), -EINVAL);
	assert_int_equal(ue_capture_stop(&capture), -ENOENT);
	begin_memory();
	assert_int_equal(ue_capture_memory(&capture, memory, sizeof(memory)), -EBUSY);
	second.memory = NULL; /* simulate a capture that was never started */
	assert_int_equal(ue_capture_find(&second, NULL, &event), -EINVAL);
	assert_int_equal(ue_capture_count(&second, NULL), -EINVAL);
	assert_int_equal(ue_capture_dump(&second, NULL, 2), -EINVAL);
	assert_true(ue_capture_lost(&second) == 0);
}

TEST_SETUP_TEARDOWN(test_each_capture_error_has_a_message, without_kernel, end)
{
	static const struct {
		int error;
		const char *word;
	} words[] = { { -EINVAL, "256 bytes" },
		      { -EBUSY, "ue_capture_stop" },
		      { -ENOENT, "no such event" },
		      { -ENOSYS, "UE_DISABLE" },
		      { -EDEADLK, "a probe cannot stop" },
		      { -ENOMEM, "memory" },
		      { ENOMEM, "memory" } };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		const char *text = ue_capture_strerror(words[i].error);

		assert_non_null(strstr(text, words[i].word));
		assert_null(strstr(text, "unknown"));
		assert_null(strstr(text, "ring"));
	}
	assert_non_null(ue_capture_strerror(INT_MIN)); /* must accept any number */
}

/* Tests print this dump if they fail. It contains one line for each event of the given name. */
TEST_SETUP_TEARDOWN(test_a_dump_has_a_line_for_each_event, without_kernel, end)
{
	FILE *file = tmpfile();
	char text[400] = "";

	begin_memory();
	trace_numbered(5, "five");
	UE_LOG(info, "Json", UE_U32(six, 6));
	trace_numbered(7, "seven");
	errno = EXDEV;
	assert_int_equal(ue_capture_dump(&capture, "Json", fileno(file)), 1);
	assert_int_equal(ue_capture_dump(&capture, NULL, fileno(file)), 3);
	assert_int_equal(ue_capture_dump(&capture, NULL, -1), -EBADF);
	assert_int_equal(ue_capture_dump(&capture, "none", -1), 0);
	assert_int_equal(errno, EXDEV);
	rewind(file);
	for (int i = 0; i < 4; i++) {
		static const char *const lines[] = {
			"{ \"n\": \"Captured:Json\", \"six\": 6, \"meta\": ",
			"{ \"n\": \"user_events:numbered\", \"number\": 5, \"text\": \"five\"",
			"{ \"n\": \"Captured:Json\", \"six\": 6",
			"{ \"n\": \"user_events:numbered\", \"number\": 7"
		};

		assert_non_null(fgets(text, sizeof(text), file));
		assert_memory_equal(text, lines[i], strlen(lines[i]));
	}
	assert_null(fgets(text, sizeof(text), file));
	fclose(file);
}

TEST_SETUP_TEARDOWN(test_full_memory_keeps_its_events_and_counts_the_rest, without_kernel, end)
{
	static char guarded[1024 + 16];
	unsigned int i;

	/* the buffer may be unaligned, and the bytes around the buffer must not change */
	memset(guarded, 0x5a, sizeof(guarded));
	assert_int_equal(ue_capture_memory(&capture, guarded + 5, 1024), 0);
	for (i = 0; i < 100; i++)
		trace_numbered(i, "some text");
	for (i = 0; i < 5; i++)
		assert_int_equal(guarded[i], 0x5a);
	for (i = 5 + 1024; i < sizeof(guarded); i++)
		assert_int_equal(guarded[i], 0x5a);
	i = (unsigned int)ue_capture_count(&capture, NULL);
	assert_true(i > 5 && i < 20);
	assert_int_equal(ue_capture_lost(&capture), 100 - i);
	ue_capture_stop(&capture);
	assert_int_equal(ue_capture_lost(&capture), 100 - i);
	for (int more = ue_capture_find(&capture, "numbered", &event), n = 0; !more; n++) {
		assert_int_equal(ue_captured_u64(&event, "number"), n);
		more = ue_capture_find_next(&capture, "numbered", &event);
	}
	/* try all sizes, from the minimum of 256 bytes on */
	for (size_t size = 256; size < 600; size++) {
		ue_capture_stop(&capture);
		assert_int_equal(ue_capture_memory(&capture, memory, size), 0);
		for (i = 0; i < 10; i++)
			trace_numbered(i, "");
		assert_int_equal(ue_capture_count(&capture, NULL) + ue_capture_lost(&capture), 10);
	}
}

/*
 * These sizes apply to 64-bit systems. The first record of an event also contains the event's
 * description.
 */
TEST_SETUP_TEARDOWN(test_an_event_takes_40_bytes_and_its_payload, without_kernel, end)
{
	size_t described = 32 + sizeof("three u8 a; u8 b; u8 c") + 1;

	begin_memory();
	for (size_t i = 1; i <= 3; i++) {
		UE_TRACE(three, UE_U8(a, 1), UE_U8(b, 2), UE_U8(c, 3));
		assert_int_equal(capture.used, described + i * (40 + 8));
	}
}

TEST_SETUP_TEARDOWN(test_two_concurrent_captures_get_every_event, without_kernel, end)
{
	static char other[4096];

	begin_memory();
	trace_numbered(1, "");
	assert_int_equal(ue_capture_memory(&second, other, sizeof(other)), 0);
	trace_numbered(2, "");
	ue_capture_stop(&capture);
	trace_numbered(3, "");
	assert_int_equal(ue_capture_count(&capture, "numbered"), 2);
	assert_int_equal(ue_capture_count(&second, "numbered"), 2);
	assert_int_equal(ue_capture_find(&second, NULL, &event), 0);
	assert_int_equal(ue_captured_u64(&event, "number"), 2);
}

TEST_SETUP_TEARDOWN(test_events_of_many_segments_are_whole, without_kernel, end)
{
	static char big[60000];
	static struct ue_event wide;
	static char payload[600][3];
	struct iovec iov[600];
	struct ue_decode_item item;
	struct ue_builder b;
	char buffer[200];

	for (size_t i = 0; i < sizeof(big); i++)
		big[i] = (char)('a' + i % 26);
	begin_memory();
	ue_builder_begin(&b, buffer, sizeof(buffer), "Big", 0);
	ue_add_strn(&b, "text", big, 40000);
	ue_add_u32(&b, "behind", 9);
	assert_int_equal(ue_builder_write(&b, &info, NULL, NULL), 0);
	find("Big");
	assert_int_equal(ue_captured_item(&event, "text", &item), 0);
	assert_int_equal(item.size, 40000);
	assert_memory_equal(item.value, big, 40000);
	assert_int_equal(ue_captured_u64(&event, "behind"), 9);

	ue_event_register(&wide, "wide struct three t 1800", 0);
	for (int i = 0; i < 600; i++) {
		memcpy(payload[i], big + i, 3);
		iov[i].iov_base = payload[i];
		iov[i].iov_len = 3;
	}
	ue_event_writev(&wide, iov, 600);
	ue_event_unregister(&wide);
	find("wide");
	assert_int_equal(event.size, 8 + 1800);
	assert_memory_equal(event.record + 8, payload, 1800);

	ue_capture_stop(&capture);
	begin_memory();
	for (size_t n = 850; n < 1100; n += 5)
		UE_LOG(info, "Edge", UE_STRN(text, big, n));
	find("Edge");
	for (size_t n = 850; n < 1100; n += 5) {
		assert_int_equal(ue_captured_item(&event, "text", &item), 0);
		assert_int_equal(item.size, n);
		assert_memory_equal(item.value, big, n);
		assert_int_equal(ue_capture_find_next(&capture, "Edge", &event),
				 n < 1095 ? 0 : -ENOENT);
	}
}

TEST_SETUP_TEARDOWN(test_a_too_large_event_is_lost_rather_than_truncated, without_kernel, end)
{
	static char huge[65000], room[16 * sizeof(huge) + 1000];
	struct ue_builder b;
	char buffer[4096];

	assert_int_equal(ue_capture_memory(&capture, room, sizeof(room)), 0);
	for (unsigned int fields = 16; fields < 18; fields++) {
		ue_builder_begin(&b, buffer, sizeof(buffer), "Huge", 0);
		for (unsigned int i = 0; i < fields; i++)
			ue_add_bytes(&b, "bytes", huge, sizeof(huge));
		assert_int_equal(ue_builder_write(&b, &info, NULL, NULL), 0);
	}
	assert_int_equal(ue_capture_count(&capture, NULL), 1);
	assert_int_equal(ue_capture_lost(&capture), 1);
	find("Huge");
	assert_in_range(event.size, 16 * sizeof(huge), sizeof(room));
}

static void on_signal(int number)
{
	(void)number;
	trace_numbered(1000, "signal");
}

TEST_SETUP_TEARDOWN(test_signal_handlers_are_captured, without_kernel, end)
{
	struct ue_status before = ue_status();
	uint64_t missed;

	begin_memory();
	signal(SIGALRM, on_signal);
	for (uint32_t i = 0; i < 200; i++) {
		if (i % 2)
			raise(SIGALRM);
		else
			kill(getpid(), SIGALRM);
		trace_numbered(i, "main");
	}
	signal(SIGALRM, SIG_DFL);
	missed = ue_status().unprobed - before.unprobed;
	assert_int_equal(ue_capture_count(&capture, "numbered") + missed, 400);
	assert_int_equal(missed, 0);
}

TEST_SETUP_TEARDOWN(test_capturing_preserves_errno, without_kernel, end)
{
	static char small[300];

	errno = EXDEV;
	assert_int_equal(ue_capture_memory(&second, small, sizeof(small)), 0);
	begin_memory();
	for (uint32_t i = 0; i < 10; i++)
		trace_numbered(i, "");
	assert_true(ue_capture_lost(&second) > 0);
	find("numbered");
	ue_capture_stop(&second);
	assert_int_equal(errno, EXDEV);
}

/* ---- Formats ---- */

TEST_SETUP_TEARDOWN(test_any_number_of_events_keep_their_formats, without_kernel, end)
{
	enum { MANY = 200 };
	static struct ue_event many[MANY];
	char spec[64];
	int more;

	begin_memory();
	for (uint32_t i = 0; i < MANY; i++) {
		snprintf(spec, sizeof(spec), "many_%u u32 field_%u", i, i);
		ue_event_register(&many[i], spec, 0);
	}
	for (uint32_t i = 0; i < 3 * MANY; i++)
		ue_event_write(&many[i % MANY], &i, 4);
	for (uint32_t i = 0; i < MANY; i++)
		ue_event_unregister(&many[i]);
	assert_int_equal(ue_capture_lost(&capture), 0);
	more = ue_capture_find(&capture, NULL, &event);
	for (uint32_t i = 0; i < 3 * MANY; i++) {
		assert_int_equal(more, 0);
		snprintf(spec, sizeof(spec), "field_%u", i % MANY);
		assert_int_equal(ue_captured_u64(&event, spec), i);
		more = ue_capture_find_next(&capture, NULL, &event);
	}
	assert_int_equal(more, -ENOENT);
}

TEST_SETUP_TEARDOWN(test_format_texts_are_those_of_tracefs, with_kernel, end)
{
	static const char *const specs[] = {
		"none",
		"one u32 a",
		"ints u8 a; s8 b; u16 c; s16 d; s32 e; u64 f; s64 g; char h; short i; int j",
		"longer unsigned int a; unsigned char b; unsigned short c",
		"arrays char[16] a; unsigned char[4] b; u8 c; char[0x10] d; char[017] e; u8 f",
		"locs __rel_loc char[] a; __rel_loc u8[] b; __rel_loc unsigned char[] c; u8 d",
		"structs struct timespec t 16; u8 after",
		"Set_L4K1 " UE__F_SET_FIELDS,
	};

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		static struct ue_event e;
		char ours[UE_CAPTURE_TEXT], kernels[UE_CAPTURE_TEXT], file[256], *print;
		size_t length, room;
		ssize_t n;
		int fd, id;

		assert_int_equal(ue_event_register(&e, specs[i], 0), 0);
		snprintf(file, sizeof(file), "/sys/kernel/tracing/events/user_events/%.*s/format",
			 (int)strcspn(specs[i], " "), specs[i]);
		fd = fake_open(file, O_RDONLY);
		assert_true(fd >= 0);
		n = fake_read(fd, kernels, sizeof(kernels) - 1);
		fake_close(fd);
		assert_true(n > 0);
		kernels[n] = '\0';
		ue_event_unregister(&e);
		print = strstr(kernels, "print fmt");
		assert_non_null(print);
		*print = '\0';
		while ((print = strstr(kernels, FAKE_ARRAY_NUMBER)))
			memmove(print, print + strlen(FAKE_ARRAY_NUMBER),
				strlen(print + strlen(FAKE_ARRAY_NUMBER)) + 1);
		id = atoi(strstr(kernels, "\nID: ") + 5);
		length = ue_capture_format_text(specs[i], (unsigned int)id, ours, sizeof(ours));
		assert_int_equal(length, strlen(ours));
		for (room = 1; room < 300; room += 7) {
			char cut[300];

			assert_int_equal(
				ue_capture_format_text(specs[i], (unsigned int)id, cut, room),
				length);
			assert_int_equal(strlen(cut), room - 1 < length ? room - 1 : length);
		}
		print = strstr(ours, "print fmt");
		assert_non_null(print);
		*print = '\0';
		assert_string_equal(ours, kernels);
	}
}

TEST_SETUP_TEARDOWN(test_the_longest_format_text_fits, without_kernel, end)
{
	char spec[600] = "x";
	size_t n = 1;
	char name = 'A';

	/* add the maximum number of fields that fits in 511 bytes */
	while (n + 8 < 511) {
		n += (size_t)sprintf(spec + n, "%s u8 %c", n > 1 ? ";" : "", name);
		name = name == 'z' ? 'A' : (char)(name + 1);
	}
	assert_true(ue_capture_format_text(spec, 65535, NULL, 0) < UE_CAPTURE_TEXT);
}

TEST_SETUP_TEARDOWN(test_json_of_both_kinds, without_kernel, end)
{
	char json[512], expected[512];

	begin_memory();
	trace_numbered(5, "five");
	UE_LOG(info, "Json", UE_U32(six, 6));
	find("numbered");
	ue_captured_json(&event, UE_DECODE_NO_META, json, sizeof(json));
	assert_string_equal(json,
			    "{\"n\":\"user_events:numbered\",\"number\":5,\"text\":\"five\"}");
	find("Json");
	ue_captured_json(&event, UE_DECODE_NO_META, json, sizeof(json));
	assert_string_equal(json, "{\"n\":\"Captured:Json\",\"six\":6}");
	ue_captured_json(&event, 0, json, sizeof(json));
	snprintf(expected, sizeof(expected), "\"pid\":%u,\"tid\":%u", event.pid, event.tid);
	assert_non_null(strstr(json, expected));
	assert_null(strstr(json, "\"cpu\""));
}

/* ---- Processes ---- */

TEST_SETUP_TEARDOWN(test_a_wrong_field_prints_the_expected_and_the_captured_event, without_kernel,
		    end)
{
	static const char plain[] =
		"{ \"n\": \"user_events:numbered\", \"number\": 200, \"text\": \"a\" }";
	static const char log[] =
		"{ \"n\": \"Captured:Log\", \"f\": 1.5, \"s\": { \"l\": [ 1, 2 ] } }";
	static const uint8_t list[] = { 1, 2 };
	char text[1024], expected[1024], wrong[256], long_text[3000], long_json[3100];
	int ends[2];
	ssize_t n;

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
	begin_memory();
	trace_numbered(200, "a");
	UE_LOG(info, "Log", UE_F64(f, 1.5), UE_STRUCT(s, UE_ARRAY(U8, l, list, 2)));
	memset(long_text, 'x', sizeof(long_text) - 1);
	long_text[sizeof(long_text) - 1] = '\0';
	find("numbered");
	assert_true(ue_captured_equals(&event, plain, ends[1]));
	find("Log");
	assert_true(ue_captured_equals(&event, log, ends[1]));
	assert_int_equal(read(ends[0], text, sizeof(text)), -1);
	/*
	 * Expected texts that must not match: a different value, a truncated text, a text with an
	 * additional space, and an empty text.
	 */
	for (int i = 0; i < 4; i++) {
		find("numbered");
		snprintf(wrong, sizeof(wrong), "%s", plain);
		if (i == 0)
			*strstr(wrong, "200") = '4';
		else if (i == 1)
			wrong[strlen(wrong) - 1] = '\0';
		else if (i == 2)
			strcat(wrong, " ");
		else
			wrong[0] = '\0';
		errno = EXDEV;
		assert_false(ue_captured_equals(&event, wrong, ends[1]));
		assert_int_equal(errno, EXDEV);
		n = read(ends[0], text, sizeof(text) - 1);
		text[n > 0 ? n : 0] = '\0';
		snprintf(expected, sizeof(expected), "expected: %s\n     got: %s\n", wrong, plain);
		assert_string_equal(text, expected);
	}
	/* Compare after a search that found no event. */
	assert_int_equal(ue_capture_find(&capture, "missing", &event), -ENOENT);
	assert_false(ue_captured_equals(&event, plain, ends[1]));
	n = read(ends[0], text, sizeof(text) - 1);
	text[n > 0 ? n : 0] = '\0';
	snprintf(expected, sizeof(expected), "expected: %s\n     got: no event\n", plain);
	assert_string_equal(text, expected);
	/* A long event, whose JSON is passed to the callback in several parts. */
	trace_numbered(1, long_text);
	find("numbered");
	assert_int_equal(ue_capture_find_next(&capture, "numbered", &event), 0);
	snprintf(long_json, sizeof(long_json),
		 "{ \"n\": \"user_events:numbered\", \"number\": 1, \"text\": \"%s\" }", long_text);
	assert_true(ue_captured_equals(&event, long_json, ends[1]));
	long_json[2900] = 'y';
	assert_false(ue_captured_equals(&event, long_json, ends[1]));
	close(ends[0]);
	close(ends[1]);
}

TEST_SETUP_TEARDOWN(test_a_child_continues_in_its_copy, without_kernel, end)
{
	int status;

	begin_memory();
	trace_numbered(1, "");
	if (fork() == 0) {
		trace_numbered(2, "");
		_exit(ue_capture_count(&capture, "numbered") == 2 &&
				      ue_capture_find_next(&capture, "numbered",
							   (find("numbered"), &event)) == 0 &&
				      event.pid == (uint32_t)getpid() &&
				      event.tid == (uint32_t)getpid()
			      ? 0
			      : 1);
	}
	assert_true(wait(&status) > 0);
	assert_int_equal(status, 0);
	assert_int_equal(ue_capture_count(&capture, "numbered"), 1);
}

/* A search must end at a record that another thread is still writing. */
TEST_SETUP_TEARDOWN(test_a_search_ends_at_an_unfinished_record, without_kernel, end)
{
	struct ue__capture_record *record;
	size_t size;

	begin_memory();
	for (uint32_t i = 0; i < 5; i++)
		trace_numbered(i, "text");
	find("numbered");
	record = (void *)(capture.memory + event.offset);
	size = record->size;
	record->size = 0;
	assert_int_equal(ue_capture_count(&capture, "numbered"), 1);
	record->size = size;
	assert_int_equal(ue_capture_count(&capture, "numbered"), 5);
}

static void call_stop(struct ue_event *e, const void *payload, size_t size, void *data)
{
	(void)e;
	(void)payload;
	(void)size;
	*(int *)data = ue_capture_stop(&capture);
}

TEST_SETUP_TEARDOWN(test_a_probe_cannot_stop_the_capture, without_kernel, end)
{
	int result = 0;

	begin_memory();
	assert_int_equal(ue_probe_register(NULL, call_stop, &result), 0);
	trace_numbered(1, "");
	assert_int_equal(ue_probe_unregister(NULL, call_stop, &result), 0);
	assert_int_equal(result, -EDEADLK);
	trace_numbered(2, "");
	assert_int_equal(ue_capture_count(&capture, "numbered"), 2);
}

TEST_SETUP_TEARDOWN(test_a_capture_stays_within_a_buffer_of_any_size, without_kernel, end)
{
	for (size_t size = 256; size < 600; size++) {
		char *start = memory + size / 8 % 8, *after = start + size;

		assert_int_equal(ue_capture_memory(&capture, start, size), 0);
		memset(after, 0x5a, 256);
		for (uint32_t i = 0; i < 20; i++)
			trace_numbered(i, "");
		for (size_t i = 0; i < 256; i++)
			assert_int_equal(after[i], 0x5a);
		assert_int_equal(ue_capture_count(&capture, NULL) + ue_capture_lost(&capture), 20);
		ue_capture_stop(&capture);
	}
}

/* The kernel rejects arrays longer than this. */
TEST(test_arrays_have_at_most_1024_bytes)
{
	char text[UE_CAPTURE_TEXT];

	ue_capture_format_text("x char[1024] a; u8 b", 1, text, sizeof(text));
	assert_non_null(strstr(text, "char a[];\toffset:8;\tsize:1024;"));
	assert_non_null(strstr(text, "u8 b;\toffset:1032;"));
	ue_capture_format_text("x char[1025] a; u8 b", 1, text, sizeof(text));
	assert_non_null(strstr(text, "char a[];\toffset:8;\tsize:0;"));
}

TESTS_MAIN
