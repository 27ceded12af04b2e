/* SPDX-License-Identifier: MIT */
/*
 * Loads, uses and unloads the libtraceevent plugin in the same way as a tool. The plugin must print
 * EventHeader events and ignore all others. It must not harm the tool or other plugins, regardless
 * of the loading order.
 */
#include "decode_build.h"

#include <dirent.h>
#include <dlfcn.h>

#include "../../tools/uetrace/plugin/plugin_user_events.c"

#define COMMON                                                                         \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"         \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"         \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define HEADER                                                           \
	"\tfield:u8 eventheader_flags;\toffset:8;\tsize:1;\tsigned:0;\n" \
	"\tfield:u8 version;\toffset:9;\tsize:1;\tsigned:0;\n"           \
	"\tfield:u16 id;\toffset:10;\tsize:2;\tsigned:0;\n"              \
	"\tfield:u16 tag;\toffset:12;\tsize:2;\tsigned:0;\n"             \
	"\tfield:u8 opcode;\toffset:14;\tsize:1;\tsigned:0;\n"           \
	"\tfield:u8 level;\toffset:15;\tsize:1;\tsigned:0;\n"
#define HEADER_FMT                                                                           \
	"\nprint fmt: \"eventheader_flags=%u version=%u id=%u tag=%u opcode=%u level=%u\", " \
	"REC->eventheader_flags, REC->version, REC->id, REC->tag, REC->opcode, REC->level\n"
#define TWO                                                    \
	"\tfield:u32 status;\toffset:8;\tsize:4;\tsigned:0;\n" \
	"\tfield:s32 level;\toffset:12;\tsize:4;\tsigned:1;\n" \
	"\nprint fmt: \"status=%u level=%d\", REC->status, REC->level\n"

static struct tep_handle *tep;

static void parse(const char *system, const char *name, int id, const char *fields)
{
	char text[2000];
	int n = snprintf(text, sizeof(text), "name: %s\nID: %d\nformat:\n" COMMON "%s", name, id,
			 fields);

	if (tep_parse_event(tep, text, (unsigned long)n, system) != 0)
		fail_msg("%s", text);
	assert_non_null(tep_find_event(tep, id));
}

/*
 * Returns the text that a tool prints for a record with this ID and these bytes. The memory block
 * has exactly the record's size, so that overreads are detected.
 */
static const char *printed(int id, const void *bytes, size_t n)
{
	static char text[4096];
	struct tep_record record = { .size = (int)n + 8, .record_size = (int)n + 8 };
	struct trace_seq seq;
	uint8_t *data = malloc(n + 8);

	memset(data, 0, 8);
	memcpy(data, &(uint16_t){ (uint16_t)id }, 2);
	memcpy(data + 8, bytes, n);
	record.data = data;
	trace_seq_init(&seq);
	tep_print_event(tep, &seq, &record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&seq);
	snprintf(text, sizeof(text), "%s", seq.buffer);
	trace_seq_destroy(&seq);
	free(data);
	return text;
}

/*
 * Builds the event 'Prov:Event status=200 path="/a"'. If MORE is set, the event also has an opcode
 * and an activity.
 */
static void build(int more)
{
	static const uint8_t ids[32] = { 0xab, 2, 3, 4, [31] = 0xcd };

	begin("Event");
	if (more)
		extension(0x8002, ids, 32);
	field("status", U32, 0);
	value(200, 4);
	field("path", Z8, 0);
	raw("/a", 3);
	finish();
	event.p[6] = more ? 1 : 0;
}

static void load(void)
{
	tep = tep_alloc();
	assert_int_equal(tep_plugin_loader(tep), 0);
}

static void unload(void)
{
	tep_plugin_unloader(tep);
	tep_free(tep);
	assert_null(plugins);
}

TEST(test_eventheader_events_are_printed_decoded)
{
	load();
	parse("user_events", "Prov_L4K1", 1500, HEADER HEADER_FMT);
	BOTH_ORDERS
	{
		build(0);
		assert_string_equal(printed(1500, event.p, event.n),
				    "Prov:Event status=200 path=\"/a\"");
		build(1);
		assert_string_equal(printed(1500, event.p, event.n),
				    "Prov:Event (start) status=200 path=\"/a\" "
				    "activity=ab020304-0000-0000-0000-000000000000 "
				    "related=00000000-0000-0000-0000-0000000000cd");
	}
	unload();
}

