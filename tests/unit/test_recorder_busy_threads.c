/* SPDX-License-Identifier: MIT */
/*
 * Tests recordings of busy programs: snapshots, files of killed processes, and the order of events
 * while threads write at full speed. A recording must be accepted regardless of the bytes in an
 * event's text.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "test.h"

#define FAKE_KERNEL_HOOKS
#include "fake_kernel.h"
#include "rounds.h"
#include <user_events_capture.h>
#include <user_events_recorder.h>

enum {
	WRITERS = 4,
	IN_ORDER = 8,
	EACH = ROUNDS_OF(20000),
	COPIES = ROUNDS_OF(10) > 1 ? 3 : 1,
	LONGEST = 1000
};

UE_TRACEPOINT(busy, UE_U32(thread), UE_U32(number), UE_STR(text));

static const struct {
	size_t size;
	unsigned int rings; /* 0 selects the default */
	const char *text;   /* the text is repeated until it has LENGTH bytes */
	size_t length;
} rows[] = {
	{ 4 << 20, 0, " ", 200 },   { 1 << 20, 0, "\"", 200 }, { 1 << 18, 2, "x", 300 },
	{ 1 << 20, 1, "\t", 1000 }, { 1 << 16, 1, "A", 40 },   { 1 << 18, 1, "\xc3\xa4", 600 },
	{ 1 << 18, 2, "\x01", 64 }, { 4096, 1, "z", 20 },      { 1 << 20, 2, "", 0 },
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

static struct ue_recorder_reader reader;
static struct ue_capture_event event;
static char text[LONGEST + 1], path[64];
static int stop;

static void set_text(size_t row)
{
	size_t n = strlen(rows[row].text);

	for (size_t i = 0; i < rows[row].length; i++)
		text[i] = rows[row].text[i % n];
	text[rows[row].length] = '\0';
}

static void *write_until_stop(void *argument)
{
	uint32_t thread = (uint32_t)(uintptr_t)argument;

	for (uint32_t i = 0; !__atomic_load_n(&stop, __ATOMIC_RELAXED); i++)
		trace_busy(thread, i, text);
	return NULL;
}

static void *write_each(void *argument)
{
	uint32_t thread = (uint32_t)(uintptr_t)argument;

	for (uint32_t i = 0; i < EACH; i++)
		trace_busy(thread, i, "");
	return NULL;
}

static void start(pthread_t *threads, uintptr_t n, void *(*function)(void *))
{
	__atomic_store_n(&stop, 0, __ATOMIC_RELAXED);
	for (uintptr_t i = 0; i < n; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, function, (void *)i), 0);
}

static void join(pthread_t *threads, unsigned int n)
{
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	while (n)
		pthread_join(threads[--n], NULL);
}

static char *content(const char *file, size_t *size)
{
	FILE *f = fopen(file, "r");
	char *bytes;

	assert_non_null(f);
	fseek(f, 0, SEEK_END);
	*size = (size_t)ftell(f);
	rewind(f);
	bytes = malloc(*size);
	assert_int_equal(fread(bytes, 1, *size, f), *size);
	fclose(f);
	return bytes;
}

/*
 * Thread, number and text of an event. The test reads them directly, because user_events_capture.h
 * is slow.
 */
struct payload {
	uint32_t thread, number, loc;
	char text[LONGEST + 1];
};

static const struct payload *payload_of(const struct ue_capture_event *e)
{
	static struct payload payload;

	assert_in_range(e->size - 8, offsetof(struct payload, text) + 1, sizeof(payload));
	memcpy(&payload, e->record + 8, e->size - 8);
	return &payload;
}

