/* SPDX-License-Identifier: MIT */
/*
 * Tests when registration happens: before main(), later, repeatedly, or never. Also tests how the
 * library finds tracefs, which messages it reports if tracefs is missing, and the state after
 * fork().
 *
 * This file declares four events. Two of them have the same name but different fields, which
 * ue_status() must report on every kernel with user_events.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "test.h"

#define FAKE_KERNEL_HOOKS
#include "fake_kernel.h"
#include <user_events.h>

UE_TRACEPOINT(life_a, UE_U32(x));
UE_TRACEPOINT(life_b, UE_STR(s));

static void one_twin(void)
{
	UE_TRACE(twins, UE_U32(x, 1));
}

static void other_twin(void)
{
	UE_TRACE(twins, UE_U64(y, 2));
}

enum { DECLARED = 4 };

static struct ue_status at_start;
static unsigned long opens_at_start;

static int unregistered(void **state)
{
	(void)state;
	ue_unregister_all();
	fake_kernel_reset(NULL);
	return 0;
}

static void world_with(struct fake_world world)
{
	ue_unregister_all();
	fake_kernel_reset(&world);
}

static struct fake_world mounted_at(const char *path)
{
	struct fake_world world = fake_world_default();

	world.tracefs = path;
	return world;
}

static void expect_registered(const char *path)
{
	struct ue_status status = ue_status();

	assert_int_equal(status.registered, DECLARED);
	assert_int_equal(fake_kernel_enablers(), DECLARED);
	assert_int_equal(fake_kernel_fds(), 1);
	assert_int_equal(strncmp(status.path, path, sizeof(status.path) - 1), 0);
	assert_true(strlen(path) >= sizeof(status.path) || strcmp(status.path, path) == 0);
	assert_true(status.fd > 2);
}

/*
 * Checks that nothing is registered and that ue_status() reports the first failure with this
 * message.
 */
static void expect_off_with(int error, int reported, const char *sentence)
{
	struct ue_status status = ue_status();

	assert_int_equal(reported, error);
	assert_int_equal(status.error, error);
	assert_int_equal(status.declared, DECLARED);
	assert_int_equal(status.registered, 0);
	assert_int_equal(fake_kernel_enablers(), 0);
	if (!strstr(status.message, sentence))
		fail_msg("unexpected message for error %d: \"%s\"", error, status.message);
	assert_false(trace_life_a_enabled());
	trace_life_a(1);
	trace_life_b("off");
	assert_int_equal(fake_kernel_calls(FAKE_WRITE), 0);
}

static void expect_off(int error, int reported)
{
	expect_off_with(error, reported,
			error == -ENOENT   ? "no tracefs is mounted"
			: error == -EMFILE ? "raise sysctl kernel.user_events_max"
					   : ue_strerror(error));
}

/* ---- Registering, registering again, and not registering ---- */

TEST_SETUP(test_declared_events_are_registered_before_main, unregistered)
{
	assert_int_equal(at_start.declared, DECLARED);
	assert_int_equal(at_start.registered, DECLARED);
	assert_string_equal(at_start.path, "/sys/kernel/tracing/user_events_data");
}

TEST_SETUP(test_all_events_register_through_one_open, unregistered)
{
	assert_int_equal(opens_at_start, 1);
	assert_int_equal(ue_register_all(), 0);
	assert_int_equal(fake_kernel_calls(FAKE_OPEN), 1);
	assert_int_equal(ue_register_all(), 0);
	assert_int_equal(fake_kernel_calls(FAKE_OPEN), 1);
	assert_int_equal(fake_kernel_fds(), 1);
}

TEST_SETUP(test_registered_events_are_not_registered_again, unregistered)
{
	unsigned long calls;

	assert_int_equal(ue_register_all(), 0);
	calls = fake_kernel_calls(FAKE_REG);
	assert_int_equal(ue_register_all(), 0);
	assert_int_equal(fake_kernel_calls(FAKE_REG), calls);
	expect_registered("/sys/kernel/tracing/user_events_data");
}

