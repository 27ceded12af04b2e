/* SPDX-License-Identifier: MIT */
/*
 * Measures the cost of events and of alternatives in instructions, in a single run.
 *
 * The program runs on a kernel with user_events whose clock counts instructions (`make bench` boots
 * such a kernel). Therefore, each measured time is a number of user and kernel instructions, which
 * is the same in every run. The program prints tables. An enabled event is compared with one
 * write() of the same bytes from a prepared buffer. To obtain these bytes, the event's fd is
 * temporarily replaced with a pipe.
 */
#include <sys/resource.h>
#include <sys/uio.h>

#include <user_events_builder.h>
#include <user_events_capture.h>
#include <user_events_otel.h>
#include <user_events_recorder.h>
#include <user_events_span.h>
#include <user_events_state.h>
#define CREATE_TRACE_POINTS
#include "cost_trace.h"
#define LTTNG_UST_COMPAT_API_VERSION 1 /* avoid names that kernel headers also define */
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "lttng_provider.h"
#include "bench.h"
#include "cost_uprobe.h"

#define ROUNDS 500

UE_EVENT_SET(bench_info, "Bench_Cost", UE_LEVEL_INFORMATION, 0x1);
UE_OTEL_DECLARE_PROVIDER(bench_otel);
UE_OTEL_PROVIDER(bench_otel, "Bench_Otel");

/* Values that are unknown to the compiler. */
static volatile uint32_t v32 = 200;
static volatile uint64_t v64 = 123456789;
static const char *volatile vshort = "GET /index.html";
static const char *v1000, *v2000, *v3900;

static void none(void)
{
	UE_TRACE(bench_none);
}

static void scalars4(void)
{
	UE_TRACE(bench_scalars4, UE_U32(a, v32), UE_U64(b, v64), UE_U32(c, v32), UE_U64(d, v64));
}

static void scalars8(void)
{
	UE_TRACE(bench_scalars8, UE_U32(a, v32), UE_U64(b, v64), UE_U32(c, v32), UE_U64(d, v64),
		 UE_U32(e, v32), UE_U64(f, v64), UE_U32(g, v32), UE_U64(h, v64));
}

static void scalars16(void)
{
	UE_TRACE(bench_scalars16, UE_U32(a, v32), UE_U64(b, v64), UE_U32(c, v32), UE_U64(d, v64),
		 UE_U32(e, v32), UE_U64(f, v64), UE_U32(g, v32), UE_U64(h, v64), UE_U32(i, v32),
		 UE_U64(j, v64), UE_U32(k, v32), UE_U64(l, v64), UE_U32(m, v32), UE_U64(n, v64),
		 UE_U32(o, v32), UE_U64(p, v64));
}

/* The same event with a USDT probe; plain4 has none. */
static void noted(void)
{
	noted4(v32, v64);
}

static void plain(void)
{
	plain4(v32, v64);
}

static void string_short(void)
{
	UE_TRACE(bench_string, UE_U32(a, v32), UE_U64(b, v64), UE_STR(s, vshort));
}

static void strings10(void)
{
	UE_TRACE(bench_strings10, UE_STR(a, vshort), UE_STR(b, vshort), UE_STR(c, vshort),
		 UE_STR(d, vshort), UE_STR(e, vshort), UE_STR(f, vshort), UE_STR(g, vshort),
		 UE_STR(h, vshort), UE_STR(i, vshort), UE_STR(j, vshort));
}

static void string_1000(void)
{
	UE_TRACE(bench_1000, UE_U32(a, v32), UE_U64(b, v64), UE_STR(s, v1000));
}

static void string_2000(void)
{
	UE_TRACE(bench_2000, UE_U32(a, v32), UE_U64(b, v64), UE_STR(s, v2000));
}

static void string_3900(void)
{
	UE_TRACE(bench_3900, UE_U32(a, v32), UE_U64(b, v64), UE_STR(s, v3900));
}

