/* SPDX-License-Identifier: MIT */
/*
 * Tests events defined at run time: the specs that ue_event_register() accepts and rejects, its
 * messages, and the records that are written. The program declares no events, so no macros are
 * involved.
 *
 * The events are static, because registered events must not move even if a test fails.
 */
#include <sys/uio.h>
#include <sys/wait.h>

#include "test.h"

#define FAKE_KERNEL_HOOKS
#include "fake_kernel.h"
#include <user_events.h>

static int new_kernel(void **state)
{
	(void)state;
	ue_unregister_all();
	fake_kernel_reset(NULL);
	assert_int_equal(ue_register_all(), 0);
	return 0;
}

static void listen_to(const char *name)
{
	assert_int_equal(fake_kernel_enable(name, FAKE_OTHER), 1);
}

/* ---- Specs ---- */

TEST_SETUP(test_specs_are_normalised_for_the_kernel, new_kernel)
{
	static const struct {
		const char *spec, *name, *fields;
	} good[] = {
		{ "plain", "plain", "" },
		{ "blank ", "blank", "" },
		{ "blanks    ", "blanks", "" },
		{ "_x9", "_x9", "" },
		{ "one u32 a", "one", "u32 a" },
		{ "two u32 a; u32 b", "two", "u32 a; u32 b" },
		{ "tight u32 a;u32 b", "tight", "u32 a; u32 b" },
		{ "loose   u32   a  ;   u32   b  ", "loose", "u32 a; u32 b" },
		{ "last u32 a;", "last", "u32 a" },
		{ "last_blank u32 a;  ", "last_blank", "u32 a" },
		{ "longer unsigned int a; unsigned  char b; unsigned short c", "longer",
		  "unsigned int a; unsigned char b; unsigned short c" },
		{ "ints u8 a; u16 b; u64 c; s8 d; s16 e; s32 f; s64 g; char h; short i; int j",
		  "ints", "u8 a; u16 b; u64 c; s8 d; s16 e; s32 f; s64 g; char h; short i; int j" },
		{ "arrays char[1] a; char[1024] b; unsigned char[7] c", "arrays",
		  "char[1] a; char[1024] b; unsigned char[7] c" },
		{ "locs __rel_loc char[] a; __rel_loc u8[] b; __rel_loc unsigned char[] c", "locs",
		  "__rel_loc char[] a; __rel_loc u8[] b; __rel_loc unsigned char[] c" },
		{ "structs struct timespec t 16;struct  s  u  8", "structs",
		  "struct timespec t 16; struct s u 8" },
		{ "similar u32 common; u32 commo; u32 acommon_; u32 Common_a", "similar",
		  "u32 common; u32 commo; u32 acommon_; u32 Common_a" },
		{ "prefixes u32 a; u32 aa; u32 aaa; u32 A", "prefixes",
		  "u32 a; u32 aa; u32 aaa; u32 A" },
		{ "enabled u32 enable", "enabled", "u32 enable" },
	};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		static struct ue_event e;
		char text[512];

		assert_int_equal(ue_event_register(&e, good[i].spec, 0), 0);
		assert_true(fake_kernel_fields(good[i].name, text, sizeof(text)) >= 0);
		assert_string_equal(text, good[i].fields);
		assert_int_equal(ue_event_unregister(&e), 0);
	}
	assert_int_equal(ue_status().error, 0);
}

#define NAME "the name is not an identifier"
#define RESERVED "the name would hide a control file"
#define FIELD_NAME "a field name is not an identifier"
#define PAIR "each field must have one type and one name"

TEST_SETUP(test_specs_that_tools_cannot_use_are_rejected_with_a_message, new_kernel)
{
	static const struct {
		const char *spec, *sentence;
	} bad[] = {
		/* clang-format off */
		{ NULL, NAME },
		{ "", NAME },
		{ " ", NAME },
		{ " a", NAME },
		{ "; u32 a", NAME },
		{ "1a", NAME },
		{ "9", NAME },
		{ "a-b", NAME },
		{ "a.b u32 c", NAME },
		{ "a/b", NAME },
		{ "a:b", NAME },
		{ "a\tu32 b", NAME },
		{ "a\n", NAME },
		{ "a;", NAME },
		{ "a;u32 b", NAME },
		{ "\xc3\xa9", NAME },
		{ "a\xff", NAME },
		{ "enable", RESERVED },
		{ "filter", RESERVED },
		{ "enable u32 a", RESERVED },
		{ "a u32 x-y", FIELD_NAME },
		{ "a u32 x,y", FIELD_NAME },
		{ "a u32 123", FIELD_NAME },
		{ "a u32 1x", FIELD_NAME },
		{ "a u32 x.y", FIELD_NAME },
		{ "a u32 b[4]", FIELD_NAME },
		{ "a u32 *b", FIELD_NAME },
		{ "a u32 b\n", FIELD_NAME },
		{ "a u32 b\t", FIELD_NAME },
		{ "a u32 \xc3\xa9", FIELD_NAME },
		{ "a u32 b:1", FIELD_NAME },
		{ "a struct s x-y 4", FIELD_NAME },
		{ "a struct s 1 4", FIELD_NAME },
		{ "a u32", PAIR },
		{ "a u32;", PAIR },
		{ "a u32 b; u32", PAIR },
		{ "a u32\tb", PAIR },
		{ "a ;", PAIR },
		{ "a ;;", PAIR },
		{ "a u32 b;;u32 c", PAIR },
		{ "a u32 b; ;u32 c", PAIR },
		{ "a ;u32 b", PAIR },
		{ "a u32 b;;", PAIR },
		{ "a u32 b; u8 b", "two fields have the same name" },
		{ "a u32 b; u32 c; u32 b", "two fields have the same name" },
		{ "a struct s b 4; u8 b", "two fields have the same name" },
		{ "a __rel_loc char[] b; u8 b", "two fields have the same name" },
		{ "a u32 common_pid", "common_" },
		{ "a u32 common_", "common_" },
		{ "a u32 b; char[4] common_x", "common_" },
		{ "a struct s common_type 4", "common_" },
		{ "a a b c d e f", PAIR },
		{ "a a b c d e f g h i j", PAIR },
		/* clang-format on */
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		static struct ue_event e;
		struct ue_status status;

		assert_int_equal(ue_register_all(), 0);
		errno = 4711;
		if (ue_event_register(&e, bad[i].spec, 0) != -EINVAL)
			fail_msg("\"%s\" was accepted", bad[i].spec);
		assert_int_equal(errno, 4711);
		status = ue_status();
		assert_int_equal(status.error, -EINVAL);
		if (!strstr(status.message, bad[i].sentence))
			fail_msg("unexpected message for \"%s\": \"%s\"", bad[i].spec,
				 status.message);
		assert_int_equal(status.runtime, 0);
		assert_int_equal(ue_event_unregister(&e), -ENOENT);
	}
	assert_int_equal(fake_kernel_calls(FAKE_REG), 0);
}

