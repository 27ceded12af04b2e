/* SPDX-License-Identifier: MIT */
/*
 * Reads the kernel's ring buffers, one for each CPU, and merges their records by time.
 *
 * A read returns at most one sub-buffer of a CPU. Its records are queued until no other CPU can
 * have an earlier record. The ring buffers are also read while records are written to the output.
 * Therefore, a burst of events is not lost, even if the output is slow.
 */
#include "kernel/kernel.h"
#include "event/event.h"
#include "util/util.h"

#include <errno.h>
#include <fcntl.h>
#include <kbuffer.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tracefs.h>
#include <unistd.h>

#define FILL_EVERY 256		/* number of records handled between two reads of the buffers */
#define QUEUED_MAX (256u << 20) /* queue limit, in bytes; other records stay in the ring buffers */
#define OFFSETS 8		/* maximum number of clock offsets kept for queued records */
#define STEP_NS 1000000		/* minimum clock step, in ns; less is a measurement error */

/* A sub-buffer: a timestamp, the total record length combined with flags, and the records. */
struct chunk {
	struct chunk *next;
	uint64_t missed; /* number of events lost before this chunk */
	size_t size;
	unsigned char data[] __attribute__((aligned(8)));
};

/*
 * Value of CLOCK_REALTIME - CLOCK_MONOTONIC, in ns, and the CLOCK_MONOTONIC time from which it is
 * valid.
 */
struct offset {
	uint64_t from;
	int64_t ns;
};

struct cpu {
	unsigned int number;
	int fd;
	struct kbuffer *kbuffer;
	struct chunk *first, **end;
	void *record; /* next record, or NULL if the queue is empty */
	unsigned long long time;
	uint64_t missed; /* number of events lost before the next record */
	uint64_t lost;	 /* number of events lost so far */
};

struct reader {
	struct tracefs_instance *instance;
	struct cpu *cpus;
	struct pollfd *fds; /* one entry per CPU, then one for the fd passed to reader_wait() */
	size_t n;
	size_t chunk_size;
	size_t chunks_max;		/* maximum number of chunks that one call reads per CPU */
	unsigned char *page;		/* buffer for the next read */
	size_t queued;			/* total size of queued chunks, in bytes */
	struct offset offsets[OFFSETS]; /* the first one applies to the last returned record */
	size_t offsets_n;
};

static size_t subbuffer_size(struct tracefs_instance *instance)
{
	long long kib;

	if (tracefs_instance_file_read_number(instance, "buffer_subbuf_size_kb", &kib) == 0 &&
	    kib > 0 && kib <= 1024)
		return (size_t)kib * 1024;
	return (size_t)sysconf(_SC_PAGESIZE);
}

