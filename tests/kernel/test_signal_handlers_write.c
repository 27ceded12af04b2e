/* SPDX-License-Identifier: MIT */
/*
 * A signal handler writes events and may interrupt other events at any instruction. All events are
 * recorded completely, and the interrupted code is not affected, including its errno.
 */
#include "witness.h"

UE_TRACEPOINT(in_main, UE_U32(number), UE_STR(s), UE_U64(check));
UE_TRACEPOINT(in_handler, UE_U32(number), UE_STR(s), UE_U64(check));

static volatile uint32_t handled;

static void handler(int number)
{
	handled = handled + 1;
	trace_in_handler(handled, "handler", handled * 7ull);
	errno = EINVAL;
	UE_TRACE(in_handler_too, UE_U32(number, handled));
	if (errno != EINVAL)
		abort();
	errno = 0;
}

static int signals(void *data)
{
	pid_t parent = getppid();

	while (kill(parent, SIGUSR1) == 0)
		sched_yield();
	return 0;
}

TEST(test_signal_handlers_write_while_main_does)
{
	uint32_t wrote = 0, mains = 0, handlers = 0, others = 0;
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };
	char *line;
	pid_t pid;

	sigaction(SIGUSR1, &action, NULL);
	put(instance("buffer_size_kb"), "8192");
	trace_enable("in_main");
	trace_enable("in_handler");
	trace_enable("in_handler_too");
	pid = spawn(signals, NULL);
	while (handled < 200 && wrote < 100000) {
		wrote++;
		trace_in_main(wrote, "main", wrote * 3ull);
		if (wrote % 16 == 0)
			sched_yield(); /* on a busy machine, the sender gets little CPU time */
	}
	kill_child(pid);
	print_message("%u in main, %u in handlers\n", wrote, handled);
	assert_true(handled >= 20);
	assert_int_equal(trace_count("overrun"), 0);
	for (line = strtok(trace_text(), "\n"); line; line = strtok(NULL, "\n")) {
		unsigned int number;
		int length = 0;
		unsigned long long check;

		if (sscanf(line, "in_main: number=%x (%*d) s=main check=%llx (%*d)%n", &number,
			   &check, &length) == 2 &&
		    line[length] == '\0') {
			assert_int_equal(number, ++mains);
			assert_int_equal(check, number * 3ull);
		} else if (sscanf(line, "in_handler: number=%x (%*d) s=handler check=%llx (%*d)%n",
				  &number, &check, &length) == 2 &&
			   line[length] == '\0') {
			assert_int_equal(number, ++handlers);
			assert_int_equal(check, number * 7ull);
		} else if (sscanf(line, "in_handler_too: number=%x", &number) == 1) {
			assert_int_equal(number, ++others);
		} else {
			fail_msg("incomplete line in the trace: %s", line);
		}
	}
	assert_int_equal(mains, wrote);
	assert_int_equal(handlers, handled);
	assert_int_equal(others, handled);
	assert_int_equal(ue_status().failed, 0);
}

KERNEL_TESTS_MAIN
