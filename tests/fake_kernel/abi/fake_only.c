/* SPDX-License-Identifier: MIT */
/*
 * Tests that can run only on the fake kernel: other machines, threads, a signal handler, and forks.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "abi/language.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>

static int passed, failed;

static void check(bool ok, const char *what)
{
	if (ok)
		passed++;
	else
		failed++;
	if (!ok)
		printf("fake: %s\n", what);
}

static int open_data(const char *dir)
{
	char path[300];
	int fd;

	snprintf(path, sizeof(path), "%s/user_events_data", dir);
	fd = fake_open(path, O_RDWR);
	return fd < 0 ? -errno : fd;
}

static void check_worlds(void)
{
	struct fake_world world = fake_world_default();
	char text[1000];
	uint32_t words[4] = { 0 };
	ssize_t n, total;
	int fd, i;

	now = &fake_world;
	fake_kernel_reset(NULL);
	check(open_data("/sys/kernel/tracing") >= 0, "default: tracefs is at its usual path");
	check(open_data("/sys/kernel/debug/tracing") == -ENOENT, "default: no other path");

	world.tracefs = "/sys/kernel/debug/tracing";
	fake_kernel_reset(&world);
	check(open_data("/sys/kernel/tracing") == -ENOENT, "debugfs: not at the usual path");
	check(open_data("/sys/kernel/debug/tracing") >= 0, "debugfs: tracefs is below debugfs");
	check(fake_kernel_fds() == 1, "one fd is open");

	world.tracefs = "/mnt/a b\\c";
	world.read_max = 7;
	fake_kernel_reset(&world);
	check(open_data("/mnt/a b\\c") >= 0, "a mount point with a space and a backslash");
	fd = fake_open("/proc/self/mounts", O_RDONLY);
	for (total = 0, i = 1; (n = fake_read(fd, text + total, 500)) > 0; total += n)
		i = i && n <= 7;
	text[total] = '\0';
	check(i, "reads of at most 7 bytes");
	check(strstr(text, " /mnt/a\\040b\\134c tracefs ") != NULL, "mounts are escaped");
	check(fake_close(fd) == 0 && fake_close(fd) == -1 && errno == EBADF,
	      "a second close fails");

	world = fake_world_default();
	world.tracefs = NULL;
	fake_kernel_reset(&world);
	check(open_data("/sys/kernel/tracing") == -ENOENT, "no tracefs");
	world.mounts_errno = EACCES;
	fake_kernel_change(&world);
	check(fake_open("/proc/self/mounts", O_RDONLY) < 0 && errno == EACCES, "no mounts");
	world = fake_world_default();
	fake_kernel_change(&world);
	check(open_data("/sys/kernel/tracing") >= 0, "tracefs is mounted later");

	world.data_errno = EACCES;
	fake_kernel_reset(&world);
	check(open_data("/sys/kernel/tracing") == -EACCES, "no permission");
	world = fake_world_default();
	world.denied = "/sys/kernel/tracing";
	fake_kernel_reset(&world);
	check(open_data("/sys/kernel/tracing") == -EACCES, "a directory without permission");

	world = fake_world_default();
	world.known_flags = FAKE_REG_PERSIST;
	fake_kernel_reset(&world);
	fd = open_data("/sys/kernel/tracing");
	check(register_event(fd, "w u8 a", words, FAKE_REG_MULTI_FORMAT) == -EINVAL,
	      "before 2024: no multi-format");
	world.known_flags = 0;
	fake_kernel_change(&world);
	check(register_event(fd, "w u8 a", words, FAKE_REG_PERSIST) == -EINVAL, "no flag is known");
	check(register_event(fd, "w u8 a", words, 0) == 0, "no flags are needed");

	fake_kernel_reset(NULL);
	fd = open_data("/sys/kernel/tracing");
	fake_kernel_fail(FAKE_REG, 2, 2, ENOMEM);
	for (i = 0; i < 4; i++) {
		snprintf(text, sizeof(text), "w%d u8 a", i);
		n = register_event(fd, text, &words[i], 0);
		check(n == (i == 1 || i == 2 ? -ENOMEM : i / 3), "the 2nd and 3rd call fail");
	}
	check(fake_kernel_calls(FAKE_REG) == 4 && fake_kernel_calls(FAKE_OPEN) == 1,
	      "calls are counted");
	check(fake_kernel_events() == 2 && fake_kernel_enablers() == 2, "events are counted");
	check(fake_kernel_enable("user_events:w*", FAKE_PERF) == 2, "a pattern enables both");
	check(words[0] == 1 && words[3] == 1, "both bits are set");
	check(fake_kernel_disable("*", FAKE_PERF) == 2 && !words[0], "a pattern disables both");
	check(fake_kernel_fields("w3", text, sizeof(text)) == 4 && !strcmp(text, "u8 a"),
	      "fields are told");
	check(fake_kernel_fields("none", text, sizeof(text)) == -ENOENT, "no event, no fields");
	fake_kernel_enable("w3", FAKE_FTRACE);
	memset(text, 0, sizeof(text));
	text[LITTLE ? 0 : 3] = 1;
	check(fake_write(fd, text, 5) == 5, "a write");
	check(fake_kernel_lost() == 0, "no event is lost");
	world = fake_world_default();
	world.ftrace_max = 10;
	fake_kernel_change(&world);
	check(fake_write(fd, text, 15) == 15 && fake_kernel_lost() == 1, "one event is lost");
	check(fake_kernel_records() == 1 && fake_kernel_record(0)->index == 1,
	      "one event is recorded");
	fake_kernel_clear_records();
	check(!fake_kernel_records() && !fake_kernel_record(0) && !fake_kernel_overrun(),
	      "cleared");
	fake_kernel_reset(NULL);
}

static int thread_fd;
static bool threads_end;
static unsigned long threads_wrote, threads_failed;

static void write_word(uint32_t index)
{
	uint32_t event[2] = { index, 7 };

	if (fake_write(thread_fd, event, sizeof(event)) == sizeof(event))
		__atomic_fetch_add(&threads_wrote, 1, __ATOMIC_RELAXED);
	else if (errno != EBADF)
		__atomic_fetch_add(&threads_failed, 1, __ATOMIC_RELAXED);
}

static void write_from_signal(int signal)
{
	int saved = errno;

	(void)signal;
	write_word(0);
	errno = saved;
}

static void *register_and_write(void *name)
{
	uint32_t word = 0;

	for (int i = 0; i < 300; i++) {
		int index = register_event(thread_fd, name, &word, 0);

		for (int j = 0; j < 5; j++)
			if (index >= 0 && __atomic_load_n(&word, __ATOMIC_RELAXED) & 1)
				write_word((uint32_t)index);
		if (index < 0 || unregister_event(thread_fd, (uintptr_t)&word, 0) || word)
			__atomic_fetch_add(&threads_failed, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

static void *come_and_go(void *arg)
{
	while (!__atomic_load_n(&threads_end, __ATOMIC_RELAXED)) {
		fake_kernel_enable("thread*", FAKE_FTRACE);
		sched_yield();
		fake_kernel_disable("thread*", FAKE_FTRACE);
	}
	return arg;
}

/* Threads and a signal handler write while a tracer attaches and detaches and the process forks. */
static void check_threads(void)
{
	static char names[][20] = {
		"thread0 u32 a", "thread0 u32 a", "thread1 u32 a", "thread2 u32 a"
	};
	struct itimerval timer = { { 0, 500 }, { 0, 500 } };
	struct sigaction action, old;
	pthread_t threads[4], tracer;
	uint32_t word = 0;
	int status = 0;

	fake_kernel_reset(NULL);
	thread_fd = open_data("/sys/kernel/tracing");
	register_event(thread_fd, names[0], &word, 0);
	memset(&action, 0, sizeof(action));
	action.sa_handler = write_from_signal;
	action.sa_flags = SA_RESTART;
	sigaction(SIGALRM, &action, &old);
	setitimer(ITIMER_REAL, &timer, NULL);
	pthread_create(&tracer, NULL, come_and_go, NULL);
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, register_and_write, names[i]);
	for (int i = 0; i < 10 && !status; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(fake_kernel_enable("thread0", FAKE_PERF) != 1);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	}
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	__atomic_store_n(&threads_end, true, __ATOMIC_RELAXED);
	pthread_join(tracer, NULL);
	memset(&timer, 0, sizeof(timer));
	setitimer(ITIMER_REAL, &timer, NULL);
	sigaction(SIGALRM, &old, NULL);
	check(!status, "a child of fork can use its copy");
	check(!threads_failed, "threads: every call returns the expected result");
	check(threads_wrote && threads_wrote == fake_kernel_records(),
	      "threads: a write is a record");
	fake_kernel_reset(NULL);
}

void check_fake_alone(int *all_passed, int *all_failed)
{
	check_worlds();
	check_threads();
	*all_passed += passed;
	*all_failed += failed;
}
