/* SPDX-License-Identifier: MIT */
/*
 * The flight recorder natively: nanoseconds of one event, the least of rounds, and how much more
 * two threads record than one. Prints NAME<tab>FIGURE, for tests/bench/recorder.
 */
#include <pthread.h>

#include <user_events_recorder.h>

#include "bench.h"

enum { ROUNDS = 41, EVENTS = 100000 };

static volatile uint32_t v32 = 200;
static volatile uint64_t v64 = 123456789;
static const char *volatile text = "GET /index.html";

static void scalars4(void)
{
	UE_TRACE(scalars4, UE_U32(a, v32), UE_U64(b, v64), UE_U32(c, v32), UE_U64(d, v64));
}

static void string(void)
{
	UE_TRACE(string, UE_U32(a, v32), UE_U64(b, v64), UE_STR(s, text));
}

static void *run(void *argument)
{
	(void)argument;
	for (int i = 0; i < EVENTS; i++)
		scalars4();
	return NULL;
}

/* The least time in which COUNT threads record EVENTS each. */
static double threads(int count)
{
	uint64_t best = UINT64_MAX;

	for (int round = 0; round < ROUNDS; round++) {
		pthread_t thread[2];
		uint64_t t = now();

		for (int i = 0; i < count; i++)
			if (pthread_create(&thread[i], NULL, run, NULL))
				exit(1);
		for (int i = 0; i < count; i++)
			pthread_join(thread[i], NULL);
		t = now() - t;
		best = t < best ? t : best;
	}
	return (double)best;
}

int main(void)
{
	int error = ue_recorder_open("/dev/shm/recorder_cost.uer", 1 << 20, 0);

	if (error) {
		fprintf(stderr, "recorder_cost: /dev/shm: %s\n", ue_recorder_strerror(error));
		return 1;
	}
	printf("recorder, 4 scalars\t%.1f\n", least(scalars4));
	printf("recorder, 2 scalars and a short string\t%.1f\n", least(string));
	printf("two threads, times the events of one\t%.2f\n", 2 * threads(1) / threads(2));
	ue_recorder_close();
	remove("/dev/shm/recorder_cost.uer");
	return 0;
}
