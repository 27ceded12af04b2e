/* SPDX-License-Identifier: MIT */
/*
 * Tests state functions on a real kernel: with several tracers, in a child of fork(), and in a
 * library that is unloaded while its thread is running.
 */
#include "witness.h"

/* no delay is needed: this thread polls only after trace_enable(), when ftrace is recording */
#define UE_STATE_DELAY_MS 0
#include <user_events_state.h>

UE_TRACEPOINT(state_line, UE_STR(who), UE_U32(number));

static uint32_t calls;
static const char *who = "parent";

static struct ue_event *state_line(void)
{
	return ue_event_find("state_line", NULL);
}

/* State function: records the number of its call. */
static void write_state(struct ue_event *event, bool attached, void *data)
{
	if (attached)
		trace_state_line(who, ++calls);
}

/*
 * Polls until the library sees the tracer's change of the enable word, which may be late after
 * fork().
 */
static bool polls_a_call(void)
{
	for (int i = 0; i < 1000; i++) {
		int n = ue_state_poll();

		if (n)
			return n == 1;
		usleep(10000);
	}
	return false;
}

TEST(test_state_is_written_when_ftrace_attaches)
{
	trace_clear();
	assert_int_equal(ue_state_register(state_line(), write_state, NULL), 0);
	assert_int_equal(ue_state_poll(), 0);
	trace_enable("state_line");
	assert_true(polls_a_call());
	assert_string_equal(trace_text(), "state_line: who=parent number=0x1 (1)\n");
	assert_int_equal(ue_state_poll(), 0);
	trace_disable("state_line");
	assert_true(polls_a_call());
	assert_int_equal(calls, 1);
}

/* The two tracers are this test's trace instance and the main trace buffer. */
TEST(test_second_tracer_of_the_kernel_causes_no_call)
{
	calls = 0;
	trace_enable("state_line");
	assert_true(polls_a_call());
	put(event_file("state_line", "enable"), "1");
	trace_disable("state_line");
	assert_int_equal(ue_state_poll(), 0);
	put(event_file("state_line", "enable"), "0");
	assert_true(polls_a_call());
	assert_int_equal(calls, 1);
}

static int child_writes_its_state(void *data)
{
	/* a tracer is attached, and the parent process has recorded its state */
	expect(ue_state_poll() == 0);
	who = "child";
	expect(try_put(instance(event_file("state_line", "enable")), "0") == 0);
	expect(polls_a_call());
	expect(try_put(instance(event_file("state_line", "enable")), "1") == 0);
	expect(polls_a_call());
	return 0;
}

TEST(test_child_of_fork_writes_its_own_state)
{
	calls = 0;
	trace_enable("state_line");
	assert_true(polls_a_call());
	trace_clear();
	join(spawn(child_writes_its_state, NULL));
	assert_string_equal(trace_text(), "state_line: who=child number=0x2 (2)\n");
	trace_disable("state_line");
	assert_int_equal(ue_state_unregister(state_line(), write_state, NULL), 0);
}

static unsigned int threads(void)
{
	unsigned int n = 0;
	DIR *dir = opendir("/proc/self/task");

	assert_non_null(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n - 2; /* not counting "." and ".." */
}

TEST(test_dlclose_stops_the_thread_of_a_library)
{
	char path[PATH_MAX + NAME_MAX];

	snprintf(path, sizeof(path), "%s", built("lib/stateful.so"));
	for (uint32_t round = 1; round <= 5; round++) {
		struct library library;
		char line[64];

		trace_clear();
		library = load(path, RTLD_LOCAL);
		library.write(round);
		assert_int_equal(threads(), 2);
		trace_enable("stateful");
		snprintf(line, sizeof(line), "stateful: number=0x%x (%u)", round, round);
		wait_for((trace_text(), has_line(line)));
		dlclose(library.handle);
		assert_null(dlopen(path, RTLD_NOW | RTLD_NOLOAD));
		wait_for(threads() == 1); /* an exited thread may stay in /proc briefly */
		trace_disable("stateful");
	}
}

KERNEL_TESTS_MAIN
