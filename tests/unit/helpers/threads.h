/* SPDX-License-Identifier: MIT */
/* Threads of the tests of captures and recorders. After cmocka.h. */
#ifndef THREADS_H
#define THREADS_H

#include <pthread.h>
#include <sched.h>

enum { THREADS = 4 };

static int stop;

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

#endif