TEST(test_the_environment_names_other_systems)
{
	setenv("USER_EVENTS_SYSTEMS", "user_events_one::user_events_two", 1);
	load();
	parse("user_events_two", "Prov_L4K1", 1500, HEADER HEADER_FMT);
	parse("user_events_multi", "Prov_L4K1", 9000, HEADER HEADER_FMT);
	parse("user_events_one", "Prov_L4K1", 9001, HEADER HEADER_FMT);
	parse("other", "Prov_L4K1", 1501, HEADER HEADER_FMT);
	build(0);
	assert_string_equal(printed(1500, event.p, event.n), "Prov:Event status=200 path=\"/a\"");
	assert_string_equal(printed(9000, event.p, event.n), "Prov:Event status=200 path=\"/a\"");
	assert_string_equal(printed(9001, event.p, event.n), "Prov:Event status=200 path=\"/a\"");
	assert_true(strncmp(printed(1501, event.p, event.n), "eventheader_flags=", 18) == 0);
	unload();
	unsetenv("USER_EVENTS_SYSTEMS");
}

TEST(test_an_option_or_the_environment_selects_json)
{
	static const char json[] = "{ \"n\": \"Prov:Event\", \"status\": 200, \"path\": \"/a\", "
				   "\"meta\": { \"level\": 4, \"keyword\": \"0x1\" } }";

	load();
	parse("user_events", "Prov_L4K1", 1500, HEADER HEADER_FMT);
	build(0);
	assert_string_equal(tep_plugin_options[0].name, "json");
	assert_string_equal(tep_plugin_alias, "user_events");
	tep_plugin_options[0].set = 1;
	assert_string_equal(printed(1500, event.p, event.n), json);
	tep_plugin_options[0].set = 0;
	setenv("USER_EVENTS_JSON", "1", 1);
	assert_string_equal(printed(1500, event.p, event.n), json);
	unsetenv("USER_EVENTS_JSON");
	assert_string_equal(printed(1500, event.p, event.n), "Prov:Event status=200 path=\"/a\"");
	unload();
}

#define NOTES                                                              \
	"\tfield:s8 number;\toffset:8;\tsize:1;\tsigned:1;\n"              \
	"\tfield:__data_loc char[] text;\toffset:9;\tsize:4;\tsigned:1;\n" \
	"\tfield:u8 yes;\toffset:13;\tsize:1;\tsigned:0;\n"                \
	"\nprint fmt: \"number=%d yes=%u\", REC->number, REC->yes\n"

/*
 * The TP_printk string of notes_class in trace_notes.h must be found in the notes of this program.
 */
TEST(test_trace_events_of_a_given_binary_have_the_text_of_tp_printk)
{
	/* number, __data_loc of the text (offset 14, 4 bytes), yes, and the text itself */
	static const uint8_t record[] = { 0xfd, 14, 0, 4, 0, 1, 'a', ' ', 'b', 0 };
	static const uint8_t two[] = { 200, 0, 0, 0, 0xff, 0xff, 0xff, 0xff };
	int way;

	for (way = 0; way < 3; way++) {
		if (way == 1)
			setenv("USER_EVENTS_PROGRAM", "/missing:/proc/self/exe", 1);
		if (way == 2)
			tep_plugin_options[1].value = "/proc/self/exe";
		load();
		parse("user_events", "notes_one", 1500, NOTES);
		parse("user_events_multi", "notes_two", 1501, NOTES);
		parse("user_events", "request", 1502, TWO);
		assert_string_equal(printed(1500, record, sizeof(record)),
				    way ? "-3 \"a b\" NOTES_YES 8" : "number=253 yes=1");
		assert_string_equal(printed(1501, record, sizeof(record)),
				    way ? "-3 \"a b\" NOTES_YES 8" : "number=253 yes=1");
		assert_string_equal(printed(1502, two, 8), "status=200 level=-1");
		unload();
		unsetenv("USER_EVENTS_PROGRAM");
	}
	tep_plugin_options[1].value = "";
}

TEST(test_an_event_of_another_version_has_plain_fields)
{
	static const uint8_t two[] = { 200, 0, 0, 0, 0xff, 0xff, 0xff, 0xff };

	tep_plugin_options[1].value = "/proc/self/exe";
	load();
	/*
	 * the event belongs to another version of the program, or to another program that uses the
	 * same event name
	 */
	parse("user_events", "notes_one", 1500, TWO);
	assert_string_equal(printed(1500, two, 8), "status=200 level=-1");
	unload();
	/* this file does not exist, so it provides no TP_printk strings */
	tep_plugin_options[1].value = "/missing";
	load();
	parse("user_events", "notes_one", 1500, NOTES);
	assert_string_equal(printed(1500, "\5\0\0\0\0\1", 6), "number=5 yes=1");
	unload();
	tep_plugin_options[1].value = "";
}