TEST_SETUP(test_the_fd_is_for_writing_and_closed_by_exec, unregistered)
{
	assert_int_equal(ue_register_all(), 0);
	assert_int_equal(fake_kernel_fd_flags(ue_status().fd) & O_ACCMODE, O_WRONLY);
	assert_int_equal(fake_kernel_fd_flags(ue_status().fd) & 02000000, 02000000);
}

TEST_SETUP(test_unregister_all_leaves_nothing_registered, unregistered)
{
	struct ue_status status;
	int fd;

	assert_int_equal(ue_register_all(), 0);
	fd = ue_status().fd;
	fake_kernel_enable("*", FAKE_OTHER);
	assert_true(trace_life_a_enabled());
	ue_unregister_all();
	assert_int_equal(fake_kernel_enablers(), 0);
	assert_false(trace_life_a_enabled());
	status = ue_status();
	/* keep the file open, so that a concurrent write cannot go to another file */
	assert_int_equal(fake_kernel_fds(), 1);
	assert_int_equal(status.fd, fd);
	assert_int_equal(status.declared, DECLARED);
	assert_int_equal(status.registered, 0);
	assert_int_equal(status.multi, 0);
	ue_unregister_all();
	trace_life_a(1);
	one_twin();
	assert_int_equal(fake_kernel_records(), 0);
}

TEST_SETUP(test_events_registered_again_are_recorded_again, unregistered)
{
	for (unsigned int i = 0; i < 3; i++) {
		assert_int_equal(ue_register_all(), 0);
		if (i == 0)
			fake_kernel_enable("life_a", FAKE_OTHER);
		assert_true(trace_life_a_enabled());
		trace_life_a(i);
		ue_unregister_all();
		trace_life_a(100);
	}
	assert_int_equal(fake_kernel_records(), 3);
	for (uint32_t i = 0; i < 3; i++)
		assert_memory_equal(fake_kernel_record(i)->data, &i, 4);
}

TEST_SETUP(test_register_all_later_picks_up_a_mount, unregistered)
{
	struct fake_world world = mounted_at(NULL);

	world_with(world);
	expect_off(-ENOENT, ue_register_all());
	world = fake_world_default();
	fake_kernel_change(&world);
	assert_int_equal(ue_register_all(), 0);
	expect_registered("/sys/kernel/tracing/user_events_data");
}

TEST_SETUP(test_register_all_later_picks_up_a_permission, unregistered)
{
	struct fake_world world = fake_world_default();

	world.data_errno = EACCES;
	world_with(world);
	expect_off(-EACCES, ue_register_all());
	world.data_errno = 0;
	fake_kernel_change(&world);
	assert_int_equal(ue_register_all(), 0);
	expect_registered("/sys/kernel/tracing/user_events_data");
}

TEST_SETUP(test_register_all_later_picks_up_single_events, unregistered)
{
	struct fake_world world = fake_world_default();

	world.max_events = 1;
	world_with(world);
	assert_true(ue_register_all() < 0);
	assert_int_equal(ue_status().registered, 1);
	world.max_events = 100;
	fake_kernel_change(&world);
	assert_int_equal(ue_register_all(), 0);
	expect_registered("/sys/kernel/tracing/user_events_data");
}

TEST_SETUP(test_one_failing_event_does_not_affect_others, unregistered)
{
	fake_kernel_fail(FAKE_REG, 1, 1, ENOMEM);
	assert_int_equal(ue_register_all(), -ENOMEM);
	assert_int_equal(ue_status().error, -ENOMEM);
	assert_int_equal(ue_status().registered, DECLARED - 1);
	assert_non_null(strstr(ue_status().message, "event \""));
	assert_int_equal(ue_register_all(), 0);
	expect_registered("/sys/kernel/tracing/user_events_data");
}

/* ---- Finding tracefs ---- */

TEST_SETUP(test_tracefs_is_found_below_debugfs, unregistered)
{
	world_with(mounted_at("/sys/kernel/debug/tracing"));
	assert_int_equal(ue_register_all(), 0);
	expect_registered("/sys/kernel/debug/tracing/user_events_data");
}