#define FIFTY "_ten_bytes_ten_bytes_ten_bytes_ten_bytes_ten_bytes"

TEST_SETUP(test_a_rejection_names_event_and_field, new_kernel)
{
	static struct ue_event e;

	assert_int_equal(ue_event_register(&e, "my_event u32 good; u64 bad-name; u8 x", 0),
			 -EINVAL);
	assert_non_null(strstr(ue_status().message, "\"my_event\""));
	assert_non_null(strstr(ue_status().message, "u64 bad-name"));
	assert_null(strstr(ue_status().message, "good"));
	/* the message contains up to 63 bytes of each name */
	assert_int_equal(ue_event_register(&e, "an_event_" FIFTY "_is_cut "
					       "u64 a-field-" FIFTY "-is-cut", 0), -EINVAL);
	assert_non_null(strstr(ue_status().message, "\"an_event_" FIFTY "_is_\": a field name"));
	assert_non_null(strstr(ue_status().message, ": u64 a-field-" FIFTY "-"));
	assert_null(strstr(ue_status().message, FIFTY "-i"));
}

TEST_SETUP(test_specs_rejected_by_the_kernel_get_a_message, new_kernel)
{
	static const char *const bad[] = {
		"a long b",
		"a u8 x;bool b; u8 y",
		"a u8 x; float b",
		"a char[1024] x; double b",
		"a u32[4] b",
		"a char[0] b",
		"a char[] b",
		"a char[1025] b",
		"a unsigned int x; unsigned  short y; unsigned b; int z",
		"a struct s b",
		"a struct s b 0",
		"a u128 b",
		"a __rel_loc char[] x; __data_loc u8[] y; struct s z 4; u32 v w",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		static struct ue_event e;

		assert_int_equal(ue_register_all(), 0);
		if (ue_event_register(&e, bad[i], 0) != -EINVAL)
			fail_msg("\"%s\" was accepted", bad[i]);
		assert_int_equal(ue_status().error, -EINVAL);
		if (!strstr(ue_status().message, "event \"a\": the kernel rejected the fields") ||
		    !strstr(ue_status().message, "its types are u8"))
			fail_msg("unexpected message for \"%s\": \"%s\"", bad[i],
				 ue_status().message);
	}
	assert_int_equal(fake_kernel_enablers(), 0);
}

/*
 * ue_status() reports that a declared event could not be registered until a call of the program
 * sets another message.
 */
TEST_SETUP(test_each_rejection_is_reported, new_kernel)
{
	static struct ue_event e, f;
	static struct ue_event_set set;

	assert_int_equal(ue_event_register(&e, "one u32 x; u32 x", 0), -EINVAL);
	assert_int_equal(ue_event_register(&e, "two u32 common_pid", 0), -EINVAL);
	assert_non_null(
		strstr(ue_status().message, "event \"two\": field names that start with common_"));
	assert_int_equal(ue_event_set_register(&set, "3:Com", 4, 1, NULL), -EINVAL);
	assert_non_null(
		strstr(ue_status().message, "event \"3:Com_L4K1\": the event set is invalid"));
	assert_int_equal(ue_status().error, -EINVAL);
	/* a call that succeeds, or that fails without a message, does not change the message */
	assert_int_equal(ue_event_register(&f, "three u32 x", 0), 0);
	assert_int_equal(ue_event_register(&f, "three u32 x", 0), -EALREADY);
	assert_non_null(strstr(ue_status().message, "3:Com"));
	assert_int_equal(ue_status().error, -EINVAL);
	assert_int_equal(ue_event_unregister(&f), 0);
}

/* Writes a spec "eee...e u8 x0; u8 x1; ..." of exactly SIZE bytes to SPEC. */
static void spec_of(char *spec, size_t size)
{
	size_t n = 0;
	int i = 0;

	while (n + 40 < size) {
		const char *format = i ? "; u32 field_%03d" : "long_event u32 field_%03d";

		n += (size_t)snprintf(spec + n, 40, format, i);
		i++;
	}
	memcpy(spec + n, "; u8 x", 6);
	n += 6;
	while (n < size)
		spec[n++] = 'y';
	spec[n] = '\0';
}

