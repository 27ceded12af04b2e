/* SPDX-License-Identifier: MIT */
/*
 * Measures an LTTng-UST event in the same guest and with the same clock as tests/bench/cost.c. The
 * result is the median of single events. If an argument is given, measures natively, like
 * tests/bench/recorder_cost.c. tests/bench/lttng starts the LTTng daemons.
 */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "lttng_provider.h"

#include "bench.h"

#define ROUNDS 500

static volatile uint32_t v32 = 200;
static volatile uint64_t v64 = 123456789;
static const char *volatile text = "GET /index.html";
static char letters[1001];

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

static void long_string(void)
{
	lttng_ust_tracepoint(bench, string, v32, v64, letters);
}

static double once(void (*event)(void))
{
	static uint64_t times[ROUNDS];

	for (int i = 0; i < ROUNDS; i++) {
		uint64_t t = now();

		event();
		times[i] = now() - t;
	}
	return median(times, ROUNDS);
}

int main(int argc, char **argv)
{
	double clock = once(none);

	(void)argv;
	memset(letters, 'x', sizeof(letters) - 1);
	if (!lttng_ust_tracepoint_enabled(bench, scalars4)) {
		fputs("lttng_cost: no session records the events\n", stderr);
		return 77;
	}
	if (argc > 1) { /* natively */
		printf("LTTng-UST, 4 scalars\t%.1f\n", least(scalars4));
		printf("LTTng-UST, 2 scalars and a short string\t%.1f\n", least(string));
		printf("LTTng-UST, 2 scalars and 1000 letters\t%.1f\n", least(long_string));
		return 0;
	}
	printf("%-46s %17s %9.0f\n", "LTTng-UST, 4 scalars", "", once(scalars4) - clock);
	printf("%-46s %17s %9.0f\n", "LTTng-UST, 2 scalars and a short string", "",
	       once(string) - clock);
	printf("%-46s %17s %9.0f\n", "LTTng-UST, 2 scalars and 1000 letters", "",
	       once(long_string) - clock);
	return 0;
}
