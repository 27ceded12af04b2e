/* SPDX-License-Identifier: MIT */
/*
 * UE_PRINT prints the program's own events to stderr, selected by level and name. It prints nothing
 * else.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

#include "test.h"

#define FAKE_KERNEL_HOOKS
#include "fake_kernel.h"
#include <user_events_builder.h>
#include <user_events_capture.h>

/* Number of waits for a signal, and number of waits whose timeout is not zero. */
static int signal_waits, long_signal_waits;

static void watch_call(long number, const void *timeout)
{
	static const long zero[2] = { 0, 0 };

	if (number == SYS_rt_sigtimedwait) {
		signal_waits++;
		long_signal_waits += memcmp(timeout, zero, sizeof(zero)) != 0;
	}
}
#define ue__i_libc_syscall(number, a, b, c, d) \
	(watch_call(number, c), ue__i_libc_syscall(number, a, b, c, d))
#include <user_events_print.h>
#undef ue__i_libc_syscall

UE_TRACEPOINT(numbered, UE_U32(number), UE_STR(text));
UE_EVENT_SET(failed, "Printed", UE_LEVEL_ERROR, 0x1);
UE_EVENT_SET(info, "Printed", UE_LEVEL_INFORMATION, 0x1);

static int stderr_copy, ends[2];

/* Runs a test on a fake kernel without user_events, with stderr connected to a pipe. */
static int setup(void **state)
{
	struct fake_world none = fake_world_default();

	(void)state;
	none.data_errno = ENOENT;
	ue_unregister_all();
	fake_kernel_reset(&none);
	ue_register_all();
	stderr_copy = dup(2);
	return pipe(ends) || fcntl(ends[0], F_SETFL, O_NONBLOCK) || dup2(ends[1], 2) < 0 ||
	       close(ends[1]);
}

static int end(void **state)
{
	(void)state;
	ue_probe_unregister(NULL, ue__print_event, NULL);
	unsetenv("UE_PRINT");
	dup2(stderr_copy, 2);
	return close(stderr_copy) || close(ends[0]);
}

static int print(const char *what)
{
	ue_probe_unregister(NULL, ue__print_event, NULL);
	setenv("UE_PRINT", what, 1);
	return ue_print_environment();
}

static const char *printed(void)
{
	static char text[4096];
	ssize_t n = read(ends[0], text, sizeof(text) - 1);

	text[n > 0 ? n : 0] = '\0';
	return text;
}

static void trace_all(void)
{
	trace_numbered(7, "a \"text\"\n");
	UE_LOG(failed, "Broken", UE_I32(code, -1));
	UE_LOG(info, "Worked", UE_STRUCT(at, UE_U8(x, 1)));
}

#define NUMBERED \
	"{ \"n\": \"user_events:numbered\", \"number\": 7, \"text\": \"a \\\"text\\\"\\n\" }\n"
#define BROKEN "{ \"n\": \"Printed:Broken\", \"code\": -1 }\n"
#define WORKED "{ \"n\": \"Printed:Worked\", \"at\": { \"x\": 1 } }\n"
#define MISMATCH(what)                                                       \
	"user_events: UE_PRINT=" what " does not match numbered, the first " \
	"event; UE_PRINT=help lists the accepted values\n"

