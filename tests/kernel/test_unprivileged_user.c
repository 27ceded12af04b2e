/* SPDX-License-Identifier: MIT */
/*
 * If the user lacks permission, the program runs with its events disabled, and ue_status() explains
 * what to do. The test then follows this advice: it gives a group access to the tracing directory
 * (x) and to user_events_data (rw).
 */
#define UE_NO_AUTO_REGISTER
#include "witness.h"

#define TRACERS 4242

UE_TRACEPOINT(unprivileged, UE_U32(uid));

static unsigned int evaluated;

static uint32_t evaluate(void)
{
	evaluated++;
	return getuid();
}

static int runs_on(void *data)
{
	struct ue_status status;
	struct ue_event event = { 0 };
	uint32_t value = 1;

	expect(become_nobody(0) == 0);
	errno = E2BIG;
	expect(ue_register_all() == -EACCES);
	UE_TRACE(unprivileged_too, UE_U32(uid, evaluate()));
	trace_unprivileged(1);
	expect(ue_event_register(&event, "unprivileged_runtime u32 a", 0) == -EACCES);
	expect(ue_event_write(&event, &value, sizeof(value)) == 0);
	expect(errno == E2BIG);
	expect(evaluated == 0);
	status = ue_status();
	expect(status.fd == -1 && status.registered == 0 && status.runtime == 0);
	expect(status.declared == 2 && status.error == -EACCES && status.failed == 0);
	expect(strstr(status.message, "no permission"));
	expect(strstr(status.message, "chgrp") && strstr(status.message, "chmod"));
	ue_unregister_all();
	return 0;
}

TEST(test_unprivileged_program_runs_and_reports_the_remedy)
{
	join(spawn(runs_on, NULL));
}

static int works(void *data)
{
	expect(become_nobody(TRACERS) == 0);
	expect(ue_register_all() == 0);
	expect(wait_until_traced(trace_unprivileged_enabled));
	trace_unprivileged(getuid());
	expect(ue_status().failed == 0 && ue_status().error == 0);
	return 0;
}

TEST(test_unprivileged_user_can_trace_with_group_permissions)
{
	pid_t pid;

	assert_int_equal(chown(TRACEFS, 0, TRACERS), 0);
	assert_int_equal(chmod(TRACEFS, 0710), 0);
	assert_int_equal(chown(TRACEFS "/user_events_data", 0, TRACERS), 0);
	assert_int_equal(chmod(TRACEFS "/user_events_data", 0660), 0);
	pid = spawn(works, NULL);
	wait_for(event_exists("unprivileged") || ended(pid));
	trace_enable_for("unprivileged", pid);
	join(pid);
	assert_traced("unprivileged: uid=0xfffe (65534)");
}

static int picks_up(void *data)
{
	expect(become_nobody(TRACERS) == 0);
	expect(ue_register_all() == -EACCES);
	raise(SIGSTOP);
	expect(ue_register_all() == 0);
	expect(ue_status().error == 0 && ue_status().registered == 2);
	return 0;
}

TEST(test_unprivileged_user_picks_up_a_permission_granted_later)
{
	pid_t pid;

	assert_int_equal(chmod(TRACEFS "/user_events_data", 0600), 0);
	pid = spawn(picks_up, NULL);
	assert_int_equal(waitpid(pid, NULL, WUNTRACED), pid);
	assert_int_equal(chmod(TRACEFS "/user_events_data", 0660), 0);
	kill(pid, SIGCONT);
	join(pid);
}

static int restore(void **state)
{
	if (chown(TRACEFS "/user_events_data", 0, 0) || chmod(TRACEFS "/user_events_data", 0640) ||
	    chown(TRACEFS, 0, 0) || chmod(TRACEFS, 0700))
		return -1;
	return group_end(state);
}

TESTS_MAIN_WITH(group_begin, restore)
