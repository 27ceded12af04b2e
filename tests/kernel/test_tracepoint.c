/* SPDX-License-Identifier: MIT */
/*
 * Tests TRACE_EVENT on the real kernel: the format files agree with the compiler about each field
 * of the record's struct, TP_printk can format a record that perf recorded, and ftrace and perf
 * print the fields' values.
 */
#include "witness.h"

#include <linux/perf_event.h>

#include "trace/subjects.h"
#define CREATE_TRACE_POINTS
#include "trace/every.h"

#include "trace/sched_like.h"
#include "trace/events/net_like.h"

int every_assigned, every_refuse, every_regs, every_unregs;

int every_reg(void)
{
	return 0;
}

void every_unreg(void)
{
}

const char *every_status(struct trace_seq *p, int status)
{
	return trace_seq_buffer_ptr(p);
}

long worker_state(bool preempt, unsigned int state)
{
	return preempt ? 0x100 : (long)state;
}

/* ---- Formats ---- */

static void assert_field(const char *event, const char *name, size_t offset, size_t size, int sign)
{
	char scalar[64], array[64], want[64];
	const char *field;

	/* a line of the format file, such as "field:u32 name;" or "field:char name[16];" */
	snprintf(scalar, sizeof(scalar), " %s;", name);
	snprintf(array, sizeof(array), " %s[", name);
	get(event_file(event, "format"));
	field = strstr(text, scalar);
	field = field ? field : strstr(text, array);
	if (!field)
		fail_msg("the format file has no field %s:\n%s", name, text);
	field = strchr(field, ';');
	snprintf(want, sizeof(want), ";\toffset:%zu;\tsize:%zu;\tsigned:%d;", offset, size, sign);
	if (strncmp(field, want, strlen(want)) != 0)
		fail_msg("the format file does not contain \"%s %s\":\n%s", name, want, text);
}

