/* SPDX-License-Identifier: MIT */
/*
 * The library finds tracefs at any mount point, even if its path contains spaces. If tracefs is
 * mounted after the program has started, ue_register_all() finds it. Without tracefs, the program
 * runs normally and ue_status() reports the reason. Each test runs in a separate mount namespace.
 */
#define UE_NO_AUTO_REGISTER
#include "witness.h"

UE_TRACEPOINT(elsewhere, UE_STR(path));

/* Enters a mount namespace in which tracefs is not mounted, not even below debugfs. */
static int without_tracefs(void)
{
	if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return -1;
	while (umount2("/sys/kernel/debug/tracing", MNT_DETACH) == 0)
		;
	umount2("/sys/kernel/debug", MNT_DETACH);
	return umount2("/sys/kernel/tracing", MNT_DETACH);
}

/*
 * Checks that the library finds tracefs at this path. The parent process, which sees the original
 * tracefs, enables the event.
 */
static int found_in(const char *directory)
{
	char want[256];

	snprintf(want, sizeof(want), "%s/user_events_data", directory);
	expect(ue_register_all() == 0);
	expect(strcmp(ue_status().path, want) == 0);
	expect(wait_until_traced(trace_elsewhere_enabled));
	trace_elsewhere(ue_status().path);
	expect(ue_status().failed == 0 && ue_status().lost == 0);
	return 0;
}

static int mounted_at(void *data)
{
	const char *where = (const char *)data;

	expect(without_tracefs() == 0);
	expect(mkdir(where, 0700) == 0 || errno == EEXIST);
	expect(mount("tracefs", where, "tracefs", 0, NULL) == 0);
	return found_in(where);
}

static int by_debugfs(void *data)
{
	expect(without_tracefs() == 0);
	expect(mkdir("/tmp/debug fs", 0700) == 0 || errno == EEXIST);
	expect(mount("debugfs", "/tmp/debug fs", "debugfs", 0, NULL) == 0);
	return found_in("/tmp/debug fs/tracing");
}

static int bound(void *data)
{
	expect(unshare(CLONE_NEWNS) == 0);
	expect(mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0);
	expect(mkdir("/tmp/bound\tto here", 0700) == 0 || errno == EEXIST);
	expect(mount(TRACEFS, "/tmp/bound\tto here", NULL, MS_BIND, NULL) == 0);
	umount2("/sys/kernel/debug", MNT_DETACH);
	expect(umount2(TRACEFS, MNT_DETACH) == 0);
	return found_in("/tmp/bound\tto here");
}

static int mounted_late(void *data)
{
	expect(without_tracefs() == 0);
	expect(ue_register_all() == -ENOENT);
	expect(strstr(ue_status().message, "mount -t tracefs"));
	expect(ue_status().fd == -1);
	trace_elsewhere("nowhere");
	expect(ue_register_all() == -ENOENT);
	expect(mount("tracefs", TRACEFS, "tracefs", 0, NULL) == 0);
	expect(ue_register_all() == 0);
	expect(ue_status().error == 0 && ue_status().registered == 1);
	return found_in(TRACEFS);
}

static void recorded_of(int (*child)(void *), const char *data, const char *path)
{
	char want[256];
	pid_t pid = spawn(child, (void *)(uintptr_t)data);

	wait_for(event_exists("elsewhere") || ended(pid));
	if (event_exists("elsewhere"))
		trace_enable_for("elsewhere", pid);
	join(pid);
	snprintf(want, sizeof(want), "elsewhere: path=%s/user_events_data", path);
	assert_traced(want);
	trace_disable("elsewhere");
	trace_clear();
	wait_for(!event_exists("elsewhere"));
}

TEST(test_tracefs_mounted_elsewhere_is_found)
{
	recorded_of(mounted_at, "/tmp/tracing", "/tmp/tracing");
}

TEST(test_tracefs_mounted_at_a_path_with_spaces_is_found)
{
	recorded_of(mounted_at, "/tmp/trace fs", "/tmp/trace fs");
	recorded_of(mounted_at, "/tmp/ends in a blank ", "/tmp/ends in a blank ");
	recorded_of(mounted_at, "/tmp/back\\slash", "/tmp/back\\slash");
}

TEST(test_bind_mounted_tracefs_is_found)
{
	recorded_of(bound, NULL, "/tmp/bound\tto here");
}

TEST(test_tracefs_below_debugfs_at_another_path_is_found)
{
	recorded_of(by_debugfs, NULL, "/tmp/debug fs/tracing");
}

TEST(test_tracefs_mounted_later_is_found_by_register_all)
{
	recorded_of(mounted_late, NULL, TRACEFS);
}

KERNEL_TESTS_MAIN