TEST_SETUP(test_511_bytes_are_accepted_and_512_rejected, new_kernel)
{
	char spec[1100], text[600];
	static struct ue_event e;

	spec_of(spec, 511);
	assert_int_equal(strlen(spec), 511);
	assert_int_equal(ue_event_register(&e, spec, 0), 0);
	assert_int_equal(fake_kernel_fields("long_event", text, sizeof(text)), 511 - 11);
	assert_string_equal(text, spec + 11);
	assert_int_equal(ue_event_unregister(&e), 0);
	fake_kernel_clear_calls();
	for (size_t n = 512; n < 1024; n++) {
		spec_of(spec, n);
		assert_int_equal(ue_register_all(), 0);
		assert_int_equal(ue_event_register(&e, spec, 0), -EINVAL);
		assert_non_null(strstr(ue_status().message, "511 bytes"));
	}
	assert_int_equal(fake_kernel_calls(FAKE_REG), 0);
}

TEST_SETUP(test_a_name_of_511_bytes_is_accepted_and_512_rejected, new_kernel)
{
	char name[2000];
	static struct ue_event e;

	memset(name, 'n', sizeof(name));
	name[511] = '\0';
	assert_int_equal(ue_event_register(&e, name, 0), 0);
	assert_int_equal(ue_event_unregister(&e), 0);
	name[511] = 'n';
	name[512] = '\0';
	assert_int_equal(ue_event_register(&e, name, 0), -EINVAL);
	assert_non_null(strstr(ue_status().message, "511 bytes"));
	name[512] = 'n';
	name[1999] = '\0';
	assert_int_equal(ue_event_register(&e, name, 0), -EINVAL);
}

TEST_SETUP(test_a_spec_of_megabytes_is_rejected, new_kernel)
{
	size_t n = 4 << 20, i;
	char *spec = malloc(n + 16);
	static struct ue_event e;

	assert_non_null(spec);
	memcpy(spec, "huge", 4);
	for (i = 4; i + 4 < n; i += 5)
		memcpy(spec + i, " a b;", 5);
	spec[i] = '\0';
	assert_int_equal(ue_event_register(&e, spec, 0), -EINVAL);
	for (i = 4; i < n; i++)
		spec[i] = ' ';
	assert_int_equal(ue_event_register(&e, spec, 0), 0);
	assert_int_equal(ue_event_unregister(&e), 0);
	free(spec);
}

TEST_SETUP(test_the_spec_may_be_freed_after_registration, new_kernel)
{
	char spec[] = "short_lived u32 a";
	static struct ue_event e;
	uint32_t a = 5;

	assert_int_equal(ue_event_register(&e, spec, 0), 0);
	memset(spec, '#', sizeof(spec));
	listen_to("short_lived");
	assert_int_equal(ue_event_write(&e, &a, sizeof(a)), 0);
	assert_string_equal(fake_kernel_record(0)->name, "short_lived");
	assert_non_null(strstr(ue_status().message, "no error"));
}

/* ---- Registering ---- */

TEST_SETUP(test_a_registered_event_follows_its_tracers, new_kernel)
{
	static struct ue_event e;

	assert_false(ue_event_enabled(&e));
	assert_int_equal(ue_event_register(&e, "follows u32 a", 0), 0);
	assert_false(ue_event_enabled(&e));
	fake_kernel_enable("follows", FAKE_FTRACE);
	assert_true(ue_event_enabled(&e));
	fake_kernel_enable("follows", FAKE_PERF);
	fake_kernel_disable("follows", FAKE_FTRACE);
	assert_true(ue_event_enabled(&e));
	fake_kernel_disable("follows", FAKE_PERF);
	assert_false(ue_event_enabled(&e));
}

TEST_SETUP(test_an_event_registered_while_a_tracer_listens_is_enabled, new_kernel)
{
	static struct ue_event e;

	assert_int_equal(fake_kernel_other_register("before u32 a", 0), 0);
	listen_to("before");
	assert_int_equal(ue_event_register(&e, "before u32 a", 0), 0);
	assert_true(ue_event_enabled(&e));
}

TEST_SETUP(test_registering_a_struct_twice_is_EALREADY, new_kernel)
{
	static struct ue_event e;

	assert_int_equal(ue_event_register(&e, "twice u32 a", 0), 0);
	assert_int_equal(ue_event_register(&e, "twice u32 a", 0), -EALREADY);
	assert_int_equal(ue_event_register(&e, "other u32 a", 0), -EALREADY);
	assert_int_equal(ue_event_register(&e, "bad-name", 0), -EALREADY);
	assert_int_equal(fake_kernel_enablers(), 1);
	assert_int_equal(ue_status().runtime, 1);
}

TEST_SETUP(test_two_structs_with_the_same_spec_both_write, new_kernel)
{
	static struct ue_event e, f;
	uint8_t x = 1, y = 2;

	assert_int_equal(ue_event_register(&e, "both u8 a", 0), 0);
	assert_int_equal(ue_event_register(&f, "both  u8  a;", 0), 0);
	listen_to("both");
	assert_int_equal(ue_event_write(&e, &x, 1), 0);
	assert_int_equal(ue_event_write(&f, &y, 1), 0);
	assert_int_equal(ue_event_unregister(&e), 0);
	assert_false(ue_event_enabled(&e));
	assert_true(ue_event_enabled(&f));
	assert_int_equal(ue_event_write(&e, &x, 1), 0);
	assert_int_equal(ue_event_write(&f, &y, 1), 0);
	assert_int_equal(fake_kernel_records(), 3);
	assert_int_equal(fake_kernel_events(), 1);
}

