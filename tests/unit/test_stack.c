/* SPDX-License-Identifier: MIT */
/*
 * Measures the stack space that an event needs, including its site, because signal handlers often
 * have only 8 KiB. Each event runs on a separate stack that is filled with a pattern. Events are
 * written to /dev/null, as if a tracer had enabled them.
 */
#include <fcntl.h>
#include <ucontext.h>

#include "test.h"

/*
 * Reports that the name is in use with other fields, because registration then takes its longest
 * path.
 */
static int my_ioctl(uint16_t flags)
{
	errno = EADDRINUSE;
	return flags ? 0 : -1;
}
#define UE_SYS_IOCTL(fd, request, argument) \
	my_ioctl(((const uint16_t *)(const void *)(argument))[3])
#define UE_NO_AUTO_REGISTER
#include <user_events.h>
#include <user_events_recorder.h>

UE_EVENT_SET(set, "Stack", UE_LEVEL_INFORMATION, 1);

static char long_text[4000], text[61];
static const char *const list[64] = { text, long_text, text };
static const uint32_t numbers[2000];
static uint8_t activity[16];
static volatile uint32_t n;
static struct ue_event run_time;

static struct {
	uint64_t words[4096];
} stack __attribute__((__aligned__(64)));
enum { PAINT = 0x5a };

static void (*function)(void);

static void on_the_stack(void)
{
	function();
}

/* Returns the number of stack bytes that FUNC uses, including its own frame. */
static __attribute__((__noinline__)) size_t depth_of(void (*func)(void))
{
	static ucontext_t here, there;
	const unsigned char *p = (const unsigned char *)&stack;

	function = func;
	memset(&stack, PAINT, sizeof(stack));
	getcontext(&there);
	there.uc_stack.ss_sp = &stack;
	there.uc_stack.ss_size = sizeof(stack);
	there.uc_link = &here;
	makecontext(&there, on_the_stack, 0);
	swapcontext(&here, &there);
	while (*p == PAINT)
		p++;
	return (size_t)((const unsigned char *)(&stack + 1) - p);
}

static void nothing(void)
{
}

static size_t need_of(void (*func)(void), const char *name)
{
	size_t all;

	depth_of(func); /* makes the dynamic linker bind functions like memcpy() */
	all = depth_of(func) - depth_of(nothing);
	print_message("%s: %zu\n", name, all);
	return all;
}

/* ---- Typical events ---- */

static void disabled(void)
{
	UE_TRACE(disabled, UE_U32(a, n));
}

static void trace_none(void)
{
	UE_TRACE(none);
}

static void trace_8_scalars(void)
{
	UE_TRACE(scalars, UE_U32(a, n), UE_U64(b, n), UE_U8(c, n), UE_U16(d, n), UE_U32(e, n),
		 UE_U64(f, n), UE_U8(g, n), UE_U16(h, n));
}

static void trace_4_strings(void)
{
	UE_TRACE(strings, UE_U32(a, n), UE_STR(b, text), UE_STR(c, text), UE_STR(d, text),
		 UE_STR(e, "short"));
}

static void log_8_scalars(void)
{
	UE_LOG(set, "Eight scalars", UE_ACTIVITY(activity, activity), UE_U32(a, n), UE_F64(b, n),
	       UE_U8(c, n), UE_U16(d, n), UE_U32(e, n), UE_U64(f, n), UE_U8(g, n), UE_U16(h, n));
}

static void log_4_strings(void)
{
	UE_LOG(set, "Four strings", UE_U32(a, n), UE_STR(b, text), UE_STR(c, text), UE_STR(d, text),
	       UE_STR(e, "short"));
}

static void write_run_time(void)
{
	ue_event_write(&run_time, text, sizeof(text));
}

static void no_listener(void)
{
	int fd = ue__state_v1.fd;

	ue__state_v1.fd =
		/* a write to this descriptor fails with EBADF, but an empty write succeeds */
		open("/dev/null", O_RDONLY) + 1;
	UE_TRACE(left, UE_U32(a, n));
	close(ue__state_v1.fd - 1);
	ue__state_v1.fd = fd;
}

/* ---- Large events ---- */

static void trace_24_long_strings(void)
{
#define S(name) UE_STR(name, long_text)
	UE_TRACE(long_strings, S(a), S(b), S(c), S(d), S(e), S(f), S(g), S(h), S(i), S(j), S(k),
		 S(l), S(m), S(o), S(p), S(q), S(r), S(s), S(t), S(u), S(v), S(w), S(x), S(y));
}

#define EIGHT(F, p) F(p##0), F(p##1), F(p##2), F(p##3), F(p##4), F(p##5), F(p##6), F(p##7)
#define SIXTY_FOUR(F)                                                                              \
	EIGHT(F, a), EIGHT(F, b), EIGHT(F, c), EIGHT(F, d), EIGHT(F, e), EIGHT(F, f), EIGHT(F, g), \
		EIGHT(F, h)
#define SCALAR(name) UE_U64(name, n)
#define STRING(name) UE_STR(name, long_text)
#define COUNTED(name) UE_STRN(name, long_text, n + 1000)

static void trace_56_scalars(void)
{
	UE_TRACE(many, EIGHT(SCALAR, a), EIGHT(SCALAR, b), EIGHT(SCALAR, c), EIGHT(SCALAR, d),
		 EIGHT(SCALAR, e), EIGHT(SCALAR, f), EIGHT(SCALAR, g));
}

