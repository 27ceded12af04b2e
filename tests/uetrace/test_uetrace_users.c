/* SPDX-License-Identifier: MIT */
/*
 * What users' programs can take of root's uetrace --usdt: its time, its memory, its places.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "test.h"

#include <signal.h>
#include <sys/wait.h>

#include "../../examples/uetrace/usdt/mapped.c"

struct looks {
	size_t gone, there;
	size_t most; /* of both, then no more */
};

static int look(void *context, pid_t tid, const char *path)
{
	struct looks *looks = context;
	int error = access(path, F_OK) == 0 ? 0 : -ENOENT;

	assert_true(tid > 0);
	looks->gone += error != 0;
	looks->there += error == 0;
	return looks->gone + looks->there == looks->most ? -EINTR : error;
}

static void name(void *context, pid_t pid, pid_t tid, const char *path)
{
	(void)context, (void)tid;
	assert_true(pid > 0);
	assert_string_equal(path, "/gone");
}

/* A ring with so many mappings of a process, none of which is there any more. */
static struct perf_event_mmap_page *ring_of(pid_t pid, size_t n)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		uint64_t address, length, offset;
		char name[16];
	} record = {
		.header = { PERF_RECORD_MMAP, 0, sizeof(record) },
		.pid = (uint32_t)pid,
		.tid = (uint32_t)pid,
		.name = "/gone",
	};
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct perf_event_mmap_page *ring = allocate(page + RING);

	for (; n; n--, ring->data_head += sizeof(record)) {
		record.address = n << 12;
		memcpy((char *)ring + page + ring->data_head, &record, sizeof(record));
	}
	return ring;
}

TEST(test_a_process_is_looked_at_once_for_all_mappings_that_are_gone)
{
	struct perf_event_mmap_page *ring;
	struct looks once = { .most = SIZE_MAX }, many = once, ended = { .most = 3 };
	pid_t child = fork();

	if (!child) {
		pause();
		_exit(0);
	}
	mapped_each(child, look, &once);
	assert_int_equal(once.gone, 0);
	ring = ring_of(child, 500);
	assert_true(read_ring(ring, look, name, &many));
	assert_int_equal(many.gone, 1);
	assert_int_equal(many.there, once.there);
	assert_int_equal(ring->data_tail, ring->data_head);
	/* and no further when uetrace is to end */
	ring->data_tail = 0;
	read_ring(ring, look, name, &ended);
	assert_int_equal(ended.gone + ended.there, 3);
	free(ring);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

TESTS_MAIN
