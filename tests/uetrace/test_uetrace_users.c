/* SPDX-License-Identifier: MIT */
/*
 * When root runs `uetrace --usdt`, the programs of other users can use up only a limited part of
 * its time, its probes and its log.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "test.h"

#include <signal.h>
#include <sys/wait.h>

/*
 * These functions replace those of uetrace, like a kernel that accepts every uprobe. Warnings are
 * counted.
 */
#define probe_define fake_probe_define
#define tracefs_event_file_read fake_event_file_read
#define events_add fake_events_add
#define events_enable_uprobe fake_events_enable_uprobe
#define warning counted_warning

#include "../../tools/uetrace/usdt/mapped.c"
#include "../../tools/uetrace/usdt/report.c"
#include "../../tools/uetrace/usdt/sites.c"
#include "usdt/uprobes.h"
#include "../../tools/uetrace/command/unregistered.c"

struct looks {
	size_t gone, there;
	size_t most; /* limit on gone + there, at which the scan ends */
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

/*
 * Returns a ring buffer with records of n file mappings of a process. The mapped files no longer
 * exist.
 */
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

TEST(test_a_process_is_checked_once_for_all_its_stale_mappings)
{
	struct perf_event_mmap_page *ring;
	struct looks once = { .most = SIZE_MAX }, many = once, ended = { .most = 3 };
	pid_t child = fork();

	if (!child) {
		pause();
		_exit(0);
	}
	mapped_each(child, look, &once, true);
	assert_int_equal(once.gone, 0);
	ring = ring_of(child, 500);
	assert_true(read_ring(ring, UINT64_MAX, look, name, &many));
	assert_int_equal(many.gone, 1);
	assert_int_equal(many.there, once.there);
	assert_int_equal(ring->data_tail, ring->data_head);
	/* processing stops if uetrace is about to exit */
	ring->data_tail = 0;
	read_ring(ring, UINT64_MAX, look, name, &ended);
	assert_int_equal(ended.gone + ended.there, 3);
	/* processing also stops at the end of its time; the remaining records stay in the ring */
	ring->data_tail = 0;
	assert_true(read_ring(ring, now(), look, name, &many));
	assert_int_equal(ring->data_tail, 0);
	free(ring);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

int probe_define(const char *line)
{
	return *line == 'p' ? 0 : -EINVAL;
}

char *tracefs_event_file_read(struct tracefs_instance *instance, const char *system,
			      const char *event, const char *file, int *size)
{
	static unsigned int id;

	(void)instance, (void)system, (void)event, (void)file, (void)size;
	return text("name: x\nID: %u\nformat:\n\tfield:u16 common_type;\toffset:0;\tsize:2;"
		    "\tsigned:0;\n\nprint fmt: \"\"\n",
		    ++id);
}

struct event *events_add(struct events *events, const char *system, const char *name,
			 const char *format, const struct note_field *types, bool chosen,
			 bool *fresh)
{
	static struct event event;

	(void)events, (void)system, (void)name, (void)format, (void)types, (void)chosen;
	*fresh = false;
	return &event;
}

void events_enable_uprobe(struct events *events, struct event *event, const char *group,
			  const char *uprobe, unsigned int id)
{
	(void)events, (void)event, (void)group, (void)uprobe, (void)id;
}

static size_t places_of(struct usdt *u, const struct known *file, const char *pattern)
{
	static struct usdt_probe probes[10000];
	struct usdt_file read = { .probes = probes, .n = ARRAY_SIZE(probes) };
	size_t before = u->sites.n, i;

	for (i = 0; i < read.n; i++)
		probes[i] =
			(struct usdt_probe){ .provider = (char *)"app", .name = (char *)"many" };
	u->patterns.list->file = pattern;
	add_probes(u, known_files_add(&u->files, file), &read);
	return u->sites.n - before;
}

TEST(test_probe_sites_are_shared_among_files_and_users)
{
	static const struct {
		uid_t owner;
		size_t places;
	} files[] = {
		{ 1000, 7500 }, { 1000, 0 }, { 1000, 0 }, { 1001, 5625 }, { 1000, 0 },
		{ 1001, 0 },	{ 0, 4218 }, { 0, 3164 }, { 1002, 2373 }, { 0, 1780 },
	};
	char *patterns[] = { (char *)"usdt::app:many", NULL };
	struct usdt_settings settings = { .patterns = patterns };
	struct usdt *u = usdt_new(NULL, NULL, &settings);
	struct known file;
	struct stat st;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		file = (struct known){ .ino = i + 1, .owner = files[i].owner, .fd = -1 };
		assert_int_equal(places_of(u, &file, ""), files[i].places);
	}
	/* a program that root has named may use all remaining probes */
	assert_int_equal(stat("/proc/self/exe", &st), 0);
	file = known_of(&st);
	assert_int_equal(places_of(u, &file, "/proc/self/exe"), 30000 - 24660);
	usdt_free(u);
}

static size_t warnings;

void counted_warning(const char *format, ...)
{
	(void)format;
	warnings++;
}

TEST(test_at_most_100_reports_are_printed)
{
	struct note_event silent = { .kind = NOTE_EVENT, .name = (char *)"silent" };
	const struct usdt_file file = { .notes = { &silent, 1 } };
	struct usdt_settings settings = { .events = true };
	struct usdt *u = usdt_new(NULL, NULL, &settings);
	size_t i;

	warnings = 0;
	for (i = 0; i < 1000; i++)
		report_without_probe(u, &file, STDIN_FILENO);
	assert_int_equal(warnings, 100 + 1);
	usdt_free(u);
}

TEST(test_read_programs_are_forgotten)
{
	char *patterns[] = { (char *)"none", NULL };
	size_t i;

	for (i = 0; i < 5000; i++) {
		char *path = text("/nowhere/%zu", i);

		read_program(path, path, patterns);
		free(path);
	}
	report_unregistered(patterns, NULL);
	assert_true(list_length(read_programs) < 5000);
	clear(&read_programs);
}

TESTS_MAIN