/* Reads all events. Checks their values, their times, and the order within each thread. */
static uint64_t read_all(const char *expected)
{
	static uint64_t next[IN_ORDER];
	uint64_t last = 0, n = 0;
	int more;

	memset(next, 0, sizeof(next));
	while ((more = ue_recorder_next(&reader, &event)) != 0) {
		const struct payload *payload = payload_of(&event);

		assert_int_equal(more, 1);
		assert_string_equal(payload->text, expected);
		assert_in_range(payload->thread, 0, IN_ORDER - 1);
		assert_true(payload->number >= next[payload->thread]);
		next[payload->thread] = payload->number + 1;
		assert_true(event.time >= last);
		last = event.time;
		n++;
	}
	assert_false(reader.refused);
	return n;
}

/*
 * Checks a recording of row ROW. Each reserved event must be either read or counted, and each ring
 * that wrapped around must yield at least half of its records. Returns the number of events.
 */
static uint64_t check_recording(const char *bytes, size_t size, size_t row)
{
	const struct ue__recorder_ring *rings = (const void *)(bytes + 256);
	uint64_t events, expected = 0, reserved = 0, record;

	assert_int_equal(ue_recorder_read(&reader, bytes, size), 0);
	/* 12 bytes of the payload precede the text */
	record = 8 * ue__recorder_words(12 + rows[row].length + 1);
	for (uint32_t i = 0; i < reader.layout.rings; i++) {
		reserved += (uint32_t)rings[i].u.next;
		if (8 * (rings[i].u.next >> 32) > 1ull << reader.layout.shift)
			expected += ((1ull << reader.layout.shift) / record) / 2;
	}
	if (rows[row].size < 65536)
		/* in a ring as small as this one, a suspended thread can invalidate most events */
		expected = 0;
	events = read_all(text);
	assert_in_range(events, expected, UINT32_MAX);
	assert_true(events + reader.overwritten + reader.torn >= reserved);
	return events;
}

static int setup(void **state)
{
	static struct fake_world none;

	(void)state;
	none = fake_world_default();
	none.data_errno = ENOENT;
	ue_unregister_all();
	fake_kernel_reset(&none);
	ue_register_all();
	ue_recorder_close();
	snprintf(path, sizeof(path), "/dev/shm/ue_recorder_busy.%d", (int)getpid());
	unlink(path);
	return 0;
}

static int end(void **state)
{
	(void)state;
	ue_recorder_close();
	unlink(path);
	return 0;
}

TEST_SETUP_TEARDOWN(test_snapshot_of_busy_threads_has_their_last_events, setup, end)
{
	pthread_t threads[WRITERS];
	uint64_t events = 0;
	char *bytes;
	size_t size;

	for (size_t row = 0; row < ROWS; row++) {
		set_text(row);
		assert_int_equal(ue_recorder_open(NULL, rows[row].size, rows[row].rings), 0);
		start(threads, WRITERS, write_until_stop);
		for (int i = 0; i < COPIES; i++) {
			usleep(20000);
			assert_int_equal(ue_recorder_snapshot(path), 0);
			bytes = content(path, &size);
			events += check_recording(bytes, size, row);
			free(bytes);
		}
		join(threads, WRITERS);
		ue_recorder_close();
	}
	assert_true(events > 0);
}

/* Waits until one of the first rings in the file PATH contains an event. */
static void wait_for_an_event(void)
{
	uint64_t head[(256 + 2 * 128) / 8];

	for (int i = 0; i < 6000; i++) {
		FILE *f = fopen(path, "r");
		size_t n = f ? fread(head, 1, sizeof(head), f) : 0;

		if (f)
			fclose(f);
		if (n == sizeof(head) && (head[256 / 8] || head[384 / 8]))
			return;
		usleep(10000);
	}
	fail_msg("no event was recorded within a minute");
}

