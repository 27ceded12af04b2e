/* SPDX-License-Identifier: MIT */
/*
 * Tests TRACE_EVENT: the registered text, the recorded bytes, the output of TP_printk, and the
 * probes. The events come from three trace headers in the kernel's style
 * (tests/unit/helpers/trace/).
 *
 * Also compiled as C++.
 */
#ifdef __cplusplus
#include <string>
#endif
#include <netinet/in.h>
#include <sys/socket.h>

#include "test.h"

#define FAKE_KERNEL_HOOKS
#include "fake_kernel.h"
#include <user_events.h>

/*
 * Here, the events are only declared, as in most files of a program. The end of this file defines
 * them.
 */
#include "trace/subjects.h"
#include "trace/every.h"
#include "trace/sched_like.h"
#include "trace/events/net_like.h"

long worker_state(bool preempt, unsigned int state)
{
	return preempt ? 0x100 : (long)state;
}

int every_assigned, every_refuse, every_regs, every_unregs;

/*
 * Whether the event was enabled when every_reg() or every_unreg() last ran. The event must be
 * disabled: reg runs before the first probe is added, and unreg runs after the last probe is
 * removed.
 */
static bool traced_in_hook;

int every_reg(void)
{
	traced_in_hook = trace_every_fn_enabled();
	every_regs++;
	return every_refuse;
}

void every_unreg(void)
{
	traced_in_hook = trace_every_fn_enabled();
	every_unregs++;
}

const char *every_status(struct trace_seq *p, int status)
{
	const char *text = trace_seq_buffer_ptr(p);

	trace_seq_puts(p, "<");
	trace_seq_printf(p, "%+d", status);
	trace_seq_putc(p, '>');
	trace_seq_putc(p, 0);
	return text;
}

static int new_kernel(void **state)
{
	(void)state;
	ue_unregister_all();
	fake_kernel_reset(NULL);
	assert_int_equal(ue_register_all(), 0);
	every_assigned = every_refuse = every_regs = every_unregs = 0;
	return 0;
}

static void listen_to(const char *name)
{
	assert_int_equal(fake_kernel_enable(name, FAKE_OTHER), 1);
}

static void assert_fields(const char *name, const char *want)
{
	char fields[512];

	assert_true(fake_kernel_fields(name, fields, sizeof(fields)) >= 0);
	assert_string_equal(fields, want);
}

/* The last record as read from a trace, starting with the common header. */
static union {
	char bytes[70000];
	uint64_t aligned;
} traced;

static void *last_record(const char *name)
{
	const struct fake_record *r = fake_kernel_record(fake_kernel_records() - 1);

	assert_non_null(r);
	assert_string_equal(r->name, name);
	assert_true(r->size + 8 <= sizeof(traced));
	memset(&traced, 0xa5, sizeof(traced));
	memcpy(traced.bytes + 8, r->data, r->size);
	return &traced;
}

#ifdef __cplusplus
/* A pointer to a record of any type. It converts implicitly, like void * in C. */
struct any_record {
	const void *p;
	template <class T> operator const T *() const
	{
		return static_cast<const T *>(p);
	}
};
#define last_record(name) (any_record{ last_record(name) })
#define RECORD any_record
#else
#define RECORD const void *
#endif
#define DATA(text) ((void *)(uintptr_t)(text))

/* Checks the output of TP_printk for the last record. */
#define assert_text(name, want)                                                        \
	do {                                                                           \
		char text_[2048];                                                      \
		int n_ = trace_print_##name(text_, sizeof(text_), last_record(#name)); \
		assert_string_equal(text_, want);                                      \
		assert_int_equal(n_, strlen(want));                                    \
	} while (0)

#if __SIZEOF_LONG__ == 8
#define WORD "64"
#else
#define WORD "32"
#endif

/* Declares the tracepoint in the same way as a header that cannot include the trace header. */
DECLARE_TRACEPOINT(every_bare);

/* Macros of trace headers, used here without including define_trace.h. */
DECLARE_TRACE(test_alone, TP_PROTO(int n), TP_ARGS(n));
DECLARE_TRACE(test_alone_fn, TP_PROTO(void), TP_ARGS());
DEFINE_TRACE(test_alone, TP_PROTO(int n), TP_ARGS(n));
DEFINE_TRACE_FN(test_alone_fn, every_reg, every_unreg, TP_PROTO(void), TP_ARGS());
/* Older forms of the macros, as in kernels before 5.10. */
DECLARE_TRACE_CONDITION(test_older, TP_PROTO(int n), TP_ARGS(n), TP_CONDITION(n > 1));
DECLARE_TRACE(test_older_fn, TP_PROTO(void), TP_ARGS());
DEFINE_TRACE(test_older);
DEFINE_TRACE_FN(test_older_fn, every_reg, every_unreg);
EXPORT_TRACEPOINT_SYMBOL_GPL(test_older);

/* ---- Registered text ---- */

TEST_SETUP(test_integers_are_registered_by_size_and_sign, new_kernel)
{
#if __SIZEOF_LONG__ == 8
	assert_fields("every_integer",
		      "u8 a; s8 b; u16 c; s16 d; unsigned char[2] __pad_14; u32 e; s32 f; "
		      "u64 g; s64 h; char i; u8 j; unsigned char[6] __pad_42; s64 k; u64 l; s32 m; "
		      "unsigned char[4] __pad_68; "
		      "u64 n; u64 o; u64 q; s32 r");
#endif
}

