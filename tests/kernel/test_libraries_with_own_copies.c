/* SPDX-License-Identifier: MIT */
/*
 * A program and three shared libraries, written in C and C++, each contain their own copy of the
 * header. Each of them registers its own events, all events are recorded, and unloading one library
 * does not affect the others.
 */
#include "witness.h"

static const char *const libraries[] = {
	"lib/plugin.so",
	"lib/plugin2.so",
	"lib/plugin_cxx.so",
};
static struct library loaded[3];

static void load_all(int flags)
{
	unsigned int i;

	for (i = 0; i < 3; i++)
		loaded[i] = load(built(libraries[i]), flags);
}

static void unload_all(void)
{
	unsigned int i;

	for (i = 0; i < 3; i++)
		if (loaded[i].handle)
			dlclose(loaded[i].handle);
	memset(loaded, 0, sizeof(loaded));
}

static void write_all(uint32_t number)
{
	unsigned int i;

	UE_TRACE(plugin_shared, UE_STR(from, "main"), UE_U32(number));
	for (i = 0; i < 3; i++)
		if (loaded[i].handle)
			loaded[i].write(number);
}

TEST(test_each_library_knows_only_its_own_events)
{
	static const unsigned int declared[] = { 2, 1, 3 }, runtime[] = { 0, 1, 0 };
	unsigned int i;

	load_all(RTLD_LOCAL);
	for (i = 0; i < 3; i++) {
		struct ue_status status = loaded[i].status();

		assert_string_equal(status.message, ue_strerror(0));
		assert_int_equal(status.declared, declared[i]);
		assert_int_equal(status.registered, declared[i]);
		assert_int_equal(status.runtime, runtime[i]);
	}
	assert_int_equal(ue_status().declared, 1);
	assert_int_equal(open_data_fds(),
			 5); /* one per copy of the header, one for a run-time event */
	unload_all();
}

static void check_all_are_recorded(int flags)
{
	load_all(flags);
	trace_enable("plugin_shared");
	trace_enable("plugin_c");
	trace_enable("plugin_runtime");
	trace_enable("plugin_template");
	trace_from_now("plugin_lambda");
	write_all(7);
	assert_string_equal(trace_text(), "plugin_shared: from=main number=0x7 (7)\n"
					  "plugin_c: number=0x7 (7)\n"
					  "plugin_shared: from=c number=0x7 (7)\n"
					  "plugin_runtime: number=0x7 (7)\n"
					  "plugin_shared: from=c2 number=0x7 (7)\n"
					  "plugin_template: number=0x7 (7)\n"
					  "plugin_lambda: number=0x7 (7)\n"
					  "plugin_shared: from=c++ number=0x7 (7)\n");
}

TEST(test_unloading_a_library_does_not_affect_the_others)
{
	check_all_are_recorded(RTLD_LOCAL);
	dlclose(loaded[0].handle);
	loaded[0].handle = NULL;
	trace_clear();
	write_all(8);
	assert_string_equal(trace_text(), "plugin_shared: from=main number=0x8 (8)\n"
					  "plugin_runtime: number=0x8 (8)\n"
					  "plugin_shared: from=c2 number=0x8 (8)\n"
					  "plugin_template: number=0x8 (8)\n"
					  "plugin_lambda: number=0x8 (8)\n"
					  "plugin_shared: from=c++ number=0x8 (8)\n");
	unload_all();
}

static void count(struct ue_event *event, const void *payload, size_t size, void *data)
{
	++*(unsigned int *)data;
}

TEST(test_probes_of_the_program_do_not_get_events_of_libraries)
{
	unsigned int calls = 0;

	load_all(RTLD_GLOBAL);
	assert_int_equal(ue_probe_register(NULL, count, &calls), 0);
	write_all(9);
	assert_int_equal(calls, 1); /* the program's own event */
	assert_int_equal(ue_probe_unregister(NULL, count, &calls), 0);
	unload_all();
}

/*
 * With RTLD_GLOBAL, the dynamic linker would merge the copies of the header if their symbols were
 * visible.
 */
TEST(test_libraries_with_global_symbols_stay_apart)
{
	check_all_are_recorded(RTLD_GLOBAL);
	unload_all();
	trace_clear();
	write_all(9);
	assert_string_equal(trace_text(), "plugin_shared: from=main number=0x9 (9)\n");
}

KERNEL_TESTS_MAIN
