/* SPDX-License-Identifier: MIT */
/*
 * Capture while threads write, begin, stop, search, and register and unregister events. Built with
 * ThreadSanitizer, too.
 */

#include "test.h"

#define FAKE_KERNEL_HOOKS
#include "fake_kernel.h"
#include "rounds.h"
#include <user_events_capture.h>
#include "threads.h"
#include "late_events.h"

UE_TRACEPOINT(counted, UE_U32(thread), UE_U32(number), UE_STR(text));
UE_EVENT_SET(info, "Threads", UE_LEVEL_INFORMATION, 0x1);

enum { EACH = ROUNDS_OF(1600) }; /* of which each 16th is followed by another event */

static struct ue_capture capture, other;
static char memory[4 << 20], small[2048];

static int setup(void **state)
{
	(void)state;
	ue_unregister_all();
	fake_kernel_reset(NULL);
	ue_register_all();
	__atomic_store_n(&stop, 0, __ATOMIC_RELAXED);
	return 0;
}

static void *writer(void *number)
{
	uint32_t thread = (uint32_t)(uintptr_t)number;
	static const char text[] = "some text of a thread";

	for (uint32_t i = 0; i < EACH; i++) {
		trace_counted(thread, i, text + i % 20);
		if (i % 16 == 0)
			UE_LOG(info, "Also", UE_U32(thread), UE_U32(i));
	}
	return NULL;
}

static void expect_all(void)
{
	uint32_t next[THREADS] = { 0 }, tids[THREADS] = { 0 };
	struct ue_capture_event event;
	char text[32];
	int more = ue_capture_find(&capture, NULL, &event);

	for (; !more; more = ue_capture_find_next(&capture, NULL, &event)) {
		uint32_t thread, number;

		if (event.eventheader)
			continue;
		thread = (uint32_t)ue_captured_u64(&event, "thread");
		number = (uint32_t)ue_captured_u64(&event, "number");
		assert_in_range(thread, 0, THREADS - 1);
		assert_int_equal(number, next[thread]++);
		if (!tids[thread])
			tids[thread] = event.tid;
		assert_int_equal(event.tid, tids[thread]);
		assert_int_equal(event.pid, getpid());
		ue_captured_string(&event, "text", text, sizeof(text));
		assert_string_equal(text, &"some text of a thread"[number % 20]);
	}
	for (int i = 0; i < THREADS; i++) {
		assert_int_equal(next[i], EACH);
		for (int j = 0; j < i; j++)
			assert_int_not_equal(tids[i], tids[j]);
	}
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

TEST_SETUP(test_memory_has_every_event_of_every_thread, setup)
{
	assert_int_equal(ue_capture_memory(&capture, memory, sizeof(memory)), 0);
	run(writer, THREADS, search);
	assert_int_equal(ue_capture_lost(&capture), 0);
	assert_int_equal(ue_capture_stop(&capture), 0);
	assert_int_equal(ue_capture_count(&capture, "Also"), THREADS * EACH / 16);
	expect_all();
}

/* What is full is counted, by whichever thread. */
TEST_SETUP(test_full_memory_counts_for_all_threads, setup)
{
	assert_int_equal(ue_capture_memory(&capture, small, sizeof(small)), 0);
	run(writer, THREADS, NULL);
	ue_capture_stop(&capture);
	assert_int_equal(ue_capture_count(&capture, NULL) + (int)ue_capture_lost(&capture),
			 THREADS * (EACH + EACH / 16));
}

static void begin_and_stop(void)
{
	for (int i = 0; i < 100; i++) {
		assert_int_equal(ue_capture_memory(&other, small, sizeof(small)), 0);
		assert_int_equal(ue_capture_stop(&other), 0);
		/* nobody writes there any more */
		memset(small, 0x5a, sizeof(small));
		sched_yield();
		for (size_t n = 0; n < sizeof(small); n++)
			assert_int_equal(small[n], 0x5a);
	}
}

TEST_SETUP(test_captures_come_and_go_while_others_write, setup)
{
	assert_int_equal(ue_capture_memory(&capture, memory, sizeof(memory)), 0);
	run(writer, THREADS, begin_and_stop);
	ue_capture_stop(&capture);
	expect_all();
}

TEST_SETUP(test_events_that_come_and_go_keep_their_formats, setup)
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