TEST_SETUP_TEARDOWN(test_levels_and_names_select_what_is_printed, setup, end)
{
	static const struct {
		const char *what, *lines;
	} rows[] = {
		{ "1", NUMBERED BROKEN WORKED },
		{ "*", NUMBERED BROKEN WORKED },
		{ "all", NUMBERED BROKEN WORKED },
		{ "error", BROKEN },
		{ "warning", BROKEN },
		{ "information", BROKEN WORKED },
		{ "critical", "" },
		{ "err", BROKEN },
		{ "warn", BROKEN },
		{ "informatio", BROKEN WORKED },
		{ "cri,x", "" },
		{ "x,cri", "" },
		{ "er", MISMATCH("er") },
		{ "errors", MISMATCH("errors") },
		{ "al", MISMATCH("al") },
		{ "err,numbered", NUMBERED BROKEN },
		{ "num*", NUMBERED },
		{ "Worked", MISMATCH("Worked") WORKED },
		{ "n?mbered", NUMBERED },
		{ "n?bered", MISMATCH("n?bered") },
		{ "Printed_*", MISMATCH("Printed_*") BROKEN WORKED },
		{ "*L2*1", MISMATCH("*L2*1") BROKEN },
		{ "error,numbered", NUMBERED BROKEN },
		{ "none,Work*d,x", MISMATCH("none,Work*d,x") WORKED },
		{ "numbere", MISMATCH("numbere") },
		{ "numbered?", MISMATCH("numbered?") },
		{ "numbered*", NUMBERED },
		{ "**mb**d**", NUMBERED },
		{ "*e?ed", NUMBERED },
		{ "*re*re*", MISMATCH("*re*re*") },
		{ "*be?ed", NUMBERED },
		{ "?*?*?*?*?*?*?*?*", NUMBERED BROKEN WORKED },
		{ "?*?*?*?*?*?*?*?*?*?*?*?", MISMATCH("?*?*?*?*?*?*?*?*?*?*?*?") BROKEN WORKED },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_int_equal(print(rows[i].what), 1);
		errno = EXDEV;
		trace_all();
		assert_int_equal(errno, EXDEV);
		assert_string_equal(printed(), rows[i].lines);
	}
}

TEST_SETUP_TEARDOWN(test_help_prints_the_accepted_values_and_no_event, setup, end)
{
	const char *help;

	errno = EXDEV;
	assert_int_equal(print("help"), 0);
	assert_int_equal(errno, EXDEV);
	trace_all();
	help = printed();
	for (unsigned int i = 0; i < 5; i++) {
		static const char *const names[] = { "all", "error", "verbose", "name",
						     "request_*" };

		assert_non_null(strstr(help, names[i]));
	}
	assert_null(strstr(help, "\"n\""));
}

/*
 * The value of UE_PRINT is checked against the first event only. If it does not match this event,
 * one message is printed, even if it matches a later event.
 */
TEST_SETUP_TEARDOWN(test_a_value_without_a_match_is_reported_once, setup, end)
{
	static char name[700];
	struct ue_builder b;
	char buffer[1200], longest[256];

	assert_int_equal(print("eror"), 1);
	trace_all();
	trace_all();
	assert_string_equal(printed(), MISMATCH("eror"));
	assert_int_equal(print("numbered"), 1);
	trace_all();
	trace_all();
	assert_string_equal(printed(), NUMBERED NUMBERED);
	/* An event may have the same name as a level. */
	assert_int_equal(print("inf"), 1);
	UE_TRACE(inf, UE_U32(a, 1));
	assert_string_equal(printed(), "{ \"n\": \"user_events:inf\", \"a\": 1 }\n");
	/* The longest possible value and a long event name fit in one line. */
	memset(longest, 'x', sizeof(longest) - 1);
	longest[255] = '\0';
	memset(name, 'y', sizeof(name) - 1);
	assert_int_equal(print(longest), 1);
	ue_builder_begin(&b, buffer, sizeof(buffer), name, 0);
	assert_int_equal(ue_builder_write(&b, &info, NULL, NULL), 0);
	name[512] = '\0';
	snprintf(buffer, sizeof(buffer),
		 "user_events: UE_PRINT=%s does not match %s, the first event; UE_PRINT=help lists "
		 "the accepted values\n",
		 longest, name);
	assert_string_equal(printed(), buffer);
}