TEST_SETUP(test_arrays_structs_and_floats_keep_their_bytes, new_kernel)
{
#if __SIZEOF_LONG__ == 8
	assert_fields(
		"every_fixed",
		"char[16] text; unsigned char[6] mac; unsigned char[3] small; "
		"unsigned char[3] __pad_33; unsigned char[12] words; struct every_pair pair 16; "
		"unsigned char[4] plain; unsigned char[4] __pad_68; struct every_pair other 16; "
		"u32 f; unsigned char[4] __pad_92; u64 d; struct bytes large 1025");
#endif
}

TEST_SETUP(test_dynamic_fields_are_locs_with_their_elements_type, new_kernel)
{
	assert_fields("every_dynamic",
		      "__data_loc u8[] bytes; __data_loc u8[] chars; __data_loc s16[] shorts; "
		      "__data_loc u64[] longs; __data_loc u8[] pairs; __data_loc char[] string; "
		      "__data_loc char[] part; __data_loc char[] v; __data_loc u" WORD "[] bits; "
		      "__data_loc u" WORD "[] cpus; __data_loc u8[] sa");
	assert_fields("every_rel",
		      "u8 first; unsigned char[3] __pad_9; __rel_loc u8[] bytes; "
		      "__rel_loc u32[] words; __rel_loc char[] string; __rel_loc char[] part; "
		      "__rel_loc char[] v; __rel_loc u" WORD "[] bits; __rel_loc u" WORD "[] cpus; "
		      "__rel_loc u8[] sa; u8 last");
}

/* Only integers of 1, 2, 4 and 8 bytes have an element type. */
TEST(test_elements_of_other_types_are_bytes)
{
	static const struct ue__spec_field f[] = {
		{ "pair", "__data_loc", 8, 4, 8, UE__SPEC_LOC, 'b' },
		{ "wide", "__data_loc", 12, 4, 16, UE__SPEC_LOC, 'u' },
		{ "word", "__data_loc", 16, 4, 8, UE__SPEC_LOC, 'u' },
		{ NULL, NULL, 0, 0, 0, UE__SPEC_LOC, 0 },
	};
	char spec[UE__F_SPEC_SIZE];

	assert_int_equal(ue__fields_spec(spec, "x", f), 0);
	assert_string_equal(spec, "x __data_loc u8[] pair; __data_loc u8[] wide; "
				  "__data_loc u64[] word");
}

TEST_SETUP(test_events_of_a_class_have_its_fields, new_kernel)
{
	static const char *const names[] = { "every_first",   "every_positive", "every_class_fn",
					     "every_printed", "every_second",	"every_third" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_fields(names[i], "s32 n; __data_loc char[] name");
	assert_fields("worker_waking", "char[16] comm; s32 pid; s32 prio; s32 target_cpu");
	assert_fields("worker_new", "char[16] comm; s32 pid; s32 prio; s32 target_cpu");
	assert_fields("every_void", "");
}

TEST_SETUP(test_tracepoints_without_an_event_are_unknown_to_the_kernel, new_kernel)
{
	char fields[8];

	assert_int_equal(fake_kernel_fields("every_bare", fields, sizeof(fields)), -ENOENT);
	assert_int_equal(fake_kernel_fields("every_nop", fields, sizeof(fields)), -ENOENT);
	assert_int_equal(fake_kernel_fields("every_class", fields, sizeof(fields)), -ENOENT);
	/* 23 tracepoints, and the two UE_TRACE() sites in this file */
	assert_int_equal(ue_status().declared, 23 + 2);
	assert_int_equal(ue_status().registered, 23 + 2);
	assert_int_equal(ue_status().error, 0);
}

/* ---- Recorded bytes and printed text ---- */

TEST_SETUP(test_a_disabled_event_assigns_nothing, new_kernel)
{
	assert_false(trace_every_integer_enabled());
	trace_every_integer(1, NULL);
	trace_every_void();
	assert_int_equal(every_assigned, 0);
	assert_int_equal(fake_kernel_records(), 0);
	assert_int_equal(fake_kernel_calls(FAKE_WRITE), 0);
}

TEST_SETUP(test_integers, new_kernel)
{
	const struct fake_record *r;

	listen_to("every_integer");
	assert_true(trace_every_integer_enabled());
	trace_every_integer(-2, (void *)0x1234);
	assert_int_equal(every_assigned, 1);
	assert_text(every_integer, "254 -2 65534 -2 fffffffe -2 18446744073709551614 -2 i 1 -2 "
#if __SIZEOF_LONG__ == 8
				   "18446744073709551614 -1 0000000000001234 (null) 8 -01");
#else
				   "4294967294 -1 00001234 (null) 8 -01");
#endif
	r = fake_kernel_record(0);
	assert_int_equal(r->segments, 0);
#if __SIZEOF_LONG__ == 8
	/* the size is that of the kernel's struct, minus the header that tracers add */
	assert_int_equal(r->size, 104 - 8);
#endif
}

TEST_SETUP(test_padding_is_zero, new_kernel)
{
	const unsigned char *bytes;

	listen_to("every_integer");
	trace_every_integer(-1, NULL);
	bytes = last_record("every_integer");
	assert_int_equal(bytes[14], 0);
	assert_int_equal(bytes[15], 0);
}

TEST_SETUP(test_fixed_arrays_and_structs, new_kernel)
{
	struct every_pair pair = { 3, 1ull << 40 };

	listen_to("every_fixed");
	trace_every_fixed("0123456789abcdefgh", &pair);
	assert_text(every_fixed, "0123456789abcde 00:11:22:33:44:55 -2 {0x0,0x10000000,0x20000000} "
				 "{0x0,0x11} 3:1099511627776 1+2 1.5 -2.25");
}

