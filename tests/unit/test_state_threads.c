/* SPDX-License-Identifier: MIT */
/*
 * State functions are called when the first tracer attaches and when the last one detaches. Tests
 * poll from the program's own loop and from the header's thread, with several tracers, after
 * fork(), and while functions are unregistered.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "test.h"

#define FAKE_KERNEL_HOOKS
#include "fake_kernel.h"
#include <user_events_probe.h>
#define UE_STATE_DELAY_MS 0
#include <user_events_state.h>

UE_TRACEPOINT(connection, UE_U32(number));
UE_TRACEPOINT(module, UE_U32(number));
UE_EVENT_SET(settings, "Settings", UE_LEVEL_INFORMATION, 0x1);

struct calls {
	unsigned int attached, detached;
	pthread_t thread;
};

static struct ue_event *connection(void)
{
	return ue_event_find("connection", NULL);
}

static void count(struct ue_event *event, bool attached, void *data)
{
	struct calls *calls = (struct calls *)data;

	calls->thread = pthread_self();
	assert_int_equal(ue_event_enabled(event), attached);
	__atomic_fetch_add(attached ? &calls->attached : &calls->detached, 1, __ATOMIC_RELEASE);
}

static void list(struct ue_event *event, bool attached, void *data)
{
	for (uint32_t i = 0; attached && i < *(uint32_t *)data; i++)
		trace_connection(i);
}

static int setup(void **state)
{
	(void)state;
	ue_unregister_all();
	fake_kernel_reset(NULL);
	return ue_register_all();
}

TEST_SETUP(test_function_writes_the_state_when_a_tracer_attaches, setup)
{
	uint32_t connections = 3;

	assert_int_equal(ue_state_register(connection(), list, &connections), 0);
	assert_int_equal(ue_state_poll(), 0);
	assert_int_equal(fake_kernel_enable("connection", FAKE_FTRACE), 1);
	assert_int_equal(ue_state_poll(), 1);
	assert_int_equal(fake_kernel_records(), 3);
	assert_int_equal(ue_state_poll(), 0);
	fake_kernel_disable("connection", FAKE_FTRACE);
	assert_int_equal(ue_state_poll(), 1);
	assert_int_equal(fake_kernel_records(), 3);
	assert_int_equal(ue_state_unregister(connection(), list, &connections), 0);
}

TEST_SETUP(test_tracer_that_attached_before_the_registration_is_reported, setup)
{
	struct calls calls = { 0 };

	fake_kernel_enable("connection", FAKE_FTRACE);
	assert_int_equal(ue_state_register(connection(), count, &calls), 0);
	assert_int_equal(calls.attached, 0);
	assert_int_equal(ue_state_poll(), 1);
	assert_int_equal(calls.attached, 1);
	assert_int_equal(ue_state_unregister(connection(), count, &calls), 0);
	assert_int_equal(ue_state_poll(), 0);
}

TEST_SETUP(test_second_tracer_causes_no_call, setup)
{
	struct calls calls = { 0 };

	assert_int_equal(ue_state_register(connection(), count, &calls), 0);
	fake_kernel_enable("connection", FAKE_FTRACE);
	assert_int_equal(ue_state_poll(), 1);
	fake_kernel_enable("connection", FAKE_PERF);
	connection()->enabled += 1u << 16; /* the kernel counts a uprobe like this */
	assert_int_equal(ue_state_poll(), 0);
	fake_kernel_disable("connection", FAKE_FTRACE);
	fake_kernel_disable("connection", FAKE_PERF);
	assert_int_equal(ue_state_poll(), 0);
	connection()->enabled -= 1u << 16;
	assert_int_equal(ue_state_poll(), 1);
	assert_int_equal(calls.attached, 1);
	assert_int_equal(calls.detached, 1);
	assert_int_equal(ue_state_unregister(connection(), count, &calls), 0);
}

static void ignore(struct ue_event *event, const void *payload, size_t size, void *data)
{
}

TEST_SETUP(test_probe_of_this_process_is_no_tracer, setup)
{
	struct calls calls = { 0 };

	assert_int_equal(ue_state_register(connection(), count, &calls), 0);
	assert_int_equal(ue_probe_register(connection(), ignore, NULL), 0);
	assert_true(ue_event_enabled(connection()));
	assert_int_equal(ue_state_poll(), 0);
	assert_int_equal(ue_probe_unregister(connection(), ignore, NULL), 0);
	assert_int_equal(ue_state_unregister(connection(), count, &calls), 0);
}

