/* SPDX-License-Identifier: MIT */
/*
 * A child process without privileges registers and writes events through an fd that its parent
 * opened. The child runs in an empty chroot or has no access to tracefs.
 */
#define UE_NO_AUTO_REGISTER
#include "witness.h"

UE_TRACEPOINT(sandboxed, UE_STR(where), UE_U32(uid));

/* Registers an event through FD, waits until the event is enabled, and writes it. */
static int use(int fd, const char *where)
{
	expect(ue_register_all() < 0);
	expect(!trace_sandboxed_enabled());
	expect(ue_use_fd(fd) == 0);
	expect(ue_register_all() == 0);
	expect(ue_status().registered == 1 && ue_status().fd >= 0 && !ue_status().path[0]);
	expect(ue_use_fd(fd) == -EBUSY);
	expect(wait_until_traced(trace_sandboxed_enabled));
	trace_sandboxed(where, getuid());
	expect(ue_status().failed == 0);
	return 0;
}

static int in_chroot(void *data)
{
	char directory[] = "/tmp/ue-chroot-XXXXXX";

	expect(mkdtemp(directory));
	expect(chroot(directory) == 0 && chdir("/") == 0);
	expect(become_nobody(0) == 0);
	expect(access("/proc", F_OK) < 0);
	return use(*(int *)data, "chroot");
}

static int unprivileged(void *data)
{
	expect(become_nobody(0) == 0);
	expect(open(TRACEFS "/user_events_data", O_RDWR) < 0);
	return use(*(int *)data, "no permission");
}

static void runs_with_a_passed_fd(int (*child)(void *), const char *line)
{
	int fd = open(TRACEFS "/user_events_data", O_RDWR | O_CLOEXEC);
	pid_t pid;

	assert_true(fd >= 0);
	trace_clear();
	pid = spawn(child, &fd);
	close(fd);
	wait_for(event_exists("sandboxed") || ended(pid));
	trace_enable_for("sandboxed", pid);
	join(pid);
	assert_traced(line);
}

TEST(test_sandbox_in_a_chroot_uses_a_passed_fd)
{
	runs_with_a_passed_fd(in_chroot, "sandboxed: where=chroot uid=0xfffe (65534)");
}

TEST(test_sandbox_without_permission_uses_a_passed_fd)
{
	runs_with_a_passed_fd(unprivileged, "sandboxed: where=no permission uid=0xfffe (65534)");
}

KERNEL_TESTS_MAIN