struct dynamic {
	const char *s;
	const unsigned char *bytes;
	int n;
	const unsigned long *bits;
	const struct cpumask *cpus;
	const struct sockaddr *sa;
};

static void trace_dynamic(const struct dynamic *d, const char *format, ...)
{
	struct va_format vaf;
	va_list args;

	va_start(args, format);
	vaf.fmt = format;
	vaf.va = &args;
	trace_every_dynamic(d->s, d->bytes, d->n, d->bits, d->cpus, d->sa, &vaf);
	trace_every_rel(d->s, d->bytes, d->n, d->bits, d->cpus, d->sa, &vaf);
	va_end(args);
}

static struct sockaddr_in loopback(void)
{
	struct sockaddr_in in;

	memset(&in, 0, sizeof(in));
	in.sin_family = AF_INET;
	in.sin_port = htons(8080);
	in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return in;
}

static void cpus_text(char *text, size_t size, const struct cpumask *mask)
{
	size_t bits = BITS_TO_LONGS(nr_cpu_ids) * BITS_PER_LONG;

	ue__format(text, size, "%*pb", (int)bits, cpumask_bits(mask));
}

TEST_SETUP(test_dynamic_fields, new_kernel)
{
	static const unsigned char bytes[] = { 1, 2, 0xff };
	static const unsigned long bits[BITS_TO_LONGS(70)] = { 0x5,
							       [BITS_TO_LONGS(70) - 1] = 0x20 };
	struct sockaddr_in in = loopback();
	struct cpumask cpus;
	struct dynamic d = { "some text", bytes, 3, bits, &cpus, (struct sockaddr *)&in };
	char want[1024], mask[512];

	cpumask_clear(&cpus);
	cpumask_set_cpu(0, &cpus);
	cpus_text(mask, sizeof(mask), &cpus);
	listen_to("every_dynamic");
	trace_dynamic(&d, "v%d %s", 7, "w");
	snprintf(want, sizeof(want),
		 "01 02 ff|636363|{0x0,0xffff,0xfffe}|{0xffffffffffffffff,0xfffffffffffffffe}|"
		 "some text|som|v7 w|"
#if __SIZEOF_LONG__ == 8
		 "00000000,00000020,00000000,00000005"
#else
		 "00000020,00000000,00000005"
#endif
		 "|%s|127.0.0.1:8080|%u|7",
		 mask, (unsigned int)sizeof(struct every_pair));
	assert_text(every_dynamic, want);
	fake_kernel_disable("every_dynamic", FAKE_OTHER);

	listen_to("every_rel");
	trace_dynamic(&d, "v%d %s", 7, "w");
	snprintf(want, sizeof(want),
		 "1|01 02 ff|{0x0,0x1,0x2}|some text|som|v7 w|"
#if __SIZEOF_LONG__ == 8
		 "00000000,00000020,00000000,00000005"
#else
		 "00000020,00000000,00000005"
#endif
		 "|%s|127.0.0.1:8080|2",
		 mask);
	assert_text(every_rel, want);
	assert_int_equal(ue_status().failed, 0);
}

TEST_SETUP(test_empty_and_missing_data, new_kernel)
{
	static const unsigned long bits[BITS_TO_LONGS(70)] = { 0 };
	struct sockaddr_in in = loopback();
	struct cpumask cpus;
	struct dynamic d = {
		NULL, (const unsigned char *)"", 0, bits, &cpus, (struct sockaddr *)&in
	};
	const char *text;

	memset(&cpus, 0, sizeof(cpus));
	listen_to("every_first");
	trace_every_first("", 1);
	assert_text(every_first, "=1");
	trace_every_first(NULL, 2);
	assert_text(every_first, "(null)=2");
	/* __string_len records 3 bytes of "(null)", and the array is empty */
	listen_to("every_rel");
	trace_dynamic(&d, "%s", "");
	text = last_record("every_rel");
	assert_non_null(text);
	assert_int_equal(ue_status().failed, 0);
	assert_int_equal(fake_kernel_records(), 3);
}

TEST_SETUP(test_the_older_macros_compile_unchanged, new_kernel)
{
	listen_to("every_older");
	trace_every_older("abcd", "other and longer");
	assert_text(every_older, "abcd othe ab abcd");
	trace_every_older("abcd", "x");
	assert_text(every_older, "abcd x ab abcd");
	trace_every_older("abcd", NULL);
	assert_text(every_older, "abcd (nul ab abcd");
}

TEST_SETUP(test_helpers_of_tp_printk, new_kernel)
{
	listen_to("every_print");
	trace_every_print(EVERY_GREEN, 1 | 4 | 8, "0123456789abcdefg\n", 18);
	assert_text(
		every_print,
		"green ONE|TWELVE WIDEONE0xc 0x1000000000d <+5> 1099.511627789\n"
		"d 00000000: 30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66  0123456789abcdef\n"
		"d 00000010: 67 0a                                            g.\n");
	trace_every_print(EVERY_BLUE, 0, "", 0);
	assert_text(every_print, "blue  WIDE WIDE <-1> 1099.511627776\n");
	trace_every_print(3, 4 | 16, "", 0);
	assert_text(every_print, "0x3 0x14 WIDE0x14 0x10000000014 <+3> 1099.511627796\n");
}

TEST_SETUP(test_an_event_without_fields_is_one_zero_byte, new_kernel)
{
	listen_to("every_void");
	trace_every_void();
	assert_int_equal(fake_kernel_record(0)->size, 1);
	assert_int_equal(fake_kernel_record(0)->data[0], 0);
	assert_text(every_void, "nothing to say");
}