TEST_SETUP(test_unregistering_stops_the_kernels_writes, new_kernel)
{
	static struct ue_event e;

	assert_int_equal(ue_event_register(&e, "ends u8 a", 0), 0);
	listen_to("ends");
	assert_true(ue_event_enabled(&e));
	assert_int_equal(ue_event_unregister(&e), 0);
	assert_false(ue_event_enabled(&e));
	assert_int_equal(fake_kernel_enablers(), 0);
	assert_int_equal(ue_event_unregister(&e), -ENOENT);
	fake_kernel_disable("ends", FAKE_OTHER);
	fake_kernel_enable("ends", FAKE_OTHER);
	assert_false(ue_event_enabled(&e));
	assert_int_equal(ue_event_write(&e, "a", 1), 0);
	assert_int_equal(fake_kernel_records(), 0);
}

TEST_SETUP(test_a_struct_may_be_registered_again_as_another_event, new_kernel)
{
	static struct ue_event e;
	uint64_t x = 7;

	for (unsigned int i = 0; i < 3; i++) {
		char spec[32];

		snprintf(spec, sizeof(spec), "again_%u u64 a", i);
		assert_int_equal(ue_event_register(&e, spec, 0), 0);
		*strchr(spec, ' ') = '\0';
		listen_to(spec);
		assert_int_equal(ue_event_write(&e, &x, sizeof(x)), 0);
		assert_string_equal(fake_kernel_record(i)->name, spec);
		assert_int_equal(ue_event_unregister(&e), 0);
	}
	assert_int_equal(ue_status().runtime, 0);
}

TEST_SETUP(test_the_memory_of_an_unregistered_event_may_be_freed, new_kernel)
{
	struct ue_event *e[3];

	for (unsigned int i = 0; i < 3; i++) {
		e[i] = calloc(1, sizeof(*e[i]));
		assert_non_null(e[i]);
		assert_int_equal(ue_event_register(e[i], "mallocated u8 a", 0), 0);
	}
	assert_int_equal(ue_event_unregister(e[1]), 0);
	memset(e[1], 0xff, sizeof(*e[1]));
	free(e[1]);
	assert_int_equal(ue_status().runtime, 2);
	/* the count includes events that ue_unregister_all() unregistered */
	ue_unregister_all();
	memset(e[0], 0xff, sizeof(*e[0]));
	memset(e[2], 0xff, sizeof(*e[2]));
	free(e[0]);
	free(e[2]);
	assert_int_equal(ue_status().runtime, 0);
	assert_int_equal(ue_register_all(), 0);
}

TEST_SETUP(test_run_time_events_can_return_after_unregister_all, new_kernel)
{
	static struct ue_event e;

	assert_int_equal(ue_event_register(&e, "comes_again u8 a", 0), 0);
	listen_to("comes_again");
	ue_unregister_all();
	assert_false(ue_event_enabled(&e));
	assert_int_equal(fake_kernel_enablers(), 0);
	assert_int_equal(fake_kernel_fds(), 1); /* the shared file */
	assert_int_equal(ue_event_unregister(&e), -ENOENT);
	assert_int_equal(ue_event_register(&e, "comes_again u8 a", 0), 0);
	assert_true(ue_event_enabled(&e));
	assert_int_equal(ue_status().runtime, 1);
	assert_int_equal(ue_event_write(&e, "a", 1), 0);
	assert_int_equal(fake_kernel_records(), 1);
}

TEST_SETUP(test_unregistered_in_any_order, new_kernel)
{
	static struct ue_event e[5];

	for (unsigned int order = 0; order < 120; order++) {
		unsigned int rest = order, left = 5;
		bool gone[5] = { false };

		for (unsigned int i = 0; i < 5; i++)
			assert_int_equal(ue_event_register(&e[i], "ordered u8 a", 0), 0);
		for (unsigned int k = 5; k > 0; k--) {
			unsigned int which = rest % k, i = 0;

			rest /= k;
			for (;; i++)
				if (!gone[i] && which-- == 0)
					break;
			gone[i] = true;
			assert_int_equal(ue_event_unregister(&e[i]), 0);
			assert_int_equal(ue_status().runtime, --left);
		}
	}
}

TEST_SETUP(test_a_registration_rejected_by_the_kernel_is_retried, new_kernel)
{
	static struct ue_event e;

	fake_kernel_fail(FAKE_REG, 1, 1, ENOMEM);
	assert_int_equal(ue_event_register(&e, "failed u8 a", 0), -ENOMEM);
	assert_int_equal(ue_status().runtime, 0);
	assert_int_equal(ue_status().error, -ENOMEM);
	assert_non_null(strstr(ue_status().message, "\"failed\""));
	assert_int_equal(ue_register_all(), 0);
	assert_int_equal(ue_status().runtime, 1);
	assert_int_equal(ue_event_unregister(&e), 0);
	assert_int_equal(ue_event_unregister(&e), -ENOENT);
	assert_int_equal(ue_register_all(), 0);
	assert_int_equal(ue_status().runtime, 0);
	fake_kernel_fail(FAKE_REG, 1, 1, ENOMEM);
	assert_int_equal(ue_event_register(&e, "failed u8 a", 0), -ENOMEM);
	assert_int_equal(ue_event_register(&e, "other u8 a", 0), 0);
	assert_int_equal(ue_event_register(&e, "other u8 a", 0), -EALREADY);
	assert_int_equal(ue_event_unregister(&e), 0);
	memset(&e, 0, sizeof(e));
	assert_int_equal(ue_event_register(&e, "failed u8 a", 0), 0);
}