static void log_strings10(void)
{
	UE_LOG(bench_info, "Strings", UE_STR(a, vshort), UE_STR(b, vshort), UE_STR(c, vshort),
	       UE_STR(d, vshort), UE_STR(e, vshort), UE_STR(f, vshort), UE_STR(g, vshort),
	       UE_STR(h, vshort), UE_STR(i, vshort), UE_STR(j, vshort));
}

static void log_1000(void)
{
	UE_LOG(bench_info, "Long", UE_U32(a, v32), UE_U64(b, v64), UE_STR(s, v1000));
}

static void log_3900(void)
{
	UE_LOG(bench_info, "Long", UE_U32(a, v32), UE_U64(b, v64), UE_STR(s, v3900));
}

static int32_t ints[64];

static void log_ints(void)
{
	UE_LOG(bench_info, "Ints", UE_U32(a, v32), UE_ARRAY(I32, ints, ints, 64));
}

static void trace_event(void)
{
	trace_bench_trace_event(v32, v64, vshort);
}

static void lttng_scalars4(void)
{
	lttng_ust_tracepoint(bench, scalars4, v32, v64, v32, v64);
}

static void lttng_string(void)
{
	lttng_ust_tracepoint(bench, string, v32, v64, vshort);
}

static void log_scalars4(void)
{
	UE_LOG(bench_info, "Scalars4", UE_U32(a, v32), UE_U64(b, v64), UE_U32(c, v32),
	       UE_U64(d, v64));
}

static void log_scalars8(void)
{
	UE_LOG(bench_info, "Scalars8", UE_U32(a, v32), UE_U64(b, v64), UE_U32(c, v32),
	       UE_U64(d, v64), UE_U32(e, v32), UE_U64(f, v64), UE_U32(g, v32), UE_U64(h, v64));
}

static void log_string(void)
{
	UE_LOG(bench_info, "String", UE_U32(a, v32), UE_U64(b, v64), UE_STR(s, vshort));
}

static uint8_t activity[16];

static void log_activity(void)
{
	UE_LOG(bench_info, "Activity", UE_ACTIVITY(activity), UE_U32(a, v32), UE_U64(b, v64),
	       UE_U32(c, v32), UE_U64(d, v64));
}

static void builder4(void)
{
	char buffer[256];
	struct ue_builder b;

	ue_builder_begin(&b, buffer, sizeof(buffer), "Builder4", 0);
	ue_add_u32(&b, "a", v32);
	ue_add_u64(&b, "b", v64);
	ue_add_u32(&b, "c", v32);
	ue_add_u64(&b, "d", v64);
	ue_builder_write(&b, &bench_info, NULL, NULL);
}

static void otel_log(void)
{
	UE_OTEL_LOG(bench_otel, UE_OTEL_WARN, "card declined", UE_U32(a, v32), UE_STR(s, vshort));
}

static void span(void)
{
	struct ue_span s;

	UE_SPAN_BEGIN(bench_info, &s, "Request", UE_U32(a, v32));
	UE_SPAN_END(bench_info, &s, "Request", UE_U64(b, v64));
}

static void otel_span(void)
{
	struct ue_otel_span s;

	UE_OTEL_SPAN_BEGIN(bench_otel, &s, NULL, "POST /order");
	UE_OTEL_SPAN_END(bench_otel, &s, UE_U32(a, v32));
}