TEST_SETUP(test_a_condition_decides, new_kernel)
{
	listen_to("every_condition");
	trace_every_condition(1, 2);
	trace_every_condition(10, 2);
	assert_int_equal(fake_kernel_records(), 0);
	trace_every_condition(2, 1);
	assert_int_equal(fake_kernel_records(), 1);
	assert_text(every_condition, "a=2");
	listen_to("every_positive");
	trace_every_positive("p", 0);
	trace_every_positive("p", 1);
	assert_int_equal(fake_kernel_records(), 2);
	listen_to("every_fn_cond");
	trace_every_fn_cond(2);
	trace_every_fn_cond(3);
	assert_int_equal(fake_kernel_records(), 3);
	assert_text(every_fn_cond, "odd=3");
}

TEST_SETUP(test_an_event_may_have_its_own_print_format, new_kernel)
{
	listen_to("every_printed");
	trace_every_printed("them", 3);
	assert_text(every_printed, "3 of them");
	listen_to("every_second");
	trace_every_second("them", 3);
	assert_text(every_second, "them=3");
}

TEST_SETUP(test_trace_header_like_sched, new_kernel)
{
	struct worker a = { "first", 1, 120, 0, { { 0 } }, 0 },
		      b = { "second", 2, 100, 3, { { 0 } }, 0 };
	char want[600], mask[512];

	listen_to("worker_waking");
	trace_worker_waking(&b);
	assert_text(worker_waking, "comm=second pid=2 prio=100 target_cpu=003");
	listen_to("worker_switch");
	trace_worker_switch(false, &a, &b, WORKER_SLEEPS);
	assert_text(worker_switch, "prev_comm=first prev_pid=1 prev_prio=120 prev_state=S ==> "
				   "next_comm=second next_pid=2 next_prio=100");
	trace_worker_switch(true, &a, &b, WORKER_STOPPED);
	assert_text(worker_switch, "prev_comm=first prev_pid=1 prev_prio=120 prev_state=R+ ==> "
				   "next_comm=second next_pid=2 next_prio=100");
	listen_to("worker_runtime");
	cpumask_set_cpu(0, &a.allowed);
	trace_worker_runtime(&a, 12345678901ull);
	cpus_text(mask, sizeof(mask), &a.allowed);
	snprintf(want, sizeof(want), "comm=first runtime=12345678901 [ns] on %s", mask);
	assert_text(worker_runtime, want);
}

TEST_SETUP(test_sched_switch_prints_what_the_kernel_prints, new_kernel)
{
	struct worker idle = { "swapper/12", 0, 120, 12, { { 0 } }, 0 },
		      work = { "kworker/u32:1", 21084, 120, 12, { { 0 } }, 0x80 };

	listen_to("sched_switch");
	trace_sched_switch(false, &idle, &work);
	assert_text(sched_switch, "prev_comm=swapper/12 prev_pid=0 prev_prio=120 prev_state=R ==> "
				  "next_comm=kworker/u32:1 next_pid=21084 next_prio=120");
	trace_sched_switch(false, &work, &idle);
	assert_text(sched_switch,
		    "prev_comm=kworker/u32:1 prev_pid=21084 prev_prio=120 prev_state=I ==> "
		    "next_comm=swapper/12 next_pid=0 next_prio=120");
	trace_sched_switch(true, &work, &idle);
	assert_text(sched_switch,
		    "prev_comm=kworker/u32:1 prev_pid=21084 prev_prio=120 prev_state=R+ ==> "
		    "next_comm=swapper/12 next_pid=0 next_prio=120");
	work.state = 0x21;
	trace_sched_switch(false, &work, &idle);
	assert_text(sched_switch,
		    "prev_comm=kworker/u32:1 prev_pid=21084 prev_prio=120 prev_state=S|Z ==> "
		    "next_comm=swapper/12 next_pid=0 next_prio=120");
}

static void trace_dump(const void *data, unsigned int size, const char *format, ...)
{
	struct va_format vaf;
	va_list args;

	va_start(args, format);
	vaf.fmt = format;
	vaf.va = &args;
	trace_frame_dump(data, size, &vaf);
	va_end(args);
}

TEST_SETUP(test_trace_header_like_net, new_kernel)
{
	struct frame frame = { "eth0",
			       0x800,
			       { 2, 0, 0, 0xab, 0xcd, 0xef },
			       { 192, 168, 0, 1 },
			       { 0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 },
			       { 0xde, 0xad, 0xbe, 0xef },
			       0x13 };

	listen_to("frame_xmit");
	trace_frame_xmit(&frame, -ENOBUFS);
	assert_text(frame_xmit, "dev=eth0 protocol=0x0800 src=02:00:00:ab:cd:ef saddr=192.168.0.1 "
				"saddrv6=2001:db8::1 id=deadbeef-0000-0000-0000-000000000000 "
				"flags=UP|BROADCAST|LOOPBACK rc=-105 (-ENOBUFS)");
	listen_to("frame_dump");
	trace_dump("\1\2\3", 3, "%s %d", "too long by", 2);
	assert_text(frame_dump, "too long by 2 from [::1]:0: 010203");
}

TEST_SETUP(test_a_text_is_truncated_to_its_buffer_and_its_length_returned, new_kernel)
{
	char small[8] = "#######", none = '#';
	RECORD record;

	listen_to("every_first");
	trace_every_first("long enough", 1);
	record = last_record("every_first");
	assert_int_equal(trace_print_every_first(small, sizeof(small), record), 13);
	assert_string_equal(small, "long en");
	assert_int_equal(trace_print_every_first(small, 1, record), 13);
	assert_string_equal(small, "");
	assert_int_equal(trace_print_every_first(&none, 0, record), 13);
	assert_int_equal(none, '#');
	assert_int_equal(trace_print_every_first(NULL, 0, record), 13);
}