static void log_64_scalars(void)
{
	UE_LOG(set, "Many scalars", SIXTY_FOUR(SCALAR));
}

static void log_64_strings(void)
{
	UE_LOG(set, "Many strings", SIXTY_FOUR(STRING));
}

static void log_64_counted_strings(void)
{
	UE_LOG(set, "Many counted strings", SIXTY_FOUR(COUNTED));
}

static void log_cut(void)
{
	UE_LOG(set, "Cut", UE_STR(a, long_text), UE_STR(b, long_text),
	       UE_FIXED_ARRAY(U32, f, numbers, 500), UE_ARRAY(U32, c, numbers, 1000));
}

static void log_list(void)
{
	UE_LOG(set, "List", UE_ARRAY(STR, list, list, 64), UE_U32(a, n));
}

static void reopened(void)
{
	close(ue__state_v1.fd - 1);
	trace_8_scalars();
}

TEST(test_usual_events_need_less_than_1536_bytes)
{
#define UNDER(most, func) assert_in_range(need_of(func, #func), 0, (most)-1)
	UNDER(100, disabled);
	UNDER(1536, trace_none);
	UNDER(1536, trace_8_scalars);
	UNDER(1536, trace_4_strings);
	UNDER(1536, log_8_scalars);
	UNDER(1536, log_4_strings);
	UNDER(1536, write_run_time);
	UNDER(1536, no_listener);
}

TEST(test_large_events_need_less_than_9_KiB)
{
	size_t failed = ue__state_v1.failed;

	UNDER(9216, trace_24_long_strings);
	UNDER(9216, trace_56_scalars);
	UNDER(9216, log_64_scalars);
	UNDER(9216, log_64_strings);
	UNDER(9216, log_cut);
	UNDER(9216, log_list);
	UNDER(9216, reopened);
	assert_true(ue__state_v1.fd > 0);
	assert_int_equal(ue__state_v1.failed, failed);
}

/* An event with 64 fields, each of which has two values. */
TEST(test_the_largest_event_needs_less_than_10_KiB)
{
	UNDER(10240, log_64_counted_strings);
}

/* ---- Events while a recorder is running ---- */

static uint64_t memory[8192];

static void begin(void)
{
	assert_int_equal(ue_recorder_memory(memory, sizeof(memory), 0), 0);
}

/*
 * Measures the first write of an event, during which the recorder also stores the event's
 * description.
 */
static size_t need_of_first(void (*func)(void), const char *name)
{
	size_t all;

	begin();
	all = depth_of(func) - depth_of(nothing);
	ue_recorder_close();
	print_message("first %s: %zu\n", name, all);
	return all;
}

TEST(test_recording_an_event_needs_no_more_stack)
{
	begin();
	UNDER(1536, trace_none);
	UNDER(1536, trace_8_scalars);
	UNDER(1536, trace_4_strings);
	UNDER(1536, log_8_scalars);
	UNDER(1536, log_4_strings);
	UNDER(1536, write_run_time);
	usleep(20000); /* lets the recorder measure the rate of the processor's counter */
	for (int i = 0; i < 100; i++)
		trace_8_scalars();
	UNDER(1536, trace_8_scalars);
	UNDER(1536, log_4_strings);
	ue_recorder_close();
}

TEST(test_the_first_recorded_event_of_a_kind_needs_1_KiB_more)
{
#define FIRST_UNDER(most, func) assert_in_range(need_of_first(func, #func), 0, (most) + 1023)
	FIRST_UNDER(1536, trace_none);
	FIRST_UNDER(1536, trace_8_scalars);
	FIRST_UNDER(1536, trace_4_strings);
	FIRST_UNDER(1536, log_8_scalars);
	FIRST_UNDER(1536, log_4_strings);
	FIRST_UNDER(1536, write_run_time);
	FIRST_UNDER(9216, trace_24_long_strings);
	FIRST_UNDER(9216, trace_56_scalars);
	FIRST_UNDER(9216, log_64_scalars);
	FIRST_UNDER(9216, log_64_strings);
	FIRST_UNDER(9216, log_cut);
	FIRST_UNDER(10240, log_64_counted_strings);
}

static char path[64];
static int result;

static void snapshot(void)
{
	result = ue_recorder_snapshot(path);
}

TEST(test_a_snapshot_needs_less_than_1_KiB)
{
	snprintf(path, sizeof(path), "/tmp/ue_stack.%d", (int)getpid());
	begin();
	UNDER(1024, snapshot);
	assert_int_equal(result, 0);
	ue_recorder_close();
	unlink(path);
}

int main(void)
{
	struct ue_event *event = NULL;

#ifdef __SANITIZE_ADDRESS__
	return 0; /* sanitizers enlarge stack frames */
#endif
	memset(long_text, 'l', sizeof(long_text) - 1);
	memset(text, 't', sizeof(text) - 1);
	strcpy(ue__state_v1.path, "/dev/null");
	ue__set_common_file(open("/dev/null", O_WRONLY | O_CLOEXEC));
	ue_event_register(&run_time, "run_time u8 a", 0);
	ue_register_all();
	while ((event = ue_event_find(NULL, event)))
		event->enabled = 1;
	ue_event_find("disabled", NULL)->enabled = 0;
	return run_all_tests(NULL, NULL);
}
