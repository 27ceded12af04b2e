/* SPDX-License-Identifier: MIT */
/*
 * Finds the executable files that processes have mapped. perf events report new mappings.
 *
 * Files are opened through the links in /proc/PID/map_files, because the path of a mapped file is
 * not reliable: the file may have been replaced, or a container may have other mounts. map_files
 * requires CAP_SYS_ADMIN or, since Linux 5.9, CAP_CHECKPOINT_RESTORE.
 */
#include "binary/binary.h"
#include "usdt/usdt.h"
#include "util/util.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RING (64u << 10) /* ring buffer size per CPU, in bytes; fits about 500 records */
#define RINGS_MAX 4096
#define DENIED_MAX 100000    /* maximum number of inaccessible processes counted */
#define PASS_NS 20000000u    /* time limit of mapped_read(), in ns, excluding the last file */
#define MAPS_MAX (16l << 20) /* size limit for /proc/PID/maps, in bytes; fits 100,000 mappings */

static void *denied_pids; /* tsearch() tree of PIDs whose files could not be opened */
static size_t denied_n;

static int by_address(const void *a, const void *b)
{
	return a < b ? -1 : a > b;
}

static void count_denied(pid_t pid)
{
	void *key = (void *)(intptr_t)pid, **found;

	if (denied_n == DENIED_MAX || tfind(key, &denied_pids, by_address))
		return;
	found = tsearch(key, &denied_pids, by_address);
	denied_n += found != NULL;
}

void mapped_report_denied(void)
{
	if (denied_n)
		warning("could not inspect %s%zu process%s: events of their USDT probes may be "
			"missing",
			denied_n == DENIED_MAX ? "at least " : "", denied_n,
			denied_n == 1 ? "" : "es");
}

/*
 * Reports that the files of a process cannot be opened, once per error code. Ignores expected
 * errors, for example if the process has exited, or if a file is not ELF or is open for writing.
 */
static void report_unreadable(pid_t pid, int error)
{
	static const int expected[] = { 0, -ENOENT, -ESRCH, -ENOEXEC, -EINTR, -ETXTBSY };
	static bool reported[200];
	bool denied = error == -EACCES || error == -EPERM;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(expected); i++) {
		if (error == expected[i])
			return;
	}
	count_denied(pid);
	i = (size_t)-error % ARRAY_SIZE(reported);
	if (reported[i])
		return;
	reported[i] = true;
	warning("cannot open the files that process %d executes, and possibly those of other "
		"processes: %s%s",
		pid, error == -ENXIO ? "map_files does not contain them" : strerror(-error),
		denied ? "; run uetrace with CAP_SYS_PTRACE, CAP_SYS_ADMIN and CAP_DAC_READ_SEARCH"
		       : "");
}

/*
 * Calls fn for the file that a process has mapped at [start, end), and returns the result of fn.
 * Unlike the addresses in maps, the names in map_files have no leading zeros.
 */
static int call(pid_t pid, pid_t tid, uint64_t start, uint64_t end, mapped_fn fn, void *context,
		bool report)
{
	char *path = text("/proc/%d/map_files/%llx-%llx", pid, (unsigned long long)start,
			  (unsigned long long)end);
	int error = fn(context, tid, path);

	if (report)
		report_unreadable(pid, error);
	free(path);
	return error;
}

/*
 * Calls fn for each executable file in /proc/PID/maps. Returns true if none of them is in
 * map_files, because the process has executed another program since maps was read.
 */
static bool read_maps(pid_t pid, pid_t tid, mapped_fn fn, void *context, bool report)
{
	char *name = text("/proc/%d/maps", pid), *line = NULL;
	FILE *maps = fopen(name, "re");
	ssize_t n, left = MAPS_MAX;
	size_t room = 0, files = 0, missing = 0;
	int error;

	if (maps)
		setvbuf(maps, NULL, _IOFBF, 1u << 16); /* the default buffer for procfs has 1 KiB */
	else if (report)
		report_unreadable(pid, -errno);
	for (; maps && left > 0 && (n = getline(&line, &room, maps)) > 0; left -= n) {
		unsigned long long start, end;
		int flags = 0;

		/* line format for a mapped file: "START-END r-xp OFFSET DEVICE INODE PATH" */
		if (sscanf(line, "%llx-%llx %n", &start, &end, &flags) != 2 ||
		    strncmp(line + flags, "r-x", 3) != 0 || !strchr(line, '/'))
			continue;
		error = call(pid, tid, start, end, fn, context, report);
		files++;
		missing += error == -ENOENT;
		if (error == -EINTR)
			break;
	}
	if (maps)
		fclose(maps);
	free(line);
	free(name);
	return files && missing == files;
}

static void each(pid_t pid, pid_t tid, mapped_fn fn, void *context, bool report)
{
	if (read_maps(pid, tid, fn, context, report) && read_maps(pid, tid, fn, context, report) &&
	    report)
		report_unreadable(pid, -ENXIO);
}

void mapped_each(pid_t pid, mapped_fn fn, void *context, bool report)
{
	each(pid, pid, fn, context, report);
}

