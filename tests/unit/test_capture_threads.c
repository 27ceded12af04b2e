/* SPDX-License-Identifier: MIT */
/*
 * Several threads concurrently write events, start, stop and search captures, and register and
 * unregister events. Also built with ThreadSanitizer.
 */
#include "test.h"
#include "threads.h"

static struct ue_capture capture, other;
static char memory[8 << 20], small[2048];

static void expect_all(void)
{
	struct seen seen = { 0 };
	struct ue_capture_event event;
	int more = ue_capture_find(&capture, NULL, &event);

	for (; !more; more = ue_capture_find_next(&capture, NULL, &event))
		expect_right(&seen, &event);
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(seen.counted[i], EACH);
}

static void search(void)
{
	int before = 0, n;

	for (int i = 0; i < 20; i++) {
		n = ue_capture_count(&capture, "counted");
		assert_true(n >= before);
		before = n;
	}
}

TEST_SETUP(test_every_event_of_every_thread_is_captured, registered)
{
	assert_int_equal(ue_capture_memory(&capture, memory, sizeof(memory)), 0);
	run(writer, THREADS, search);
	assert_int_equal(ue_capture_lost(&capture), 0);
	assert_int_equal(ue_capture_stop(&capture), 0);
	assert_int_equal(ue_capture_count(&capture, NULL), ALL);
	expect_all();
}

/* The capture counts all events that do not fit, in whichever thread they were written. */
TEST_SETUP(test_full_memory_counts_for_all_threads, registered)
{
	assert_int_equal(ue_capture_memory(&capture, small, sizeof(small)), 0);
	run(writer, THREADS, NULL);
	ue_capture_stop(&capture);
	assert_int_equal(ue_capture_count(&capture, NULL) + (int)ue_capture_lost(&capture), ALL);
}

static void begin_and_stop(void)
{
	for (int i = 0; i < 100; i++) {
		assert_int_equal(ue_capture_memory(&other, small, sizeof(small)), 0);
		assert_int_equal(ue_capture_stop(&other), 0);
		/* at this point, no thread writes to the memory any more */
		memset(small, 0x5a, sizeof(small));
		sched_yield();
		for (size_t n = 0; n < sizeof(small); n++)
			assert_int_equal(small[n], 0x5a);
	}
}

TEST_SETUP(test_captures_start_and_stop_while_threads_write, registered)
{
	assert_int_equal(ue_capture_memory(&capture, memory, sizeof(memory)), 0);
	run(writer, THREADS, begin_and_stop);
	ue_capture_stop(&capture);
	expect_all();
}

TEST_SETUP(test_short_lived_events_keep_their_formats, registered)
{
	struct ue_capture_event event;
	unsigned int n = 0;
	int more;

	assert_int_equal(ue_capture_memory(&capture, memory, sizeof(memory)), 0);
	run(register_and_write, THREADS, NULL);
	ue_capture_stop(&capture);
	more = ue_capture_find(&capture, NULL, &event);
	for (; !more; more = ue_capture_find_next(&capture, NULL, &event), n++)
		expect_own_format(&event);
	assert_int_equal(n, 300 * THREADS);
}

TESTS_MAIN
