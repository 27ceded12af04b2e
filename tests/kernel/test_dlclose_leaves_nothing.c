/* SPDX-License-Identifier: MIT */
/*
 * A library that is unloaded takes its events, its fd and its enable words with it: the kernel
 * never writes to where they were, though a tracer goes on with an event of that name.
 */
#include "witness.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>

#define ROUNDS 100

/* Where the library's writable segments are, in whole pages. */
struct range {
	const char *name;
	uintptr_t begin, end;
};

static int find_range(struct dl_phdr_info *info, size_t size, void *data)
{
	struct range *range = (struct range *)data;
	int i;

	(void)size;
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

static void *load(const char *name, uint32_t number)
{
	void *library = dlopen(built(name), RTLD_NOW | RTLD_LOCAL);
	void (*plugin_write)(uint32_t);

	if (!library)
		fail_msg("%s", dlerror());
	*(void **)&plugin_write = dlsym(library, "plugin_write");
	assert_non_null(plugin_write);
	plugin_write(number);
	return library;
}

/* OPENED: a file for the declared events and one for each run-time event. */
static void close_a_hundred_times(const char *name, const char *event, unsigned int opened)
{
	unsigned int fds, i;

	/* the dynamic linker and libstdc++ have opened what they will */
	dlclose(load(name, 0));
	fds = open_fds(getpid());
	for (i = 0; i < ROUNDS; i++) {
		void *library = load(name, 0);

		assert_int_equal(open_fds(getpid()), fds + opened);
		if (i % 20 == 0) {
			assert_true(event_exists("plugin_shared"));
			assert_true(event_exists(event));
		}
		dlclose(library);
		assert_int_equal(open_fds(getpid()), fds);
	}
	/* the kernel removes an event a moment after its last user */
	wait_for(!strstr(get("user_events_status"), "plugin_"));
}

static void writes_nothing_into(const char *name)
{
	struct range range = { name, 0, 0 };
	static struct ue_event event; /* on the list, even if an assertion leaves */
	void *library = load(name, 0);
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
	/* fails, too, if the library was not unloaded */
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
	/* with its fd, for which the kernel keeps the event */
	ue_unregister_all();
}

TEST(test_dlclose_a_hundred_times_leaks_no_fd_and_no_event)
{
	close_a_hundred_times("lib/plugin.so", "plugin_c", 1);
}

TEST(test_dlclose_a_hundred_times_takes_runtime_events_too)
{
	close_a_hundred_times("lib/plugin2.so", "plugin_runtime", 2);
}

TEST(test_dlclose_kernel_writes_nothing_into_the_unloaded_library)
{
	writes_nothing_into("lib/plugin.so");
	writes_nothing_into("lib/plugin2.so");
}

static void closes_a_library_of_runtime_events(const char *name)
{
	unsigned int fds;

	dlclose(load(name, 0));
	fds = open_fds(getpid());
	for (int i = 0; i < 3; i++) {
		void *library = load(name, 0);

		assert_true(event_exists("runtime_only"));
		assert_int_equal(open_fds(getpid()), fds + 2);
		dlclose(library);
		assert_int_equal(open_fds(getpid()), fds);
	}
	wait_for(!strstr(get("user_events_status"), "runtime_only"));
}

TEST(test_dlclose_of_a_library_that_declares_nothing)
{
	closes_a_library_of_runtime_events("lib/runtime_only.so");
	closes_a_library_of_runtime_events("lib/runtime_only_cxx.so");
}

/* GCC makes statics of templates and inline functions unique, which keeps a library loaded. */
TEST(test_dlclose_unloads_a_library_in_cxx)
{
	close_a_hundred_times("lib/plugin_cxx.so", "plugin_template", 1);
}

TEST(test_dlclose_kernel_writes_nothing_into_the_library_in_cxx)
{
	writes_nothing_into("lib/plugin_cxx.so");
}

KERNEL_TESTS_MAIN
