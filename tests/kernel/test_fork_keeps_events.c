/* SPDX-License-Identifier: MIT */
/*
 * After a fork both processes write, the child's enable word follows tracers that come and go
 * later, and the child's end takes nothing from the parent.
 */
#include "witness.h"

UE_TRACEPOINT(forked, UE_STR(who), UE_U32(step));

/*
 * After a fork the page of the enable word is shared until somebody writes to it. The kernel then
 * makes the process's own copy in a worker, and changes the bit a moment after the tracer returns.
 */
static bool forked_becomes(bool enabled)
{
	for (int i = 0; i < 1000 && trace_forked_enabled() != enabled; i++)
		usleep(10000);
	return trace_forked_enabled() == enabled;
}

static int child_writes(void *data)
{
	(void)data;
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
	trace_enable("forked");
	assert_true(forked_becomes(true));
	trace_clear();
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
	int fd = *(int *)data;
	char byte;

	expect(!trace_forked_enabled());
	expect(write(fd, "r", 1) == 1);
	expect(read(fd, &byte, 1) == 1);
	expect(forked_becomes(true));
	trace_forked("child", 4);
	return 0;
}

TEST(test_fork_childs_word_follows_a_tracer_that_comes_later)
{
	int pair[2];
	char byte;
	pid_t pid;

	trace_disable("forked");
	assert_true(forked_becomes(false));
	trace_clear();
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	pid = spawn(child_follows, &pair[1]);
	assert_int_equal(read(pair[0], &byte, 1), 1);
	trace_enable("forked");
	assert_int_equal(write(pair[0], "g", 1), 1);
	join(pid);
	assert_true(forked_becomes(true));
	trace_forked("parent", 5);
	close(pair[0]);
	close(pair[1]);
	assert_string_equal(trace_text(), "forked: who=child step=0x4 (4)\n"
					  "forked: who=parent step=0x5 (5)\n");
}

static int child_unregisters(void *data)
{
	struct ue_event event;

	(void)data;
	ue_unregister_all();
	expect(!trace_forked_enabled());
	memset(&event, 0, sizeof(event));
	expect(ue_event_register(&event, "forked_child u32 a", 0) == 0);
	expect(ue_event_unregister(&event) == 0);
	return 0;
}

TEST(test_fork_childs_unregistering_leaves_the_parents_events)
{
	trace_enable("forked");
	assert_true(forked_becomes(true));
	trace_clear();
	join(spawn(child_unregisters, NULL));
	assert_true(trace_forked_enabled());
	trace_forked("parent", 6);
	assert_string_equal(trace_text(), "forked: who=parent step=0x6 (6)\n");
	trace_disable("forked");
	assert_true(forked_becomes(false));
}

static int grandchild(void *data)
{
	(void)data;
	trace_forked("grandchild", 7);
	return 0;
}

static int child_forks(void *data)
{
	pid_t pid = fork();
	int status;

	if (pid == 0)
		_exit(grandchild(data));
	expect(waitpid(pid, &status, 0) == pid && status == 0);
	trace_forked("child", 8);
	return 0;
}

TEST(test_fork_of_a_fork_writes)
{
	trace_enable("forked");
	assert_true(forked_becomes(true));
	trace_clear();
	join(spawn(child_forks, NULL));
	assert_string_equal(trace_text(), "forked: who=grandchild step=0x7 (7)\n"
					  "forked: who=child step=0x8 (8)\n");
}

KERNEL_TESTS_MAIN