/* ---- Large records ---- */

TEST_SETUP(test_records_of_any_size_arrive_or_are_counted, new_kernel)
{
	static char text[70000];
	static const size_t sizes[] = { 0,     4000,  4054,  4055,  4056,  4100,
					10000, 65500, 65518, 65519, 65520, 69999 };
	size_t i, last = 65535 - 16 - 1;
	unsigned int records = 0, failed = 0, large = 0;

	listen_to("every_first");
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		size_t whole = sizes[i] + 1 + 8;

		memset(text, 'x', sizeof(text));
		text[sizes[i]] = '\0';
		trace_every_first(text, 1);
		if (sizes[i] > last) {
			failed++;
		} else if (whole > UE_MAX_EVENT) {
			large++;
		} else {
			records++;
			last_record("every_first");
			assert_int_equal(fake_kernel_record(records - 1)->size, whole);
			assert_int_equal(strlen(traced.bytes + 16), sizes[i]);
		}
		assert_int_equal(fake_kernel_records(), records);
		assert_int_equal(ue_status().failed, failed);
		assert_int_equal(ue_status().large, large);
	}
	assert_true(records > 0 && failed > 0 && large > 0);
	assert_int_equal(ue_status().cut, 0);
}

TEST_SETUP(test_a_dynamic_array_of_a_negative_length_is_counted, new_kernel)
{
	struct sockaddr_in in = loopback();
	static const unsigned long bits[BITS_TO_LONGS(70)] = { 0 };
	static struct cpumask cpus;
	struct dynamic d = {
		"s", (const unsigned char *)"", -1, bits, &cpus, (struct sockaddr *)&in
	};
	uint64_t failed = ue_status().failed;

	listen_to("every_dynamic");
	trace_dynamic(&d, "%s", "");
	assert_int_equal(ue_status().failed, failed + 1);
	assert_int_equal(fake_kernel_records(), 0);
}

TEST_SETUP(test_a_vstring_ends_at_512_bytes, new_kernel)
{
	static char text[600];

	listen_to("frame_dump");
	memset(text, 'v', sizeof(text) - 1);
	trace_dump("", 0, "%s", text);
	text[511] = '\0';
	strcat(text, " from [::1]:0: ");
	assert_text(frame_dump, text);
}

TEST(test_bytes_after_a_short_string_are_not_recorded)
{
	char record[] = "............";

	ue__assign_str(record, 8u << 16 | 2, "ab\0cdefgh");
	assert_memory_equal(record, "..ab\0\0\0\0\0\0..", sizeof(record));
	ue__assign_str(record, 3u << 16 | 4, "efg");
	assert_memory_equal(record, "..abef\0\0\0\0..", sizeof(record));
}

TEST_SETUP(test_records_rejected_by_the_kernel_are_counted, new_kernel)
{
	uint64_t failed = ue_status().failed;

	listen_to("every_first");
	fake_kernel_fail(FAKE_WRITE, 1, 1, EFAULT);
	errno = EXDEV;
	trace_every_first("a", 1);
	assert_int_equal(errno, EXDEV);
	assert_int_equal(ue_status().failed, failed + 1);
}

/* ---- Probes ---- */

static char seen[256];

static void probe_first(void *data, const char *name, int n)
{
	snprintf(seen + strlen(seen), sizeof(seen) - strlen(seen), "%s:%s=%d ", (char *)data, name,
		 n);
	errno = ENOANO;
}

static void probe_void(void *data)
{
	++*(int *)data;
}

static void probe_bare(void *data, void *p, int *n)
{
	(void)data;
	assert_true(p == n);
	++*n;
}

static void probe_bare_condition(void *data, void (*f)(int), int *n)
{
	(void)data;
	(void)f;
	++*n;
}

static void probe_int(void *data, int a)
{
	*(int *)data += a;
}

/*
 * Probes run in order of priority, highest first. Probes of the same priority run in the order of
 * their registration.
 */
TEST_SETUP(test_probes_are_called_by_priority, new_kernel)
{
	static const struct {
		const char *name;
		int prio;
	} probes[] = {
		{ "low", 1 }, { "high", 20 }, { "same", 10 }, { "least", -5 }, { "top", 20 }
	};
	size_t i;

	seen[0] = '\0';
	assert_int_equal(TRACEPOINT_DEFAULT_PRIO, 10); /* the kernel uses the same value */
	/* a probe with a wrong type does not compile */
	check_trace_callback_type_every_first(probe_first);
	assert_int_equal(register_trace_every_first(probe_first, DATA("default")), 0);
	for (i = 0; i < 5; i++)
		assert_int_equal(register_trace_prio_every_first(probe_first, DATA(probes[i].name),
								 probes[i].prio),
				 0);
	assert_int_equal(register_trace_prio_every_first(probe_first, DATA(probes[0].name), 7),
			 -EEXIST);
	trace_every_first("x", 1);
	assert_string_equal(seen, "high:x=1 top:x=1 default:x=1 same:x=1 low:x=1 least:x=1 ");
	assert_int_equal(unregister_trace_every_first(probe_first, DATA("default")), 0);
	for (i = 0; i < 5; i++)
		assert_int_equal(unregister_trace_every_first(probe_first, DATA(probes[i].name)),
				 0);
	assert_false(trace_every_first_enabled());
}

