/* SPDX-License-Identifier: MIT */
/*
 * Tests the types and names of fields, and their output as Chrome JSON. Randomly damaged records
 * must still result in valid JSON. Run this test with AddressSanitizer.
 */
#include "test.h"

#include "format/chrome.h"
#include "../../tools/uetrace/event/syscalls.c"

#define COMMON                                                                         \
	"ID: 1\nformat:\n"                                                             \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"         \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"         \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

#define HEADER                                                                                   \
	"name: P_L4K1\n" COMMON "\tfield:u8 eventheader_flags;\toffset:8;\tsize:1;\tsigned:0;\n" \
	"\tfield:u8 version;\toffset:9;\tsize:1;\tsigned:0;\n"                                   \
	"\tfield:u16 id;\toffset:10;\tsize:2;\tsigned:0;\n"                                      \
	"\tfield:u16 tag;\toffset:12;\tsize:2;\tsigned:0;\n"                                     \
	"\tfield:u8 opcode;\toffset:14;\tsize:1;\tsigned:0;\n"                                   \
	"\tfield:u8 level;\toffset:15;\tsize:1;\tsigned:0;\n\nprint fmt: \"\"\n"

#define TYPED                                                              \
	"name: sched_switch\n" COMMON                                      \
	"\tfield:char prev_comm[4];\toffset:8;\tsize:4;\tsigned:0;\n"      \
	"\tfield:pid_t prev_pid;\toffset:12;\tsize:4;\tsigned:1;\n"        \
	"\tfield:unsigned long address;\toffset:16;\tsize:8;\tsigned:0;\n" \
	"\tfield:u64 count;\toffset:24;\tsize:8;\tsigned:0;\n"             \
	"\tfield:s16 list[2];\toffset:32;\tsize:4;\tsigned:1;\n"           \
	"\tfield:__data_loc char[] name;\toffset:36;\tsize:4;\tsigned:0;\n\nprint fmt: \"\"\n"

const struct thread *thread_of(const struct record *record)
{
	static const struct thread thread = { .tid = 7, .pid = 7, .name = "thr\xff\"" };

	(void)record;
	return &thread;
}

static struct event *event_new(const char *system, const char *name, const char *format)
{
	struct event *event = allocate(sizeof(*event));

	event->system = text("%s", system);
	event->name = text("%s", name);
	event->shown = text("%s", name);
	event->format_text = text("%s", format);
	event_decode(event);
	return event;
}

static void event_end(struct event *event)
{
	event_forget(event);
	free(event->system);
	free(event->name);
	free(event->shown);
	free(event->format_text);
	free(event);
}

/* Prints "TYPE NAME=TEXT" for each field, struct and array. */
static void print_field(void *context, const struct field *field)
{
	static const char *const types[] = { "null", "unsigned", "signed", "float", "bool", "text",
					     "hex",  "{",	 "}",	   "[",	    "]" };

	fprintf(context, "%s", types[field->type]);
	if (field->name)
		fprintf(context, " %.*s", (int)field->name_length, field->name);
	if (field->earlier)
		fprintf(context, "#%u", field->earlier + 1);
	if (field->text)
		fprintf(context, "=%.*s", (int)field->length, field->text);
	fputs("; ", context);
}

static char *printed(const struct event *event, const void *data, size_t size, unsigned int cpu)
{
	struct record record = { .data = data, .size = size, .cpu = cpu };
	char *s;
	FILE *out = open_memstream(&s, &size);

	fields_each(event, &record, print_field, out);
	fclose(out);
	return s;
}

