/* SPDX-License-Identifier: MIT */
/*
 * The kernel's ring buffers, one for each CPU, merged by time.
 *
 * Each read takes what a CPU has up to a sub-buffer; what is read waits in a queue until no
 * other CPU can have anything earlier. The kernel's buffers are emptied also while records are written
 * out, so that they hold a burst that takes longer to write than to happen.
 */
#include "uetrace.h"

#include <errno.h>
#include <fcntl.h>
#include <kbuffer.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tracefs.h>
#include <unistd.h>

#define FILL_EVERY 256		/* records that are handed on */
#define QUEUED_MAX (256u << 20) /* bytes; what is more stays in the kernel's buffers */

struct chunk {
	struct chunk *next;
	size_t size;
	uint64_t missed; /* events before it */
	unsigned char data[] __attribute__((aligned(8)));
};

struct cpu {
	unsigned int number;
	int fd;
	struct kbuffer *kbuffer;
	struct chunk *first, **end;
	void *record; /* the next one, or NULL: the queue is empty */
	unsigned long long time;
	uint64_t missed; /* events before that record */
	uint64_t lost;	 /* all that were missed so far */
};

struct reader {
	struct tracefs_instance *instance;
	struct cpu *cpus;
	size_t n;
	size_t chunk_size;
	size_t chunks_max; /* taken from a CPU before it is another's turn */
	void *chunk;
	size_t queued; /* bytes */
	int64_t wall;  /* CLOCK_REALTIME - CLOCK_MONOTONIC */
};

static size_t subbuffer_size(struct tracefs_instance *instance)
{
	long long kib;

	if (tracefs_instance_file_read_number(instance, "buffer_subbuf_size_kb", &kib) == 0 &&
	    kib > 0 && kib <= 1024)
		return (size_t)kib * 1024;
	return (size_t)sysconf(_SC_PAGESIZE);
}

static bool cpu_open(struct reader *reader, unsigned int number)
{
	struct cpu *cpu = &reader->cpus[reader->n];
	char *file = text("per_cpu/cpu%u/trace_pipe_raw", number);
	int fd = tracefs_instance_file_open(reader->instance, file,
					    O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	free(file);
	if (fd < 0)
		return false;
	cpu->number = number;
	cpu->fd = fd;
	cpu->end = &cpu->first;
	cpu->kbuffer = kbuffer_alloc(sizeof(long) == 8 ? KBUFFER_LSIZE_8 : KBUFFER_LSIZE_4,
				     __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
					     ? KBUFFER_ENDIAN_BIG
					     : KBUFFER_ENDIAN_LITTLE);
	if (!cpu->kbuffer)
		die("out of memory");
	reader->n++;
	return true;
}

static int64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

struct reader *reader_new(struct tracefs_instance *instance)
{
	struct reader *reader = allocate(sizeof(*reader));
	long cpus = sysconf(_SC_NPROCESSORS_CONF), kib;
	unsigned int i;

	if (cpus < 1)
		cpus = 1;
	reader->instance = instance;
	reader->wall = clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC);
	reader->cpus = allocate((size_t)cpus * sizeof(*reader->cpus));
	reader->chunk_size = subbuffer_size(instance);
	reader->chunk = allocate(reader->chunk_size);
	kib = (long)tracefs_instance_get_buffer_size(instance, 0);
	reader->chunks_max = (kib > 0 ? (size_t)kib : 1408) * 1024 / reader->chunk_size + 1;
	for (i = 0; i < (unsigned int)cpus; i++)
		cpu_open(reader, i);
	if (!reader->n)
		die("cannot open the trace buffers: %s", strerror(errno));
	return reader;
}

void reader_free(struct reader *reader)
{
	size_t i;

	if (!reader)
		return;
	for (i = 0; i < reader->n; i++) {
		struct cpu *cpu = &reader->cpus[i];

		while (cpu->first) {
			struct chunk *chunk = cpu->first;

			cpu->first = chunk->next;
			free(chunk);
		}
		kbuffer_free(cpu->kbuffer);
		close(cpu->fd);
	}
	free(reader->cpus);
	free(reader->chunk);
	free(reader);
}

size_t reader_fds(const struct reader *reader)
{
	return reader->n;
}

int reader_fd(const struct reader *reader, size_t i)
{
	return reader->cpus[i].fd;
}

/* "overrun: 3": overwritten before we read; "dropped events: 0": refused. */
static uint64_t stats_value(const char *stats, const char *key)
{
	const char *line = strstr(stats, key);

	return line ? strtoull(line + strlen(key), NULL, 10) : 0;
}

/* Returns how many events the kernel has overwritten or refused so far. */
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

/* Begins the first chunk of the queue that has a record. */
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

#define MISSED 0x80000000u /* in a sub-buffer's length */

/* A sub-buffer is a time, the length of what follows (and flags), and that. */
static size_t chunk_length(const void *data, size_t size, bool *missed)
{
	unsigned long length;

	if (size < 8 + sizeof(length))
		return 0;
	memcpy(&length, (const char *)data + 8, sizeof(length));
	*missed = length & MISSED;
	length &= 0xfffff;
	if (length > size - 8 - sizeof(length))
		return 0;
	/* what follows may say how many were missed */
	length += 8 + 2 * sizeof(length);
	return length < size ? length : size;
}

static size_t cpu_fill(struct reader *reader, struct cpu *cpu)
{
	struct chunk *chunk;
	size_t total = 0, i, length;
	bool missed = false;

	for (i = 0; i < reader->chunks_max && reader->queued < QUEUED_MAX; i++) {
		ssize_t n = read(cpu->fd, reader->chunk, reader->chunk_size);

		if (n <= 0)
			break;
		length = chunk_length(reader->chunk, (size_t)n, &missed);
		if (!length)
			continue;
		chunk = allocate(sizeof(*chunk) + length);
		memcpy(chunk->data, reader->chunk, length);
		chunk->size = length;
		/* a full sub-buffer has no room for their number; their count may be ahead by some */
		if (missed)
			cpu->lost += chunk->missed = cpu_lost(reader, cpu) - cpu->lost;
		*cpu->end = chunk;
		cpu->end = &chunk->next;
		reader->queued += length;
		total += length;
		if (!cpu->record)
			cpu_load(reader, cpu);
	}
	return total;
}

size_t reader_fill(struct reader *reader)
{
	size_t total = 0, i;

	for (i = 0; i < reader->n; i++)
		total += cpu_fill(reader, &reader->cpus[i]);
	return total;
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

size_t reader_drain(struct reader *reader, uint64_t until, record_fn fn, void *context)
{
	struct record record = { .wall = reader->wall, .dated = true };
	struct cpu *cpu;
	size_t n = 0;

	while ((cpu = earliest(reader)) && cpu->time <= until) {
		record.lost = cpu->missed;
		record.time = cpu->time;
		record.cpu = cpu->number;
		record.data = cpu->record;
		record.size = (size_t)kbuffer_event_size(cpu->kbuffer);
		fn(context, &record);
		cpu_next(reader, cpu);
		if (++n % FILL_EVERY == 0)
			reader_fill(reader);
	}
	return n;
}

uint64_t reader_lost(struct reader *reader)
{
	uint64_t lost = 0;
	size_t i;

	for (i = 0; i < reader->n; i++)
		lost += cpu_lost(reader, &reader->cpus[i]);
	return lost;
}
