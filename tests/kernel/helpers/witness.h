/* SPDX-License-Identifier: MIT */
/*
 * Helpers for tests that observe the real kernel through a separate trace instance, the text of the
 * trace, the users of an event, and the output of a program. If a helper fails, the calling test
 * fails. Usable from C and C++.
 */
#ifndef WITNESS_H
#define WITNESS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <user_events_builder.h>
#include <user_events_probe.h>

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include "test.h"

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

#define TRACEFS "/sys/kernel/tracing"
#define NOBODY 65534
#define WITNESS __attribute__((__unused__)) static

/* The text that was read last: a trace, a file or the output of a program. */
static char text[16 << 20];

/*
 * Returns the path of a file in tracefs. An absolute PATH is returned unchanged. The next call
 * overwrites the result.
 */
WITNESS const char *tracefs(const char *path, ...)
{
	static char full[2 * PATH_MAX] = TRACEFS "/";
	char *name = full + strlen(TRACEFS "/");
	va_list args;

	va_start(args, path);
	vsnprintf(name, sizeof(full) - strlen(TRACEFS "/"), path, args);
	va_end(args);
	return *name == '/' ? name : full;
}

/* Opens a file with O_TRUNC or O_APPEND and writes TEXT. Returns 0 or -errno. */
WITNESS int write_file(const char *path, const char *value, int flag)
{
	int fd = open(tracefs("%s", path), O_WRONLY | O_CLOEXEC | flag), error = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, value, strlen(value)) < 0)
		error = -errno;
	close(fd);
	return error;
}

/* Writes a file and expects the kernel to reject the value. */
WITNESS int try_put(const char *path, const char *value)
{
	return write_file(path, value, O_TRUNC);
}

WITNESS void put(const char *path, const char *value)
{
	int error = try_put(path, value);

	if (error)
		fail_msg("cannot write %s to %s: %s", value, path, strerror(-error));
}

/* Reads a whole file into TEXT. */
WITNESS char *get(const char *path)
{
	int fd = open(tracefs("%s", path), O_RDONLY | O_CLOEXEC);
	size_t n = 0;
	ssize_t got = 0;

	if (fd < 0)
		fail_msg("%s: %s", path, strerror(errno));
	/*
	 * read in small pieces, because files in /proc/sys allocate a buffer of the requested
	 * size
	 */
	while (n + 65536 < sizeof(text) && (got = read(fd, text + n, 65536)) > 0)
		n += (size_t)got;
	close(fd);
	text[n] = '\0';
	assert_int_equal(got, 0);
	return text;
}

/*
 * Returns the path of a file in this program's trace instance, which has the program's name.
 * instance("") returns the instance's directory.
 */
WITNESS const char *instance(const char *file)
{
	static char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "instances/%s/%s", program_invocation_short_name, file) >=
	    (int)sizeof(path))
		fail_msg("%s exceeds the text buffer", file);
	return path;
}

WITNESS void trace_end(void)
{
	rmdir(tracefs("%s", instance("")));
}

WITNESS void trace_begin(void)
{
	trace_end();
	if (mkdir(tracefs("%s", instance("")), 0700) < 0)
		fail_msg("cannot create a trace instance: %s", strerror(errno));
	/* a virtual machine's default clock may be too coarse to order records of two CPUs */
	put(instance("trace_clock"), "counter");
}

WITNESS const char *event_file(const char *name, const char *file)
{
	static char path[PATH_MAX];

	snprintf(path, sizeof(path), "events/user_events/%s/%s", name, file);
	return path;
}

WITNESS void trace_enable(const char *name)
{
	put(instance(event_file(name, "enable")), "1");
}

WITNESS void trace_disable(const char *name)
{
	put(instance(event_file(name, "enable")), "0");
}

/* Clears the ring buffer of the trace instance. */
WITNESS void trace_clear(void)
{
	put(instance("trace"), "");
}

/* Enables an event in the trace instance and clears the trace. */
WITNESS void trace_from_now(const char *name)
{
	trace_enable(name);
	trace_clear();
}

