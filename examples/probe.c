/* SPDX-License-Identifier: MIT */
/*
 * A program with probes on its own events. One probe builds a histogram of durations, and the other
 * counts all events. The probes run with or without a tracer.
 *
 *	probe [ROUNDS]
 *
 * A probe runs in the thread that writes the event, so it must be short and thread-safe.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <user_events_probe.h>

UE_TRACEPOINT(sorted, UE_U32(count), UE_U64(ns));
UE_EVENT_SET(info, "Example_Probe", UE_LEVEL_INFORMATION, 0x1);

enum { BUCKETS = 40 };

struct histogram {
	unsigned long buckets[BUCKETS]; /* buckets[n] counts durations of at least 2^n ns */
};

/*
 * Probe for one event. The payload is the same as for a tracer: the packed fields without padding.
 */
static void add(struct ue_event *event, const void *payload, size_t size, void *data)
{
	struct histogram *h = data;
	unsigned int bucket = 0;
	struct __attribute__((packed)) {
		uint32_t count;
		uint64_t ns;
	} fields;

	(void)event;
	if (size < sizeof(fields))
		return;
	memcpy(&fields, payload, sizeof(fields));
	while (fields.ns > 1 && bucket < BUCKETS - 1) {
		fields.ns /= 2;
		bucket++;
	}
	__atomic_fetch_add(&h->buckets[bucket], 1, __ATOMIC_RELAXED);
}

static void count(struct ue_event *event, const void *payload, size_t size, void *data)
{
	(void)event;
	(void)payload;
	(void)size;
	__atomic_fetch_add((unsigned long *)data, 1, __ATOMIC_RELAXED);
}

static int compare(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return x < y ? -1 : x > y;
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void work(unsigned int rounds)
{
	static int numbers[1000];

	UE_LOG(info, "Started", UE_U32(rounds));
	for (unsigned int i = 0; i < rounds; i++) {
		unsigned int n = 10u << i % 6;
		uint64_t begin = now();

		for (unsigned int j = 0; j < n; j++)
			numbers[j] = rand();
		qsort(numbers, n, sizeof(*numbers), compare);
		trace_sorted(n, now() - begin);
	}
}

static void print(const struct histogram *h)
{
	unsigned long most = 1;

	for (int i = 0; i < BUCKETS; i++)
		most = h->buckets[i] > most ? h->buckets[i] : most;
	for (int i = 0; i < BUCKETS; i++) {
		if (h->buckets[i])
			printf("%10llu ns %6lu %.*s\n", 1ull << i, h->buckets[i],
			       (int)(40 * h->buckets[i] / most),
			       "****************************************");
	}
}

int main(int argc, char **argv)
{
	unsigned int rounds = argc > 1 ? (unsigned int)atoi(argv[1]) : 10000;
	static struct histogram histogram;
	static unsigned long events;
	struct ue_event *sorted = ue_event_find("sorted", NULL);
	int error;

	/* register a probe for one event, and a probe for all events of this program */
	error = ue_probe_register(sorted, add, &histogram);
	if (!error)
		error = ue_probe_register(NULL, count, &events);
	if (error) {
		fprintf(stderr, "probe: %s\n", ue_strerror(error));
		return 1;
	}
	work(rounds);
	ue_probe_unregister(NULL, count, &events);
	ue_probe_unregister(sorted, add, &histogram);
	work(rounds); /* without probes */
	print(&histogram);
	printf("%lu events\n", events);
	return 0;
}