TEST(test_fields_of_kernel_events)
{
	struct event *event = event_new("sched", "sched_switch", TYPED);
	uint8_t bytes[48] = { 0 };
	const uint64_t address = 0xffffffff81000000, count = UINT64_MAX;
	const int32_t pid = -3;
	const int16_t list[] = { -1, 2 };
	const uint32_t loc = 40 | 5u << 16;
	char *s;

	memcpy(bytes + 8, "ab", 3);
	memcpy(bytes + 12, &pid, 4);
	memcpy(bytes + 16, &address, 8);
	memcpy(bytes + 24, &count, 8);
	memcpy(bytes + 32, list, 4);
	memcpy(bytes + 36, &loc, 4);
	memcpy(bytes + 40, "file", 5);
	s = printed(event, bytes, sizeof(bytes), 3);
	assert_string_equal(s,
			    "text prev_comm=ab; signed prev_pid=-3; "
			    "hex address=0xFFFFFFFF81000000; "
			    "unsigned count=18446744073709551615; [ list; signed=-1; signed=2; ]; "
			    "text name=file; { meta; unsigned cpu=3; unsigned tid=7; "
			    "text thread=thr\xff\"; }; ");
	free(s);
	/* fields beyond the end of the record are null, and an unknown CPU is omitted */
	s = printed(event, bytes, 20, CPU_UNKNOWN);
	assert_string_equal(s, "text prev_comm=ab; signed prev_pid=-3; null address=null; "
			       "null count=null; null list=null; null name=null; "
			       "{ meta; unsigned tid=7; text thread=thr\xff\"; }; ");
	free(s);
	event_end(event);
}

/* pid_t and clockid_t are signed, as declared in the format file. dev_t remains hexadecimal. */
TEST(test_kernel_typedefs_have_the_sign_of_the_format_file)
{
	struct event *event = event_new("sched", "typedefs",
					"name: typedefs\n" COMMON
					"\tfield:pid_t pid;\toffset:8;\tsize:4;\tsigned:1;\n"
					"\tfield:clockid_t clock;\toffset:12;\tsize:4;\tsigned:1;\n"
					"\tfield:pid_t all[2];\toffset:16;\tsize:8;\tsigned:1;\n"
					"\tfield:dev_t dev;\toffset:24;\tsize:4;\tsigned:0;\n"
					"\nprint fmt: \"\"\n");
	const int32_t record[] = { 1, 0, -3, 1, 7, -1, 0x800002 };
	char json[256], *s;

	ue_decode_format_json(event_format(event), record, sizeof(record), NULL, UE_DECODE_NO_META,
			      json, sizeof(json));
	assert_string_equal(json, "{\"n\":\"sched:typedefs\",\"pid\":-3,\"clock\":1,"
				  "\"all\":[7,-1],\"dev\":\"0x800002\"}");
	s = printed(event, record, sizeof(record), CPU_UNKNOWN);
	assert_non_null(strstr(s, "signed pid=-3; signed clock=1; "));
	assert_non_null(strstr(s, "hex dev=0x800002; "));
	free(s);
	event_end(event);
}

/*
 * Builds a record that consists of common fields, an EventHeader header, and metadata for two
 * fields called "a", a struct with an array, and a field called "meta".
 */
static size_t header_event(uint8_t *bytes, const char *name)
{
	static const uint8_t fields[] = { 'a', 0,   0x84, 3,	'a', 0,	  2,   's', 0, 0x81,
					  2,   'v', 0,	  0x42, 'm', 'e', 't', 'a', 0, 7 };
	static const uint8_t payload[] = { 0x0a, 0, 0, 0, 5, 2, 0, 8, 9, 'h', 'i', 0 };
	static const uint8_t header[] = { 0, 0, 0, 0, 7, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 5 };
	size_t n = sizeof(header), metadata = strlen(name) + 1 + sizeof(fields);

	memcpy(bytes, header, n);
	bytes[n++] = (uint8_t)metadata;
	bytes[n++] = 0;
	bytes[n++] = 1;
	bytes[n++] = 0;
	memcpy(bytes + n, name, strlen(name) + 1);
	n += strlen(name) + 1;
	memcpy(bytes + n, fields, sizeof(fields));
	n += sizeof(fields);
	memcpy(bytes + n, payload, sizeof(payload));
	return n + sizeof(payload);
}