static const struct {
	const char *what;
	void (*event)(void);
	double most; /* limit that docs/performance.md documents */
} cases[] = {
	{ "UE_TRACE, no fields", none, 0 },
	{ "UE_TRACE, 4 scalars", scalars4, 1.07 },
	{ "UE_TRACE, 8 scalars", scalars8, 1.15 },
	{ "UE_TRACE, 16 scalars", scalars16, 1.26 },
	{ "UE_TRACE, 2 scalars and a short string", string_short, 1.12 },
	{ "UE_TRACE, 10 short strings", strings10, 1.46 },
	{ "UE_LOG, 10 short strings", log_strings10, 1.5 },
	{ "UE_TRACE, 2 scalars and a 1000-byte string", string_1000, 1.41 },
	{ "UE_LOG, 2 scalars and a 1000-byte string", log_1000, 1.44 },
	{ "UE_TRACE, 2 scalars and a 2000-byte string", string_2000, 0 },
	{ "UE_TRACE, 2 scalars and a 3900-byte string", string_3900, 1.4 },
	{ "UE_LOG, 2 scalars and a 3900-byte string", log_3900, 1.41 },
	{ "UE_LOG, a scalar and 64 integers", log_ints, 1.31 },
	{ "TRACE_EVENT, 2 scalars and a short string", trace_event, 0 },
	{ "compat/lttng, 4 scalars", lttng_scalars4, 0 },
	{ "compat/lttng, 2 scalars and a short string", lttng_string, 0 },
	{ "UE_LOG, 4 scalars", log_scalars4, 1.11 },
	{ "UE_LOG, 8 scalars", log_scalars8, 1.17 },
	{ "UE_LOG, 2 scalars and a short string", log_string, 1.13 },
	{ "UE_LOG, 4 scalars with an activity", log_activity, 1.15 },
	{ "UE_OTEL_LOG, a scalar and a short string", otel_log, 1.55 },
	{ "ue_builder, 4 scalars", builder4, 1.53 },
};

static uint64_t clock_cost(void)
{
	uint64_t times[ROUNDS];

	for (int i = 0; i < ROUNDS; i++) {
		uint64_t t = now();

		times[i] = now() - t;
	}
	return (uint64_t)median(times, ROUNDS);
}

static void set_all(const char *value)
{
	put("events/user_events/enable", value);
}

/*
 * Stores the bytes that EVENT writes, and returns their number. The library's fd is above the soft
 * limit, so dup2() can replace it only after setrlimit().
 */
static size_t bytes_of(void (*event)(void), char *bytes, size_t size)
{
	int fd = ue_status().fd, ends[2], saved = dup(fd);
	struct rlimit limit = { (rlim_t)fd + 1, (rlim_t)fd + 1 };
	ssize_t n;

	must(setrlimit(RLIMIT_NOFILE, &limit) == 0, "setrlimit");

	must(saved >= 0 && pipe(ends) == 0 && dup2(ends[1], fd) == fd, "pipe");
	event();
	n = read(ends[0], bytes, size);
	must(n > 0 && dup2(saved, fd) == fd, "read");
	close(ends[0]);
	close(ends[1]);
	close(saved);
	return (size_t)n;
}

static bool exceeded; /* true if an event costs more than documented */

static void enabled(uint64_t clock)
{
	printf("\nOne enabled event, ftrace attached (instructions, user and kernel)\n");
	printf("%-46s %7s %9s %9s %7s %7s\n", "", "bytes", "write()", "event", "ratio", "most");
	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		static char bytes[8192];
		size_t n = bytes_of(cases[c].event, bytes, sizeof(bytes));
		uint64_t event[ROUNDS], plain[ROUNDS];
		int fd = ue_status().fd;
		double a, b;

		for (int i = 0; i < ROUNDS; i++) {
			uint64_t t = now();

			must(write(fd, bytes, n) == (ssize_t)n, "write");
			plain[i] = now() - t - clock;
			t = now();
			cases[c].event();
			event[i] = now() - t - clock;
		}
		a = median(plain, ROUNDS);
		b = median(event, ROUNDS);
		printf("%-46s %7zu %9.0f %9.0f %7.3f ", cases[c].what, n - 4, a, b, b / a);
		if (cases[c].most > 0) {
			bool more = b / a > cases[c].most;

			printf("%7.2f%s\n", cases[c].most, more ? " EXCEEDED" : "");
			exceeded = exceeded || more;
		} else {
			printf("%7s\n", "");
		}
	}
}

