/* SPDX-License-Identifier: MIT */
/*
 * What an event of LTTng-UST costs, in the same guest and by the same clock as tests/bench/cost.c: the
 * median of single events; with an argument natively. tests/bench/lttng starts its daemons.
 */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "lttng_provider.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROUNDS 500

static volatile uint32_t v32 = 200;
static volatile uint64_t v64 = 123456789;
static const char *volatile text = "GET /index.html";

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void none(void)
{
}

static void scalars4(void)
{
	lttng_ust_tracepoint(bench, scalars4, v32, v64, v32, v64);
}

static void string(void)
{
	lttng_ust_tracepoint(bench, string, v32, v64, text);
}

static uint64_t median(void (*event)(void))
{
	static uint64_t times[ROUNDS];

	for (int i = 0; i < ROUNDS; i++) {
		uint64_t t = now();

		event();
		times[i] = now() - t;
	}
	qsort(times, ROUNDS, sizeof(*times), by_value);
	return times[ROUNDS / 2];
}

/* Nanoseconds of one event in a loop, the least of rounds, as tests/bench/recorder_cost.c has it. */
static double least(void (*event)(void))
{
	uint64_t best = UINT64_MAX;

	for (int round = 0; round < 41; round++) {
		uint64_t t = now();

		for (int i = 0; i < 10000; i++)
			event();
		t = now() - t;
		best = t < best ? t : best;
	}
	return (double)best / 10000;
}

int main(int argc, char **argv)
{
	uint64_t clock = median(none);

	(void)argv;

	if (!lttng_ust_tracepoint_enabled(bench, scalars4)) {
		fputs("lttng_cost: no session records the events\n", stderr);
		return 77;
	}
	if (argc > 1) { /* natively */
		printf("LTTng-UST, 4 scalars\t%.1f\n", least(scalars4));
		printf("LTTng-UST, 2 scalars and a short string\t%.1f\n", least(string));
		return 0;
	}
	printf("%-46s %17s %9llu\n", "LTTng-UST, 4 scalars", "",
	       (unsigned long long)(median(scalars4) - clock));
	printf("%-46s %17s %9llu\n", "LTTng-UST, 2 scalars and a short string", "",
	       (unsigned long long)(median(string) - clock));
	return 0;
}
