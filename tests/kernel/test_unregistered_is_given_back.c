/* SPDX-License-Identifier: MIT */
/*
 * Soon after ue_event_unregister(), the kernel must have released the event's slot, its name, and
 * every reference that prevents its deletion.
 */
#include "witness.h"

#define MAX "/proc/sys/kernel/user_events_max"

TEST(test_events_can_be_registered_and_unregistered_endlessly)
{
	unsigned int i, before = active_events();
	struct rlimit limits, many = { 1 << 20, 1 << 20 };
	struct ue_event event = { 0 };
	char old[32], limit[32], spec[64];

	snprintf(old, sizeof(old), "%d", atoi(get(MAX)));
	snprintf(limit, sizeof(limit), "%u", before + 200);
	put(MAX, limit);
	getrlimit(RLIMIT_NOFILE, &limits);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &many), 0);
	for (i = 0; i < 3000; i++) {
		int error = -EMFILE, tries = 0;

		snprintf(spec, sizeof(spec), "pair_%u u32 number", i);
		/* the kernel frees the slot with a delay */
		while (error == -EMFILE && tries++ < 1000) {
			error = ue_event_register(&event, spec, 0);
			if (error)
				usleep(1000);
		}
		if (error) {
			put(MAX, old);
			fail_msg("pair %u: %d, %s", i, error, ue_status().message);
		}
		assert_int_equal(ue_event_write(&event, &i, sizeof(i)), 0);
		assert_in_range(event.fd, 1, 4096);
		assert_int_equal(ue_event_unregister(&event), 0);
	}
	setrlimit(RLIMIT_NOFILE, &limits);
	put(MAX, old);
	wait_for(active_events() == before);
}

TEST(test_a_persistent_event_can_be_deleted_shortly_after)
{
	struct ue_event event = { 0 };
	unsigned int i;

	for (i = 0; i < 20; i++) {
		assert_int_equal(ue_event_register(&event, "at_once u32 number", UE_PERSIST), 0);
		assert_int_equal(ue_event_delete("at_once"), -EBUSY);
		assert_int_equal(ue_event_unregister(&event), 0);
		wait_for(ue_event_delete("at_once") == 0);
		assert_int_equal(ue_event_delete("at_once"), -ENOENT);
	}
}

TEST(test_a_name_is_registered_again_with_other_fields)
{
	static const char *const specs[] = { "again u32 a", "again u64 b", "again char[8] c" };
	struct ue_event event = { 0 };
	unsigned int i, before = active_events();

	for (i = 0; i < 30; i++) {
		assert_int_equal(ue_event_register(&event, specs[i % 3], 0), 0);
		assert_int_equal(ue_status().multi, 0);
		trace_enable("again");
		assert_int_equal(ue_event_write(&event, "12345678", i % 3 ? 8 : 4), 0);
		trace_disable("again");
		assert_int_equal(count_of(trace_text(), "again: "), 1);
		trace_clear();
		assert_int_equal(ue_event_unregister(&event), 0);
		wait_for(active_events() == before);
	}
	assert_int_equal(ue_status().failed, 0);
}

static struct ue_event_set set;

/*
 * If the program closes all its fds, the library must also reopen the files of run-time events and
 * event sets.
 */
static int is_found_again(void *data)
{
	struct ue_event event = { 0 };
	uint32_t i;

	memset(&set, 0, sizeof(set));
	expect(ue_event_register(&event, "found_again u32 a", 0) == 0);
	expect(ue_event_set_register(&set, "FoundAgain", 4, 1, NULL) == 0);
	trace_enable("found_again");
	trace_enable("FoundAgain_L4K1");
	expect(syscall(SYS_close_range, 3, ~0U, 0) == 0);
	for (i = 0; i < 10; i++) {
		expect(ue_event_write(&event, &i, sizeof(i)) == 0);
		UE_LOG(set, "logged", UE_U32(x, 5));
	}
	/* the first event whose file is closed makes the library reopen all files */
	expect(ue_status().lost == 1 && ue_status().failed == 0);
	expect(ue_event_unregister(&event) == 0);
	expect(ue_event_set_unregister(&set) == 0);
	expect(open_data_fds() == (ue_status().fd >= 0));
	return 0;
}

TEST(test_a_run_time_event_survives_closed_descriptors)
{
	trace_clear();
	join(spawn(is_found_again, NULL));
	assert_int_equal(count_of(trace_text(), "found_again: "), 9);
	assert_int_equal(count_of(text, "FoundAgain_L4K1: "), 10);
	assert_line("found_again: a=0x9 (9)");
}

/*
 * If descriptors are scarce, most run-time events share one file. All events work, but their slots
 * are not freed individually.
 */
static int shares(void *data)
{
	struct rlimit limit = { 64, 64 };
	struct ue_event event[40] = { { 0 } };
	uint32_t i;

	ue_unregister_all();
	expect(setrlimit(RLIMIT_NOFILE, &limit) == 0 && setuid(NOBODY) == 0);
	for (i = 0; i < 40; i++) {
		char spec[32];

		snprintf(spec, sizeof(spec), "shares_%u u32 a", i);
		expect(ue_event_register(&event[i], spec, 0) == 0);
	}
	/* number of files: the shared file, and one per fd in the upper eighth of the range */
	expect(open_data_fds() <= 9);
	for (i = 0; i < 40; i++)
		expect(ue_event_write(&event[i], &i, sizeof(i)) == 0);
	for (i = 0; i < 40; i++)
		expect(ue_event_unregister(&event[i]) == 0);
	return 0;
}

TEST(test_events_share_a_file_if_descriptors_are_scarce)
{
	assert_int_equal(chmod("/sys/kernel/tracing", 0755), 0);
	assert_int_equal(chmod("/sys/kernel/tracing/user_events_data", 0666), 0);
	join(spawn(shares, NULL));
}

KERNEL_TESTS_MAIN
