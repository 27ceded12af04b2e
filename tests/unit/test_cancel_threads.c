/* SPDX-License-Identifier: MIT */
/*
 * Threads that are cancelled while they register: no function of the library is a cancellation point,
 * and none leaves its lock behind, whether the kernel has user_events or not. The system calls are the
 * real ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include <user_events.h>

UE_TRACEPOINT(cancelled, UE_U32(x));

static struct ue_event event;
static unsigned int done;

static void each_function(void)
{
	ue_register_all();
	done++;
	ue_status();
	done++;
	ue_event_register(&event, "cancelled_too u32 x", 0);
	done++;
	trace_cancelled(1);
	ue_event_write(&event, "1234", 4);
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
enum { FUNCTIONS = 8 };

static void *is_cancelled_already(void *argument)
{
	pthread_cancel(pthread_self());
	each_function();
	pthread_testcancel();
	return argument;
}

static void test_no_function_is_a_cancellation_point(void **state)
{
	pthread_t thread;
	void *result;

	(void)state;
	done = 0;
	assert_int_equal(pthread_create(&thread, NULL, is_cancelled_already, NULL), 0);
	pthread_join(thread, &result);
	assert_ptr_equal(result, PTHREAD_CANCELED);
	assert_int_equal(done, FUNCTIONS);
}

static unsigned int rounds;

static void *is_cancelled_anywhere(void *argument)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	for (;;) {
		ue_register_all();
		ue_unregister_all();
		__atomic_fetch_add(&rounds, 1, __ATOMIC_RELAXED);
	}
	return argument;
}

static void test_a_thread_that_is_cancelled_anywhere_leaves_no_lock(void **state)
{
	pthread_t thread;
	unsigned int i;

	(void)state;
#ifdef __SANITIZE_ADDRESS__
	skip(); /* the frames that a thread left stay poisoned in its stack, which the next one gets */
#endif
	alarm(60); /* instead of a hang */
	for (i = 0; i < 300; i++) {
		unsigned int before = __atomic_load_n(&rounds, __ATOMIC_RELAXED);

		assert_int_equal(pthread_create(&thread, NULL, is_cancelled_anywhere, NULL), 0);
		while (__atomic_load_n(&rounds, __ATOMIC_RELAXED) == before)
			usleep(i % 50);
		usleep(i % 50);
		pthread_cancel(thread);
		pthread_join(thread, NULL);
		ue_status();
	}
	alarm(0);
}

static volatile sig_atomic_t handled;

static void handler(int signal)
{
	(void)signal;
	handled = 1;
	ue_register_all();
	ue_status();
}

static void *registers(void *argument)
{
	unsigned int i;

	for (i = 0; i < 3000 || !handled; i++) {
		ue_register_all();
		ue_unregister_all();
	}
	return argument;
}

/* Not promised of a handler, but that it finds the lock free. */
static void test_a_signal_handler_never_finds_its_own_thread_at_it(void **state)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };
	pthread_t thread;
	unsigned int i;

	(void)state;
	alarm(60);
	sigaction(SIGUSR1, &action, NULL);
	assert_int_equal(pthread_create(&thread, NULL, registers, NULL), 0);
	for (i = 0; i < 200; i++) {
		pthread_kill(thread, SIGUSR1);
		usleep(20);
	}
	pthread_join(thread, NULL);
	assert_true(handled);
	alarm(0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_function_is_a_cancellation_point),
		cmocka_unit_test(test_a_thread_that_is_cancelled_anywhere_leaves_no_lock),
		cmocka_unit_test(test_a_signal_handler_never_finds_its_own_thread_at_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