/* Matching must be fast, because it delays the program. */
TEST_SETUP_TEARDOWN(test_a_pattern_of_many_stars_is_matched_quickly, setup, end)
{
	char name[512], pattern[200];

	memset(name, 'a', sizeof(name));
	for (size_t i = 0; i < sizeof(pattern); i++)
		pattern[i] = "*a"[i % 2];
	assert_true(ue__print_matches(pattern, sizeof(pattern), name, sizeof(name)));
	pattern[sizeof(pattern) - 1] = 'b';
	alarm(10);
	assert_false(ue__print_matches(pattern, sizeof(pattern), name, sizeof(name)));
	alarm(0);
}

TEST_SETUP_TEARDOWN(test_nothing_is_printed_by_default, setup, end)
{
	char longer[300];

	unsetenv("UE_PRINT");
	assert_int_equal(ue_print_environment(), 0);
	assert_int_equal(print(""), 0);
	assert_int_equal(print("0"), 0);
	memset(longer, 'x', sizeof(longer));
	longer[256] = '\0';
	assert_int_equal(print(longer), -ENAMETOOLONG);
	assert_false(trace_numbered_enabled());
	close(2);
	assert_int_equal(print("1"), -EBADF);
}

TEST_SETUP_TEARDOWN(test_a_long_event_is_printed_as_one_truncated_line, setup, end)
{
	static char text[3000];
	const char *line;

	memset(text, 'x', sizeof(text) - 1);
	assert_int_equal(print("1"), 1);
	trace_numbered(1, text);
	UE_LOG(info, "Long", UE_STR(text));
	line = printed();
	assert_int_equal(strlen(line), 2 * 1024);
	assert_int_equal(line[1023], '\n');
	assert_int_equal(line[2047], '\n');
}

/* The program may have closed descriptor 2 and reused it, for example for its database. */
TEST_SETUP_TEARDOWN(test_nothing_is_printed_to_another_file_at_descriptor_2, setup, end)
{
	char path[] = "/tmp/ue_print_XXXXXX", byte;
	int fd = mkstemp(path);

	unlink(path);
	assert_int_equal(print("1"), 1);
	assert_int_equal(dup2(fd, 2), 2);
	trace_all();
	assert_int_equal(pread(fd, &byte, 1, 0), 0);
	close(2);
	trace_all();
	close(fd);
}

static int signals;

static void on_signal(int number)
{
	(void)number;
	signals++;
}

TEST_SETUP_TEARDOWN(test_a_closed_pipe_or_full_file_causes_no_signal, setup, end)
{
	struct rlimit old, none;
	char path[] = "/tmp/ue_print_XXXXXX";
	int fd = mkstemp(path);

	unlink(path);
	signal(SIGPIPE, on_signal);
	signal(SIGXFSZ, on_signal);
	assert_int_equal(print("1"), 1);
	close(ends[0]);
	errno = EXDEV;
	trace_all();
	assert_int_equal(errno, EXDEV);
	assert_int_equal(signals, 0);
	/* the write of the program itself raises the signal */
	assert_true(write(2, "x", 1) == -1 && signals == 1);
	ends[0] = dup2(fd, 2) == 2 ? dup(0) : -1;
	assert_int_equal(print("1"), 1);
	getrlimit(RLIMIT_FSIZE, &old);
	none = old;
	none.rlim_cur = 0;
	setrlimit(RLIMIT_FSIZE, &none);
	trace_all();
	setrlimit(RLIMIT_FSIZE, &old);
	assert_int_equal(signals, 1);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	close(fd);
}

TEST_SETUP_TEARDOWN(test_a_full_pipe_does_not_delay_the_event, setup, end)
{
	char bytes[4096] = "";

	assert_int_equal(print("error"), 1);
	fcntl(2, F_SETFL, O_NONBLOCK);
	while (write(2, bytes, sizeof(bytes)) > 0)
		;
	signal_waits = long_signal_waits = 0;
	trace_all();
	assert_int_equal(signal_waits, 1);
	assert_int_equal(long_signal_waits, 0);
}

TESTS_MAIN
