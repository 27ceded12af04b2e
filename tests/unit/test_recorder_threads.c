/* SPDX-License-Identifier: MIT */
/*
 * Threads write, register and unregister events while other threads read, open and close the flight
 * recorder. Also built with ThreadSanitizer.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "test.h"
#include "threads.h"
#include <user_events_recorder.h>

static struct ue_recorder_reader reader;
static struct ue_capture_event event;
static uint64_t memory[1 << 18];

/*
 * If a writer is suspended while its recorder is closed, it later writes to memory that is mapped
 * for other purposes. This race is intended.
 */
const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void)
{
	return "race:ue__recorder_map";
}

static int setup(void **state)
{
	ue_recorder_close();
	return registered(state);
}

/*
 * Checks that every event is correct and that the events of each thread are in order. Returns the
 * number of events.
 */
static unsigned int read_all(void)
{
	struct seen seen = { 0 };

	while (ue_recorder_next(&reader, &event) == 1)
		expect_right(&seen, &event);
	return seen.all;
}

TEST_SETUP(test_every_event_of_every_thread_is_recorded, setup)
{
	assert_int_equal(ue_recorder_memory(memory, sizeof(memory), 0), 0);
	run(writer, THREADS, NULL);
	assert_int_equal(ue_recorder_read(&reader, memory, sizeof(memory)), 0);
	assert_int_equal(read_all() + reader.overwritten + reader.torn, ALL);
	assert_int_equal(reader.torn, 0);
}

/*
 * If the clock rate is known and the recorder uses the processor's counter as its clock, an event
 * makes no system call.
 */
TEST_SETUP(test_threads_started_after_clock_calibration_record_their_ids, setup)
{
	assert_int_equal(ue_recorder_memory(memory, sizeof(memory), 0), 0);
	for (uint32_t i = 0; i < 40; i++) {
		UE_LOG(info, "Also", UE_U32(thread, 0), UE_U32(i));
		usleep(500);
	}
	run(writer, THREADS, NULL);
	assert_int_equal(ue_recorder_read(&reader, memory, sizeof(memory)), 0);
	assert_int_equal(read_all() + reader.overwritten, 40 + ALL);
}

/*
 * In a small ring, other threads often overtake a suspended thread. No wrong event may be read, and
 * every lost event must be counted.
 */
TEST_SETUP(test_events_in_a_small_ring_are_correct, setup)
{
	for (unsigned int rings = 1; rings <= 2; rings++) {
		assert_int_equal(ue_recorder_memory(memory, 8192, UE_RECORDER_RINGS(rings)), 0);
		run(writer, THREADS, NULL);
		assert_int_equal(ue_recorder_read(&reader, memory, sizeof(memory)), 0);
		assert_int_equal(read_all() + reader.overwritten + reader.torn, ALL);
		ue_recorder_close();
	}
}

/*
 * The ring fills up while threads write. The first events must be complete, and all later ones must
 * be counted.
 */
TEST_SETUP(test_a_full_keep_recorder_counts_the_events_of_all_threads, setup)
{
	for (unsigned int rings = 1; rings <= 4; rings *= 2) {
		assert_int_equal(ue_recorder_memory(memory, 65536, UE_RECORDER_KEEP | rings), 0);
		run(writer, THREADS, NULL);
		assert_int_equal(ue_recorder_read(&reader, memory, sizeof(memory)), 0);
		assert_int_equal(read_all() + reader.late, ALL);
		assert_int_equal(reader.torn + reader.overwritten, 0);
		ue_recorder_close();
	}
}

static unsigned int seen;
static char copy[sizeof(memory) * 9 / 8 + 65536];
static int fd;

static void read_copy(void)
{
	struct timespec now;
	ssize_t n;

	/*
	 * pread() copies the tables of event descriptions first, so leave newer events to the next
	 * copy
	 */
	clock_gettime(CLOCK_MONOTONIC, &now);
	reader.until = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec - 1000;
	n = pread(fd, copy, sizeof(copy), 0);
	assert_int_equal(ue_recorder_more(&reader, copy, (size_t)n), 0);
	seen += read_all();
}

static void read_meanwhile(void)
{
	for (int i = 0; i < ROUNDS_OF(200); i++) {
		read_copy();
		sched_yield();
	}
}

/* Copies the file repeatedly, as `uetrace show --follow` does. */
TEST_SETUP(test_a_recording_is_readable_while_threads_write, setup)
{
	char path[64];

	snprintf(path, sizeof(path), "/tmp/ue_recorder_threads.%d", (int)getpid());
	for (size_t size = 16384; size <= sizeof(memory); size *= 8) {
		unlink(path);
		assert_int_equal(ue_recorder_open(path, size, 0), 0);
		fd = open(path, O_RDONLY);
		assert_int_equal(
			ue_recorder_read(&reader, copy, (size_t)pread(fd, copy, sizeof(copy), 0)),
			0);
		seen = 0;
		reader.follow = 1;
		run(writer, THREADS, read_meanwhile);
		reader.follow = 0;
		read_copy();
		reader.until = 0;
		seen += read_all();
		assert_int_equal(seen + reader.overwritten + reader.torn, ALL);
		ue_recorder_close();
		close(fd);
	}
	unlink(path);
}

static void begin_and_end(void)
{
	char path[64], snapshot[64];

	snprintf(path, sizeof(path), "/tmp/ue_recorder_threads.%d", (int)getpid());
	snprintf(snapshot, sizeof(snapshot), "/tmp/ue_recorder_snapshot.%d", (int)getpid());
	for (int i = 0; i < 60; i++) {
		assert_int_equal(ue_recorder_open(i % 3 ? path : NULL, i % 2 ? 8192 : 65536, 0), 0);
		sched_yield();
		assert_int_equal(ue_recorder_snapshot(snapshot), 0);
		sched_yield();
		assert_int_equal(ue_recorder_close(), 0);
	}
	unlink(snapshot);
	unlink(path);
	strcat(path, ".old");
	unlink(path);
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
}

static void *writer_until_stop(void *number)
{
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
		writer(number);
	return NULL;
}

TEST_SETUP(test_recorders_open_and_close_while_threads_write, setup)
{
	run(writer_until_stop, 3, begin_and_end);
}

TEST_SETUP(test_short_lived_events_keep_their_formats, setup)
{
	unsigned int n = 0;

	assert_int_equal(ue_recorder_memory(memory, sizeof(memory), 0), 0);
	run(register_and_write, THREADS, NULL);
	ue_recorder_close();
	assert_int_equal(ue_recorder_read(&reader, memory, sizeof(memory)), 0);
	for (; ue_recorder_next(&reader, &event) == 1; n++)
		expect_own_format(&event);
	assert_int_equal(n, 300 * THREADS);
	assert_int_equal(reader.torn, 0);
}

static void on_signal(int signal)
{
	(void)signal;
	UE_LOG(info, "Handler", UE_U32(thread, 0));
}

TEST_SETUP(test_signal_handlers_interrupt_events, setup)
{
	struct itimerval often = { { 0, 100 }, { 0, 100 } }, never = { { 0, 0 }, { 0, 0 } };

	assert_int_equal(ue_recorder_memory(memory, 65536, 0), 0);
	signal(SIGALRM, on_signal);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; i < 20; i++)
		writer(NULL);
	setitimer(ITIMER_REAL, &never, NULL);
	signal(SIGALRM, SIG_DFL);
	assert_int_equal(ue_recorder_read(&reader, memory, 65536), 0);
	while (ue_recorder_next(&reader, &event) == 1)
		;
	assert_int_equal(reader.torn, 0);
}

TESTS_MAIN
