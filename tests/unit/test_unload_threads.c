/* SPDX-License-Identifier: MIT */
/*
 * dlclose() runs the library's destructor while other threads of the program use the library. This
 * program is compiled like a library and calls the destructor itself, because the destructor of a
 * program does nothing at exit().
 */
#include <pthread.h>
#include <sys/wait.h>

#include "test.h"

#define FAKE_KERNEL_HOOKS
#include "fake_kernel.h"

static int my_close(int fd);
#undef UE_SYS_CLOSE
#define UE_SYS_CLOSE(fd) my_close(fd)
#include <user_events.h>

UE_TRACEPOINT(of_a_library, UE_U32(x));

static int number;     /* fd of the library's user_events_data */
static bool closed;    /* whether this fd was closed */
static bool early;     /* whether another thread entered before the destructor ended */
static int after = -2; /* fd that ue_status() returned to the other thread */
static pthread_t thread;

static void *asks(void *data)
{
	after = ue_status().fd;
	early = !__atomic_load_n(&closed, __ATOMIC_ACQUIRE);
	return data;
}

/* Runs after the library's destructor, which registers this function. */
static void at_the_end(void)
{
	pthread_join(thread, NULL);
	_exit(!early && after == -1 ? 0 : 2);
}

static int my_close(int fd)
{
	if (number == fd && !closed) {
		assert_int_equal(pthread_create(&thread, NULL, asks, NULL), 0);
		atexit(at_the_end);
		usleep(200000); /* without the lock, another thread would enter during this time */
		__atomic_store_n(&closed, true, __ATOMIC_RELEASE);
	}
	return fake_close(fd);
}

TEST(test_no_thread_uses_the_file_that_dlclose_closes)
{
	int status = -1;
	pid_t child;

	trace_of_a_library(1);
	assert_int_equal(ue_status().registered, 1);
	fflush(NULL);
	child = fork();
	if (child == 0) {
		alarm(20);
		number = ue_status().fd;
		ue__state_v1.flags = 0; /* marks the library as one that can be unloaded */
		ue__stop();
		exit(3);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

TESTS_MAIN