/* ---- Flags of ue_event_register() ---- */

/*
 * For a short time, the kernel still lists an enable word in a copy-on-write page; see
 * docs/kernel.md.
 */
TEST_SETUP(test_a_word_still_listed_is_registered_shortly_after, new_kernel)
{
	static struct ue_event event;

	assert_int_equal(ue_event_register(&event, "moment u8 a", 0), 0);
	fake_kernel_hold_words(3);
	assert_int_equal(ue_event_unregister(&event), 0);
	fake_kernel_hold_words(0);
	assert_int_equal(ue_event_register(&event, "moment u8 a", 0), 0);
	assert_int_equal(fake_kernel_enable("user_events:moment", FAKE_OTHER), 1);
	assert_true(ue_event_enabled(&event));
	assert_int_equal(ue_status().multi, 0);
}

TEST_SETUP(test_a_word_listed_for_long_is_EAGAIN_with_a_message, new_kernel)
{
	static struct ue_event event;

	assert_int_equal(ue_event_register(&event, "longer u8 a", 0), 0);
	fake_kernel_hold_words(1000);
	assert_int_equal(ue_event_unregister(&event), 0);
	fake_kernel_hold_words(0);
	assert_int_equal(ue_event_register(&event, "longer u8 a", 0), -EAGAIN);
	assert_non_null(strstr(ue_status().message, "event \"longer\": the kernel has not yet"));
	assert_non_null(strstr(ue_status().message, "register the event again"));
	assert_int_equal(ue_event_unregister(&event), 0);
}

/*
 * Simulates a child forked while another thread of the parent had received the kernel's answer but
 * had not stored it yet.
 */
TEST_SETUP(test_a_child_forked_during_registration_registers_again, new_kernel)
{
	static struct ue_event e;

	fake_kernel_enable("*", FAKE_PERF);
	assert_int_equal(ue_event_register(&e, "forked u8 a", 0), 0);
	e.state = UE__LISTED;
	e.index = 0;
	assert_int_equal(ue_register_all(), 0);
	assert_int_equal(ue_status().runtime, 1);
	assert_int_equal(ue_status().multi, 0);
	fake_kernel_enable("forked", FAKE_PERF);
	assert_int_equal(ue_event_write(&e, "a", 1), 0);
	assert_int_equal(fake_kernel_records(), 1);
	assert_int_equal(ue_event_unregister(&e), 0);
	assert_int_equal(fake_kernel_enablers(), 0);
}

/* Simulates a process without a free descriptor for the event's own file. */
TEST_SETUP(test_an_event_without_its_own_file_uses_the_common_file, new_kernel)
{
	static struct ue_event e;
	uint32_t x = 7;

	fake_kernel_fail(FAKE_OPEN, 2, 1, EMFILE);
	assert_int_equal(ue_event_register(&e, "shares_the_file u32 x", 0), 0);
	assert_int_equal(fake_kernel_fds(), 1);
	listen_to("shares_the_file");
	assert_int_equal(ue_event_write(&e, &x, 4), 0);
	assert_memory_equal(fake_kernel_record(0)->data, &x, 4);
	assert_int_equal(ue_event_unregister(&e), 0);
}

TEST_SETUP(test_unknown_flags_are_rejected, new_kernel)
{
	static struct ue_event e;

	for (unsigned int flags = 4; flags; flags <<= 1) {
		assert_int_equal(ue_event_register(&e, "flagged u8 a", flags), -EINVAL);
		assert_int_equal(ue_event_register(&e, "flagged u8 a", flags | UE_PERSIST),
				 -EINVAL);
	}
	assert_int_equal(fake_kernel_calls(FAKE_REG), 0);
}

TEST_SETUP(test_a_persistent_event_stays, new_kernel)
{
	static struct ue_event e, f;

	assert_int_equal(ue_event_register(&e, "stays u8 a", UE_PERSIST), 0);
	assert_int_equal(ue_event_register(&f, "goes u8 a", 0), 0);
	ue_unregister_all();
	assert_int_equal(fake_kernel_events(), 1);
	assert_int_equal(ue_event_delete("stays"), 0);
	assert_int_equal(fake_kernel_events(), 0);
}

TEST_SETUP(test_a_persistent_event_without_permission_is_EPERM, new_kernel)
{
	struct fake_world world = fake_world_default();
	static struct ue_event e;

	world.perfmon = false;
	fake_kernel_change(&world);
	assert_int_equal(ue_event_register(&e, "stays u8 a", UE_PERSIST), -EPERM);
	assert_non_null(strstr(ue_status().message, "CAP_PERFMON"));
	assert_int_equal(ue_event_register(&e, "stays u8 a", 0), 0);
}

