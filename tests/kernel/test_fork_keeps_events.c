/* SPDX-License-Identifier: MIT */
/*
 * After a fork, both processes can write events, and the child's enable word follows tracers that
 * attach or detach later. The parent is not affected when the child exits.
 */
#include "witness.h"

UE_TRACEPOINT(forked, UE_STR(who), UE_U32(step));

/*
 * Waits until the enable word changes. After a fork, parent and child share the word's page until
 * one of them writes to it. A kernel worker then copies the page and changes the word shortly after
 * the tracer's call has returned.
 */
static bool forked_becomes(bool enabled)
{
	for (int i = 0; i < 1000 && trace_forked_enabled() != enabled; i++)
		usleep(10000);
	return trace_forked_enabled() == enabled;
}

static void begin(void)
{
	trace_enable("forked");
	assert_true(forked_becomes(true));
	trace_clear();
}

static int child_writes(void *data)
{
	expect(forked_becomes(true));
	trace_forked("child", 1);
	expect(try_put(instance(event_file("forked", "enable")), "0") == 0);
	expect(forked_becomes(false));
	trace_forked("child", 2);
	expect(try_put(instance(event_file("forked", "enable")), "1") == 0);
	expect(forked_becomes(true));
	trace_forked("child", 3);
	return 0;
}

TEST(test_fork_both_processes_write)
{
	begin();
	trace_forked("parent", 1);
	join(spawn(child_writes, NULL));
	trace_forked("parent", 2);
	assert_string_equal(trace_text(), "forked: who=parent step=0x1 (1)\n"
					  "forked: who=child step=0x1 (1)\n"
					  "forked: who=child step=0x3 (3)\n"
					  "forked: who=parent step=0x2 (2)\n");
}

static int child_follows(void *data)
{
	expect(wait_until_traced(trace_forked_enabled));
	trace_forked("child", 4);
	return 0;
}

TEST(test_fork_childs_word_follows_a_tracer_attached_later)
{
	pid_t pid;

	trace_disable("forked");
	assert_true(forked_becomes(false));
	trace_clear();
	pid = spawn(child_follows, NULL);
	trace_enable_for("forked", pid);
	join(pid);
	assert_true(forked_becomes(true));
	trace_forked("parent", 5);
	assert_string_equal(trace_text(), "forked: who=child step=0x4 (4)\n"
					  "forked: who=parent step=0x5 (5)\n");
}

static int child_unregisters(void *data)
{
	struct ue_event event = { 0 };

	ue_unregister_all();
	expect(!trace_forked_enabled());
	expect(ue_event_register(&event, "forked_child u32 a", 0) == 0);
	expect(ue_event_unregister(&event) == 0);
	return 0;
}

TEST(test_fork_childs_unregistering_does_not_affect_the_parent)
{
	begin();
	join(spawn(child_unregisters, NULL));
	assert_true(trace_forked_enabled());
	trace_forked("parent", 6);
	assert_string_equal(trace_text(), "forked: who=parent step=0x6 (6)\n");
	trace_disable("forked");
	assert_true(forked_becomes(false));
}

static int child_forks(void *data)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		trace_forked("grandchild", 7);
		_exit(0);
	}
	expect(waitpid(pid, &status, 0) == pid && status == 0);
	trace_forked("child", 8);
	return 0;
}

TEST(test_fork_of_a_fork_writes)
{
	begin();
	join(spawn(child_forks, NULL));
	assert_string_equal(trace_text(), "forked: who=grandchild step=0x7 (7)\n"
					  "forked: who=child step=0x8 (8)\n");
}

KERNEL_TESTS_MAIN