TEST_SETUP(test_tracefs_is_found_wherever_it_is_mounted, unregistered)
{
	static const char *const points[] = {
		"/t",	      "/mnt/trace",    "/with space",	"/ two  spaces ",
		"/tab\there", "/new\nline",    "/back\\slash",	"/\\040",
		"/hash#",     "/\xc3\xa9\xff", "/a b\tc\\d\ne",
	};
	static const size_t reads[] = { 0, 1, 2, 3, 7, 511 };

	for (size_t i = 0; i < sizeof(points) / sizeof(points[0]); i++) {
		for (size_t k = 0; k < sizeof(reads) / sizeof(reads[0]); k++) {
			struct fake_world world = mounted_at(points[i]);
			char path[256];

			world.read_max = reads[k];
			world_with(world);
			snprintf(path, sizeof(path), "%s/user_events_data", points[i]);
			assert_int_equal(ue_register_all(), 0);
			expect_registered(path);
		}
	}
}

TEST_SETUP(test_all_mounts_are_searched_for_tracefs, unregistered)
{
	static const char first[] =
		"proc /proc proc rw 0 0\n"
		"tracefs /not/tracefs ext4 rw 0 0\n"
		"x tracefs x rw 0 0\n"
		"none /sys/fs/cgroup tracefsx rw 0 0\n"
		"none /gone tracefs rw 0 0\n"
		"fuse /home/fuse.tracefs fuse.tracefs-like-a-very-long-type rw 0 0\n";
	static char mounts[1 << 17];
	size_t n = 0;
	struct fake_world world = mounted_at("/the one");

	n += (size_t)snprintf(mounts, sizeof(mounts), "%s", first);
	for (unsigned int i = 0; i < 500; i++)
		n += (size_t)snprintf(mounts + n, sizeof(mounts) - n,
				      "overlay /var/lib/containers/storage/overlay/%064u/merged "
				      "overlay rw,lowerdir=/l/%u 0 0\n",
				      i, i);
	/*
	 * a line that is longer than one read(), with text in the middle that looks like another
	 * mount
	 */
	n += (size_t)snprintf(mounts + n, sizeof(mounts) - n, "overlay /long overlay rw");
	for (unsigned int i = 0; i < 2000; i++)
		n += (size_t)snprintf(mounts + n, sizeof(mounts) - n, ",tracefs /wrong tracefs ");
	snprintf(mounts + n, sizeof(mounts) - n, "\ntracefs /the\\040one tracefs rw 0 0\n");
	world.mounts = mounts;
	world_with(world);
	assert_int_equal(ue_register_all(), 0);
	expect_registered("/the one/user_events_data");
}

TEST_SETUP(test_a_debugfs_mount_elsewhere_has_its_tracing_directory, unregistered)
{
	struct fake_world world = mounted_at("/d/tracing");

	world.mounts = "none /d debugfs rw 0 0\n";
	world_with(world);
	assert_int_equal(ue_register_all(), 0);
	expect_registered("/d/tracing/user_events_data");
}

TEST_SETUP(test_a_path_has_up_to_511_bytes, unregistered)
{
	static char point[4096], mounts[9000], path[4200];

	for (size_t n = 1; n < 512 - sizeof("/user_events_data"); n++) {
		struct fake_world world;
		int error;

		memset(point, 'p', n);
		point[0] = '/';
		point[n] = '\0';
		snprintf(mounts, sizeof(mounts), "t %s tracefs rw 0 0\nd %s debugfs rw 0 0\n",
			 point, point);
		snprintf(path, sizeof(path), "%s/user_events_data", point);
		world = mounted_at(point);
		world.mounts = mounts;
		world_with(world);
		error = ue_register_all();
		assert_int_equal(error, 0);
		expect_registered(path);
	}
}

TEST_SETUP(test_a_path_over_511_bytes_is_ignored, unregistered)
{
	static char point[600], mounts[700];

	for (size_t n = 512 - strlen("/user_events_data"); n < 530; n++) {
		struct fake_world world = mounted_at("/elsewhere");

		memset(point, 'p', n);
		point[0] = '/';
		point[n] = '\0';
		snprintf(mounts, sizeof(mounts), "t %s tracefs rw 0 0\n", point);
		world.mounts = mounts;
		world_with(world);
		assert_int_equal(ue_register_all(), -ENOENT);
	}
}