TEST_SETUP(test_multi_format_events_with_one_name_coexist, new_kernel)
{
	static struct ue_event e, f;
	uint8_t x = 1;
	uint16_t y = 2;

	assert_int_equal(ue_event_register(&e, "many u8 a", UE_MULTI_FORMAT), 0);
	assert_int_equal(ue_event_register(&f, "many u16 a", UE_MULTI_FORMAT), 0);
	assert_int_equal(ue_status().multi, 2);
	assert_int_equal(fake_kernel_enable("user_events_multi:many.*", FAKE_OTHER), 2);
	assert_int_equal(ue_event_write(&e, &x, 1), 0);
	assert_int_equal(ue_event_write(&f, &y, 2), 0);
	assert_string_equal(fake_kernel_record(0)->name, "many.0");
	assert_string_equal(fake_kernel_record(1)->name, "many.1");
}

TEST_SETUP(test_a_flag_unknown_to_the_kernel_is_omitted, new_kernel)
{
	struct fake_world world = fake_world_default();
	static struct ue_event e, f, g;

	world.known_flags = FAKE_REG_PERSIST;
	fake_kernel_change(&world);
	assert_int_equal(ue_event_register(&e, "kept u8 a", UE_PERSIST | UE_MULTI_FORMAT), 0);
	assert_int_equal(ue_event_register(&f, "plain u8 a", UE_MULTI_FORMAT), 0);
	assert_int_equal(ue_status().multi, 0);
	assert_int_equal(ue_event_register(&g, "plain u16 a", UE_MULTI_FORMAT), -EADDRINUSE);
	ue_unregister_all();
	assert_int_equal(fake_kernel_events(), 1); /* "kept" remains: it is persistent */
	world.known_flags = 0;
	fake_kernel_reset(&world);
	assert_int_equal(ue_event_register(&e, "kept u8 a", UE_PERSIST | UE_MULTI_FORMAT), 0);
	assert_int_equal(ue_event_unregister(&e), 0);
}

/* ---- Deleting ---- */

TEST_SETUP(test_delete_returns_the_kernels_errors, new_kernel)
{
	struct fake_world world = fake_world_default();
	static struct ue_event e;
	unsigned int fds;

	errno = 4711;
	assert_int_equal(ue_event_delete("unknown"), -ENOENT);
	assert_int_equal(ue_event_register(&e, "deleted u8 a", UE_PERSIST), 0);
	fds = fake_kernel_fds();
	assert_int_equal(ue_event_delete("deleted"), -EBUSY);
	assert_int_equal(fake_kernel_fds(), fds);
	ue_unregister_all();
	world.perfmon = false;
	fake_kernel_change(&world);
	assert_int_equal(ue_event_delete("deleted"), -EPERM);
	world.perfmon = true;
	fake_kernel_change(&world);
	assert_int_equal(ue_event_delete("deleted"), 0);
	assert_int_equal(ue_event_delete("deleted"), -ENOENT);
	assert_int_equal(errno, 4711);
	assert_true(fake_kernel_fds() <= 1);
}

TEST_SETUP(test_delete_reports_missing_tracefs, new_kernel)
{
	struct fake_world world = fake_world_default();

	ue_unregister_all();
	world.tracefs = NULL;
	fake_kernel_reset(&world);
	assert_int_equal(ue_event_delete("any"), -ENOENT);
	world = fake_world_default();
	world.data_errno = EACCES;
	fake_kernel_reset(&world);
	assert_int_equal(ue_event_delete("any"), -EACCES);
}

TEST_SETUP(test_delete_finds_tracefs_wherever_it_is_mounted, new_kernel)
{
	struct fake_world world = fake_world_default();
	static struct ue_event e;

	ue_unregister_all();
	world.tracefs = "/mnt/my trace";
	fake_kernel_reset(&world);
	assert_int_equal(ue_event_register(&e, "elsewhere u8 a", UE_PERSIST), 0);
	assert_int_equal(ue_event_delete("elsewhere"), -EBUSY);
	assert_int_equal(ue_event_unregister(&e), 0);
	ue_unregister_all();
	assert_int_equal(ue_event_delete("elsewhere"), 0);
}

/* ---- Writing ---- */

TEST_SETUP(test_writing_a_disabled_event_does_nothing, new_kernel)
{
	static struct ue_event e;
	struct iovec iov = { NULL, 0 };

	assert_int_equal(ue_event_write(&e, "abc", 3), 0);
	assert_int_equal(ue_event_writev(&e, &iov, 1), 0);
	assert_int_equal(ue_event_register(&e, "quiet u8 a", 0), 0);
	assert_int_equal(ue_event_write(&e, "abc", 3), 0);
	assert_int_equal(ue_event_writev(&e, &iov, 1), 0);
	assert_int_equal(fake_kernel_calls(FAKE_WRITE), 0);
	assert_int_equal(fake_kernel_calls(FAKE_WRITEV), 0);
}

TEST_SETUP(test_a_payload_of_any_size_is_recorded_unchanged, new_kernel)
{
	static const size_t sizes[] = { 1,
					2,
					3,
					4,
					5,
					UE_INLINE_BYTES - 1,
					UE_INLINE_BYTES,
					UE_INLINE_BYTES + 1,
					507,
					508,
					509,
					511,
					512,
					513,
					514,
					4063,
					UE_MAX_EVENT };
	static struct ue_event e;
	unsigned char *payload = malloc(UE_MAX_EVENT);

	assert_non_null(payload);
	for (size_t i = 0; i < UE_MAX_EVENT; i++)
		payload[i] = (unsigned char)(i * 31 + i / 251);
	assert_int_equal(ue_event_register(&e, "sized u8 a", 0), 0);
	listen_to("sized");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		const struct fake_record *r;
		unsigned char *exact = malloc(sizes[i]);
		struct iovec iov[3] = { { exact, sizes[i] / 2 }, { NULL, 0 } };

		assert_non_null(exact);
		memcpy(exact, payload, sizes[i]);
		iov[2].iov_base = exact + sizes[i] / 2;
		iov[2].iov_len = sizes[i] - sizes[i] / 2;
		fake_kernel_clear_records();
		assert_int_equal(ue_event_write(&e, exact, sizes[i]), 0);
		assert_int_equal(ue_event_writev(&e, iov, 3), 0);
		for (size_t k = 0; k < 2; k++) {
			r = fake_kernel_record(k);
			assert_non_null(r);
			assert_int_equal(r->size, sizes[i]);
			assert_memory_equal(r->data, payload, sizes[i]);
		}
		free(exact);
	}
	free(payload);
}

