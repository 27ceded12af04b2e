/* SPDX-License-Identifier: MIT */
/*
 * What the event of one function costs, in instructions of its thread and the kernel: disabled, and after start().
 * tests/bench/peers writes a source file with site0() and start() for each way to trace, links it with this one and
 * runs it in a guest whose clock counts instructions. The cost of a function without an event is subtracted.
 */
#include <fcntl.h>
#include <libgen.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "peers.h"

/* A mean of many, since a buffer is written now and then; the median of rounds, since a timer interrupt is not the
 * event's. */
enum { ROUNDS = 60, EVENTS = 500 };

static void nothing(unsigned int a, unsigned long b, unsigned int c, unsigned long d)
{
	(void)a, (void)b, (void)c, (void)d;
}

static void (*volatile event)(unsigned int a, unsigned long b, unsigned int c, unsigned long d);

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static double each(void)
{
	static uint64_t times[ROUNDS];

	for (int round = 0; round < ROUNDS; round++) {
		uint64_t t = now();

		for (unsigned int i = 0; i < EVENTS; i++)
			event(i, 123456789, 200, i);
		times[round] = now() - t;
	}
	qsort(times, ROUNDS, sizeof(*times), by_value);
	return (double)times[ROUNDS / 2] / EVENTS;
}

void must(int ok, const char *what)
{
	if (!ok) {
		perror(what);
		exit(1);
	}
}

void put(const char *file, const char *text)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "/sys/kernel/tracing/%s", file);
	fd = open(path, O_WRONLY);
	must(fd >= 0 && dprintf(fd, "%s", text) > 0, path);
	close(fd);
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