void processes_each(void (*fn)(void *context, pid_t pid), void *context)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;

	while (proc && (entry = readdir(proc))) {
		if (isdigit((unsigned char)*entry->d_name) && atoi(entry->d_name) != getpid())
			fn(context, atoi(entry->d_name));
	}
	if (proc)
		closedir(proc);
}

/* New mappings */

struct mapped {
	struct perf_event_mmap_page *rings[RINGS_MAX];
	int fds[RINGS_MAX];
	size_t n;
	size_t turn; /* index of the ring to read first */
	int ready;   /* epoll descriptor, readable if a ring contains records */
};

/* Opens a perf event on a CPU. The event counts nothing; its records report executable mappings. */
static int event_open(int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.mmap = 1,
		.watermark = 1,
		.wakeup_watermark = 1,
	};

	return (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

struct mapped *mapped_new(void)
{
	struct mapped *m = allocate(sizeof(*m));
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	size_t size = (size_t)sysconf(_SC_PAGESIZE) + RING;
	int i;

	m->ready = epoll_create1(EPOLL_CLOEXEC);
	for (i = 0; i < cpus && m->n < RINGS_MAX; i++) {
		/* edge-triggered, because the POLLHUP of an offline CPU is never cleared */
		struct epoll_event event = { .events = EPOLLIN | EPOLLET };
		int fd = event_open(i);
		void *ring = fd < 0 ? MAP_FAILED
				    : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

		if (ring == MAP_FAILED || epoll_ctl(m->ready, EPOLL_CTL_ADD, fd, &event) != 0)
			continue;
		m->fds[m->n] = fd;
		m->rings[m->n++] = ring;
	}
	return m;
}

void mapped_free(struct mapped *m)
{
	size_t i;

	for (i = 0; i < m->n; i++)
		close(m->fds[i]);
	close(m->ready);
	free(m);
}

bool mapped_works(const struct mapped *m)
{
	return m->n > 0;
}

int mapped_fd(const struct mapped *m)
{
	return m->ready;
}

/* Copies bytes from a ring, wrapping around at its end. */
static void copy(const struct perf_event_mmap_page *ring, uint64_t at, void *to, size_t n)
{
	const char *data = (const char *)ring + sysconf(_SC_PAGESIZE);
	size_t begin = at % RING, first = n < RING - begin ? n : RING - begin;

	memcpy(to, data + begin, first);
	memcpy((char *)to + first, data, n - first);
}

/* Reads the records in a ring, and stops at the given time. Returns false if records were lost. */
static bool read_ring(struct perf_event_mmap_page *ring, uint64_t until, mapped_fn fn,
		      named_fn named, void *context)
{
	uint64_t head = __atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE), at = ring->data_tail;
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		uint64_t address, length, offset;
		char name[PATH_MAX]; /* "/..." for a file, "//anon" for other memory */
	} record;
	uint32_t seen = 0; /* thread whose mappings were all checked after head was loaded */
	bool whole = true;
	int error = 0;

	for (; at < head && error != -EINTR && now() < until; at += record.header.size) {
		copy(ring, at, &record.header, sizeof(record.header));
		whole &= record.header.type != PERF_RECORD_LOST;
		if (record.header.type != PERF_RECORD_MMAP)
			continue;
		copy(ring, at, &record,
		     record.header.size < sizeof(record) ? record.header.size : sizeof(record));
		if (record.pid == (uint32_t)getpid() || record.name[0] != '/' ||
		    record.name[1] == '/')
			continue;
		if (record.tid != seen)
			error = call((pid_t)record.pid, (pid_t)record.tid, record.address,
				     record.address + record.length, fn, context, true);
		/*
		 * If map_files lacks the mapping, the kernel may have merged it with the next one,
		 * so check all mappings.
		 */
		if (record.tid != seen && error == -ENOENT) {
			each((pid_t)record.pid, (pid_t)record.tid, fn, context, true);
			seen = record.tid;
		}
		named(context, (pid_t)record.pid, (pid_t)record.tid, record.name);
	}
	__atomic_store_n(&ring->data_tail, at, __ATOMIC_RELEASE);
	return whole;
}

/*
 * Returns true if there are unread records. Also calls epoll_wait() to clear the edge trigger, so
 * that a later poll() waits for new records.
 */
bool mapped_ready(const struct mapped *m)
{
	struct epoll_event events[16];
	size_t i;

	epoll_wait(m->ready, events, ARRAY_SIZE(events), 0);
	for (i = 0; i < m->n; i++) {
		if (__atomic_load_n(&m->rings[i]->data_head, __ATOMIC_ACQUIRE) !=
		    m->rings[i]->data_tail)
			return true;
	}
	return false;
}

bool mapped_read(struct mapped *m, mapped_fn fn, named_fn named, void *context)
{
	uint64_t until = now() + PASS_NS;
	bool whole = true;
	size_t i;

	/* Start with a different CPU each time, because the first one may use up the time limit. */
	m->turn++;
	for (i = 0; i < m->n; i++)
		whole &= read_ring(m->rings[(m->turn + i) % m->n], until, fn, named, context);
	return whole;
}
