/* SPDX-License-Identifier: MIT */
/*
 * Measures the cost of one event in instructions of the thread and the kernel, first disabled and
 * then after start(). For each tracing library, tests/bench/peers generates a source file with
 * site0() and start(), links it with this file, and runs the program in a guest whose clock counts
 * instructions. The cost of a call to an empty function is subtracted.
 */
#include <libgen.h>

#include "peers.h"

/* The result is the mean of many events, because buffers are flushed only occasionally. */
enum { ROUNDS = 60, EVENTS = 500 };

static void nothing(unsigned int a, unsigned long b, unsigned int c, unsigned long d)
{
	(void)a, (void)b, (void)c, (void)d;
}

static void (*volatile event)(unsigned int a, unsigned long b, unsigned int c, unsigned long d);

static double each(void)
{
	static uint64_t times[ROUNDS];

	for (int round = 0; round < ROUNDS; round++) {
		uint64_t t = time_of(CLOCK_THREAD_CPUTIME_ID);

		for (unsigned int i = 0; i < EVENTS; i++)
			event(i, 123456789, 200, i);
		times[round] = time_of(CLOCK_THREAD_CPUTIME_ID) - t;
	}
	return median(times, ROUNDS) / EVENTS;
}

int main(int argc, char **argv)
{
	double none, disabled;

	(void)argc;
	event = nothing;
	none = each();
	event = site0;
	disabled = each() - none;
	start();
	printf("%s\t%.0f\t%.0f\n", basename(argv[0]), disabled, each() - none);
	return 0;
}