TEST_SETUP(test_tracefs_is_not_found_without_a_mounts_file, unregistered)
{
	struct fake_world world = mounted_at("/elsewhere");

	world.mounts_errno = ENOENT;
	world_with(world);
	expect_off(-ENOENT, ue_register_all());
	world.mounts_errno = 0;
	world_with(world);
	fake_kernel_fail(FAKE_READ, 1, 1, EIO);
	expect_off(-ENOENT, ue_register_all());
	assert_int_equal(fake_kernel_calls(FAKE_CLOSE), 1);
}

/* ---- Descriptors inherited from the parent ---- */

TEST_SETUP(test_a_passed_fd_is_used_and_owned_by_the_library, unregistered)
{
	int fd = fake_open("/sys/kernel/tracing/user_events_data", O_RDWR);

	assert_int_equal(ue_use_fd(fd), 0);
	assert_int_equal(ue_register_all(), 0);
	assert_int_equal(fake_kernel_calls(FAKE_OPEN), 1);
	expect_registered("");
	assert_int_equal(ue_status().fd, fd);
	fake_kernel_enable("life_a", FAKE_OTHER);
	trace_life_a(1);
	assert_int_equal(fake_kernel_records(), 1);
	ue_unregister_all();
	assert_int_equal(ue_status().fd, fd);
	assert_int_equal(fake_kernel_fds(), 1);
}

TEST_SETUP(test_a_passed_fd_replaces_an_unused_one, unregistered)
{
	int a = fake_open("/sys/kernel/tracing/user_events_data", O_RDWR);
	int b = fake_open("/sys/kernel/tracing/user_events_data", O_RDWR);

	assert_int_equal(ue_use_fd(a), 0);
	assert_int_equal(ue_use_fd(a), 0);
	assert_int_equal(fake_kernel_fds(), 2);
	assert_int_equal(ue_use_fd(b), 0);
	assert_int_equal(fake_kernel_fds(), 1);
	assert_int_equal(ue_register_all(), 0);
	assert_int_equal(ue_status().fd, b);
}

TEST_SETUP(test_a_passed_fd_is_rejected_if_negative_or_too_late, unregistered)
{
	int fd;

	assert_int_equal(ue_use_fd(-1), -EBADF);
	assert_int_equal(ue_register_all(), 0);
	fd = ue_status().fd;
	assert_int_equal(ue_use_fd(fd), -EBUSY);
	assert_int_equal(ue_use_fd(12345), -EBUSY);
	assert_int_equal(ue_use_fd(-1), -EBUSY);
	expect_registered("/sys/kernel/tracing/user_events_data");
	ue_unregister_all();
	assert_int_equal(ue_use_fd(-1), -EBADF);
	assert_int_equal(ue_register_all(), 0);
	expect_registered("/sys/kernel/tracing/user_events_data");
}

/* ---- Names that other processes already use ---- */

TEST_SETUP(test_a_name_in_use_with_other_fields_becomes_multi_format, unregistered)
{
	assert_int_equal(fake_kernel_other_register("life_a u64 y", 0), 0);
	assert_int_equal(ue_register_all(), 0);
	expect_registered("/sys/kernel/tracing/user_events_data");
	assert_int_equal(ue_status().multi, 2); /* includes the event declared twice */
	assert_int_equal(fake_kernel_enable("user_events_multi:life_a.*", FAKE_OTHER), 1);
	trace_life_a(77);
	assert_int_equal(fake_kernel_records(), 1);
	assert_int_equal(fake_kernel_record(0)->size, 4);
}

TEST_SETUP(test_a_name_in_use_with_the_same_fields_is_shared, unregistered)
{
	assert_int_equal(fake_kernel_other_register("life_a u32 x", 0), 0);
	assert_int_equal(fake_kernel_other_register("life_b __rel_loc char[] s", 0), 0);
	assert_int_equal(ue_register_all(), 0);
	assert_int_equal(ue_status().multi, 1); /* only the event declared twice */
	assert_int_equal(fake_kernel_enable("life_a", FAKE_OTHER), 1);
	assert_true(trace_life_a_enabled());
}