TEST_SETUP(test_any_number_of_probes_get_the_arguments, new_kernel)
{
	seen[0] = '\0';
	assert_int_equal(register_trace_every_first(probe_first, DATA("a")), 0);
	assert_int_equal(register_trace_every_first(probe_first, DATA("b")), 0);
	assert_int_equal(register_trace_every_first(probe_first, DATA("a")), -EEXIST);
	assert_true(trace_every_first_enabled());
	errno = EXDEV;
	trace_every_first("x", 1);
	assert_int_equal(errno, EXDEV);
	assert_string_equal(seen, "a:x=1 b:x=1 ");
	assert_int_equal(unregister_trace_every_first(probe_first, DATA("a")), 0);
	assert_int_equal(unregister_trace_every_first(probe_first, DATA("a")), -ENOENT);
	trace_every_first("y", 2);
	assert_string_equal(seen, "a:x=1 b:x=1 b:y=2 ");
	assert_int_equal(unregister_trace_every_first(probe_first, DATA("b")), 0);
	trace_every_first("z", 3);
	assert_string_equal(seen, "a:x=1 b:x=1 b:y=2 ");
	assert_false(trace_every_first_enabled());
	assert_int_equal(register_trace_every_first(NULL, NULL), -EINVAL);
	/* at this point, no tracer has enabled the event */
	assert_int_equal(fake_kernel_calls(FAKE_WRITE), 0);
}

TEST_SETUP(test_probes_and_the_kernel_are_independent, new_kernel)
{
	int n = 0;

	listen_to("every_void");
	assert_int_equal(register_trace_every_void(probe_void, &n), 0);
	trace_every_void();
	assert_int_equal(n, 1);
	assert_int_equal(fake_kernel_records(), 1);
	fake_kernel_disable("every_void", FAKE_OTHER);
	trace_every_void();
	assert_int_equal(n, 2);
	assert_int_equal(fake_kernel_records(), 1);
	listen_to("every_void");
	assert_int_equal(unregister_trace_every_void(probe_void, &n), 0);
	trace_every_void();
	assert_int_equal(n, 2);
	assert_int_equal(fake_kernel_records(), 2);
}

TEST_SETUP(test_a_condition_holds_for_probes, new_kernel)
{
	int n = 0;

	assert_int_equal(register_trace_every_fn_cond(probe_int, &n), 0);
	trace_every_fn_cond(2);
	trace_every_fn_cond(3);
	assert_int_equal(n, 3);
	assert_int_equal(unregister_trace_every_fn_cond(probe_int, &n), 0);
}

TEST_SETUP(test_tracepoints_without_an_event_have_probes, new_kernel)
{
	int n = 0;

	trace_every_bare(&n, &n);
	assert_false(trace_every_bare_enabled());
	assert_int_equal(register_trace_every_bare(probe_bare, NULL), 0);
	assert_true(trace_every_bare_enabled());
	assert_true(tracepoint_enabled(every_bare));
	trace_every_bare(&n, &n);
	assert_int_equal(n, 1);
	assert_int_equal(unregister_trace_every_bare(probe_bare, NULL), 0);
	assert_int_equal(register_trace_every_bare_condition(probe_bare_condition, NULL), 0);
	trace_every_bare_condition(NULL, &n);
	assert_int_equal(n, 2);
	n = 0;
	trace_every_bare_condition(NULL, &n);
	assert_int_equal(n, 0);
	assert_int_equal(unregister_trace_every_bare_condition(probe_bare_condition, NULL), 0);
	assert_false(tracepoint_enabled(every_bare));
	assert_int_equal(register_trace_test_alone(probe_int, &n), 0);
	assert_int_equal(register_trace_test_alone_fn(probe_void, &n), 0);
	assert_int_equal(every_regs, 1);
	trace_test_alone(40);
	trace_test_alone_fn();
	assert_int_equal(n, 41);
	assert_int_equal(unregister_trace_test_alone(probe_int, &n), 0);
	assert_int_equal(unregister_trace_test_alone_fn(probe_void, &n), 0);
	assert_int_equal(every_unregs, 1);
	trace_every_nop(1);
	assert_false(trace_every_nop_enabled() || trace_every_class_nop_enabled());
}

TEST_SETUP(test_rcuidle_functions_call_the_tracepoint, new_kernel)
{
	int n = 0;

	seen[0] = '\0';
	assert_int_equal(register_trace_every_first(probe_first, DATA("a")), 0);
	trace_every_first_rcuidle("x", 1);
	assert_string_equal(seen, "a:x=1 ");
	assert_int_equal(unregister_trace_every_first(probe_first, DATA("a")), 0);
	assert_int_equal(register_trace_test_alone_fn(probe_void, &n), 0);
	trace_test_alone_fn_rcuidle();
	assert_int_equal(n, 1);
	assert_int_equal(unregister_trace_test_alone_fn(probe_void, &n), 0);
	trace_every_nop_rcuidle(1);
}

TEST_SETUP(test_definitions_of_kernels_before_5_10, new_kernel)
{
	int n = 0;

	trace_test_older(2);
	assert_false(trace_test_older_enabled());
	assert_int_equal(register_trace_test_older(probe_int, &n), 0);
	assert_int_equal(register_trace_test_older_fn(probe_void, &n), 0);
	assert_int_equal(every_regs, 1);
	trace_test_older(1); /* the event's condition is false */
	trace_test_older(40);
	trace_test_older_fn();
	assert_int_equal(n, 41);
	assert_int_equal(unregister_trace_test_older(probe_int, &n), 0);
	assert_int_equal(unregister_trace_test_older_fn(probe_void, &n), 0);
	assert_int_equal(every_unregs, 1);
}