TEST_SETUP(test_functions_of_sets_and_runtime_events_run, setup)
{
	struct calls of_set = { 0 }, of_event = { 0 };
	struct ue_event event = { 0 };

	assert_int_equal(ue_event_register(&event, "at_runtime u32 number", 0), 0);
	assert_int_equal(ue_state_register(&settings.event, count, &of_set), 0);
	assert_int_equal(ue_state_register(&event, count, &of_event), 0);
	fake_kernel_enable("*", FAKE_FTRACE);
	assert_int_equal(ue_state_poll(), 2);
	fake_kernel_disable("at_runtime", FAKE_FTRACE);
	assert_int_equal(ue_state_poll(), 1);
	assert_int_equal(of_set.attached, 1);
	assert_int_equal(of_set.detached, 0);
	assert_int_equal(of_event.detached, 1);
	assert_int_equal(ue_state_unregister(&event, count, &of_event), 0);
	assert_int_equal(ue_event_unregister(&event), 0);
	assert_int_equal(ue_state_unregister(&settings.event, count, &of_set), 0);
}

TEST_SETUP(test_mistakes_return_errors, setup)
{
	struct calls calls = { 0 };
	struct ue_event unknown = { 0 };

	assert_int_equal(ue_state_register(connection(), NULL, NULL), -EINVAL);
	assert_int_equal(ue_state_register(NULL, count, &calls), -ENOENT);
	assert_int_equal(ue_state_register(&unknown, count, &calls), -ENOENT);
	assert_int_equal(ue_state_unregister(connection(), count, &calls), -ENOENT);
	assert_int_equal(ue_state_register(connection(), count, &calls), 0);
	assert_int_equal(ue_state_register(connection(), count, &calls), -EEXIST);
	assert_int_equal(ue_state_unregister(connection(), count, NULL), -ENOENT);
	assert_int_equal(ue_state_unregister(connection(), count, &calls), 0);
	assert_int_equal(ue_state_start_thread(0), -EINVAL);
	assert_int_equal(ue_state_stop_thread(), -ENOENT);
}

static void unregister_itself(struct ue_event *event, bool attached, void *data)
{
	int *calls = (int *)data;

	++*calls;
	assert_int_equal(ue_state_unregister(event, unregister_itself, data), 0);
	assert_int_equal(ue_state_unregister(event, unregister_itself, data), -ENOENT);
}

static void unregister_all(struct ue_event *event, bool attached, void *data)
{
	struct calls *others = (struct calls *)data;

	assert_int_equal(ue_state_unregister(event, count, &others[0]), 0);
	assert_int_equal(ue_state_unregister(event, count, &others[1]), 0);
	assert_int_equal(ue_state_unregister(event, unregister_all, data), 0);
	assert_int_equal(ue_state_register(event, count, &others[2]), 0);
}

TEST_SETUP(test_function_unregisters_itself_and_others_during_the_call, setup)
{
	struct calls others[3] = { { 0 } };
	int calls = 0;

	assert_int_equal(ue_state_register(connection(), unregister_itself, &calls), 0);
	assert_int_equal(ue_state_register(connection(), count, &others[0]), 0);
	assert_int_equal(ue_state_register(connection(), unregister_all, others), 0);
	assert_int_equal(ue_state_register(connection(), count, &others[1]), 0);
	fake_kernel_enable("connection", FAKE_FTRACE);
	/*
	 * unregister_itself, others[0], unregister_all, and the function that unregister_all
	 * registers
	 */
	assert_int_equal(ue_state_poll(), 4);
	assert_int_equal(calls, 1);
	assert_int_equal(others[0].attached, 1);
	assert_int_equal(others[1].attached, 0);
	assert_int_equal(others[2].attached, 1);
	fake_kernel_disable("connection", FAKE_FTRACE);
	assert_int_equal(ue_state_poll(), 1);
	assert_int_equal(others[2].detached, 1);
	assert_int_equal(ue_state_unregister(connection(), count, &others[2]), 0);
}

static void call_everything(struct ue_event *event, bool attached, void *data)
{
	assert_int_equal(ue_state_poll(), -EDEADLK);
	assert_int_equal(ue_state_start_thread(1), -EDEADLK);
	assert_int_equal(ue_state_stop_thread(), -EDEADLK);
}

TEST_SETUP(test_polling_within_a_function_is_an_error, setup)
{
	assert_int_equal(ue_state_register(connection(), call_everything, NULL), 0);
	fake_kernel_enable("connection", FAKE_FTRACE);
	assert_int_equal(ue_state_poll(), 1);
	assert_int_equal(ue_state_unregister(connection(), call_everything, NULL), 0);
}

