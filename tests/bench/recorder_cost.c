/* SPDX-License-Identifier: MIT */
/*
 * Measures the recorder natively, not in a guest: the minimum time per event over several rounds,
 * in ns, and the throughput of two threads relative to that of one thread. Prints lines of the form
 * "NAME<tab>FIGURE" for tests/bench/recorder. Each CPU has a buffer of 1 MiB, as in
 * tests/bench/lttng.
 */
#include <pthread.h>

#include <user_events_recorder.h>

#include "bench.h"

enum { ROUNDS = 41, EVENTS = 100000 };

static volatile uint32_t v32 = 200;
static volatile uint64_t v64 = 123456789;
static const char *volatile text = "GET /index.html";
static char letters[1001];

static void scalars4(void)
{
	UE_TRACE(scalars4, UE_U32(a, v32), UE_U64(b, v64), UE_U32(c, v32), UE_U64(d, v64));
}

static void string(void)
{
	UE_TRACE(string, UE_U32(a, v32), UE_U64(b, v64), UE_STR(s, text));
}

static void long_string(void)
{
	UE_TRACE(long_string, UE_U32(a, v32), UE_U64(b, v64), UE_STR(s, letters));
}

static void *run(void *argument)
{
	(void)argument;
	for (int i = 0; i < EVENTS; i++)
		scalars4();
	return NULL;
}

/* Returns the minimum time that COUNT threads need to record EVENTS events each, in ns. */
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
	size_t cpus = (size_t)sysconf(_SC_NPROCESSORS_CONF);
	int error = ue_recorder_open("/dev/shm/recorder_cost.uer", cpus << 20, 0);

	memset(letters, 'x', sizeof(letters) - 1);
	if (error) {
		fprintf(stderr, "recorder_cost: /dev/shm: %s\n", ue_recorder_strerror(error));
		return 1;
	}
	printf("recorder, 4 scalars\t%.1f\n", least(scalars4));
	printf("recorder, 2 scalars and a short string\t%.1f\n", least(string));
	printf("recorder, 2 scalars and 1000 letters\t%.1f\n", least(long_string));
	printf("two threads, times the events of one\t%.2f\n", 2 * threads(1) / threads(2));
	ue_recorder_close();
	remove("/dev/shm/recorder_cost.uer");
	return 0;
}
