/* SPDX-License-Identifier: MIT */
/*
 * Unloading a library removes its events, closes its fd and removes its enable words. After that,
 * the kernel never writes to the addresses of the words, even if a tracer keeps an event of the
 * same name enabled.
 */
#include "witness.h"

#include <link.h>

#define ROUNDS 100

/* Writable segments of the library, extended to page boundaries. */
struct range {
	const char *name;
	uintptr_t begin, end;
};

static int find_range(struct dl_phdr_info *info, size_t size, void *data)
{
	struct range *range = (struct range *)data;
	int i;

	if (!strstr(info->dlpi_name, range->name))
		return 0;
	for (i = 0; i < info->dlpi_phnum; i++) {
		if (info->dlpi_phdr[i].p_type != PT_LOAD || !(info->dlpi_phdr[i].p_flags & PF_W))
			continue;
		range->begin = (info->dlpi_addr + info->dlpi_phdr[i].p_vaddr) & ~(uintptr_t)4095;
		range->end = (info->dlpi_addr + info->dlpi_phdr[i].p_vaddr +
			      info->dlpi_phdr[i].p_memsz + 4095) &
			     ~(uintptr_t)4095;
	}
	return 1;
}

/*
 * Loads the library, checks its events and closes it, a hundred times. OPENED is the number of
 * user_events_data files that the library opens: one for the declared events and one per run-time
 * event.
 */
static void close_a_hundred_times(const char *name, const char *event, const char *other,
				  unsigned int opened)
{
	unsigned int fds, i;

	/*
	 * load the library once before the test, so that the dynamic linker and libstdc++ have
	 * opened their files
	 */
	dlclose(load(built(name), RTLD_LOCAL).handle);
	fds = open_fds();
	for (i = 0; i < ROUNDS; i++) {
		void *library = load(built(name), RTLD_LOCAL).handle;

		assert_int_equal(open_fds(), fds + opened);
		if (i % 20 == 0) {
			assert_true(event_exists(event));
			assert_true(event_exists(other));
		}
		dlclose(library);
		assert_int_equal(open_fds(), fds);
	}
	/* the kernel removes an event a moment after its last user has exited */
	wait_for(!strstr(get("user_events_status"), "plugin_") && !strstr(text, "runtime_only"));
}

static void writes_nothing_into(const char *name)
{
	struct range range = { name, 0, 0 };
	/* static, because the list still refers to the event after a failed assertion */
	static struct ue_event event;
	void *library = load(built(name), RTLD_LOCAL).handle;
	unsigned char *p;
	size_t i, size;

	assert_int_equal(dl_iterate_phdr(find_range, &range), 1);
	size = range.end - range.begin;
	assert_true(size > 0);
	assert_int_equal(ue_event_register(&event,
					   "plugin_shared __rel_loc char[] from; "
					   "u32 number",
					   0),
			 0);
	trace_enable("plugin_shared");
	dlclose(library);
	p = (unsigned char *)mmap((void *)range.begin, size, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	/* this also fails if the library was not unloaded */
	assert_ptr_equal(p, (void *)range.begin);
	trace_disable("plugin_shared");
	assert_false(ue_event_enabled(&event));
	trace_enable("plugin_shared");
	assert_true(ue_event_enabled(&event));
	trace_disable("plugin_shared");
	for (i = 0; i < size; i++)
		assert_int_equal(p[i], 0);
	memset(p, 0xff, size);
	trace_enable("plugin_shared");
	trace_disable("plugin_shared");
	for (i = 0; i < size; i++)
		assert_int_equal(p[i], 0xff);
	munmap(p, size);
	/* also closes the fd, which would otherwise keep the event in use */
	ue_unregister_all();
}

TEST(test_dlclose_a_hundred_times_leaks_no_fd_and_no_event)
{
	close_a_hundred_times("lib/plugin.so", "plugin_c", "plugin_shared", 1);
}

TEST(test_dlclose_a_hundred_times_unregisters_runtime_events)
{
	close_a_hundred_times("lib/plugin2.so", "plugin_runtime", "plugin_shared", 2);
}

TEST(test_dlclose_kernel_writes_nothing_into_the_unloaded_library)
{
	writes_nothing_into("lib/plugin.so");
	writes_nothing_into("lib/plugin2.so");
}

TEST(test_dlclose_of_a_library_that_declares_nothing)
{
	close_a_hundred_times("lib/runtime_only.so", "runtime_only", "runtime_only", 2);
	close_a_hundred_times("lib/runtime_only_cxx.so", "runtime_only", "runtime_only", 2);
}

/*
 * GCC gives static variables of templates and inline functions unique symbols, which prevent
 * unloading.
 */
TEST(test_dlclose_unloads_a_library_in_cxx)
{
	close_a_hundred_times("lib/plugin_cxx.so", "plugin_template", "plugin_shared", 1);
}

TEST(test_dlclose_kernel_writes_nothing_into_the_library_in_cxx)
{
	writes_nothing_into("lib/plugin_cxx.so");
}

KERNEL_TESTS_MAIN