TEST(test_the_plugin_does_not_change_other_events)
{
	static const uint8_t two[] = { 200, 0, 0, 0, 0xff, 0xff, 0xff, 0xff };

	load();
	parse("user_events", "request", 1500, TWO);
	parse("user_events_multi", "request", 1501, TWO);
	parse("sched", "Prov_L4K1", 1502, HEADER HEADER_FMT);
	parse("user_events", "more_L4K1", 1503,
	      HEADER "\tfield:u8 more;\toffset:16;\tsize:1;\tsigned:0;\n" HEADER_FMT);
	assert_string_equal(printed(1500, two, 8), "status=200 level=-1");
	assert_string_equal(printed(1501, two, 8), "status=200 level=-1");
	build(0);
	assert_true(strncmp(printed(1502, event.p, event.n), "eventheader_flags=", 18) == 0);
	assert_true(strncmp(printed(1503, event.p, event.n), "eventheader_flags=", 18) == 0);
	unload();
}

#define TEXT                                                               \
	"\tfield:u32 number;\toffset:8;\tsize:4;\tsigned:0;\n"             \
	"\tfield:__rel_loc char[] text;\toffset:12;\tsize:4;\tsigned:1;\n" \
	"\nprint fmt: \"number=%u text=%s\", REC->number, __get_rel_str(text)\n"

TEST(test_truncated_events_are_marked)
{
	/*
	 * number, location of a 3-byte text, the text, the truncation mark, and 7 bytes, which is
	 * the most padding that a tracer adds
	 */
	struct {
		uint32_t number, loc;
		char rest[3 + 8 + 7];
	} typed = { 7, 3u << 16, "ab\0UE_TRUNCUE_TRUN" };
	size_t size = offsetof(__typeof__(typed), rest) + sizeof(typed.rest), padding;

	load();
	parse("user_events", "typed", 1500, TEXT);
	parse("user_events", "Prov_L4K1", 1501, HEADER HEADER_FMT);
	for (padding = 0; padding < 8; padding++)
		assert_string_equal(printed(1500, &typed, size - padding),
				    "(truncated) number=7 text=ab");
	for (; padding < 15; padding++)
		assert_string_equal(printed(1500, &typed, size - padding), "number=7 text=ab");
	BOTH_ORDERS
	{
		build(0);
		memcpy(event.p + event.n, "UE_TRUNC", 8);
		assert_string_equal(printed(1501, event.p, event.n + 8),
				    "Prov:Event status=200 path=\"/a\" (truncated)");
		assert_string_equal(printed(1501, event.p, event.n + 7),
				    "Prov:Event status=200 path=\"/a\"");
	}
	unload();
}

TEST(test_events_of_any_number_and_both_systems_are_decoded)
{
	static const int ids[] = { 1, 8191, 8192, 30000, 65535 };
	size_t i, before;

	for (before = 0; before < 2; before++) {
		tep = tep_alloc();
		/* some tools load their plugins after they have parsed the formats */
		if (before) {
			parse("user_events", "Prov_L4K1", 700, HEADER HEADER_FMT);
			assert_int_equal(tep_plugin_loader(tep), 0);
		} else {
			assert_int_equal(tep_plugin_loader(tep), 0);
			parse("user_events", "Prov_L4K1", 700, HEADER HEADER_FMT);
		}
		for (i = 0; i < 5; i++)
			parse(i % 2 ? "user_events" : "user_events_multi", "Prov_L4K1", ids[i],
			      HEADER HEADER_FMT);
		build(0);
		assert_string_equal(printed(700, event.p, event.n),
				    "Prov:Event status=200 path=\"/a\"");
		for (i = 0; i < 5; i++)
			assert_string_equal(printed(ids[i], event.p, event.n),
					    "Prov:Event status=200 path=\"/a\"");
		unload();
	}
}

TEST(test_the_plugin_is_not_called_after_it_is_unloaded)
{
	load();
	parse("user_events", "Prov_L4K1", 1500, HEADER HEADER_FMT);
	parse("user_events", "Prov_L4K1", 50000, HEADER HEADER_FMT);
	build(0);
	printed(1500, event.p, event.n);
	tep_plugin_unloader(tep);
	assert_true(strncmp(printed(1500, event.p, event.n), "eventheader_flags=", 18) == 0);
	assert_true(strncmp(printed(50000, event.p, event.n), "eventheader_flags=", 18) == 0);
	parse("user_events", "Other_L4K1", 1501, HEADER HEADER_FMT);
	assert_true(strncmp(printed(1501, event.p, event.n), "eventheader_flags=", 18) == 0);
	tep_free(tep);
}

