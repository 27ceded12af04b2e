/* SPDX-License-Identifier: MIT */
/* A program that is executed inherits no fd of the library and leaves no registration behind. */
#define UE_NO_AUTO_REGISTER
#include "witness.h"

static int execute(void *data)
{
	const int *fds = (const int *)data;

	expect(ue_register_all() == 0);
	UE_TRACE(before_exec, UE_U32(a, 1));
	expect(event_exists("before_exec"));
	expect(open_data_fds() == 1);
	expect(dup2(fds[1], 1) == 1);
	close(fds[0]);
	close(fds[1]);
	/* the shell waits, so that the parent can look at what is registered */
	execl("/bin/sh", "sh", "-c", "ls -l /proc/self/fd; echo ---; exec sleep 60", (char *)NULL);
	return 1;
}

TEST(test_exec_leaks_no_fd_and_drops_registrations)
{
	char list[4096];
	size_t n = 0;
	ssize_t got;
	int fds[2];
	pid_t pid;

	assert_int_equal(pipe(fds), 0);
	pid = spawn(execute, fds);
	close(fds[1]);
	do {
		got = read(fds[0], list + n, sizeof(list) - 1 - n);
		assert_true(got > 0);
		n += (size_t)got;
		list[n] = '\0';
	} while (!strstr(list, "---"));
	close(fds[0]);
	assert_null(strstr(list, "user_events"));
	assert_contains(list, " 1 -> ");
	assert_int_equal(kill(pid, 0), 0);
	wait_for(!event_exists("before_exec"));
	get("user_events_status");
	assert_null(strstr(text, "before_exec"));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

KERNEL_TESTS_MAIN
