/* SPDX-License-Identifier: MIT */
/*
 * Reads recorded bytes from the ring-buffer pages of a trace instance and from perf.data. The
 * `trace` file cannot be used, because it shows only the header of an EventHeader event.
 */
#ifndef RAW_EVENTS_H
#define RAW_EVENTS_H

#include "witness.h"

/* A record without its 8 bytes of common fields. It may include up to 7 bytes of padding. */
struct raw_event {
	uint64_t time; /* time on the instance's clock; 0 in perf.data */
	int thread;
	const unsigned char *bytes;
	size_t size;
};
typedef void (*raw_event_fn)(void *data, const struct raw_event *event);

enum { RAW_COMMON = 8, RAW_PAGE = 4096 };

/*
 * Reads a ring-buffer page: u64 time, u64 length and flags, and entries. The 32-bit header of an
 * entry contains a type (5 bits) and a time delta.
 */
WITNESS void raw_page(const unsigned char *page, unsigned int type, raw_event_fn each, void *data)
{
	struct raw_event event;
	uint64_t length;
	size_t at = 16, end;

	memcpy(&event.time, page, 8);
	memcpy(&length, page + 8, 8);
	if (length & (3u << 30))
		fail_msg("the ring buffer lost events");
	end = 16 + (size_t)(length & 0xfffff);
	assert_true(end <= RAW_PAGE);
	while (at + 4 <= end) {
		uint32_t head, size;
		uint16_t id;

		memcpy(&head, page + at, 4);
		memcpy(&size, page + at + 4, 4);
		at += 4;
		event.time += head >> 5;
		switch (head & 31) {
		case 29: /* padding at the end of the page, or a discarded entry */
			if (head >> 5 == 0)
				return;
			at += size;
			continue;
		case 30: /* time extension */
			event.time += (uint64_t)size << 27;
			at += 4;
			continue;
		case 31: /* absolute timestamp */
			fail_msg("unexpected absolute time stamp in a page");
		case 0: /* the entry's size follows, and includes its own 4 bytes */
			size -= 4;
			at += 4;
			break;
		default:
			size = (head & 31) * 4;
		}
		assert_true(at + size <= end && size >= RAW_COMMON);
		memcpy(&id, page + at, 2);
		memcpy(&event.thread, page + at + 4, 4);
		event.bytes = page + at + RAW_COMMON;
		event.size = size - RAW_COMMON;
		if (id == type)
			each(data, &event);
		at += (size + 3) & ~3u;
	}
}

WITNESS unsigned int event_type(const char *name)
{
	return (unsigned int)strtoul(get(event_file(name, "id")), NULL, 10);
}

/* Reads and removes all records of EVENT, CPU by CPU, from the instance DIR ("instances/x"). */
WITNESS void raw_ring_buffer(const char *dir, const char *event, raw_event_fn each, void *data)
{
	unsigned int type = event_type(event);
	static unsigned char page[RAW_PAGE];
	char path[PATH_MAX];
	long cpu;
	int fd;

	for (cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++) {
		snprintf(path, sizeof(path), "%s/per_cpu/cpu%ld/trace_pipe_raw", dir, cpu);
		fd = open(tracefs("%s", path), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		if (fd < 0)
			fail_msg("%s: %s", path, strerror(errno));
		while (read(fd, page, sizeof(page)) == (ssize_t)sizeof(page))
			raw_page(page, type, each, data);
		close(fd);
	}
}

/*
 * Reads the samples from a perf.data file written by `perf record` for tracepoints. The file header
 * contains the magic number, its own size, the size of an attribute, and the offsets and sizes of
 * the attributes and of the data.
 */
WITNESS void raw_perf_data(const char *path, unsigned int type, raw_event_fn each, void *data)
{
	enum { SAMPLE = 9, LOST = 2 };
	/* sample_type bits in the order of their fields; each field before RAW has 8 bytes */
	static const uint32_t before[] = {
		1u << 16, 1, 2, 4, 8, 1u << 6, 1u << 9, 1u << 7, 1u << 8
	};
	uint64_t head[13], sample_type;
	unsigned char *file;
	size_t size, at, end, i;
	struct stat status;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &status) < 0)
		fail_msg("%s: %s", path, strerror(errno));
	size = (size_t)status.st_size;
	file = (unsigned char *)mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	assert_ptr_not_equal(file, MAP_FAILED);
	close(fd);
	assert_true(size > sizeof(head));
	memcpy(head, file, sizeof(head));
	assert_memory_equal(file, "PERFILE2", 8);
	assert_true(head[3] + 32 < size && head[5] + head[6] <= size);
	memcpy(&sample_type, file + head[3] + 24, 8);
	assert_true(sample_type & 1u << 10);
	/* the samples contain no counter values and no call chains */
	assert_true((sample_type & (1u << 4 | 1u << 5)) == 0);
	end = (size_t)(head[5] + head[6]);
	for (at = (size_t)head[5]; at + 8 <= end;) {
		uint32_t kind, raw, field = 8;
		struct raw_event event = { 0, 0, NULL, 0 };
		uint16_t record, id;

		memcpy(&kind, file + at, 4);
		memcpy(&record, file + at + 6, 2);
		assert_true(record >= 8 && at + record <= end);
		if (kind == LOST)
			fail_msg("perf lost events");
		if (kind == SAMPLE) {
			for (i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
				if (before[i] == 2)
					memcpy(&event.thread, file + at + field + 4, 4);
				field += sample_type & before[i] ? 8 : 0;
			}
			memcpy(&raw, file + at + field, 4);
			assert_true(field + 4 + raw <= record);
			memcpy(&id, file + at + field + 4, 2);
			event.bytes = file + at + field + 4 + RAW_COMMON;
			event.size = raw - RAW_COMMON;
			if (id == type)
				each(data, &event);
		}
		at += record;
	}
	munmap(file, size);
}

#endif