TEST_SETUP(test_a_name_in_use_without_multi_format_support_is_EADDRINUSE, unregistered)
{
	struct fake_world world = fake_world_default();

	world.known_flags = FAKE_REG_PERSIST;
	world_with(world);
	assert_int_equal(fake_kernel_other_register("life_a u64 y", 0), 0);
	assert_int_equal(fake_kernel_other_register("twins u8 z", 0), 0);
	assert_int_equal(ue_register_all(), -EADDRINUSE);
	assert_int_equal(ue_status().registered, 1);
	assert_non_null(strstr(ue_status().message, ue_strerror(EADDRINUSE)));
	fake_kernel_other_exit("life_a");
	ue_register_all();
	assert_int_equal(ue_status().registered, 2);
}

/*
 * The declared event is not affected. The program registers the other event at run time, so the
 * message contains no advice about declarations.
 */
TEST_SETUP(test_a_run_time_event_of_a_declared_name_becomes_multi_format, unregistered)
{
	static struct ue_event event;
	char before[sizeof(ue_status().message)];

	assert_int_equal(ue_register_all(), 0);
	memcpy(before, ue_status().message, sizeof(before));
	assert_int_equal(ue_event_register(&event, "life_a u64 y", 0), 0);
	assert_int_equal(ue_status().multi, 2); /* includes the event declared twice */
	assert_string_equal(ue_status().message, before);
	assert_int_equal(ue_event_unregister(&event), 0);
}

TEST_SETUP(test_two_sites_of_one_name_with_other_fields_are_multi_format, unregistered)
{
	assert_int_equal(ue_register_all(), 0);
	assert_int_equal(ue_status().multi, 1);
	fake_kernel_enable("*", FAKE_OTHER);
	one_twin();
	other_twin();
	assert_int_equal(fake_kernel_records(), 2);
	assert_int_equal(fake_kernel_record(0)->size, 4);
	assert_int_equal(fake_kernel_record(1)->size, 8);
}

/* ---- Kernels and machines without user_events ---- */

TEST_SETUP(test_a_kernel_without_user_events_is_EOPNOTSUPP, unregistered)
{
	struct fake_world world = fake_world_default();

	world.data_errno = ENOENT;
	world_with(world);
	expect_off(-EOPNOTSUPP, ue_register_all());
}

TEST_SETUP(test_a_32_bit_program_on_a_64_bit_kernel_is_ENOTTY, unregistered)
{
	struct fake_world world = fake_world_default();

	world.compat = true;
	world_with(world);
	expect_off(-ENOTTY, ue_register_all());
}

TEST_SETUP(test_too_many_events_is_EMFILE, unregistered)
{
	struct fake_world world = fake_world_default();

	world.max_events = 0;
	world_with(world);
	expect_off(-EMFILE, ue_register_all());
}

TEST_SETUP(test_no_permission_for_the_directory_is_EACCES, unregistered)
{
	struct fake_world world = fake_world_default();

	world.denied = "/sys/kernel";
	world_with(world);
	expect_off(-EACCES, ue_register_all());
}

/* Each message states the cause and the remedy of one failure, and mentions no other cause. */
TEST_SETUP(test_each_open_failure_has_its_own_message, unregistered)
{
	static const struct {
		int error;
		const char *sentence, *remedy, *another;
	} table[] = {
		{ EROFS, "mounted read-only", "remount,rw", "unexpected" },
		{ EPERM, "policy", "ue_use_fd()", "persistent" },
		{ EACCES, "no permission", "chgrp", "CAP_PERFMON" },
		{ EMFILE, "open files", "ulimit -n", "user_events_max" },
		{ ENFILE, "open files", "fs.file-max", "user_events_max" },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct fake_world world = fake_world_default();

		world.data_errno = table[i].error;
		world_with(world);
		expect_off_with(-table[i].error, ue_register_all(), table[i].sentence);
		assert_non_null(strstr(ue_status().message, table[i].remedy));
		assert_null(strstr(ue_status().message, table[i].another));
	}
}

/*
 * If the file does not belong to the kernel, the message must not blame a 32-bit program on a
 * 64-bit kernel.
 */
