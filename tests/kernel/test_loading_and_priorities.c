/* SPDX-License-Identifier: MIT */
/*
 * Libraries with events can be loaded and unloaded any number of times without using up thread or
 * process resources. A real-time thread that waits for a normal thread does not starve it.
 */
#include "witness.h"

/*
 * Loads library A while B is loaded and vice versa, so that the two libraries never get the same
 * address.
 */
TEST(test_libraries_are_loaded_and_unloaded_in_any_order)
{
	unsigned int i, fds;
	char a[PATH_MAX], b[PATH_MAX];
	void *library[2];

	snprintf(a, sizeof(a), "%s", built("lib/plugin.so"));
	snprintf(b, sizeof(b), "%s", built("lib/plugin_cxx.so"));
	library[0] = load(a, RTLD_LOCAL).handle;
	library[1] = load(b, RTLD_LOCAL).handle;
	fds = open_fds();
	for (i = 0; i < 2000; i++) {
		dlclose(library[i % 2]);
		library[i % 2] = load(i % 2 ? b : a, RTLD_LOCAL).handle;
	}
	assert_int_equal(open_fds(), fds);
	dlclose(library[0]);
	dlclose(library[1]);
}

TEST(test_a_process_may_have_any_number_of_libraries)
{
	enum { LIBRARIES = 500 };
	unsigned int i, fds = open_fds();
	static void *library[LIBRARIES];
	int fd = open(built("lib/plugin.so"), O_RDONLY | O_CLOEXEC), copy;
	char directory[] = "/dev/shm/libraries.XXXXXX", path[PATH_MAX];
	ssize_t size = read(fd, text, sizeof(text));

	close(fd);
	assert_true(size > 0 && mkdtemp(directory));
	for (i = 0; i < LIBRARIES; i++) {
		snprintf(path, sizeof(path), "%s/%u.so", directory, i);
		copy = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0700);
		assert_int_equal(write(copy, text, (size_t)size), size);
		close(copy);
		library[i] = load(path, RTLD_LOCAL).handle;
		unlink(path);
	}
	for (i = 0; i < LIBRARIES; i++)
		dlclose(library[i]);
	rmdir(directory);
	assert_int_equal(open_fds(), fds);
}

/* ---- Priorities ---- */

UE_TRACEPOINT(priority, UE_U32(x));
static bool stop;

static void pin(void)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
}

static void *registers(void *data)
{
	pin();
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		ue_unregister_all();
		ue_register_all();
	}
	return data;
}

static int asks_with_priority(void *data)
{
	struct sched_param priority = { .sched_priority = 10 };
	pthread_t thread;
	unsigned int i;

	pin();
	expect(pthread_create(&thread, NULL, registers, NULL) == 0);
	expect(sched_setscheduler(0, SCHED_FIFO, &priority) == 0);
	for (i = 0; i < 300; i++) {
		struct timespec moment = { 0, 1000 + i * 7919 % 400000 };

		nanosleep(&moment, NULL);
		ue_status();
		trace_priority(i);
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	return 0;
}

TEST(test_a_realtime_thread_waits_for_one_that_registers)
{
	join(spawn(asks_with_priority, NULL));
}

static int takes_the_lock(void *data)
{
	ue_status();
	ue_unregister_all();
	return ue_register_all();
}

static int forks_while_registering(void *data)
{
	pthread_t thread;
	unsigned int i;
	int status;

	expect(pthread_create(&thread, NULL, registers, NULL) == 0);
	for (i = 0; i < 200; i++) {
		pid_t child = fork();

		if (child == 0)
			_exit(takes_the_lock(NULL) != 0);
		expect(child > 0 && waitpid(child, &status, 0) == child && status == 0);
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	return 0;
}

TEST(test_a_child_takes_over_a_lock_held_by_a_parent_thread)
{
	join(spawn(forks_while_registering, NULL));
}

KERNEL_TESTS_MAIN