TEST_SETUP(test_an_event_without_fields_takes_an_empty_payload, new_kernel)
{
	static struct ue_event e;

	assert_int_equal(ue_event_register(&e, "empty", 0), 0);
	listen_to("empty");
	assert_int_equal(ue_event_write(&e, NULL, 0), 0);
	assert_int_equal(ue_event_write(&e, "", 0), 0);
	assert_int_equal(ue_event_writev(&e, NULL, 0), 0);
	assert_int_equal(fake_kernel_records(), 3);
}

TEST_SETUP(test_writev_takes_1023_segments, new_kernel)
{
	static struct iovec iov[1024];
	static struct ue_event e;
	unsigned char byte = 'b';

	for (size_t i = 0; i < 1024; i++) {
		iov[i].iov_base = &byte;
		iov[i].iov_len = 1;
	}
	assert_int_equal(ue_event_register(&e, "segments u8 a", 0), 0);
	listen_to("segments");
	assert_int_equal(ue_event_writev(&e, iov, 1023), 0);
	assert_int_equal(fake_kernel_record(0)->size, 1023);
	assert_int_equal(ue_event_writev(&e, iov, 1024), -EINVAL);
	assert_int_equal(ue_event_writev(&e, iov, -1), -EINVAL);
	assert_int_equal(ue_event_writev(&e, iov, INT32_MAX), -EINVAL);
	assert_int_equal(fake_kernel_records(), 1);
	assert_int_equal(fake_kernel_calls(FAKE_WRITEV), 1);
}

/* The length may be the result of a failed read(). In this case, the payload must not be read. */
TEST_SETUP(test_a_payload_over_UE_MAX_EVENT_is_E2BIG_and_counted, new_kernel)
{
	static const size_t sizes[] = { UE_MAX_EVENT + 1, 65535,	65536,
					SIZE_MAX / 2,	  SIZE_MAX - 4, SIZE_MAX };
	static struct ue_event e;
	uint64_t large;

	assert_int_equal(ue_event_register(&e, "large u8 a", 0), 0);
	large = ue_status().large;
	/* at this point, the event is disabled */
	assert_int_equal(ue_event_write(&e, NULL, UE_MAX_EVENT + 1), 0);
	assert_int_equal(ue_status().large, large);
	listen_to("large");
	errno = 4711;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct iovec iov[] = { { "ab", 2 }, { NULL, sizes[i] - 2 }, { "c", sizes[i] } };

		assert_int_equal(ue_event_write(&e, NULL, sizes[i]), -E2BIG);
		assert_int_equal(ue_event_writev(&e, iov, 2), -E2BIG);
		assert_int_equal(ue_event_writev(&e, iov, 3), -E2BIG);
		large += 3;
		assert_int_equal(ue_status().large, large);
	}
	assert_int_equal(errno, 4711);
	assert_int_equal(fake_kernel_calls(FAKE_WRITE), 0);
	assert_int_equal(fake_kernel_calls(FAKE_WRITEV), 0);
}

/* If the length is 0, the library ignores the address, as the kernel does. */
TEST_SETUP(test_an_empty_segment_has_any_address, new_kernel)
{
	static struct ue_event e;
	static char payload[1000] = "x";
	struct iovec iov[] = { { (void *)9, 0 }, { payload, sizeof(payload) }, { NULL, 0 } };

	assert_int_equal(ue_event_register(&e, "anywhere char[40] a", 0), 0);
	listen_to("anywhere");
	assert_int_equal(ue_event_writev(&e, iov, 3), 0);
	assert_int_equal(fake_kernel_records(), 1);
}

TEST_SETUP(test_writes_rejected_by_the_kernel_are_returned_and_counted, new_kernel)
{
	static struct ue_event e;
	uint64_t failed = ue_status().failed;
	uint32_t outside = 4u << 16, inside = 2u << 16;
	unsigned char p[6];

	assert_int_equal(ue_event_register(&e, "refused __rel_loc char[] s", 0), 0);
	listen_to("refused");
	errno = 4711;
	assert_int_equal(ue_event_write(&e, "abc", 3), -EINVAL);
	memcpy(p, &outside, 4);
	memcpy(p + 4, "a", 2);
	assert_int_equal(ue_event_write(&e, p, 6), -EFAULT);
	memcpy(p, &inside, 4);
	memcpy(p + 4, "aa", 2);
	assert_int_equal(ue_event_write(&e, p, 6), -EFAULT);
	fake_kernel_fail(FAKE_WRITE, 1, 1, ENOSPC);
	assert_int_equal(ue_event_write(&e, p, 6), -ENOSPC);
	assert_int_equal(ue_status().failed, failed + 4);
	assert_int_equal(fake_kernel_records(), 0);
	fake_kernel_fail(FAKE_WRITE, 1, 1, EBADF);
	assert_int_equal(ue_event_write(&e, p, 6), 0);
	p[5] = '\0';
	assert_int_equal(ue_event_write(&e, p, 6), 0);
	assert_int_equal(ue_status().failed, failed + 4);
	assert_int_equal(fake_kernel_records(), 1);
	assert_int_equal(errno, 4711);
}