#define FIELD(event, field, sign)                                                     \
	assert_field(#event, #field, offsetof(struct trace_event_raw_##event, field), \
		     sizeof(((struct trace_event_raw_##event *)0)->field), sign)
#define LOC(event, prefix, field) \
	assert_field(#event, #field, offsetof(struct trace_event_raw_##event, prefix##field), 4, 1)

TEST(test_the_kernel_and_the_compiler_agree_on_each_field)
{
	FIELD(every_integer, a, 0);
	FIELD(every_integer, b, 1);
	FIELD(every_integer, c, 0);
	FIELD(every_integer, d, 1);
	FIELD(every_integer, e, 0);
	FIELD(every_integer, f, 1);
	FIELD(every_integer, g, 0);
	FIELD(every_integer, h, 1);
	FIELD(every_integer, i, 1);
	FIELD(every_integer, j, 0);
	FIELD(every_integer, k, 1);
	FIELD(every_integer, l, 0);
	FIELD(every_integer, m, 1);
	FIELD(every_integer, n, 0);
	FIELD(every_integer, o, 0);
	FIELD(every_integer, q, 0);
	FIELD(every_integer, r, 1);
	FIELD(every_fixed, text, 1);
	FIELD(every_fixed, mac, 0);
	FIELD(every_fixed, small, 0);
	FIELD(every_fixed, words, 0);
	FIELD(every_fixed, pair, 1);
	FIELD(every_fixed, plain, 0);
	FIELD(every_fixed, other, 1);
	FIELD(every_fixed, f, 0);
	FIELD(every_fixed, d, 0);
	FIELD(every_fixed, large, 1);
	LOC(every_dynamic, __data_loc_, bytes);
	LOC(every_dynamic, __data_loc_, shorts);
	LOC(every_dynamic, __data_loc_, string);
	LOC(every_dynamic, __data_loc_, bits);
	LOC(every_dynamic, __data_loc_, sa);
	LOC(every_rel, __rel_loc_, bytes);
	LOC(every_rel, __rel_loc_, string);
	FIELD(every_rel, last, 0);
	FIELD(worker_switch, prev_comm, 1);
	FIELD(worker_switch, prev_state, 1);
	FIELD(worker_switch, next_prio, 1);
	FIELD(frame_xmit, protocol, 0);
	FIELD(frame_xmit, saddr_v6, 0);
	FIELD(frame_xmit, rc, 1);
}

TEST(test_every_event_is_registered)
{
	struct ue_status status = ue_status();

	assert_int_equal(status.error, 0);
	assert_int_equal(status.registered, 23);
	assert_int_equal(status.declared, 23);
	assert_false(event_exists("every_bare"));
}

/* ---- Records of perf ---- */

static struct perf_event_mmap_page *ring;
static int perf_fd = -1;
enum { RING_PAGES = 16 };

static void perf_begin(const char *event)
{
	struct perf_event_attr attr = { 0 };

	attr.size = sizeof(attr);
	attr.type = PERF_TYPE_TRACEPOINT;
	attr.config = strtoull(get(event_file(event, "id")), NULL, 10);
	attr.sample_type = PERF_SAMPLE_RAW;
	attr.sample_period = 1;
	perf_fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 8 /* close on exec */);
	assert_true(perf_fd >= 0);
	ring = (struct perf_event_mmap_page *)mmap(NULL, (RING_PAGES + 1) * 4096u,
						   PROT_READ | PROT_WRITE, MAP_SHARED, perf_fd, 0);
	assert_ptr_not_equal(ring, MAP_FAILED);
}

static void perf_end(void)
{
	munmap(ring, (RING_PAGES + 1) * 4096u);
	close(perf_fd);
}

/* Reads the only record since perf_begin(), in the form in which the trace stores it. */
static const void *perf_record(void)
{
	static uint64_t record[8192 / 8];
	struct perf_event_header *header =
		(struct perf_event_header *)(void *)((char *)ring + ring->data_offset);

	assert_true(__atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE) >= sizeof(*header));
	assert_int_equal(header->type, PERF_RECORD_SAMPLE);
	assert_int_equal(ring->data_head, header->size);
	memcpy(record, (char *)(header + 1) + 4, header->size - sizeof(*header) - 4);
	return record;
}

#define assert_recorded(event, call, want)                                \
	do {                                                              \
		char text_[2048];                                         \
		perf_begin(#event);                                       \
		assert_true(trace_##event##_enabled());                   \
		call;                                                     \
		trace_print_##event(text_, sizeof(text_), perf_record()); \
		assert_string_equal(text_, want);                         \
		perf_end();                                               \
	} while (0)

static void trace_dynamic(bool rel, const char *format, ...)
{
	static const unsigned char bytes[] = { 1, 2, 0xff };
	static const unsigned long bits[BITS_TO_LONGS(70)] = { 5, 0x20 };
	static const struct sockaddr address = { AF_INET, { 31, -112, 127, 0, 0, 1, 0 } };
	struct cpumask cpus = { { 0 } };
	struct va_format vaf;
	va_list args;

	va_start(args, format);
	vaf.fmt = format;
	vaf.va = &args;
	if (rel)
		trace_every_rel("some text", bytes, 3, bits, &cpus, &address, &vaf);
	else
		trace_every_dynamic("some text", bytes, 3, bits, &cpus, &address, &vaf);
	va_end(args);
}

static const struct every_pair pair = { 3, 1ull << 40 };
static const struct frame frame = { "eth0",
				    0x800,
				    { 2, 0, 0, 0xab, 0xcd, 0xef },
				    { 192, 168, 0, 1 },
				    { 0x20, 1, 0xd, 0xb8, [15] = 1 },
				    { 0xde, 0xad, 0xbe, 0xef },
				    0x13 };
static struct worker first = { "first", 1, 120, 0, { { 0 } }, 0 };
static struct worker second = { "second", 2, 100, 3, { { 0 } }, 0 };

TEST(test_perf_records_print_as_the_header_specifies)
{
	assert_recorded(every_integer, trace_every_integer(-2, (void *)0x1234),
			"254 -2 65534 -2 fffffffe -2 18446744073709551614 -2 i 1 -2 "
			"18446744073709551614 -1 0000000000001234 (null) 8 -01");
	assert_recorded(every_fixed, trace_every_fixed("0123456789abcdefgh", &pair),
			"0123456789abcde 00:11:22:33:44:55 -2 {0x0,0x10000000,0x20000000} "
			"{0x0,0x11} 3:1099511627776 1+2 1.5 -2.25");
	assert_recorded(
		every_dynamic, trace_dynamic(false, "v%d", 7),
		"01 02 ff|636363|{0x0,0xffff,0xfffe}|{0xffffffffffffffff,0xfffffffffffffffe}|"
		"some text|som|v7|00000000,00000020,00000000,00000005|00000000,00000000|"
		"127.0.0.1:8080|16|7");
	assert_recorded(every_rel, trace_dynamic(true, "v%d", 7),
			"1|01 02 ff|{0x0,0x1,0x2}|some text|som|v7|"
			"00000000,00000020,00000000,00000005|00000000,00000000|127.0.0.1:8080|2");
	assert_recorded(every_void, trace_every_void(), "nothing to say");
	assert_recorded(every_condition, (trace_every_condition(1, 2), trace_every_condition(3, 2)),
			"a=3");
	assert_recorded(every_printed, trace_every_printed("them", 3), "3 of them");
	assert_recorded(every_first, trace_every_first(NULL, 3), "(null)=3");
	assert_recorded(worker_switch, trace_worker_switch(true, &first, &second, WORKER_SLEEPS),
			"prev_comm=first prev_pid=1 prev_prio=120 prev_state=R+ ==> "
			"next_comm=second next_pid=2 next_prio=100");
	assert_recorded(frame_xmit, trace_frame_xmit(&frame, -ENOBUFS),
			"dev=eth0 protocol=0x0800 src=02:00:00:ab:cd:ef saddr=192.168.0.1 "
			"saddrv6=2001:db8::1 id=deadbeef-0000-0000-0000-000000000000 "
			"flags=UP|BROADCAST|LOOPBACK rc=-105 (-ENOBUFS)");
	assert_int_equal(ue_status().failed, 0);
}

/* ---- Output of ftrace ---- */

TEST(test_ftrace_shows_the_values)
{
	trace_enable("every_integer");
	trace_enable("every_first");
	trace_enable("every_void");
	trace_enable("worker_switch");
	trace_enable("frame_xmit");
	trace_from_now("every_dynamic");
	trace_every_integer(-2, (void *)0x1234);
	trace_every_first("a name", -1);
	trace_every_void();
	trace_worker_switch(false, &first, &second, WORKER_STOPPED);
	trace_frame_xmit(&frame, -ENOBUFS);
	trace_dynamic(false, "v%d", 7);
	trace_text();
	assert_contains(text, "every_integer: a='\xfe'(254) b='\xfe'(254) c=0xfffe (65534) "
			      "d=0xfffe (65534) __pad_14= e=0xfffffffe (-2) f=0xfffffffe (-2)");
	assert_contains(text, " l=0xfffffffffffffffe (-2) m=0xffffffff (-1) __pad_68= "
			      "n=0x1234 (4660) o=0x0 (0) q=0x8 (8) r=0xffffffff (-1)\n");
	assert_line("every_first: n=0xffffffff (-1) name=a name");
	assert_line("every_void:No fields found");
	assert_line("worker_switch: prev_comm=first prev_pid=0x1 (1) prev_prio=0x78 (120) "
		    "prev_state=0x4 (4) next_comm=second next_pid=0x2 (2) "
		    "next_prio=0x64 (100)");
	assert_contains(text, "frame_xmit: name=eth0 ");
	assert_contains(text, " protocol=0x800 (2048) ");
	assert_contains(text, " flags=0x13 (19) rc=0xffffff97 (-105)\n");
	assert_contains(text,
			"every_dynamic: bytes=01,02,ff chars=63,63,63 shorts=00,00,ff,ff,fe,ff ");
	assert_contains(text, " string=some text part=som v=v7 ");
}

TEST(test_filters_can_use_the_fields)
{
	put(instance(event_file("every_first", "filter")), "n == -5 && name ~ \"y*\"");
	trace_from_now("every_first");
	trace_every_first("yes", -5);
	trace_every_first("yes", 5);
	trace_every_first("no", -5);
	assert_string_equal(trace_text(), "every_first: n=0xfffffffb (-5) name=yes\n");
	put(instance(event_file("every_first", "filter")), "0");
}

TEST(test_events_too_large_for_a_tracer_are_counted)
{
	static char name[70000];
	uint64_t failed = ue_status().failed, large = ue_status().large;

	trace_from_now("every_first");
	memset(name, 'x', 4000);
	trace_every_first(name, 1);
	assert_int_equal(ue_status().large, large);
	memset(name, 'x', 10000);
	trace_every_first(name, 2);
	assert_int_equal(ue_status().large, large + 1);
	/* payloads of more than 65535 bytes are not recorded */
	memset(name, 'x', sizeof(name) - 1);
	trace_every_first(name, 3);
	assert_int_equal(ue_status().large, large + 1);
	assert_int_equal(ue_status().failed, failed + 1);
	assert_contains(trace_text(), "every_first: n=0x1 (1) name=xxxxxx");
	assert_int_equal(count_of(text, "every_first"), 1);
	assert_int_equal(ue_status().cut, 0);
}

/* ---- Output of perf script for another process with the same events ---- */

static int emit(void)
{
	trace_every_first("from another process", -7);
	trace_worker_switch(false, &first, &second, WORKER_STOPPED);
	return ue_status().error;
}

TEST(test_perf_script_shows_the_values)
{
	char command[2 * PATH_MAX];
	FILE *out;

	snprintf(command, sizeof(command),
		 "cd ${TMPDIR:-/tmp} && perf record -q -o tracepoint.data -e "
		 "user_events:every_first,user_events:worker_switch '%s' emit 2>&1 && "
		 "perf script -i tracepoint.data -F event,trace 2>&1",
		 self());
	out = popen(command, "r");
	assert_non_null(out);
	text[fread(text, 1, sizeof(text) - 1, out)] = '\0';
	assert_int_equal(pclose(out), 0);
	assert_contains(text, "user_events:every_first: n=-7 name=from another process\n");
	assert_contains(text, "prev_comm=first prev_pid=1 prev_prio=120 ");
	assert_contains(text, "prev_state=4 next_comm=second next_pid=2 next_prio=100\n");
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "emit") == 0)
		return emit();
	return run_all_tests(group_begin, group_end);
}