TEST_SETUP(test_reg_runs_with_the_first_probe_and_unreg_with_the_last, new_kernel)
{
	int a = 0, b = 0;

	traced_in_hook = true;
	assert_int_equal(register_trace_every_fn(probe_int, &a), 0);
	assert_int_equal(register_trace_every_fn(probe_int, &b), 0);
	assert_int_equal(every_regs, 1);
	assert_false(traced_in_hook);
	assert_int_equal(register_trace_every_class_fn(probe_first, DATA("c")), 0);
	assert_int_equal(every_regs, 2);
	trace_every_fn(5);
	assert_int_equal(a + b, 10);
	assert_int_equal(unregister_trace_every_fn(probe_int, &a), 0);
	assert_int_equal(unregister_trace_every_fn(probe_int, &a), -ENOENT);
	assert_int_equal(every_unregs, 0);
	assert_int_equal(register_trace_every_fn(probe_int, &b), -EEXIST);
	traced_in_hook = true;
	assert_int_equal(unregister_trace_every_fn(probe_int, &b), 0);
	assert_int_equal(every_unregs, 1);
	assert_false(traced_in_hook);
	assert_int_equal(unregister_trace_every_class_fn(probe_first, DATA("c")), 0);
	assert_int_equal(every_unregs, 2);
}

TEST_SETUP(test_an_error_of_reg_is_returned_by_the_registration, new_kernel)
{
	int a = 0;

	every_refuse = -EBUSY;
	assert_int_equal(register_trace_every_fn(probe_int, &a), -EBUSY);
	assert_false(trace_every_fn_enabled());
	assert_int_equal(every_unregs, 0);
	every_refuse = 0;
	/* if registration fails for another reason after it has called reg, it calls unreg */
	assert_int_equal(register_trace_every_fn(NULL, NULL), -EINVAL);
	assert_int_equal(every_regs, every_unregs + 1);
	assert_int_equal(register_trace_every_fn(probe_int, &a), 0);
	assert_int_equal(unregister_trace_every_fn(probe_int, &a), 0);
}

static int within[4];

static void probe_within(void *data, int a)
{
	(void)a;
	within[0] = unregister_trace_every_fn(probe_within, data);
	within[1] = register_trace_every_fn(probe_int, data);
	within[2] = unregister_trace_every_void(probe_void, data);
	trace_every_fn(1);
	trace_every_first("from a probe", 1);
}

TEST_SETUP(test_a_probe_that_traces_does_not_recurse, new_kernel)
{
	uint64_t unprobed = ue_status().unprobed;
	int n = 0;

	seen[0] = '\0';
	listen_to("every_first");
	assert_int_equal(register_trace_every_fn(probe_within, &n), 0);
	assert_int_equal(register_trace_every_first(probe_first, DATA("?")), 0);
	trace_every_fn(1);
	assert_int_equal(within[0], -EDEADLK);
	assert_int_equal(within[1], -EDEADLK);
	assert_int_equal(within[2], -EDEADLK);
	/* the kernel received the event; the two probes did not, and ue_status() counts them */
	assert_string_equal(seen, "");
	assert_int_equal(fake_kernel_records(), 1);
	assert_int_equal(ue_status().unprobed, unprobed + 2);
	assert_int_equal(unregister_trace_every_first(probe_first, DATA("?")), 0);
	assert_int_equal(unregister_trace_every_fn(probe_within, &n), 0);
}

static void probe_payload(struct ue_event *event, const void *payload, size_t size, void *data)
{
	const struct trace_event_raw_every_class *record =
		(const struct trace_event_raw_every_class *)ue_trace_record(payload);

	(void)event;
	(void)size;
	trace_print_every_first((char *)data, 64, record);
}

TEST_SETUP(test_payload_probes_get_the_whole_record, new_kernel)
{
	struct ue_event *event = ue_event_find("every_first", NULL);
	char text[64] = "", spec[64];
	int n = 0;

	assert_non_null(event);
	assert_int_equal(ue_event_spec(event, spec, sizeof(spec)),
			 strlen("every_first s32 n; __data_loc char[] name"));
	assert_string_equal(spec, "every_first s32 n; __data_loc char[] name");
	assert_int_equal(ue_probe_register(event, probe_payload, text), 0);
	trace_every_first("abc", 42);
	assert_string_equal(text, "abc=42");
	/* attached together with a probe that receives the arguments, and with a tracer */
	listen_to("every_first");
	seen[0] = '\0';
	assert_int_equal(register_trace_every_first(probe_first, DATA("a")), 0);
	trace_every_first("def", 43);
	assert_string_equal(text, "def=43");
	assert_string_equal(seen, "a:def=43 ");
	assert_int_equal(fake_kernel_records(), 1);
	assert_int_equal(unregister_trace_every_first(probe_first, DATA("a")), 0);
	assert_int_equal(ue_probe_unregister(event, probe_payload, text), 0);
	/* a probe registered for all events is not called for a tracepoint without an event */
	assert_int_equal(ue_probe_register(NULL, probe_payload, text), 0);
	trace_every_bare(&n, &n);
	assert_int_equal(n, 0);
	assert_int_equal(ue_probe_unregister(NULL, probe_payload, text), 0);
}

TEST_SETUP(test_one_call_prints_every_event, new_kernel)
{
	struct worker a = { "first", 1, 120, 0, { { 0 } }, 0 };
	char text[512] = "";
	FILE *stream = tmpfile();
	size_t n;

	assert_non_null(stream);
	UE_TRACE(not_of_trace_event);
	assert_int_equal(ue_print_events(stream), 23);
	assert_int_equal(ue_print_events(stream), 23);
	trace_every_void();
	trace_every_printed("them", 3);
	trace_worker_new(&a);
	UE_TRACE(not_of_trace_event);
	assert_int_equal(ue_print_events_stop(stream), 23);
	trace_every_void();
	rewind(stream);
	n = fread(text, 1, sizeof(text) - 1, stream);
	text[n] = '\0';
	assert_string_equal(text, "every_void: nothing to say\n"
				  "every_printed: 3 of them\n"
				  "worker_new: comm=first pid=1 prio=120 target_cpu=000\n");
	fclose(stream);
}