/* Stores the recorded events in TEXT, one per line, in the form "name: fields". */
WITNESS char *trace_text(void)
{
	char *in, *out, *end, *start;

	get(instance("trace"));
	for (in = out = text; *in; in = end) {
		end = in + strcspn(in, "\n");
		end += *end == '\n';
		/* lines have the form " task-1234 [001] ..... 3.622010: name: fields" */
		start = *in == '#' ? NULL : (char *)memmem(in, (size_t)(end - in), ": ", 2);
		if (!start)
			continue;
		start += 2;
		memmove(out, start, (size_t)(end - start));
		out += end - start;
	}
	*out = '\0';
	return text;
}

/*
 * Returns the sum of one ring-buffer statistic over all CPUs. KEY is "entries", "overrun" or
 * "dropped events".
 */
WITNESS unsigned long trace_count(const char *key)
{
	unsigned long sum = 0;
	char path[64];
	long cpu;

	for (cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++) {
		const char *line;

		snprintf(path, sizeof(path), "per_cpu/cpu%ld/stats", cpu);
		line = strstr(get(instance(path)), key);
		while (line && line != text && line[-1] != '\n')
			line = strstr(line + 1, key);
		assert_non_null(line);
		sum += strtoul(line + strlen(key) + 2, NULL, 10);
	}
	return sum;
}

WITNESS unsigned int count_of(const char *in, const char *what)
{
	unsigned int n = 0;

	for (; (in = strstr(in, what)) != NULL; in += strlen(what))
		n++;
	return n;
}

/* Returns true if TEXT contains a line equal to LINE. */
WITNESS bool has_line(const char *line)
{
	size_t n = strlen(line);
	const char *p = text;

	while ((p = strstr(p, line)) != NULL) {
		if ((p == text || p[-1] == '\n') && (p[n] == '\n' || p[n] == '\0'))
			return true;
		p++;
	}
	return false;
}

#define assert_line(line)                                                               \
	do {                                                                            \
		if (!has_line(line))                                                    \
			fail_msg("the trace has no line \"%s\":\n%.4000s", line, text); \
	} while (0)

/* Fails the test if the trace does not contain LINE. */
#define assert_traced(line)        \
	do {                       \
		trace_text();      \
		assert_line(line); \
	} while (0)

#define assert_contains(in, what)                                                \
	do {                                                                     \
		const char *in_ = (in), *what_ = (what);                         \
		if (!strstr(in_, what_))                                         \
			fail_msg("no \"%s\" in the text:\n%.4000s", what_, in_); \
	} while (0)

/*
 * Returns true if user_events:NAME exists in the trace instance, where the kernel creates it
 * last.
 */
WITNESS bool event_exists(const char *name)
{
	return access(tracefs("%s", instance(event_file(name, "enable"))), F_OK) == 0;
}

WITNESS unsigned int active_events(void)
{
	return (unsigned int)atoi(strstr(get("user_events_status"), "Active: ") + 8);
}

