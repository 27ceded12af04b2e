/* SPDX-License-Identifier: MIT */
/*
 * A state function is called with a delay after a tracer attaches, because perf needs this time to
 * start recording.
 */
#include <time.h>

#include "test.h"

#define FAKE_KERNEL_HOOKS
#include "fake_kernel.h"
#define UE_STATE_DELAY_MS 200
#include <user_events_state.h>

UE_TRACEPOINT(connection, UE_U32(number));

static void count(struct ue_event *event, bool attached, void *data)
{
	*(int *)data += attached ? 1 : 100;
	trace_connection(1);
}

static unsigned long milliseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (unsigned long)now.tv_sec * 1000 + (unsigned long)now.tv_nsec / 1000000;
}

TEST(test_function_runs_after_the_delay)
{
	struct ue_event *event;
	unsigned long start;
	int calls = 0;

	ue_unregister_all();
	fake_kernel_reset(NULL);
	assert_int_equal(ue_register_all(), 0);
	event = ue_event_find("connection", NULL);
	assert_int_equal(ue_state_register(event, count, &calls), 0);

	/* this tracer detaches before the delay has passed */
	fake_kernel_enable("connection", FAKE_PERF);
	assert_int_equal(ue_state_poll(), 0);
	fake_kernel_disable("connection", FAKE_PERF);
	assert_int_equal(ue_state_poll(), 0);
	ue__i_sleep(300000000);

	/* the time since then does not count towards the delay of the next tracer */
	start = milliseconds();
	fake_kernel_enable("connection", FAKE_PERF);
	while (!ue_state_poll())
		ue__i_sleep(1000000);
	assert_true(milliseconds() - start >= 180); /* 200 ms, minus two clock ticks */
	assert_int_equal(calls, 1);
	fake_kernel_disable("connection", FAKE_PERF);
	assert_int_equal(ue_state_poll(), 1);
	assert_int_equal(calls, 101);
	assert_int_equal(ue_state_unregister(event, count, &calls), 0);
}

TESTS_MAIN