TEST_SETUP(test_a_passed_fd_of_another_file_is_reported, unregistered)
{
	int fd = fake_open("/sys/kernel/tracing/user_events_status", O_RDONLY);

	assert_int_equal(ue_use_fd(fd), 0);
	assert_int_equal(ue_register_all(), -ENOTTY);
	assert_non_null(strstr(ue_status().message, "not user_events_data"));
}

static unsigned long reads_at(const char *denied, int (*start)(void), int error)
{
	struct fake_world world = fake_world_default();

	world.denied = denied;
	world_with(world);
	fake_kernel_clear_calls();
	assert_int_equal(start(), error);
	return fake_kernel_calls(FAKE_READ);
}

static int as_at_start(void)
{
	ue_unregister_all();
	ue__state_v1.flags = 0;
	ue__start();
	return ue_status().error;
}

static int with_an_event(void)
{
	static struct ue_event event;
	int error = ue_event_register(&event, "no_mounts u32 x", 0);

	ue_event_unregister(&event);
	return error;
}

TEST_SETUP(test_the_mounts_are_not_read_if_tracefs_is_at_the_usual_path, unregistered)
{
	struct fake_world world = fake_world_default();

	assert_int_equal(reads_at("/sys/kernel/tracing", as_at_start, -EACCES), 0);
	assert_int_equal(reads_at("/sys/kernel/tracing", with_an_event, -EACCES), 0);
	assert_int_equal(reads_at(NULL, with_an_event, 0), 0);
	assert_int_equal(reads_at("/sys/kernel/tracing", ue_register_all, -EACCES), 0);
	world.data_errno = ENOENT;
	world_with(world);
	fake_kernel_clear_calls();
	assert_int_equal(as_at_start(), -EOPNOTSUPP);
	assert_int_equal(fake_kernel_calls(FAKE_READ), 0);
}

TEST_SETUP(test_the_mounts_are_read_in_large_pieces, unregistered)
{
	static char mounts[16000];
	struct fake_world world = mounted_at("/t");
	size_t n = 0;

	while (n < sizeof(mounts) - 100)
		n += (size_t)snprintf(mounts + n, 100, "overlay /var/lib/%zu overlay rw 0 0\n", n);
	snprintf(mounts + n, 100, "t /t tracefs rw 0 0\n");
	world.mounts = mounts;
	world_with(world);
	fake_kernel_clear_calls();
	assert_int_equal(ue_register_all(), 0);
	assert_in_range(fake_kernel_calls(FAKE_READ), 1, 4);
}

TEST_SETUP(test_errno_is_untouched_by_registering, unregistered)
{
	errno = 4711;
	fake_kernel_fail(FAKE_REG, 1, 2, ENOMEM);
	ue_register_all();
	ue_register_all();
	ue_unregister_all();
	ue_status();
	world_with(mounted_at(NULL));
	errno = 4711;
	ue_register_all();
	assert_int_equal(errno, 4711);
}

TEST_SETUP(test_each_failure_has_a_message_with_its_remedy, unregistered)
{
	static const struct {
		int error;
		const char *remedy;
	} table[] = {
		{ ENOENT, "mount -t tracefs" },
		{ EOPNOTSUPP, "CONFIG_USER_EVENTS" },
		{ EACCES, "chgrp" },
		{ EPERM, "CAP_PERFMON" },
		{ ENOTTY, sizeof(void *) < 8 ? "64 bits" : "ue_use_fd()" },
		{ EADDRINUSE, "rename" },
		{ EMFILE, "user_events_max" },
		{ EALREADY, "unregister" },
		{ EBUSY, "unregister" },
		{ EINVAL, "UE_LOG" },
		{ EFAULT, "NUL" },
		{ ENOSYS, "UE_DISABLE" },
		{ ENOSPC, "buffer" },
		{ EROFS, "remount,rw" },
		{ EBADF, "fd" },
		{ 0, "no error" },
		{ 4095, "errno" },
		{ INT32_MAX, "errno" },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		assert_non_null(strstr(ue_strerror(table[i].error), table[i].remedy));
		assert_ptr_equal(ue_strerror(-table[i].error), ue_strerror(table[i].error));
		for (size_t k = 0; k < i && table[i].error < 4095; k++)
			assert_string_not_equal(ue_strerror(table[i].error),
						ue_strerror(table[k].error));
	}
	assert_non_null(ue_strerror(INT32_MIN));
}