WITNESS double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Waits until CONDITION is true, and fails the test after 10 seconds. */
#define wait_for(condition)                                              \
	do {                                                             \
		double until = seconds() + 10;                           \
		bool holds;                                              \
		while (!(holds = (condition)) && seconds() < until)      \
			usleep(1000);                                    \
		if (!holds)                                              \
			fail_msg("still false after 10 s: " #condition); \
	} while (0)

/* Returns the number of open fds of a process whose paths contain PART. */
WITNESS unsigned int fds_of(pid_t pid, const char *part)
{
	char path[64], target[PATH_MAX];
	struct dirent *entry;
	unsigned int n = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	dir = opendir(path);
	assert_non_null(dir);
	while ((entry = readdir(dir)) != NULL) {
		ssize_t length = readlinkat(dirfd(dir), entry->d_name, target, sizeof(target) - 1);

		target[length > 0 ? length : 0] = '\0';
		n += length > 0 && strstr(target, part);
	}
	closedir(dir);
	return n;
}

/* Returns the number of this process's open fds, including the fd used for counting. */
WITNESS unsigned int open_fds(void)
{
	return fds_of(getpid(), "");
}

WITNESS unsigned int open_data_fds(void)
{
	return fds_of(getpid(), "user_events_data");
}

/*
 * Runs BODY in a child process. BODY returns 0 or the line number of a failure, which becomes the
 * child's exit status. BODY must not use cmocka's assertions, because their longjmp() would leave
 * the child.
 */
#define expect(condition)                                                                       \
	do {                                                                                    \
		if (!(condition)) {                                                             \
			fprintf(stderr, "%s:%d: child: check failed: %s\n", __FILE__, __LINE__, \
				#condition);                                                    \
			return 1;                                                               \
		}                                                                               \
	} while (0)

WITNESS sigset_t told(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	return set;
}

WITNESS pid_t spawn(int (*body)(void *), void *data)
{
	sigset_t signals = told(), before;
	pid_t pid;

	fflush(NULL);
	/* the signal may arrive before the child waits for the signal */
	sigprocmask(SIG_BLOCK, &signals, &before);
	pid = fork();
	if (pid == 0) {
		int status;

		alarm(300); /* time limit for a child that hangs; long enough for slow machines */
		status = body(data);
		fflush(NULL);
		_exit(status);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	assert_true(pid > 0);
	return pid;
}

/*
 * Enables an event that a child writes, then signals the child. Between setting the child's enable
 * word and marking the tracer's file as enabled, the kernel discards events, so the child must wait
 * for the signal.
 */
WITNESS void trace_enable_for(const char *name, pid_t pid)
{
	trace_enable(name);
	kill(pid, SIGUSR1);
}

/*
 * Called by the child: waits for the parent's signal and for the enable word, which a kernel worker
 * may set slightly later.
 */
WITNESS bool wait_until_traced(bool (*enabled)(void))
{
	sigset_t signals = told();
	double until = seconds() + 10;
	int signal;

	sigwait(&signals, &signal);
	while (!enabled() && seconds() < until)
		usleep(1000);
	return enabled();
}

/* Returns true if the child has exited. The caller must still wait for the child. */
WITNESS bool ended(pid_t pid)
{
	siginfo_t info;

	memset(&info, 0, sizeof(info));
	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 || info.si_pid;
}

WITNESS void join(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (status)
		fail_msg("child ended with status %#x", (unsigned int)status);
}

WITNESS void kill_child(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/*
 * Changes the calling child process to an unprivileged user. If GROUP is not 0, the user is a
 * member of that group.
 */
WITNESS int become_nobody(gid_t group)
{
	return setgroups(group ? 1 : 0, &group) || setgid(NOBODY) || setuid(NOBODY) ? -1 : 0;
}

/*
 * Returns the path of a file built by the Makefile. The Makefile stores prog/NAME and lib/NAME.so
 * next to the test programs.
 */
WITNESS const char *built(const char *name)
{
	static char path[PATH_MAX + NAME_MAX];
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);

	assert_true(n > 0);
	path[n] = '\0';
	strcpy(strrchr(path, '/') + 1, name);
	return path;
}

/* Returns the path of the running program. */
WITNESS const char *self(void)
{
	return built(program_invocation_short_name);
}

/* A loaded library with its own events, lib/NAME.so. */
struct library {
	void *handle;
	void (*write)(uint32_t number);
	struct ue_status (*status)(void);
};

WITNESS struct library load(const char *path, int flags)
{
	struct library library = { dlopen(path, RTLD_NOW | flags), NULL, NULL };

	if (!library.handle)
		fail_msg("%s", dlerror());
	*(void **)&library.write = dlsym(library.handle, "plugin_write");
	*(void **)&library.status = dlsym(library.handle, "plugin_status");
	if (!library.write)
		fail_msg("%s", dlerror());
	library.write(0); /* function of the library that registers its run-time event */
	return library;
}

/* Runs BODY in N threads until threads_join() is called. Each thread receives its number. */
WITNESS void threads_begin(pthread_t *threads, size_t n, void *(*body)(void *))
{
	size_t i;

	for (i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, body, (void *)i))
			abort();
}

WITNESS void threads_join(const pthread_t *threads, size_t n)
{
	while (n-- > 0)
		pthread_join(threads[n], NULL);
}

/* Returns zero-initialised memory that is shared with child processes. */
WITNESS void *shared_memory(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(p, MAP_FAILED);
	return p;
}

/* Fails if the kernel has no user_events, because skipped tests would prove nothing. */
WITNESS int group_begin(void **state)
{
	(void)state;
	if (access(TRACEFS "/user_events_data", R_OK | W_OK) < 0) {
		perror(TRACEFS "/user_events_data");
		return -1;
	}
	trace_begin();
	return 0;
}

WITNESS int group_end(void **state)
{
	(void)state;
	trace_end();
	return 0;
}

#define KERNEL_TESTS_MAIN TESTS_MAIN_WITH(group_begin, group_end)

#endif