TEST_SETUP_TEARDOWN(test_file_of_killed_busy_threads_has_their_last_events, setup, end)
{
	pthread_t threads[WRITERS];
	char *bytes;
	size_t size;

	for (size_t row = 0; row < ROWS; row++) {
		pid_t child;
		int status;

		set_text(row);
		unlink(path);
		child = fork();
		if (!child) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			if (ue_recorder_open(path, rows[row].size, rows[row].rings))
				_exit(2);
			start(threads, WRITERS, write_until_stop);
			pause();
		}
		wait_for_an_event();
		usleep(30000);
		kill(child, SIGKILL);
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFSIGNALED(status));
		bytes = content(path, &size);
		check_recording(bytes, size, row);
		free(bytes);
	}
}

/*
 * Copies the file in the same way as `cp`. The counters are copied first, so records written during
 * the copy may be missing.
 */
TEST_SETUP_TEARDOWN(test_file_copied_while_being_written_is_readable, setup, end)
{
	pthread_t threads[WRITERS];
	char *bytes;
	size_t size;

	for (size_t row = 0; row < ROWS; row++) {
		set_text(row);
		unlink(path);
		assert_int_equal(ue_recorder_open(path, rows[row].size, rows[row].rings), 0);
		start(threads, WRITERS, write_until_stop);
		for (int i = 0; i < COPIES; i++) {
			usleep(10000);
			bytes = content(path, &size);
			assert_int_equal(ue_recorder_read(&reader, bytes, size), 0);
			read_all(text);
			free(bytes);
		}
		join(threads, WRITERS);
		ue_recorder_close();
	}
}

TEST_SETUP_TEARDOWN(test_events_of_8_threads_are_in_order_of_time, setup, end)
{
	static const unsigned int rings[] = { 1, 2, 8 };
	size_t size = 64ull * IN_ORDER * EACH * 2;
	char *memory = malloc(size);

	for (size_t i = 0; i < sizeof(rings) / sizeof(rings[0]); i++) {
		pthread_t threads[IN_ORDER];

		assert_int_equal(ue_recorder_memory(memory, size, UE_RECORDER_KEEP | rings[i]), 0);
		start(threads, IN_ORDER, write_each);
		join(threads, IN_ORDER);
		ue_recorder_close();
		assert_int_equal(ue_recorder_read(&reader, memory, size), 0);
		assert_int_equal(read_all("") + reader.late, IN_ORDER * EACH);
		assert_int_equal(reader.torn + reader.overwritten, 0);
	}
	free(memory);
}

TEST_SETUP_TEARDOWN(test_events_of_processes_are_in_order_of_time, setup, end)
{
	int status;
	char *bytes;
	size_t size;

	assert_int_equal(ue_recorder_open(path, 64ull * IN_ORDER * EACH, UE_RECORDER_RINGS(1)), 0);
	for (uintptr_t i = 0; i < IN_ORDER; i++) {
		if (fork() == 0) {
			write_each((void *)i);
			_exit(0);
		}
	}
	for (int i = 0; i < IN_ORDER; i++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	bytes = content(path, &size);
	assert_int_equal(ue_recorder_read(&reader, bytes, size), 0);
	assert_int_equal(read_all("") + reader.overwritten, IN_ORDER * EACH);
	assert_int_equal(reader.torn, 0);
	free(bytes);
}

/* Suspends a thread after it has read the clock and before it reserves space. */
TEST_SETUP_TEARDOWN(test_overtaken_writer_reads_the_clock_again, setup, end)
{
	static uint64_t memory[1024];
	struct ue__recorder_ring *ring;
	uint64_t place;

	assert_int_equal(ue_recorder_memory(memory, sizeof(memory), UE_RECORDER_RINGS(1)), 0);
	ring = ue__recorder_v1.recording->place->counters;
	place = ue__recorder_next_place(ring);
	trace_busy(0, 0, "");
	assert_false(ue__recorder_reserve(ring, &place, 5));
	assert_int_equal((uint32_t)ring->u.next, 1);
	place = ue__recorder_next_place(ring);
	assert_true(ue__recorder_reserve(ring, &place, 5));
	assert_int_equal((uint32_t)ring->u.next, 2);
}

TESTS_MAIN
