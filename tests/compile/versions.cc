/* SPDX-License-Identifier: MIT */
/*
 * A file of one of the two libraries that a C++ program links. The libraries are compiled with
 * headers of different layouts. The script replaces PART with "old" or "new". Each library writes
 * 30 events of each kind and counts its own events. If MAIN is defined, this file is the program.
 */
#ifdef MAIN
#include <cstdio>
#include <initializer_list>

int old_begin(), old_part(int rounds), old_count(const char *name);
int new_begin(), new_part(int rounds), new_count(const char *name);

int main()
{
	int failed = old_begin() || new_begin() || (old_part(30) | new_part(30));

	/*
	 * The linker keeps only one copy of a function that both libraries contain, so only one
	 * library counts the function's events.
	 */
	for (const char *name : { "both", "drawn" }) {
		if (old_count(name) + new_count(name) != 60) {
			std::printf("error: %d and %d events of 60: %s\n", old_count(name),
				    new_count(name), name);
			failed = 1;
		}
	}
	return failed;
}
#else
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <user_events_builder.h>
#include <user_events_capture.h>
#include <user_events_otel.h>
#include <user_events_print.h>
#include <user_events_recorder.h>
#include <user_events_sdt.h>
#include <user_events_span.h>
#include <eventheader/TraceLoggingProvider.h>
#include <lttng/tracef.h>

/* Events that both libraries declare, as if in a shared header. */
UE_TRACEPOINT(point_of_both, UE_U32(a), UE_STR(text));
inline void both(int n)
{
	UE_TRACE(both, n);
}
struct shape {
	template <class T> void draw(T n) const
	{
		UE_TRACE(drawn, UE_I64(n, static_cast<int64_t>(n)));
	}
};

UE_EVENT_SET(PART_set, "Versions_PART", UE_LEVEL_INFORMATION, 1);
UE_OTEL_PROVIDER(PART_otel, "Otel_PART");
TRACELOGGING_DEFINE_PROVIDER(PART_tlg, "Tlg_PART", (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));

static struct ue_capture capture;
static char memory[1 << 20];
static size_t counted;

static void count(struct ue_event *, const void *, size_t, void *)
{
	counted++;
}

static bool is(const char *what, const char *name, int expected)
{
	int n = ue_capture_count(&capture, name);

	if (n == expected)
		return true;
	std::printf("error: PART: %d of %d events: %s\n", n, expected, what);
	return false;
}

int PART_count(const char *name);
int PART_count(const char *name)
{
	return ue_capture_count(&capture, name);
}

static void build(int i)
{
	char buffer[512];
	ue_builder b;

	ue_builder_begin(&b, buffer, sizeof(buffer), "built", 0);
	ue_add_i32(&b, "i", i);
	ue_struct_begin(&b, "s");
	ue_add_str(&b, "text", "built");
	ue_struct_end(&b);
	ue_builder_write(&b, &PART_set, nullptr, nullptr);
}

static struct ue_event run_time;

int PART_begin();
int PART_begin()
{
	static char ring[1 << 20];

	TraceLoggingRegister(PART_tlg);
	ue_event_register(&run_time, "run_time_PART u32 a", 0);
	if (ue_capture_memory(&capture, memory, sizeof(memory)) ||
	    ue_probe_register(nullptr, count, nullptr) ||
	    ue_recorder_memory(ring, sizeof(ring), 0)) {
		std::puts("error: PART cannot listen");
		return 1;
	}
	return ue_print_environment();
}

int PART_part(int rounds);
int PART_part(int rounds)
{
	const std::string text = "a string";
	const std::vector<int> numbers = { 1, 2, 3 };
	ue_capture_event event;
	ue_otel_span span;
	char json[512] = "";
	bool ok = true;

	for (int i = 0; i < rounds; i++) {
		both(i);
		UE_TRACE(traced, i, text, UE_STR(cut, "some text"));
		UE_LOG(PART_set, "logged", i, text, numbers);
		trace_point_of_both(1, "text");
		shape().draw(i);
		build(i);
		ue_event_write(&run_time, &i, sizeof(i));
		UE_SPAN_SCOPE(PART_set, scope, "spanned");
		UE_OTEL_SPAN_BEGIN(PART_otel, &span, nullptr, "span");
		UE_OTEL_LOG(PART_otel, UE_OTEL_WARN, "body", i);
		UE_OTEL_SPAN_END(PART_otel, &span);
		TraceLoggingWrite(PART_tlg, "tlg", TraceLoggingValue(i),
				  TraceLoggingString("text"));
		tracef("%d", i);
		DTRACE_PROBE2(versions, probed, i, text.c_str());
	}
	ok &= is("UE_TRACE", "traced", rounds);
	ok &= is("UE_LOG", "logged", rounds);
	ok &= is("UE_TRACEPOINT", "point_of_both", rounds);
	ok &= is("the builder", "built", rounds);
	ok &= is("a run-time event", "run_time_PART", rounds);
	ok &= is("TraceLoggingWrite", "tlg", rounds);
	ok &= is("spans", "spanned", 2 * rounds);
	ok &= is("a log of OpenTelemetry", "Log", rounds);
	ok &= is("a span of OpenTelemetry", "Span", rounds);
	if (ue_capture_find(&capture, "logged", &event) ||
	    ue_captured_json(&event, 0, json, sizeof(json)) < 40 ||
	    !std::strstr(json, "\"text\":\"a string\"")) {
		std::printf("error: PART reads %s\n", json);
		ok = false;
	}
	if (counted < static_cast<size_t>(9 * rounds)) {
		std::printf("error: PART: a probe got %zu events\n", counted);
		ok = false;
	}
	if (ue_recorder_close() || ue_probe_unregister(nullptr, count, nullptr) ||
	    ue_event_unregister(&run_time))
		ok = false;
	return !ok;
}
#endif