TEST_SETUP(test_a_message_fits_in_its_buffer, unregistered)
{
	static char name[501], spec[1100];
	static struct ue_event event;
	struct ue_status status;

	memset(name, 'n', 500);
	snprintf(spec, sizeof(spec), "%s u8 %s", name, name);
	ue_register_all();
	assert_int_equal(ue_event_register(&event, spec, 0), -EINVAL);
	status = ue_status();
	assert_non_null(memchr(status.message, 0, sizeof(status.message)));
}

/* ---- Fork ---- */

static int in_child(int (*function)(void))
{
	int status;
	pid_t child;

	fflush(NULL);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		alarm(20);
		_exit(function());
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static int child_writes_and_ends(void)
{
	fake_kernel_clear_records();
	trace_life_a(2);
	if (fake_kernel_records() != 1 || ue_status().registered != DECLARED)
		return 1;
	ue_unregister_all();
	trace_life_a(3);
	if (fake_kernel_records() != 1 || fake_kernel_enablers() != 0)
		return 2;
	if (ue_register_all() != 0 || !trace_life_a_enabled())
		return 3;
	trace_life_a(4);
	return fake_kernel_records() == 2 ? 0 : 4;
}

TEST_SETUP(test_both_processes_write_events_after_a_fork, unregistered)
{
	assert_int_equal(ue_register_all(), 0);
	fake_kernel_enable("life_a", FAKE_OTHER);
	assert_int_equal(in_child(child_writes_and_ends), 0);
	trace_life_a(5);
	assert_int_equal(fake_kernel_records(), 1);
	expect_registered("/sys/kernel/tracing/user_events_data");
}

static bool stop;

static void *registers_all_the_time(void *argument)
{
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		ue_register_all();
		ue_unregister_all();
	}
	return argument;
}

/*
 * If another thread was writing an event during fork(), the event may stay disabled in the
 * child.
 */
static int child_registers(void)
{
	ue_unregister_all();
	ue_register_all();
	return ue_status().registered >= DECLARED - 1 ? 0 : 1;
}

TEST_SETUP(test_a_fork_during_registration_leaves_the_lock_free, unregistered)
{
	pthread_t thread;

	__atomic_store_n(&stop, false, __ATOMIC_RELAXED);
	assert_int_equal(pthread_create(&thread, NULL, registers_all_the_time, NULL), 0);
	for (unsigned int i = 0; i < 200; i++)
		assert_int_equal(in_child(child_registers), 0);
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
}

static int child_finds_the_lock_held(int holder)
{
	__atomic_store_n(&ue__state_v1.lock, holder, __ATOMIC_RELAXED);
	if (ue_status().registered != DECLARED || ue__state_v1.lock != 0)
		return 1;
	__atomic_store_n(&ue__state_v1.lock, holder, __ATOMIC_RELAXED);
	trace_life_a(6); /* events are written without waiting for the lock */
	ue_unregister_all();
	return ue_status().registered ? 2 : 0;
}

/* Uses a thread ID that no thread can have. */
static int child_has_not_that_thread(void)
{
	return child_finds_the_lock_held(0x3fffffff);
}

/*
 * Simulates the first process in a new PID namespace. Its parent is the first process in another
 * namespace, so both have the same PID.
 */
static int child_is_that_thread(void)
{
	return child_finds_the_lock_held((int)syscall(SYS_gettid));
}

TEST_SETUP(test_a_child_takes_over_a_lock_held_by_a_parent_thread, unregistered)
{
	assert_int_equal(ue_register_all(), 0);
	assert_int_equal(in_child(child_has_not_that_thread), 0);
	assert_int_equal(in_child(child_is_that_thread), 0);
}

int main(void)
{
	at_start = ue_status();
	opens_at_start = fake_kernel_calls(FAKE_OPEN);
	return run_all_tests(NULL, NULL);
}