static void wait_for(const unsigned int *calls, unsigned int n)
{
	while (__atomic_load_n(calls, __ATOMIC_ACQUIRE) < n)
		ue__i_sleep(1000000);
}

TEST_SETUP(test_thread_calls_the_function, setup)
{
	static struct calls calls;

	memset(&calls, 0, sizeof(calls));
	assert_int_equal(ue_state_register(connection(), count, &calls), 0);
	assert_int_equal(ue_state_start_thread(1), 0);
	assert_int_equal(ue_state_start_thread(1), -EALREADY);
	for (unsigned int i = 1; i <= 3; i++) {
		fake_kernel_enable("connection", FAKE_FTRACE);
		wait_for(&calls.attached, i);
		fake_kernel_disable("connection", FAKE_FTRACE);
		wait_for(&calls.detached, i);
	}
	assert_int_equal(ue_state_unregister(connection(), count, &calls), 0);
	assert_int_equal(ue_state_stop_thread(), 0);
	assert_int_equal(ue_state_stop_thread(), -ENOENT);
	assert_false(pthread_equal(calls.thread, pthread_self()));
	assert_int_equal(calls.attached, 3);
}

TEST_SETUP(test_thread_stops_at_once_whatever_its_interval, setup)
{
	time_t start = time(NULL);

	assert_int_equal(ue_state_start_thread(3600000), 0);
	assert_int_equal(ue_state_stop_thread(), 0);
	assert_true(time(NULL) - start < 600);
}

struct thread_state {
	sigset_t blocked;
	char name[16];
	unsigned int known;
};

static void look_at_thread(struct ue_event *event, bool attached, void *data)
{
	struct thread_state *seen = (struct thread_state *)data;

	pthread_sigmask(SIG_SETMASK, NULL, &seen->blocked);
	prctl(PR_GET_NAME, seen->name);
	__atomic_store_n(&seen->known, 1, __ATOMIC_RELEASE);
}

TEST_SETUP(test_thread_blocks_all_signals_but_those_of_faults, setup)
{
	static struct thread_state seen;
	sigset_t before, after;

	pthread_sigmask(SIG_SETMASK, NULL, &before);
	assert_int_equal(ue_state_register(connection(), look_at_thread, &seen), 0);
	fake_kernel_enable("connection", FAKE_FTRACE);
	assert_int_equal(ue_state_start_thread(1), 0);
	wait_for(&seen.known, 1);
	assert_int_equal(ue_state_stop_thread(), 0);
	assert_int_equal(ue_state_unregister(connection(), look_at_thread, &seen), 0);
	for (int signal = 1; signal < 32; signal++) {
		bool fault = signal == SIGILL || signal == SIGTRAP || signal == SIGBUS ||
			     signal == SIGFPE || signal == SIGSEGV || signal == SIGSYS;

		assert_int_equal(sigismember(&seen.blocked, signal),
				 !fault && signal != SIGKILL && signal != SIGSTOP);
	}
	assert_string_equal(seen.name, "ue_state");
	pthread_sigmask(SIG_SETMASK, NULL, &after);
	assert_memory_equal(&before, &after, sizeof(long));
}

/* When a tracer attaches, sets *DATA to 1, waits until *DATA is 2, and sets *DATA to 3. */
static void block(struct ue_event *event, bool attached, void *data)
{
	unsigned int *step = (unsigned int *)data;

	if (!attached)
		return;
	__atomic_store_n(step, 1, __ATOMIC_RELEASE);
	while (__atomic_load_n(step, __ATOMIC_ACQUIRE) != 2)
		ue__i_sleep(1000000);
	__atomic_store_n(step, 3, __ATOMIC_RELEASE);
}

static void *release_soon(void *data)
{
	ue__i_sleep(50000000);
	__atomic_store_n((unsigned int *)data, 2, __ATOMIC_RELEASE);
	return NULL;
}

TEST_SETUP(test_unregistering_waits_for_the_function, setup)
{
	static unsigned int step;
	pthread_t thread;

	assert_int_equal(ue_state_register(connection(), block, &step), 0);
	fake_kernel_enable("connection", FAKE_FTRACE);
	assert_int_equal(ue_state_start_thread(1), 0);
	wait_for(&step, 1);
	assert_int_equal(ue_state_poll(), -EBUSY);
	assert_int_equal(pthread_create(&thread, NULL, release_soon, &step), 0);
	assert_int_equal(ue_state_unregister(connection(), block, &step), 0);
	assert_int_equal(step, 3);
	assert_int_equal(ue_state_stop_thread(), 0);
	pthread_join(thread, NULL);
}

