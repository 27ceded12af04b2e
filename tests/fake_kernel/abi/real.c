/* SPDX-License-Identifier: MIT */
/* Runs the rows of the table on the running kernel. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "abi/language.h"

#include <glob.h>
#include <libgen.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/*
 * musl-gcc on a glibc system does not find the kernel headers, which are needed only for the real
 * kernel.
 */
#if __has_include(<linux/perf_event.h>)
#include <linux/capability.h>
#include <linux/perf_event.h>
#define WITH_REAL
#endif

#ifdef WITH_REAL
static struct {
	int perf;
	int pipes[256];		/* trace_pipe_raw of each CPU */
	int n_pipes;
	pid_t other;		/* PID of the other process, or 0 if there is none */
	struct __user_cap_data_struct caps[2];
} real = { .perf = -1 };

static int write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t n;
	int err;

	if (fd < 0)
		return -errno;
	n = write(fd, text, strlen(text));
	err = n < 0 ? -errno : 0;
	close(fd);
	return err;
}

static int real_open(const char *path, int flags)
{
	return open(path, flags);
}

static int real_ioctl(int fd, unsigned long request, void *arg)
{
	return ioctl(fd, request, arg);
}

static int real_trace(const char *tracepoint, bool on)
{
	char path[1000];

	snprintf(path, sizeof(path), INSTANCE "/events/%s/%s/enable", system_of(tracepoint),
		 tracepoint);
	return write_file(path, on ? "1" : "0");
}

static int read_id(const char *path)
{
	FILE *file = fopen(path, "re");
	int id = -1;

	if (file && fscanf(file, "%d", &id) != 1)
		id = -1;
	if (file)
		fclose(file);
	return id;
}

static int real_perf(const char *tracepoint)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
	};
	char path[1000];

	snprintf(path, sizeof(path), TRACEFS "/events/%s/%s/id", system_of(tracepoint), tracepoint);
	attr.config = (unsigned int)read_id(path);
	real.perf = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	return real.perf < 0 ? -errno : 0;
}

static int real_perf_off(void)
{
	if (real.perf >= 0)
		close(real.perf);
	real.perf = -1;
	return 0;
}

static long real_perf_count(void)
{
	uint64_t n;

	return read(real.perf, &n, sizeof(n)) == sizeof(n) ? (long)n : -errno;
}

/* Returns the name of the tracepoint with this ID. */
static void find_id(int id, char *name, size_t size)
{
	glob_t paths;

	snprintf(name, size, "?%d", id);
	if (glob(TRACEFS "/events/user_events*/*/id", 0, NULL, &paths))
		return;
	for (size_t i = 0; i < paths.gl_pathc; i++) {
		char *path = paths.gl_pathv[i];

		if (read_id(path) == id)
			snprintf(name, size, "%s", basename(dirname(path)));
	}
	globfree(&paths);
}

/*
 * Reads a page of the ring buffer: a timestamp (8 bytes), a length (long), and events. The first
 * word of an event contains its length in words, or a type, in its low 5 bits. For types 0 and 29,
 * the next word is the length in bytes, including this word. Assumes little endian, because this
 * code only runs on x86-64.
 */
static int read_page(const unsigned char *page, struct record *last)
{
	size_t commit, pos = 8 + sizeof(long), end;
	int n = 0;

	memcpy(&commit, page + 8, sizeof(commit));
	end = pos + (commit & 0xfffff);
	while (pos < end) {
		uint32_t word, length;
		uint16_t type;

		memcpy(&word, page + pos, 4);
		memcpy(&length, page + pos + 4, 4);
		pos += 4;
		if ((word & 31) == 29) {		/* padding */
			if (!(word >> 5))
				break;
			pos += length;
			continue;
		}
		if ((word & 31) >= 30) {		/* a time extension or a timestamp */
			pos += 4;
			continue;
		}
		if (word & 31) {
			length = (word & 31) * 4;
		} else {
			length -= 4;
			pos += 4;
		}
		memcpy(&type, page + pos, 2);
		find_id(type, last->tracepoint, sizeof(last->tracepoint));
		last->size = length - 8;
		memcpy(last->data, page + pos + 8, last->size);
		pos += length;
		n++;
	}
	return n;
}

