/* SPDX-License-Identifier: MIT */
/*
 * Threads can be cancelled while they register or write events. No library function is a
 * cancellation point, so a cancelled thread never leaves the library's lock held. This holds with
 * and without kernel support for user_events. The system calls are real.
 */
#include <pthread.h>

#include "test.h"

#include <user_events.h>

UE_TRACEPOINT(cancelled, UE_U32(x));

static struct ue_event event;
static unsigned int done;

static void each_function(void)
{
	uint8_t id[16];

	ue_register_all();
	done++;
	ue_status();
	done++;
	ue_event_register(&event, "cancelled_too u32 x", 0);
	done++;
	/* set the enable bits in place of a tracer, so that both events are written */
	__atomic_fetch_or(&ue_event_find("cancelled", NULL)->enabled, 1, __ATOMIC_RELAXED);
	trace_cancelled(1);
	__atomic_fetch_or(&event.enabled, 1, __ATOMIC_RELAXED);
	ue_event_write(&event, "1234", 4);
	done++;
	ue_activity_new(id);
	done++;
	ue_event_unregister(&event);
	done++;
	ue_event_delete("cancelled_too");
	done++;
	ue_use_fd(-1);
	done++;
	ue_unregister_all();
	done++;
}
enum { FUNCTIONS = 9 };

static void *is_cancelled_already(void *argument)
{
	pthread_cancel(pthread_self());
	each_function();
	pthread_testcancel();
	return argument;
}

TEST(test_no_function_is_a_cancellation_point)
{
	pthread_t thread;
	void *result;

	done = 0;
	assert_int_equal(pthread_create(&thread, NULL, is_cancelled_already, NULL), 0);
	pthread_join(thread, &result);
	assert_ptr_equal(result, PTHREAD_CANCELED);
	assert_int_equal(done, FUNCTIONS);
}

static unsigned int rounds;

static void *registers(void *argument)
{
	for (;;) {
		ue_register_all();
		ue_unregister_all();
		__atomic_fetch_add(&rounds, 1, __ATOMIC_RELAXED);
		pthread_testcancel();
	}
	return argument;
}

TEST(test_a_cancelled_thread_does_not_hold_the_lock)
{
	pthread_t thread;
	unsigned int i;

	alarm(60); /* fail after a while instead of hanging */
	for (i = 0; i < 300; i++) {
		unsigned int before = __atomic_load_n(&rounds, __ATOMIC_RELAXED);

		assert_int_equal(pthread_create(&thread, NULL, registers, NULL), 0);
		while (__atomic_load_n(&rounds, __ATOMIC_RELAXED) == before)
			usleep(i % 50);
		usleep(i % 50);
		pthread_cancel(thread);
		pthread_join(thread, NULL);
		ue_status();
	}
	alarm(0);
}

TESTS_MAIN