/* Measures writev() with one segment per field, which is how many programs write events. */
static void segments(uint64_t clock)
{
	static char bytes[8192];
	size_t n = bytes_of(string_2000, bytes, sizeof(bytes));
	int fd = ue_status().fd;
	uint64_t times[ROUNDS];
	struct iovec iov[5] = {
		{ bytes, 4 },	   { bytes + 4, 4 },	   { bytes + 8, 8 },
		{ bytes + 16, 4 }, { bytes + 20, n - 20 },
	};

	for (int i = 0; i < ROUNDS; i++) {
		uint64_t t = now();

		must(writev(fd, iov, 5) == (ssize_t)n, "writev");
		times[i] = now() - t - clock;
	}
	printf("%-46s %7zu %9s %9.0f\n", "2 scalars and a 2000-byte string, by writev()", n - 4, "",
	       median(times, ROUNDS));
}

/*
 * Measures disabled events. The result is the median of 20 rounds, so that timer interrupts do not
 * affect it.
 */
static void disabled(void)
{
	uint64_t empty[20], event[20];

	for (int round = 0; round < 20; round++) {
		uint64_t t = now();

		for (uint32_t i = 0; i < 5000; i++)
			__asm__ volatile("" : : "r"(i));
		empty[round] = now() - t;
		t = now();
		for (uint32_t i = 0; i < 5000; i++) {
			__asm__ volatile("" : : "r"(i));
			UE_TRACE(bench_off, UE_U32(i), UE_U64(b, v64));
		}
		event[round] = now() - t;
	}
	printf("\nOne disabled event: %.2f instructions\n",
	       (median(event, 20) - median(empty, 20)) / 5000);
}

static void count(struct ue_event *event, const void *payload, size_t size, void *data)
{
	(void)event;
	(void)payload;
	*(size_t *)data += size;
}

/*
 * Measures an event with a probe and without a tracer. Reads the clock only before and after a
 * whole loop, because such an event makes no system call, so a clock read for each event would
 * dominate the result.
 */
static void probed(void)
{
	struct ue_event *event = ue_event_find("bench_scalars4", NULL);
	size_t bytes = 0;
	uint64_t t;

	must(event && ue_probe_register(event, count, &bytes) == 0, "probe");
	t = now();
	for (int i = 0; i < 10000; i++)
		scalars4();
	t = now() - t;
	must(bytes == 10000 * 24, "bytes of the probe");
	ue_probe_unregister(event, count, &bytes);
	printf("\nOne event of 4 scalars to a probe, without a tracer: %.0f instructions\n",
	       (double)t / 10000);
}

static void ignore_tracer(struct ue_event *event, bool attached, void *data)
{
	(void)event;
	(void)attached;
	(void)data;
}

/* Measures a poll that calls no state function. Each registered function has its own DATA. */
static void polled(void)
{
	struct ue_event *event = ue_event_find("bench_scalars4", NULL);
	char data[100];
	uint64_t t;

	printf("\nOne ue_state_poll() without a change (instructions)\n");
	for (int n = 0; n <= 100; n += n ? 99 : 1) {
		for (int i = 0; i < n; i++)
			ue_state_register(event, ignore_tracer, &data[i]);
		t = now();
		for (int i = 0; i < 10000; i++)
			must(ue_state_poll() == 0, "poll");
		t = now() - t;
		printf("%3d functions%50.0f\n", n, (double)t / 10000);
	}
	for (int i = 0; i < 100; i++)
		ue_state_unregister(event, ignore_tracer, &data[i]);
}

/*
 * Measures a loop of events that are captured (user_events_capture.h), without a tracer. The result
 * is the median of 20 rounds, so that timer interrupts do not affect it.
 */
static double each(void (*event)(void), int before)
{
	uint64_t times[20];

	for (int i = 0; i < before; i++) /* touch all pages before the measurement */
		event();
	for (int round = 0; round < 20; round++) {
		uint64_t t = now();

		for (int i = 0; i < 500; i++)
			event();
		times[round] = now() - t;
	}
	return median(times, 20) / 500;
}