/* ---- Event sets ---- */

TEST_SETUP(test_a_run_time_set_registers_the_tracepoint_with_its_name, new_kernel)
{
	static struct ue_event_set set;
	char text[256];

	assert_int_equal(ue_event_set_register(&set, "My_App", 5, 0x1234567890abcdefu, "g1"), 0);
	assert_true(fake_kernel_fields("My_App_L5K1234567890abcdefGg1", text, sizeof(text)) > 0);
	assert_string_equal(text, "u8 eventheader_flags; u8 version; u16 id; u16 tag; u8 opcode; "
				  "u8 level");
	assert_false(ue_event_set_enabled(&set));
	fake_kernel_enable("My_App*", FAKE_PERF);
	assert_true(ue_event_set_enabled(&set));
	assert_int_equal(ue_event_set_unregister(&set), 0);
	assert_int_equal(ue_event_set_unregister(&set), -ENOENT);
}

TEST_SETUP(test_a_set_that_readers_cannot_recognise_is_rejected, new_kernel)
{
	static const struct {
		const char *provider;
		unsigned int level;
		const char *group;
	} bad[] = {
		{ NULL, 5, NULL },  { "", 5, NULL },	{ "a b", 5, NULL }, { "a:b", 5, NULL },
		{ "a/b", 5, NULL }, { "a\n", 5, NULL }, { "a", 0, NULL },   { "a", 256, NULL },
		{ "a", 5, "a_b" },  { "a", 5, "a b" },	{ "a", 5, "H:" },
	};
	char provider[300];
	static struct ue_event_set set;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(ue_register_all(), 0);
		assert_int_equal(
			ue_event_set_register(&set, bad[i].provider, bad[i].level, 1, bad[i].group),
			-EINVAL);
		assert_int_equal(ue_status().error, -EINVAL);
	}
	/* a run-time event with the fields of a set must have a set's name */
	assert_int_equal(ue_event_register(&set.event, " " UE__F_SET_FIELDS, 0), -EINVAL);
	assert_int_equal(ue_event_register(&set.event, "a/b " UE__F_SET_FIELDS, 0), -EINVAL);
	assert_int_equal(ue_event_register(&set.event, "a\nb " UE__F_SET_FIELDS, 0), -EINVAL);
	/* with the suffix _L1K1, the names have 255 and 256 bytes */
	memset(provider, 'p', sizeof(provider));
	provider[250] = '\0';
	assert_int_equal(ue_event_set_register(&set, provider, 1, 1, ""), 0);
	assert_int_equal(ue_event_set_unregister(&set), 0);
	provider[250] = 'p';
	provider[251] = '\0';
	assert_int_equal(ue_event_set_register(&set, provider, 1, 1, ""), -EINVAL);
}

/*
 * The format forbids only spaces and colons. A slash, however, would create a tracefs directory
 * that cannot be opened.
 */
TEST_SETUP(test_a_set_accepts_every_valid_provider_and_option, new_kernel)
{
	static const struct {
		const char *provider, *options, *name;
	} good[] = {
		{ "9lead", NULL, "9lead_L5K1" },
		{ "My-App.http", "", "My-App.http_L5K1" },
		{ "caf\xc3\xa9;a=b", "web", "caf\xc3\xa9;a=b_L5K1Gweb" },
		{ "App", "Hopt", "App_L5K1Hopt" },
		{ "App", "webHopt", "App_L5K1GwebHopt" },
		{ "App", "AGwebZ9", "App_L5K1AGwebZ9" },
	};
	static struct ue_event_set set;
	char text[256];

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(
			ue_event_set_register(&set, good[i].provider, 5, 1, good[i].options), 0);
		assert_true(fake_kernel_fields(good[i].name, text, sizeof(text)) > 0);
		assert_true(ue_event_spec(&set.event, text, sizeof(text)) > 0);
		assert_memory_equal(text, good[i].name, strlen(good[i].name));
		assert_ptr_equal(ue_event_find(good[i].name, NULL), &set.event);
		assert_int_equal(ue_event_set_unregister(&set), 0);
	}
}

/* ---- Program exit ---- */

static bool at_the_end;

/* Runs after the library's destructor, because destructors of lower priority run later. */
static void last(void)
{
	if (at_the_end)
		_exit(fake_kernel_enablers() == 1 && fake_kernel_fds() == 2 ? 0 : 1);
}
static void (*last_entry)(void) __attribute__((section(".fini_array.00050"), used)) = last;

/*
 * At exit, a program does not unregister, because a sandbox may forbid it and the kernel does it
 * anyway. For libraries, see test_dlclose_leaves_nothing.
 */
TEST_SETUP(test_a_program_unregisters_nothing_at_exit, new_kernel)
{
	static struct ue_event e;
	pid_t child;
	int status;

	fflush(NULL);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		at_the_end = true;
		if (ue_event_register(&e, "unloaded u8 a", 0) != 0 || fake_kernel_enablers() != 1)
			_exit(2);
		exit(3);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

TESTS_MAIN