TEST(test_fields_of_eventheader_events)
{
	struct event *event = event_new("user_events", "P_L5K1f", HEADER);
	uint8_t bytes[128];
	struct about about;
	struct record record = { .data = bytes };
	struct field value;
	char *s;

	record.size = header_event(bytes, "Event");
	s = printed(event, bytes, record.size, 0);
	assert_string_equal(s, "hex a=0xA; unsigned a#2=5; { s; [ v; unsigned=8; unsigned=9; ]; "
			       "text meta=hi; }; { meta; unsigned cpu=0; unsigned level=5; "
			       "hex keyword=0x1F; }; ");
	free(s);
	about_read(event, &record, &about);
	assert_int_equal(about.name_length, 5);
	assert_memory_equal(about.name, "Event", 5);
	assert_memory_equal(about.category, "P", about.category_length);
	assert_true(about_matches(&about, "P:Event"));
	assert_true(about_matches(&about, "Ev*"));
	assert_true(about_matches(&about, "P_L5K1f"));
	assert_false(about_matches(&about, "Q:Event"));
	/* finds the first of two fields with the same name, and members of structs */
	assert_true(field_find(event, &record, "a", &value));
	assert_int_equal(value.u, 10);
	assert_true(field_find(event, &record, "s.meta", &value));
	assert_string_equal(value.text, "hi");
	assert_false(field_find(event, &record, "s", &value));
	assert_false(field_find(event, &record, "s.a", &value));
	assert_false(field_find(event, &record, "s.meta.level", &value));
	assert_false(field_find(event, &record, "v", &value));
	assert_false(field_find(event, &record, "a.b", &value));
	assert_true(field_find(event, &record, "meta.level", &value));
	assert_int_equal(value.u, 5);
	event_end(event);
}

TEST(test_a_text_may_have_a_nul)
{
	struct event *event = event_new("user_events", "P_L5K1f", HEADER);
	static const uint8_t bytes[] = { 0, 0, 0, 0, 7,	  0, 0,	  0, 7,	 0, 0, 0,   0, 0,   0,	5,
					 5, 0, 1, 0, 'E', 0, 'n', 0, 10, 4, 0, 'a', 0, 'b', 'c' };
	struct record record = { .data = bytes, .size = sizeof(bytes) };
	struct field value;

	assert_true(field_find(event, &record, "n", &value));
	assert_int_equal(value.length, 4);
	assert_memory_equal(value.text, "a\0bc", 5);
	event_end(event);
}

TEST(test_characters_of_utf8)
{
	static const struct {
		const char *s;
		size_t length;
	} rows[] = { { "a", 1 },
		     { "\x7f", 1 },
		     { "\x80", 0 },
		     { "\xc0\x80", 0 },
		     { "\xc2\x80", 2 },
		     { "\xc2", 0 },
		     { "\xe0\x80\x80", 0 },
		     { "\xe0\xa0\x80", 3 },
		     { "\xed\xa0\x80", 0 },
		     { "\xee\x80\x80", 3 },
		     { "\xf0\x8f\x80\x80", 0 },
		     { "\xf0\x90\x80\x80", 4 },
		     { "\xf4\x8f\xbf\xbf", 4 },
		     { "\xf4\x90\x80\x80", 0 },
		     { "\xf8\x88\x80\x80", 0 } };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		assert_int_equal(utf8_character(rows[i].s, strlen(rows[i].s)), rows[i].length);
}

/* Checks that TEXT is a JSON object, based on its brackets, commas, strings and UTF-8. */
static void check_json(const char *s, size_t n)
{
	char open[64];
	size_t depth = 0, i, length;
	bool string = false;

	for (i = 0; i < n; i += length) {
		length = utf8_character(s + i, n - i);
		assert_true(length > 0);
		if (string) {
			assert_true((unsigned char)s[i] >= 32);
			if (s[i] == '\\')
				i++;
			else if (s[i] == '"')
				string = false;
		} else if (s[i] == '"') {
			string = true;
		} else if (s[i] == '{' || s[i] == '[') {
			assert_true(depth < sizeof(open));
			open[depth++] = s[i];
		} else if (s[i] == '}' || s[i] == ']') {
			assert_true(depth > 0 && open[--depth] == (s[i] == '}' ? '{' : '['));
			assert_true(s[i - 1] != ',' && s[i - 1] != ':');
		} else if (s[i] == ',') {
			assert_null(strchr(",:{[", s[i - 1]));
		}
	}
	assert_true(!string && !depth);
}

