/* SPDX-License-Identifier: MIT */
/*
 * Measures the cost of a captured event and of its parts. Prints a table in ns per event. Each
 * figure is the median of several rounds. The kernel need not support user_events.
 */
#include <errno.h>

#include <user_events_capture.h>

#include "bench.h"

UE_TRACEPOINT(scalars, UE_U32(a), UE_U32(b), UE_U64(c), UE_U64(d));
UE_TRACEPOINT(string, UE_U32(a), UE_STR(s));
UE_EVENT_SET(info, "Bench", UE_LEVEL_INFORMATION, 0x1);

enum { ROUNDS = 21, EVENTS = 20000 };

static const char text[] = "/some/path/to/a/file.html";

static void do_scalars(uint32_t i)
{
	trace_scalars(i, i, i, i);
}

static void do_string(uint32_t i)
{
	trace_string(i, text);
}

static void do_log(uint32_t i)
{
	UE_LOG(info, "Request", UE_U32(i), UE_STR(path, text), UE_F64(ms, 1.5));
}

static void do_clock(uint32_t i)
{
	struct timespec t;

	(void)i;
	clock_gettime(CLOCK_MONOTONIC, &t);
}

static void nothing(struct ue_event *event, const void *payload, size_t size, void *data)
{
	(void)event;
	(void)payload;
	(void)size;
	(void)data;
}

static struct ue_capture capture;
static char memory[8 << 20];

static void begin_memory(void)
{
	ue_capture_stop(&capture);
	errno = -ue_capture_memory(&capture, memory, sizeof(memory));
	must(!errno, "cannot capture to memory");
}

static void none(void)
{
}

static void measure(const char *what, void (*begin)(void), void (*event)(uint32_t i))
{
	uint64_t times[ROUNDS], start;

	for (int round = 0; round < ROUNDS; round++) {
		begin();
		event(0);
		start = now();
		for (uint32_t i = 0; i < EVENTS; i++)
			event(i);
		times[round] = now() - start;
	}
	printf("%-44s %7.1f ns\n", what, median(times, ROUNDS) / EVENTS);
	errno = ENOSPC;
	must(!ue_capture_lost(&capture), "events were lost");
}

int main(void)
{
	measure("clock_gettime()", none, do_clock);
	measure("four scalars, nobody listens", none, do_scalars);
	if (ue_probe_register(NULL, nothing, NULL))
		return 1;
	measure("four scalars, an empty probe", none, do_scalars);
	ue_probe_unregister(NULL, nothing, NULL);
	measure("four scalars, memory", begin_memory, do_scalars);
	measure("a number and a string, memory", begin_memory, do_string);
	measure("a self-describing event, memory", begin_memory, do_log);
	ue_capture_stop(&capture);
	return 0;
}