static int status_of(pid_t child)
{
	int status = -1;

	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

TEST_SETUP(test_child_of_fork_has_the_functions_but_no_thread, setup)
{
	static struct calls calls;
	pid_t child;

	memset(&calls, 0, sizeof(calls));
	assert_int_equal(ue_state_register(connection(), count, &calls), 0);
	fake_kernel_enable("connection", FAKE_FTRACE);
	assert_int_equal(ue_state_start_thread(1), 0);
	wait_for(&calls.attached, 1);
	child = fork();
	if (!child) {
		alarm(60);
		if (ue_state_stop_thread() != -ENOENT || ue_state_poll() != 0)
			_exit(1);
		fake_kernel_disable("connection", FAKE_FTRACE);
		if (ue_state_poll() != 1 || calls.detached != 1)
			_exit(2);
#ifndef __SANITIZE_THREAD__ /* ThreadSanitizer cannot start threads in a forked child */
		if (ue_state_start_thread(1) != 0)
			_exit(3);
		fake_kernel_enable("connection", FAKE_FTRACE);
		wait_for(&calls.attached, 2);
		if (ue_state_stop_thread())
			_exit(4);
#endif
		_exit(0);
	}
	assert_int_equal(status_of(child), 0);
	assert_int_equal(ue_state_stop_thread(), 0);
	assert_int_equal(ue_state_unregister(connection(), count, &calls), 0);
}

TEST_SETUP(test_child_of_fork_polls_although_the_parent_ran_a_function, setup)
{
	static unsigned int step;
	pid_t child;

	step = 0;
	assert_int_equal(ue_state_register(connection(), block, &step), 0);
	fake_kernel_enable("connection", FAKE_FTRACE);
	assert_int_equal(ue_state_start_thread(1), 0);
	wait_for(&step, 1);
	child = fork();
	if (!child) {
		alarm(60);
		fake_kernel_disable("connection", FAKE_FTRACE);
		if (ue_state_poll() != 1 || ue_state_unregister(connection(), block, &step))
			_exit(1);
		_exit(0);
	}
	__atomic_store_n(&step, 2, __ATOMIC_RELEASE);
	assert_int_equal(status_of(child), 0);
	assert_int_equal(ue_state_stop_thread(), 0);
	assert_int_equal(ue_state_unregister(connection(), block, &step), 0);
}

static void *exit_soon(void *data)
{
	exit(*(int *)data);
}

/*
 * The program calls exit() while a state function is running. One test uses a function that
 * returns, another one a function that never returns.
 */
TEST_SETUP(test_exit_stops_the_thread_and_waits_a_second_for_a_function, setup)
{
	static unsigned int step;
	static int status = 5;
	pid_t child;

	for (int blocked = 0; blocked < 2; blocked++) {
		child = fork();
		if (!child) {
			alarm(60);
			step = 0;
			ue_state_register(connection(), block, &step);
			fake_kernel_enable("connection", FAKE_FTRACE);
			ue_state_start_thread(1);
			wait_for(&step, 1);
			if (!blocked)
				__atomic_store_n(&step, 2, __ATOMIC_RELEASE);
			exit_soon(&status);
		}
		assert_int_equal(WEXITSTATUS(status_of(child)), 5);
	}
}

static void exit_within(struct ue_event *event, bool attached, void *data)
{
	exit_soon(data);
}

TEST_SETUP(test_function_may_exit, setup)
{
	static int status = 6;
	pid_t child = fork();

	if (!child) {
		alarm(60);
		ue_state_register(connection(), exit_within, &status);
		fake_kernel_enable("connection", FAKE_FTRACE);
		ue_state_start_thread(1);
		for (;;)
			pause();
	}
	assert_int_equal(WEXITSTATUS(status_of(child)), 6);
}

enum { ROUNDS = 200 };

static void *register_often(void *data)
{
	struct calls calls = { 0 };

	for (int i = 0; i < ROUNDS; i++) {
		assert_int_equal(ue_state_register(connection(), count, &calls), 0);
		ue_state_poll();
		assert_int_equal(ue_state_unregister(connection(), count, &calls), 0);
	}
	return data;
}

TEST_SETUP(test_threads_register_and_poll_at_the_same_time, setup)
{
	pthread_t threads[3];

	fake_kernel_enable("connection", FAKE_FTRACE);
	assert_int_equal(ue_state_start_thread(1), 0);
	for (int i = 0; i < 3; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, register_often, NULL), 0);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(ue_state_stop_thread(), 0);
	assert_null(ue__watch_v1.first);
}

TESTS_MAIN