static void cpu_open(struct reader *reader, unsigned int number)
{
	struct cpu *cpu = &reader->cpus[reader->n];
	char *file = text("per_cpu/cpu%u/trace_pipe_raw", number);
	int fd = tracefs_instance_file_open(reader->instance, file,
					    O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	free(file);
	if (fd < 0)
		return;
	cpu->number = number;
	cpu->fd = fd;
	cpu->end = &cpu->first;
	cpu->kbuffer = kbuffer_alloc(sizeof(long) == 8 ? KBUFFER_LSIZE_8 : KBUFFER_LSIZE_4,
				     __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
					     ? KBUFFER_ENDIAN_BIG
					     : KBUFFER_ENDIAN_LITTLE);
	if (!cpu->kbuffer)
		die("out of memory");
	reader->fds[reader->n++] = (struct pollfd){ .fd = fd, .events = POLLIN };
}

/*
 * Measures the clock offset by reading CLOCK_REALTIME between two readings of CLOCK_MONOTONIC. Uses
 * the fastest of several attempts.
 */
static struct offset offset_now(void)
{
	uint64_t before, after, best = UINT64_MAX;
	struct offset offset = { 0 };
	struct timespec t;
	int i;

	for (i = 0; i < 10 && best > STEP_NS / 100; i++) {
		before = now();
		clock_gettime(CLOCK_REALTIME, &t);
		after = now();
		if (after - before >= best)
			continue;
		best = after - before;
		offset.from = after;
		offset.ns = t.tv_sec * INT64_C(1000000000) + t.tv_nsec - (int64_t)before;
	}
	return offset;
}

void reader_take_clock(struct reader *reader)
{
	struct offset offset = offset_now(), *last = &reader->offsets[reader->offsets_n - 1];

	if (llabs(offset.ns - last->ns) < STEP_NS)
		return;
	if (reader->offsets_n == OFFSETS)
		last->ns = offset.ns;
	else
		reader->offsets[reader->offsets_n++] = offset;
}

int64_t reader_realtime_offset(struct reader *reader, uint64_t time)
{
	struct offset *offsets = reader->offsets;

	while (reader->offsets_n > 1 && offsets[1].from <= time)
		memmove(offsets, offsets + 1, --reader->offsets_n * sizeof(*offsets));
	return offsets[0].ns;
}

struct reader *reader_new(struct tracefs_instance *instance)
{
	struct reader *reader = allocate(sizeof(*reader));
	long cpus = sysconf(_SC_NPROCESSORS_CONF), kib;
	unsigned int i;

	reader->instance = instance;
	reader->offsets[reader->offsets_n++] = offset_now();
	reader->cpus = allocate((size_t)cpus * sizeof(*reader->cpus));
	reader->fds = allocate(((size_t)cpus + 1) * sizeof(*reader->fds));
	reader->chunk_size = subbuffer_size(instance);
	reader->page = allocate(reader->chunk_size);
	kib = (long)tracefs_instance_get_buffer_size(instance, 0);
	reader->chunks_max = (kib > 0 ? (size_t)kib : 1408) * 1024 / reader->chunk_size + 1;
	for (i = 0; i < (unsigned int)cpus; i++)
		cpu_open(reader, i);
	if (!reader->n)
		die("cannot open the trace buffers: %s", strerror(errno));
	return reader;
}

void reader_close(struct reader *reader)
{
	size_t i;

	for (i = 0; i < reader->n; i++)
		close(reader->cpus[i].fd);
}

bool reader_wait(const struct reader *reader, int fd, int milliseconds)
{
	bool full = reader->queued >= QUEUED_MAX;
	size_t first = full ? reader->n : 0, i;

	reader->fds[reader->n] = (struct pollfd){ .fd = fd, .events = POLLIN };
	if (poll(reader->fds + first, reader->n + 1 - first, milliseconds) <= 0)
		return false;
	for (i = first; i < reader->n && !reader->fds[i].revents; i++)
		;
	return i < reader->n;
}

/*
 * Returns the value in a statistics line such as "overrun: 3" (overwritten events) or "dropped
 * events: 0".
 */
static uint64_t stats_value(const char *stats, const char *key)
{
	const char *line = strstr(stats, key);

	return line ? strtoull(line + strlen(key), NULL, 10) : 0;
}

/* Returns the number of events of a CPU that the kernel has overwritten or dropped so far. */
static uint64_t cpu_lost(const struct reader *reader, const struct cpu *cpu)
{
	char *file = text("per_cpu/cpu%u/stats", cpu->number);
	char *stats = tracefs_instance_file_read(reader->instance, file, NULL);
	uint64_t lost = 0;

	if (stats)
		lost = stats_value(stats, "\noverrun: ") + stats_value(stats, "\ndropped events: ");
	free(stats);
	free(file);
	return lost;
}

static void drop_chunk(struct reader *reader, struct cpu *cpu)
{
	struct chunk *chunk = cpu->first;

	cpu->first = chunk->next;
	if (!cpu->first)
		cpu->end = &cpu->first;
	reader->queued -= chunk->size;
	free(chunk);
}

/* Loads the first queued chunk that contains a record, and drops the empty ones before it. */
static void cpu_load(struct reader *reader, struct cpu *cpu)
{
	while (!cpu->record && cpu->first) {
		cpu->missed += cpu->first->missed;
		if (kbuffer_load_subbuffer(cpu->kbuffer, cpu->first->data) == 0)
			cpu->record = kbuffer_read_event(cpu->kbuffer, &cpu->time);
		if (!cpu->record)
			drop_chunk(reader, cpu);
	}
}

static void cpu_next(struct reader *reader, struct cpu *cpu)
{
	cpu->missed = 0;
	cpu->record = kbuffer_next_event(cpu->kbuffer, &cpu->time);
	if (cpu->record)
		return;
	drop_chunk(reader, cpu);
	cpu_load(reader, cpu);
}

#define MISSED 0x80000000u /* flag in the length field: events were lost before this sub-buffer */
#define LENGTH 0x07ffffffu

/*
 * Returns a copy of the used part of the sub-buffer that was just read. Sets *gap to true if events
 * were lost before it.
 */
static struct chunk *chunk_new(const struct reader *reader, bool *gap)
{
	/* the records may be followed by a count of missed events */
	size_t most = sizeof(struct chunk) + reader->chunk_size, size;
	unsigned long length;
	struct chunk *chunk;

	memcpy(&length, reader->page + 8, sizeof(length));
	*gap = length & MISSED;
	size = sizeof(*chunk) + 8 + sizeof(length) + (length & LENGTH) + 8;
	size = size < most ? size : most;
	chunk = malloc(size);
	if (!chunk)
		die("out of memory");
	*chunk = (struct chunk){ .size = size };
	memcpy(chunk->data, reader->page, size - sizeof(*chunk));
	return chunk;
}

/* Reads up to chunks_max sub-buffers of a CPU. Returns true if they contained records. */
static bool cpu_fill(struct reader *reader, struct cpu *cpu)
{
	struct chunk *chunk;
	bool any = false, gap;
	size_t i;

	for (i = 0; i < reader->chunks_max && reader->queued < QUEUED_MAX; i++) {
		if (read(cpu->fd, reader->page, reader->chunk_size) <= 0)
			break;
		chunk = chunk_new(reader, &gap);
		/*
		 * Use the statistics, because a full sub-buffer has no space for the count. The
		 * statistics may already include later losses.
		 */
		if (gap)
			cpu->lost += chunk->missed = cpu_lost(reader, cpu) - cpu->lost;
		*cpu->end = chunk;
		cpu->end = &chunk->next;
		reader->queued += chunk->size;
		if (!cpu->record)
			cpu_load(reader, cpu);
		any = true;
	}
	return any;
}

bool reader_fill(struct reader *reader)
{
	bool any = false;
	size_t i;

	for (i = 0; i < reader->n; i++)
		any = cpu_fill(reader, &reader->cpus[i]) || any;
	return any;
}

static struct cpu *earliest(struct reader *reader)
{
	struct cpu *best = NULL;
	size_t i;

	for (i = 0; i < reader->n; i++) {
		struct cpu *cpu = &reader->cpus[i];

		if (cpu->record && (!best || cpu->time < best->time))
			best = cpu;
	}
	return best;
}

bool reader_drain(struct reader *reader, uint64_t until, record_fn fn, void *context)
{
	struct record record = { .dated = true, .machine = machine_here() };
	bool more = true;
	struct cpu *cpu;
	size_t n = 0;

	while (more && (cpu = earliest(reader)) && cpu->time <= until) {
		record.realtime_offset = reader_realtime_offset(reader, cpu->time);
		record.lost = cpu->missed;
		record.time = cpu->time;
		record.cpu = cpu->number;
		record.data = cpu->record;
		record.size = (size_t)kbuffer_event_size(cpu->kbuffer);
		more = fn(context, &record);
		cpu_next(reader, cpu);
		if (++n % FILL_EVERY == 0)
			reader_fill(reader);
	}
	return more;
}

size_t reader_queued(const struct reader *reader)
{
	return reader->queued;
}

uint64_t reader_lost(struct reader *reader)
{
	uint64_t lost = 0;
	size_t i;

	for (i = 0; i < reader->n; i++)
		lost += cpu_lost(reader, &reader->cpus[i]);
	return lost;
}