static void draw(struct event *event, const uint8_t *bytes, size_t size)
{
	const struct track track = { .pid = 1, .tid = 2 };
	struct record record = { .data = bytes, .size = size };
	struct about about;
	struct mark mark = { .kind = MARK_INSTANT, .track = &track, .about = &about };
	char *s;
	struct chrome chrome = { .out = open_memstream(&s, &size) };

	about_read(event, &record, &about);
	chrome_begin(&chrome, -1, true);
	chrome_track(&chrome, &track, 0, "t\xff");
	chrome_mark(&chrome, &mark);
	mark.kind = MARK_SLICE;
	mark.stop = &about;
	chrome_mark(&chrome, &mark);
	chrome_end(&chrome);
	fclose(chrome.out);
	check_json(s, size);
	free(s);
}

TEST(test_damaged_records_give_valid_json)
{
	struct event *header = event_new("user_events", "P_L5K1f", HEADER);
	struct event *typed = event_new("sched", "sched_switch", TYPED);
	uint8_t good[128], *bytes;
	size_t n = header_event(good, "Ev\"\x01\xff"), size, i, k;
	uint32_t seed = 1;

	for (i = 0; i < 6000; i++) {
		size = n;
		for (k = 0; k < 3; k++) {
			seed = seed * 1664525u + 1013904223u;
			if (k == 2)
				size = (seed >> 8) % (n + 1);
		}
		if (i % 3)
			size = n;
		/*
		 * copy the record to a block of exactly its size, so that AddressSanitizer detects
		 * overreads
		 */
		bytes = allocate(size);
		memcpy(bytes, good, size);
		for (k = 0; size > 8 && k < 1 + i % 4; k++) {
			seed = seed * 1664525u + 1013904223u;
			bytes[8 + (seed >> 8) % (size - 8)] = (uint8_t)(seed >> 24);
		}
		draw(i % 2 ? header : typed, bytes, size);
		free(bytes);
	}
	event_end(header);
	event_end(typed);
}

/*
 * Returns the name that a timeline shows for the system call of a sys_enter record with this
 * number.
 */
static const char *call_of(int64_t number, bool live, const bool *native, bool swapped)
{
	static const char format[] = "name: sys_enter\nID: 5\nformat:\n"
				     "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
				     "\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n";
	static char name[40];
	struct event *event = event_new("raw_syscalls", "sys_enter", format);
	uint8_t bytes[16] = { 0 };
	struct record record = { .data = bytes, .size = sizeof(bytes) };
	struct about about, stop = { .name = "sys_exit", .name_length = 8 };

	memcpy(bytes + 8, &number, sizeof(number));
	event->live = live;
	event->native = native;
	event->swapped = swapped;
	about_read(event, &record, &about);
	span_name(&about, &stop);
	snprintf(name, sizeof(name), "%.*s", (int)about.name_length, about.name);
	event_end(event);
	return name;
}

TEST(test_a_system_call_is_named_if_its_number_is_native)
{
	static const bool yes = true, no = false;

	assert_string_equal(call_of(__NR_read, true, NULL, false), "read");
	assert_string_equal(call_of(__NR_openat, false, &yes, false), "openat");
	assert_string_equal(call_of(__NR_openat, false, &no, false), "sys_enter");
	assert_string_equal(call_of(__NR_openat, false, NULL, false), "sys_enter");
	assert_string_equal(call_of(__NR_openat, false, &yes, true), "sys_enter");
	assert_string_equal(call_of(-1, true, NULL, false), "sys_enter");
	assert_string_equal(call_of(1000000, true, NULL, false), "sys_enter");
}

TESTS_MAIN
