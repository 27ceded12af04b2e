/* SPDX-License-Identifier: MIT */
/*
 * The files that processes have mapped to run them, and those that they map from now on, which the
 * kernel reports to perf events.
 *
 * A file is found through /proc/PID/map_files, which leads to the mapped file itself: a path may
 * lead elsewhere by now, and to another file in a container, which has mounts of its own. That
 * takes CAP_SYS_ADMIN, or CAP_CHECKPOINT_RESTORE since Linux 5.9.
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
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RING (64u << 10) /* bytes of records for each CPU: some 500 */
#define RINGS_MAX 4096
#define PASS_NS 20000000u    /* of mapped_read(), and one file more */
#define MAPS_MAX (16l << 20) /* bytes of a process's maps: 100,000 mappings, if it is not hostile */

/*
 * Calls fn for the file that a process has mapped at [start, end). Returns the result of fn. The
 * names in map_files have no leading zeros, unlike the addresses in maps.
 */
static int call(pid_t pid, pid_t tid, uint64_t start, uint64_t end, mapped_fn fn, void *context)
{
	static const int usual[] = { 0, -ENOENT, -ESRCH, -ENOEXEC, -EACCES, -EINTR, -ETXTBSY };
	char *path = text("/proc/%d/map_files/%llx-%llx", pid, (unsigned long long)start,
			  (unsigned long long)end);
	int error = fn(context, tid, path);
	static bool told;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(usual) && error != usual[i]; i++)
		;
	if (i == ARRAY_SIZE(usual) && !told) {
		warning("cannot open what process %d runs: %s", pid, strerror(-error));
		told = true;
	}
	free(path);
	return error;
}

static void each(pid_t pid, pid_t tid, mapped_fn fn, void *context)
{
	char *name = text("/proc/%d/maps", pid), *line = NULL;
	FILE *maps = fopen(name, "re");
	ssize_t n, left = MAPS_MAX;
	size_t room = 0;

	if (maps)
		setvbuf(maps, NULL, _IOFBF, 1u << 16); /* procfs asks for 1 KiB */
	for (; maps && left > 0 && (n = getline(&line, &room, maps)) > 0; left -= n) {
		unsigned long long start, end;
		int flags = 0;

		/* "START-END r-xp OFFSET DEVICE INODE  PATH" if a file is mapped */
		if (sscanf(line, "%llx-%llx %n", &start, &end, &flags) != 2 ||
		    strncmp(line + flags, "r-x", 3) != 0 || !strchr(line, '/'))
			continue;
		if (call(pid, tid, start, end, fn, context) == -EINTR)
			break;
	}
	if (maps)
		fclose(maps);
	free(line);
	free(name);
}

void mapped_each(pid_t pid, mapped_fn fn, void *context)
{
	each(pid, pid, fn, context);
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

/* What is mapped from now on */

struct mapped {
	struct perf_event_mmap_page *rings[RINGS_MAX];
	int fds[RINGS_MAX];
	size_t n;
	size_t turn; /* the ring that was read first */
	int ready;   /* epoll, which tells that there is something */
};

/* One of each CPU, for all processes. It counts nothing, and is told of executable mappings. */
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
		/* edges: a CPU that is taken away hangs up, for good */
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

/* Copies bytes of a ring, at whose end its begin follows. */
static void copy(const struct perf_event_mmap_page *ring, uint64_t at, void *to, size_t n)
{
	const char *data = (const char *)ring + sysconf(_SC_PAGESIZE);
	size_t begin = at % RING, first = n < RING - begin ? n : RING - begin;

	memcpy(to, data + begin, first);
	memcpy((char *)to + first, data, n - first);
}

/* Reads until a time. Returns false if records were lost. */
static bool read_ring(struct perf_event_mmap_page *ring, uint64_t until, mapped_fn fn,
		      named_fn named, void *context)
{
	uint64_t head = __atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE), at = ring->data_tail;
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		uint64_t address, length, offset;
		char name[PATH_MAX]; /* a file's is "/...", not "//anon" */
	} record;
	uint32_t seen = 0; /* this thread, with all mappings since head was read */
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
				     record.address + record.length, fn, context);
		/* a neighbour may have become one with it */
		if (record.tid != seen && error == -ENOENT) {
			each((pid_t)record.pid, (pid_t)record.tid, fn, context);
			seen = record.tid;
		}
		named(context, (pid_t)record.pid, (pid_t)record.tid, record.name);
	}
	__atomic_store_n(&ring->data_tail, at, __ATOMIC_RELEASE);
	return whole;
}

/* poll() takes away what epoll_wait() would return here, which is called so that it does. */
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

	/* no CPU's processes keep us from those of the others */
	m->turn++;
	for (i = 0; i < m->n; i++)
		whole &= read_ring(m->rings[(m->turn + i) % m->n], until, fn, named, context);
	return whole;
}
