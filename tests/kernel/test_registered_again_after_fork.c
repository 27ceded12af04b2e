/* SPDX-License-Identifier: MIT */
/*
 * An event that was unregistered can be registered again immediately, even after a fork. After a
 * fork, the enable word may be in a copy-on-write page. In this case, the kernel keeps the word in
 * its list until it has written to the page (Linux 6.12). The same applies if a library is closed
 * and loaded again at the same address.
 */
#include "witness.h"

enum { ROUNDS = 200 };

/*
 * Returns an event that has a page to itself, so that only the kernel writes to the page between
 * the fork and the next registration.
 */
static struct ue_event *event_in_a_page(void)
{
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(page, MAP_FAILED);
	return (struct ue_event *)page;
}

static int waits_for_end(void *data)
{
	char c;

	return read(*(int *)data, &c, 1) == 0 ? 0 : 1;
}

TEST(test_event_is_registered_again_after_a_fork)
{
	struct ue_event *event = event_in_a_page();
	int i, refused = 0, fds[2];

	for (i = 0; i < ROUNDS; i++) {
		pid_t child;

		assert_int_equal(ue_event_register(event, "again u32 a", 0), 0);
		assert_int_equal(pipe(fds), 0);
		child = fork();
		if (child == 0) {
			close(fds[1]);
			_exit(waits_for_end(&fds[0]));
		}
		trace_enable("again");
		assert_int_equal(ue_event_unregister(event), 0);
		if (ue_event_register(event, "again u32 a", 0) < 0) {
			refused++;
			if (refused == 1)
				print_message("%s\n", ue_status().message);
		}
		assert_true(refused || ue_event_enabled(event));
		ue_event_unregister(event);
		trace_disable("again");
		close(fds[0]);
		close(fds[1]);
		assert_int_equal(waitpid(child, NULL, 0), child);
	}
	assert_int_equal(refused, 0);
	munmap(event, 4096);
}

TEST(test_reloaded_library_registers_its_events_after_a_fork)
{
	int i, fds[2], at_its_old_address = 0;

	for (i = 0; i < ROUNDS / 4; i++) {
		struct library library = load(built("lib/plugin.so"), RTLD_LOCAL);
		void (*before)(uint32_t) = library.write;
		struct ue_status status;
		pid_t child;

		assert_int_equal(pipe(fds), 0);
		child = fork();
		if (child == 0) {
			close(fds[1]);
			_exit(waits_for_end(&fds[0]));
		}
		trace_enable("plugin_c");
		trace_enable("plugin_shared");
		dlclose(library.handle);
		library = load(built("lib/plugin.so"), RTLD_LOCAL);
		at_its_old_address += library.write == before;
		status = library.status();
		if (status.error)
			fail_msg("round %d: %s", i, status.message);
		assert_int_equal(status.registered, 2);
		trace_disable("plugin_c");
		trace_disable("plugin_shared");
		dlclose(library.handle);
		close(fds[0]);
		close(fds[1]);
		assert_int_equal(waitpid(child, NULL, 0), child);
	}
	assert_true(at_its_old_address > 0);
}

KERNEL_TESTS_MAIN