static int real_records(struct record *last)
{
	static unsigned char page[PAGE];
	int n = 0;

	for (int i = 0; i < real.n_pipes; i++)
		while (read(real.pipes[i], page, sizeof(page)) > 0)
			n += read_page(page, last);
	return n;
}

static int real_perfmon(bool on)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct caps[2];

	memcpy(caps, real.caps, sizeof(caps));
	if (!on) {
		caps[CAP_SYS_ADMIN / 32].effective &= ~(1u << CAP_SYS_ADMIN % 32);
		caps[38 / 32].effective &= ~(1u << 38 % 32);	/* CAP_PERFMON */
	}
	return syscall(SYS_capset, &header, caps) ? -errno : 0;
}

static int real_max(unsigned int n)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", n);
	return write_file("/proc/sys/kernel/user_events_max", text);
}

/*
 * Simulates another process with a child process. The child inherits registrations, so a row must
 * do this before it registers an event.
 */
static int real_other(const char *text, unsigned int flags)
{
	static uint32_t word;
	int ends[2], ret;

	if (pipe2(ends, O_CLOEXEC) || (real.other = fork()) < 0)
		die("fork: %s", strerror(errno));
	if (!real.other) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		ret = register_event(open(TRACEFS "/user_events_data", O_RDWR), text, &word, flags);
		if (write(ends[1], &ret, sizeof(ret)) == sizeof(ret))
			pause();
		_exit(0);
	}
	close(ends[1]);
	if (read(ends[0], &ret, sizeof(ret)) != sizeof(ret))
		die("the other process is gone");
	close(ends[0]);
	return ret;
}

static int real_other_exit(const char *name)
{
	(void)name;
	if (!real.other)
		return -ENOENT;
	kill(real.other, SIGKILL);
	waitpid(real.other, NULL, 0);
	real.other = 0;
	return 0;
}

/*
 * Calls ioctl() in the same way as a 32-bit process. The kernel accepts int 0x80 from any process.
 */
static int real_compat(int fd)
{
#ifdef __x86_64__
	long ret;

	__asm__ volatile("int $0x80" : "=a"(ret)
			 : "0"(54L), "b"((long)fd), "c"(_IOWR('*', 0, uint32_t)), "d"(0L)
			 : "memory", "r8", "r9", "r10", "r11");
	return (int)ret;
#else
	(void)fd;
	return -ENOTTY;
#endif
}

const struct world real_world = {
	.name = "real",
	.open = real_open,
	.ioctl = real_ioctl,
	.write = write,
	.writev = writev,
	.read = read,
	.close = close,
	.trace = real_trace,
	.perf = real_perf,
	.perf_off = real_perf_off,
	.perf_count = real_perf_count,
	.records = real_records,
	.perfmon = real_perfmon,
	.max_events = real_max,
	.other = real_other,
	.other_exit = real_other_exit,
	.compat = real_compat,
	.rounds = true,
};

void tear_down_real(void)
{
	for (int i = 0; i < real.n_pipes; i++)
		close(real.pipes[i]);
	real.n_pipes = 0;
	rmdir(INSTANCE);
}

void set_up_real(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	char path[200];

	if (access(TRACEFS "/user_events_data", R_OK | W_OK))
		die("%s: %s", TRACEFS "/user_events_data", strerror(errno));
	if (syscall(SYS_capget, &header, real.caps))
		die("capget: %s", strerror(errno));
	rmdir(INSTANCE);
	if (mkdir(INSTANCE, 0700))
		die("%s: %s", INSTANCE, strerror(errno));
	for (int cpu = 0; cpu < (int)ARRAY_SIZE(real.pipes); cpu++) {
		snprintf(path, sizeof(path), INSTANCE "/per_cpu/cpu%d/trace_pipe_raw", cpu);
		real.pipes[real.n_pipes] = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		if (real.pipes[real.n_pipes] < 0)
			break;
		real.n_pipes++;
	}
	if (!real.n_pipes)
		die("%s: %s", path, strerror(errno));
}

#else

const struct world real_world;

void set_up_real(void)
{
	die("built without the kernel's headers: it has only the fake");
}

void tear_down_real(void)
{
}

#endif
