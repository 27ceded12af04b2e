/* SPDX-License-Identifier: MIT */
/*
 * A site with a limit writes every Nth event, or at most N events per second. Each written event
 * contains the number of events suppressed before it.
 *
 * Also compiled as C++.
 */
#include <pthread.h>
#include <time.h>

#include "test.h"

#define FAKE_KERNEL_HOOKS
#include "fake_kernel.h"
#include "rounds.h"
#include <user_events_limit.h>

UE_EVENT_SET(info, "Limits", UE_LEVEL_INFORMATION, 0x1);
UE_TRACEPOINT(point_every, UE_EVERY(3), UE_U32(number), UE_BYTES(data));
UE_TRACEPOINT(point_alone, UE_EVERY(2));

static int setup(void **state)
{
	(void)state;
	ue_unregister_all();
	fake_kernel_reset(NULL);
	return ue_register_all() || !fake_kernel_enable("*", FAKE_FTRACE);
}

/* Returns the number stored in record I, OFFSET bytes after the index. */
static uint32_t field(size_t i, size_t offset)
{
	const struct fake_record *record = fake_kernel_record(i);
	uint32_t value = 0xffffffff;

	if (record && record->size >= offset + sizeof(value))
		memcpy(&value, (const char *)record->data + offset, sizeof(value));
	return value;
}

static uint32_t evaluated;

static uint32_t evaluate(uint32_t x)
{
	evaluated++;
	return x;
}

static void every(uint32_t n, uint32_t i)
{
	UE_TRACE(every_nth, UE_EVERY(n), UE_U32(i, evaluate(i)));
}

TEST_SETUP(test_every_nth_event_is_written_with_the_number_suppressed, setup)
{
	evaluated = 0;
	for (uint32_t i = 0; i < 10; i++)
		every(4, i);
	assert_int_equal(fake_kernel_records(), 3);
	assert_int_equal(evaluated, 3);
	for (uint32_t i = 0; i < 3; i++) {
		assert_int_equal(field(i, 0), i ? 3 : 0);
		assert_int_equal(field(i, 4), 4 * i);
	}
	/* the program changes the limit; with a limit of 1 or 0, all events are written */
	every(1, 10);
	every(0, 11);
	assert_int_equal(field(3, 0), 1);
	assert_int_equal(field(4, 0), 0);
}

static void off(void)
{
	UE_TRACE(limited_off, UE_EVERY(2), UE_U32(x, evaluate(1)));
}

TEST_SETUP(test_disabled_events_do_not_count, setup)
{
	off();
	fake_kernel_disable("*", FAKE_FTRACE);
	evaluated = 0;
	for (int i = 0; i < 5; i++)
		off();
	assert_int_equal(evaluated, 0);
	fake_kernel_enable("*", FAKE_FTRACE);
	off();
	assert_int_equal(fake_kernel_records(), 1);
	off();
	assert_int_equal(fake_kernel_records(), 2);
	assert_int_equal(field(1, 0), 1);
}

TEST_SETUP(test_limited_log_is_written_with_the_number_suppressed, setup)
{
	const struct fake_record *record;
	uint32_t suppressed;

	for (uint32_t i = 0; i < 6; i++)
		UE_LOG(info, "Every fifth", UE_EVERY(5), UE_U32(i));
	assert_int_equal(fake_kernel_records(), 2);
	record = fake_kernel_record(1);
	memcpy(&suppressed, (const char *)record->data + record->size - 8, sizeof(suppressed));
	assert_int_equal(suppressed, 4);
	assert_int_equal(field(1, record->size - 4), 5);
}

TEST_SETUP(test_limited_tracepoint_has_no_parameter_for_the_limit, setup)
{
	for (uint32_t i = 0; i < 7; i++)
		trace_point_every(i, "x", 1);
	assert_int_equal(fake_kernel_records(), 3);
	assert_int_equal(field(2, 0), 2);
	assert_int_equal(field(2, 4), 6);
	for (uint32_t i = 0; i < 3; i++)
		trace_point_alone();
	assert_int_equal(fake_kernel_records(), 5);
	assert_int_equal(field(4, 0), 1);
}

TEST_SETUP(test_limit_leaves_loops_and_switches_of_the_program_alone, setup)
{
	int rounds = 0;

	for (int i = 0; i < 4; i++) {
		switch (i) {
		default:
			UE_TRACE(limited_in_switch, UE_EVERY(100));
			rounds++;
		}
		UE_LOG(info, "In a loop", UE_EVERY(100));
		rounds++;
	}
	assert_int_equal(rounds, 8);
	assert_int_equal(fake_kernel_records(), 2);
}

static void per_second(uint32_t n)
{
	UE_TRACE(limited_rate, UE_PER_SECOND(n));
}

TEST(test_thread_that_read_the_clock_late_counts_in_the_new_second)
{
	uint32_t next = (uint32_t)time(NULL) + 1, words[2] = { 0, next << 16 | 10 };

	assert_int_equal(ue__limit_per_second(words, 10), -1);
	assert_int_equal(words[1], next << 16 | 10);
}

TEST(test_counts_above_32_bits_are_the_largest)
{
	uint32_t words[2] = { 0, 0 };

	assert_int_equal(ue__limit_every(words, 1ull << 32), 0);
	assert_int_equal(ue__limit_every(words, 1ull << 32), -1);
	words[0] = 0;
	assert_int_equal(ue__limit_per_second(words, 1ull << 32), 0);
}

TEST_SETUP(test_at_most_n_events_per_second_are_written, setup)
{
	enum { ALL = 500, RATE = 7 };
	time_t start = time(NULL), end;
	uint32_t suppressed = 0, written;

	for (int i = 0; i < ALL; i++)
		per_second(RATE);
	end = time(NULL);
	written = (uint32_t)fake_kernel_records();
	assert_true(written >= RATE);
	assert_true(written <= RATE * (end - start + 1));
	/* the first event of the next second contains the number of suppressed events */
	while (time(NULL) == end)
		usleep(1000);
	per_second(RATE);
	for (uint32_t i = 0; i <= written; i++)
		suppressed += field(i, 0);
	assert_int_equal(written + suppressed, ALL);
	written = (uint32_t)fake_kernel_records();
	per_second(0);
	assert_int_equal(fake_kernel_records(), written);
}

enum { THREADS = 4, EACH = ROUNDS_OF(5000) };

static void *write_many(void *data)
{
	for (uint32_t i = 0; i < EACH; i++)
		UE_TRACE(limited_threads, UE_EVERY(10));
	return data;
}

TEST_SETUP(test_threads_share_the_limit_of_a_site, setup)
{
	pthread_t threads[THREADS];
	uint32_t suppressed = 0;
	size_t written;

	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, write_many, NULL), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	written = fake_kernel_records();
	for (size_t i = 0; i < written; i++)
		suppressed += field(i, 0);
	/* up to nine events suppressed after the last written event are not counted by any event */
	assert_in_range(written + suppressed, THREADS * EACH - 9, THREADS * EACH);
	assert_int_equal(written, (THREADS * EACH + 9) / 10);
}

TESTS_MAIN