static void recorded(void)
{
	static const struct {
		const char *what;
		void (*event)(void);
		int most; /* target for the number of instructions */
	} kept[] = {
		{ "UE_TRACE, 4 scalars", scalars4, 300 },
		{ "UE_TRACE, 8 scalars", scalars8, 430 },
		{ "UE_TRACE, 2 scalars and a short string", string_short, 380 },
		{ "UE_LOG, 4 scalars", log_scalars4, 370 },
	};
	static struct ue_capture capture;
	static char memory[4 << 20];
	double recorder[sizeof(kept) / sizeof(kept[0])];

	printf("\nOne event that is kept, without a tracer (instructions)\n%-46s %9s %9s %7s\n", "",
	       "capture", "recorder", "most");
	must(ue_recorder_open("/dev/shm/cost.uer", 1 << 20, 0) == 0, "recorder");
	for (size_t c = 0; c < sizeof(kept) / sizeof(kept[0]); c++)
		recorder[c] = each(kept[c].event, 40000);
	ue_recorder_close();
	for (size_t c = 0; c < sizeof(kept) / sizeof(kept[0]); c++) {
		double a, b = recorder[c];

		must(ue_capture_memory(&capture, memory, sizeof(memory)) == 0, "capture");
		a = each(kept[c].event, 1);
		must(ue_capture_lost(&capture) == 0, "room");
		ue_capture_stop(&capture);
		printf("%-46s %9.0f %9.0f %7d%s\n", kept[c].what, a, b, kept[c].most,
		       b > kept[c].most ? " EXCEEDED" : "");
	}
}

static double once(void (*event)(void), uint64_t clock)
{
	uint64_t times[ROUNDS];

	for (int i = 0; i < ROUNDS; i++) {
		uint64_t t = now();

		event();
		times[i] = now() - t - clock;
	}
	return median(times, ROUNDS);
}

/* Measures an event with a USDT probe for every combination of tracers. */
static void usdt(uint64_t clock)
{
	uint64_t nop, semaphore;
	char line[512], program[256] = "";

	printf("\nOne event of 4 scalars and its USDT probe (instructions, user and kernel)\n");
	printf("%-46s %9.0f\n", "disabled, with the call of its function", once(noted, clock));
	set_all("1");
	printf("%-46s %9.0f\n", "user_events enabled", once(noted, clock));
	printf("%-46s %9.0f\n", "user_events enabled, UE_NO_USDT", once(plain, clock));
	set_all("0");
	must(own_probe("user_events", "bench_noted4", &nop, &semaphore), "its own USDT probe");
	must(readlink("/proc/self/exe", program, sizeof(program) - 1) > 0, "readlink");
	snprintf(line, sizeof(line), "p:cost/noted4 %s:0x%llx(0x%llx) a=%%di:u32", program,
		 (unsigned long long)nop, (unsigned long long)semaphore);
	put("uprobe_events", line);
	put("events/cost/enable", "1");
	printf("%-46s %9.0f\n", "uprobe enabled, with one argument", once(noted, clock));
	set_all("1");
	printf("%-46s %9.0f\n", "both enabled", once(noted, clock));
	set_all("0");
	put("events/cost/enable", "0");
	put("uprobe_events", "");
}

/*
 * Checks that the kernel and the recorder do not increase each other's cost. An event for the
 * kernel must cost the same before and after a recorder is used. An event for the recorder must
 * cost the same while another event is enabled.
 */
