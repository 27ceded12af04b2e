/* SPDX-License-Identifier: MIT */
/* exec() closes the library's fd and removes all of the program's registrations. */
#define UE_NO_AUTO_REGISTER
#include "witness.h"

static int execute(void *data)
{
	expect(ue_register_all() == 0);
	UE_TRACE(before_exec, UE_U32(a, 1));
	expect(event_exists("before_exec"));
	expect(open_data_fds() == 1);
	execl("/bin/sleep", "sleep", "60", (char *)NULL);
	return 1;
}

TEST(test_exec_leaks_no_fd_and_drops_registrations)
{
	pid_t pid = spawn(execute, NULL);
	char command[64];

	snprintf(command, sizeof(command), "/proc/%d/cmdline", (int)pid);
	wait_for(strcmp(get(command), "sleep") == 0);
	assert_int_equal(fds_of(pid, "user_events"), 0);
	assert_true(fds_of(pid, "") > 0);
	wait_for(!event_exists("before_exec"));
	assert_null(strstr(get("user_events_status"), "before_exec"));
	assert_false(ended(pid));
	kill_child(pid);
}

KERNEL_TESTS_MAIN