/* ---- Notes ---- */

/*
 * Returns the address after the first copy of TEXT in the program's image, or NULL if there is
 * none.
 */
static const char *find_in_program(const char *text, size_t size)
{
	static char program[16 << 20];
	FILE *file = fopen("/proc/self/exe", "r");
	size_t read, i;

	assert_non_null(file);
	read = fread(program, 1, sizeof(program) - 1, file);
	fclose(file);
	assert_true(read < sizeof(program) - 1);
	for (i = 0; i + size <= read; i++)
		if (memcmp(program + i, text, size) == 0)
			return program + i + size;
	return NULL;
}

/* Returns true if the program contains a note for the constant NAME with VALUE. */
static bool has_note(const char *name, uint64_t value)
{
	char note[64] = { 2 }; /* note type of constants */
	size_t n = 1 + strlen(name) + 1;

	strcpy(note + 1, name);
	memcpy(note + n, &value, 8);
	return find_in_program(note, n + 8) != NULL;
}

TEST_SETUP(test_notes_have_the_constants_and_sizes_of_tp_printk, new_kernel)
{
	assert_true(has_note("EVERY_RED", EVERY_RED));
	assert_true(has_note("EVERY_GREEN", EVERY_GREEN));
	/* TRACE_DEFINE_ENUM is missing */
	assert_false(has_note("EVERY_BLUE", (uint64_t)EVERY_BLUE));
	assert_true(has_note("sizeof(struct every_pair)", sizeof(struct every_pair)));
}

/*
 * The argument string of a USDT probe is "SIZE@PLACE SIZE@PLACE ...". SIZE is negative if the
 * argument is signed.
 */
TEST_SETUP(test_the_usdt_note_has_size_and_sign_of_the_first_ten_fields, new_kernel)
{
#if (defined(__x86_64__) || defined(__aarch64__)) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	char name[] = "user_events:every_integer"; /* in the note, a NUL replaces the ':' */
	static const int sizes[] = {
		1, -1, 2, -2, 4, -4, 8, -8, (char)-1 < 0 ? -1 : 1, 1, sizeof(void *), sizeof(void *)
	};
	const char *p;

	name[strlen("user_events")] = '\0';
	p = find_in_program(name, sizeof(name));
	assert_non_null(p);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		assert_int_equal(atoi(p), sizes[i]);
		p += strcspn(p, " ");
		p += *p == ' ';
	}
	assert_int_equal(*p, '\0');
#else
	skip();
#endif
}

#ifdef __cplusplus
/* forms of the macros in kernels since 5.10, and in older kernels */
DECLARE_TRACE(cpp_newer, TP_PROTO(int n), TP_ARGS(n));
DEFINE_TRACE(cpp_newer, TP_PROTO(int n), TP_ARGS(n));
DECLARE_TRACE(cpp_older, TP_PROTO(int n), TP_ARGS(n));
DEFINE_TRACE(cpp_older);

/* A lambda without captures converts to a function pointer. */
TEST_SETUP(test_lambdas_are_probes, new_kernel)
{
	auto add = [](void *data, int n) { *static_cast<int *>(data) += n; };
	int sum = 0;

	assert_int_equal(register_trace_cpp_newer(add, &sum), 0);
	assert_int_equal(register_trace_cpp_older(add, &sum), 0);
	assert_int_equal(register_trace_every_fn(add, &sum), 0);
	trace_cpp_newer(2);
	trace_cpp_older(40);
	trace_every_fn(100);
	assert_int_equal(sum, 142);
	assert_int_equal(unregister_trace_cpp_newer(add, &sum), 0);
	assert_int_equal(unregister_trace_cpp_older(add, &sum), 0);
	assert_int_equal(unregister_trace_every_fn(add, &sum), 0);
}

struct counter {
	int n = 0;
	static void first(void *self, const char *, int n)
	{
		static_cast<counter *>(self)->n += n;
	}
	static void bare(void *self, void *, int *n)
	{
		static_cast<counter *>(self)->n += *n;
	}
};

TEST_SETUP(test_static_methods_are_probes, new_kernel)
{
	counter c;
	int two = 2;

	assert_int_equal(register_trace_every_first(counter::first, &c), 0);
	assert_int_equal(register_trace_every_bare(counter::bare, &c), 0);
	trace_every_first("a", 40);
	trace_every_bare(nullptr, &two);
	assert_int_equal(c.n, 42);
	assert_int_equal(unregister_trace_every_first(counter::first, &c), 0);
	assert_int_equal(unregister_trace_every_bare(counter::bare, &c), 0);
	trace_every_first("a", 1);
	assert_int_equal(c.n, 42);
}

TEST_SETUP(test_temporary_strings_live_until_the_record_is_written, new_kernel)
{
	listen_to("every_printed");
	trace_every_printed(std::string("temporary").c_str(), 4);
	assert_text(every_printed, "4 of temporary");
}
#endif

/* Only this file includes the headers a second time. In a program, exactly one file does this. */
#define CREATE_TRACE_POINTS
#include "trace/every.h"
#include "trace/sched_like.h"
#include "trace/events/net_like.h"

TESTS_MAIN