static void together(uint64_t clock)
{
	double kernel, after, recorder, beside, both;

	put("events/user_events/bench_scalars4/enable", "1");
	kernel = once(scalars4, clock);
	must(ue_recorder_open("/dev/shm/cost.uer", 1 << 20, 0) == 0, "recorder");
	both = once(scalars4, clock);
	put("events/user_events/bench_scalars4/enable", "0");
	recorder = each(scalars4, 40000);
	put("events/user_events/bench_string/enable", "1");
	beside = each(scalars4, 0);
	put("events/user_events/bench_string/enable", "0");
	ue_recorder_close();
	put("events/user_events/bench_scalars4/enable", "1");
	after = once(scalars4, clock);
	put("events/user_events/bench_scalars4/enable", "0");
	printf("\nThe kernel and the recorder, 4 scalars (instructions)\n");
	printf("%-58s %9.0f\n", "for the kernel, before there was a recorder", kernel);
	printf("%-58s %9.0f\n", "for the kernel, after there was one", after);
	printf("%-58s %9.0f\n", "for the recorder", recorder);
	printf("%-58s %9.0f\n", "for the recorder, another event for the kernel", beside);
	printf("%-58s %9.0f\n", "for both", both);
	if (after > kernel + 5 || beside > recorder + 5) {
		puts("EXCEEDED: they are not independent");
		exceeded = true;
	}
}

/*
 * Measures the mean of several pairs of start and stop events, because one getrandom() call may
 * supply the IDs for several spans.
 */
static void spans(void)
{
	static const struct {
		const char *what;
		void (*pair)(void);
		int most;
	} pairs[] = {
		{ "UE_SPAN_BEGIN and UE_SPAN_END", span, 3700 },
		{ "UE_OTEL_SPAN_BEGIN and UE_OTEL_SPAN_END", otel_span, 3800 },
	};

	printf("\nOne span, ftrace attached (instructions, user and kernel)\n");
	for (size_t c = 0; c < sizeof(pairs) / sizeof(pairs[0]); c++) {
		double mean = each(pairs[c].pair, 16);
		bool more = pairs[c].most > 0 && mean > pairs[c].most;

		printf("%-46s %9.0f %7d%s\n", pairs[c].what, mean, pairs[c].most,
		       more ? " EXCEEDED" : "");
		exceeded = exceeded || more;
	}
}

static void start_up(void)
{
	static const int counts[] = { 1, 200, 1000 };

	printf("\nRegistration (instructions, user and kernel)\n%-46s %9s %9s\n", "", "all",
	       "each");
	for (size_t c = 0; c < 3; c++) {
		int n = counts[c];
		struct ue_event *events = calloc((size_t)n, sizeof(*events));
		uint64_t t;

		must(events != NULL, "calloc");
		t = now();
		for (int i = 0; i < n; i++) {
			char spec[64];

			/*
			 * use new names each time, because the kernel frees a name only some time
			 * after the last file using it is closed
			 */
			snprintf(spec, sizeof(spec), "bench_start%d_%d u32 status; u64 bytes", n,
				 i);
			must(ue_event_register(&events[i], spec, 0) == 0, "register");
		}
		t = now() - t;
		printf("%d%-42s %9.0f %9.0f\n", n, " events", (double)t, (double)t / n);
		for (int i = 0; i < n; i++)
			ue_event_unregister(&events[i]);
		free(events);
	}
	printf("%-46s %9zu bytes\n", "memory of an event", sizeof(struct ue_event));
}

int main(void)
{
	static char text[3901];
	struct ue_status status = ue_status();
	struct rlimit files;
	uint64_t clock;

	/*
	 * the library's fd is above the soft limit, where dup2() cannot replace it; raise the limit
	 */
	must(getrlimit(RLIMIT_NOFILE, &files) == 0, "getrlimit");
	files.rlim_cur = files.rlim_max;
	must(setrlimit(RLIMIT_NOFILE, &files) == 0, "setrlimit");
	if (status.registered != status.declared) {
		fprintf(stderr, "cost: %s\n", status.message);
		return 77;
	}
	memset(text, 'x', 3900);
	v3900 = text;
	v2000 = text + 1900;
	v1000 = text + 2900;
	ue_activity_new(activity);
	clock = clock_cost();
	disabled();
	set_all("1");
	enabled(clock);
	segments(clock);
	spans();
	set_all("0");
	usdt(clock);
	start_up();
	recorded();
	together(clock);
	probed();
	polled();
	return exceeded;
}
