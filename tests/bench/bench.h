/* SPDX-License-Identifier: MIT */
/* Shared code of the benchmarks: time, medians and tracefs files. */
#ifndef BENCH_H
#define BENCH_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define TRACING "/sys/kernel/tracing/"

/*
 * Returns the time in ns or, in a guest whose clock counts instructions, the number of
 * instructions.
 */
static inline uint64_t time_of(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline uint64_t now(void)
{
	return time_of(CLOCK_MONOTONIC);
}

static inline int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Returns the median, so that occasional timer interrupts do not affect the cost of an event. */
static inline double median(uint64_t *times, size_t n)
{
	qsort(times, n, sizeof(*times), by_value);
	return (double)times[n / 2];
}

/*
 * Returns the cost of one event in a loop. The result is the minimum of many rounds, because
 * disturbances only add time.
 */
static inline double least(void (*event)(void))
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

static inline void must(int ok, const char *what)
{
	if (!ok) {
		perror(what);
		exit(1);
	}
}

/* Writes TEXT to a tracefs file. */
static inline void put(const char *file, const char *text)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), TRACING "%s", file);
	fd = open(path, O_WRONLY | O_TRUNC);
	must(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text), path);
	close(fd);
}

#endif