TEST(test_the_plugin_may_be_loaded_twice_and_serve_two_files)
{
	struct tep_handle *first;

	load();
	assert_int_equal(tep_plugin_loader(tep), 0);
	parse("user_events", "Prov_L4K1", 1500, HEADER HEADER_FMT);
	first = tep;
	load();
	parse("user_events", "Other_L4K1", 1500, HEADER HEADER_FMT);
	build(0);
	assert_string_equal(printed(1500, event.p, event.n), "Other:Event status=200 path=\"/a\"");
	tep_plugin_unloader(tep);
	tep_free(tep);
	tep = first;
	assert_string_equal(printed(1500, event.p, event.n), "Prov:Event status=200 path=\"/a\"");
	tep_plugin_unloader(tep);
	unload();
}

TEST(test_damaged_events_are_reported_without_overreads)
{
	size_t n;

	load();
	parse("user_events", "Prov_L4K1", 1500, HEADER HEADER_FMT);
	build(1);
	for (n = 0; n < event.n; n++) {
		const char *text = printed(1500, event.p, n);

		if (n && !strstr(text, " at byte "))
			fail_msg("unexpected text for %zu bytes: %s", n, text);
	}
	/* control characters in another program's text must not reach the terminal */
	begin("E\033[31m");
	field("a\nb", Z8, 0);
	raw("\033]0;x\a\x9b", 8);
	finish();
	assert_string_equal(printed(1500, event.p, event.n),
			    "Prov:E?[31m a?b=\"\\u001b]0;x\\u0007\\u009b\"");
	setenv("USER_EVENTS_JSON", "1", 1);
	assert_non_null(strstr(printed(1500, event.p, event.n), "]0;x\\u0007\\u009b\""));
	unsetenv("USER_EVENTS_JSON");
	/* the text is longer than the initial size of any buffer */
	begin("Event");
	field("text", S8, 0);
	value(3000, 2);
	memset(payload.p + payload.n, 'x', 3000);
	payload.n += 3000;
	finish();
	assert_int_equal(strlen(printed(1500, event.p, event.n)),
			 strlen("Prov:Event text=\"\"") + 3000);
	unload();
}

/* Collects the plugins of libtraceevent itself, in the order of their directory. */
static size_t others(char paths[][300], size_t max)
{
	struct dirent *entry;
	char folder[200];
	size_t n = 0;
	Dl_info info;
	DIR *dir;

	assert_true(dladdr((void *)tep_alloc, &info) != 0);
	snprintf(folder, sizeof(folder), "%.*s/traceevent/plugins",
		 (int)(strrchr(info.dli_fname, '/') - info.dli_fname), info.dli_fname);
	dir = opendir(folder);
	while (dir && (entry = readdir(dir)) && n < max) {
		if (entry->d_name[0] != '.')
			snprintf(paths[n++], 300, "%s/%.80s", folder, entry->d_name);
	}
	if (dir)
		closedir(dir);
	return n;
}

/* Loads all plugins, with ours at position PLACE, and unloads them in reverse order. */
static void beside(char paths[][300], size_t n, size_t place, bool events, bool ours)
{
	void *handles[40] = { NULL };
	size_t i;

	tep = tep_alloc();
	for (i = 0; i <= n; i++) {
		tep_plugin_load_func loader;

		if (i == place) {
			tep_plugin_loader(tep);
			continue;
		}
		handles[i] = dlopen(paths[i - (i > place)], RTLD_NOW | RTLD_GLOBAL);
		assert_non_null(handles[i]);
		loader = (tep_plugin_load_func)dlsym(handles[i], "tep_plugin_loader");
		loader(tep);
	}
	if (events) {
		parse("sched", "sched_switch", 300, TWO);
		parse("kvm", "kvm_exit", 301, TWO);
		parse("kmem", "kmalloc", 302, TWO);
		parse("timer", "hrtimer_start", 303, TWO);
	}
	if (ours) {
		parse("user_events", "Prov_L4K1", 1500, HEADER HEADER_FMT);
		parse("user_events", "request", 1501, TWO);
		build(0);
		assert_string_equal(printed(1500, event.p, event.n),
				    "Prov:Event status=200 path=\"/a\"");
	}
	for (i = n + 1; i-- > 0;) {
		tep_plugin_unload_func unloader;

		if (i == place) {
			tep_plugin_unloader(tep);
			continue;
		}
		unloader = (tep_plugin_unload_func)dlsym(handles[i], "tep_plugin_unloader");
		if (unloader)
			unloader(tep);
		dlclose(handles[i]);
	}
	tep_free(tep);
}

TEST(test_other_plugins_can_be_unloaded_in_any_order)
{
	static char paths[39][300];
	size_t n = others(paths, 39), place;

	if (!n)
		skip();
	for (place = 0; place <= n; place++) {
		/*
		 * A file may contain no events, or events of the other plugins, of our plugin, or
		 * of both. At each position, test two of these cases.
		 */
		beside(paths, n, place, place % 2, false);
		beside(paths, n, place, place % 2 == 0, true);
	}
}

TESTS_MAIN
