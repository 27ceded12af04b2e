/* SPDX-License-Identifier: MIT */
/*
 * Threads of the tests of captures and recorders, and an event that comes and goes while they
 * write it. After cmocka.h and user_events.h.
 */
#ifndef THREADS_H
#define THREADS_H

#include <pthread.h>
#include <sched.h>

enum { THREADS = 4 };

static int stop;
static struct ue_event shared;

/* FUNCTION in N threads, which get their numbers. */
static void run(void *(*function)(void *), unsigned int n, void (*meanwhile)(void))
{
	pthread_t threads[THREADS];

	for (unsigned int i = 0; i < n; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, function, (void *)(uintptr_t)i),
				 0);
	if (meanwhile)
		meanwhile();
	for (unsigned int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
}

static void *write_shared(void *unused)
{
	uint64_t value = 5;

	(void)unused;
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		ue_event_write(&shared, &value, sizeof(value));
		sched_yield();
	}
	return NULL;
}

static void come_and_go(void)
{
	static const char *const specs[] = {
		"shared_a u64 five", "shared_b u32 five; u32 zero",
		"shared_c u64 five_of_a_longer_name_than_one_cell_of_64_bytes"
	};

	for (int i = 0; i < 300; i++) {
		ue_event_register(&shared, specs[i % 3], 0);
		sched_yield();
		ue_event_unregister(&shared);
	}
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
}

#endif
