/* SPDX-License-Identifier: MIT */
/*
 * Four processes with 8 threads each write events of one set. A tracer that stays attached records
 * every event once, completely, and in the order of its thread. Other tracers attach and detach.
 * They record some of the events, each once, completely and in order.
 */
#include "raw_events.h"

#include "reference_encoder.h"

enum { PROCESSES = 4, THREADS = 8, ALL = PROCESSES * THREADS, OTHERS = 2 };
#ifndef EVENTS
#define EVENTS 400 /* number of events that each thread writes */
#endif

UE_EVENT_SET(stress, "LogStress", UE_LEVEL_VERBOSE, 0x10);
#define EVENT "LogStress_L5K10"

static char xs[1200];

/*
 * Set in shared memory after the tracer's call that enables the event has returned. During this
 * call, the kernel first sets the enable bit, and then discards events until it has marked the
 * tracer's file as enabled.
 */
static volatile bool *traced;

static size_t length_of(uint32_t number)
{
	return number % 8 ? number % 8 : number % sizeof(xs);
}

static uint32_t first; /* number of the first thread of this process */

static void *writer(void *arg)
{
	uint32_t thread = first + (uint32_t)(uintptr_t)arg, number = 0;

	while (number < EVENTS) {
		if (!*traced || !UE_LOG_ENABLED(stress)) {
			sched_yield();
			continue;
		}
		number++;
		UE_LOG(stress, "Stress", thread, number,
		       UE_STRUCT(s, UE_STRN(x, xs, length_of(number)),
				 UE_X64(check, (uint64_t)number << 32 ^ thread)));
		if (number % 32 == 0)
			usleep(500);
	}
	return NULL;
}

static int process(void *data)
{
	pthread_t threads[THREADS];

	threads_begin(threads, THREADS, writer);
	threads_join(threads, THREADS);
	expect(ue_status().failed == 0);
	return 0;
}

struct seen {
	unsigned int records;
	int id[ALL];
	uint64_t time[ALL][EVENTS + 1]; /* recording time of each event; 0 if it was not recorded */
};

static struct ref ref;

static void check(void *data, const struct raw_event *event)
{
	static const struct ref_header header = { 0, 0, 0, 0, UE_LEVEL_VERBOSE };
	struct seen *seen = (struct seen *)data;
	/*
	 * offset of the values: they follow the header, the block's head, and the names and types
	 * below
	 */
	size_t at = 8 + 4 + 7 + 8 + 8 + 4 + 3 + 8, n;
	uint32_t thread, number;
	uint64_t sum;

	assert_true(event->size > at + 8);
	memcpy(&thread, event->bytes + at, 4);
	memcpy(&number, event->bytes + at + 4, 4);
	sum = (uint64_t)number << 32 ^ thread;
	ref_begin(&ref, "Stress");
	ref_define(&ref, "thread", REF_VALUE32, 0, 0, 0, 0);
	ref_define(&ref, "number", REF_VALUE32, 0, 0, 0, 0);
	ref_define(&ref, "s", REF_STRUCT, 0, 0, 2, 0);
	ref_define(&ref, "x", REF_STRING8, 0, 0, 0, 0);
	ref_define(&ref, "check", REF_VALUE64, 0, 0, REF_HEX, 0);
	assert_int_equal(ref.meta_size + 12, at);
	ref_put(&ref, &thread, 4);
	ref_put(&ref, &number, 4);
	ref_put_counted(&ref, xs, length_of(number), 1);
	ref_put(&ref, &sum, 8);
	n = ref_finish(&ref, &header, NULL, NULL);
	if (thread >= ALL || number == 0 || number > EVENTS || event->size < n ||
	    event->size > n + 7 || memcmp(event->bytes, ref.event, n) != 0)
		fail_msg("record %u (thread %u, number %u) differs from the event written",
			 seen->records, thread, number);
	if (seen->id[thread] && seen->id[thread] != event->thread)
		fail_msg("thread %u changed its ID from %d to %d", thread, seen->id[thread],
			 event->thread);
	seen->id[thread] = event->thread;
	if (seen->time[thread][number])
		fail_msg("number %u of thread %u was recorded twice", number, thread);
	seen->time[thread][number] = event->time;
	seen->records++;
}

/* Reads a tracer's records and checks that those of each thread are in order. */
static const struct seen *read_seen(const char *dir)
{
	static struct seen seen;
	unsigned int thread, number;

	memset(&seen, 0, sizeof(seen));
	raw_ring_buffer(dir, EVENT, check, &seen);
	for (thread = 0; thread < ALL; thread++) {
		uint64_t last = 0;

		for (number = 1; number <= EVENTS; number++) {
			uint64_t time = seen.time[thread][number];

			if (time && time < last)
				fail_msg("event %u of thread %u was recorded before an earlier one",
					 number, thread);
			last = time ? time : last;
		}
	}
	return &seen;
}

static char others[OTHERS][32];

static void switch_other(int i, const char *on)
{
	char path[PATH_MAX + 64];

	snprintf(path, sizeof(path), "%s/%s", others[i], event_file(EVENT, "enable"));
	put(path, on);
}

TEST(test_every_event_is_recorded_once_complete_and_in_order)
{
	pid_t pid[PROCESSES];
	const struct seen *seen;
	char path[NAME_MAX + 64];
	unsigned int switches = 0, seen_by_others = 0;
	int i, running;

	memset(xs, 'x', sizeof(xs));
	put(instance("buffer_size_kb"), "8192");
	put(instance("trace_clock"), "mono");
	for (i = 0; i < OTHERS; i++) {
		snprintf(others[i], sizeof(others[i]), "instances/log_stress_%d", i);
		rmdir(tracefs("%s", others[i]));
		assert_int_equal(mkdir(tracefs("%s", others[i]), 0700), 0);
		snprintf(path, sizeof(path), "%s/buffer_size_kb", others[i]);
		put(path, "8192");
		snprintf(path, sizeof(path), "%s/trace_clock", others[i]);
		put(path, "mono");
	}
	traced = (volatile bool *)shared_memory(sizeof(*traced));
	for (i = 0; i < PROCESSES; i++) {
		first = (uint32_t)i * THREADS;
		pid[i] = spawn(process, NULL);
	}
	trace_enable(EVENT); /* runs while the threads write */
	*traced = true;
	do {
		for (i = running = 0; i < PROCESSES; i++)
			running += !ended(pid[i]);
		switch_other((int)(switches / 2 % OTHERS), switches & 1 ? "0" : "1");
		switches++;
		if (switches % 8 == 1)
			usleep(1000); /* time for another tracer to record some events */
	} while (running);
	for (i = 0; i < PROCESSES; i++)
		join(pid[i]);
	for (i = 0; i < OTHERS; i++)
		switch_other(i, "0");

	assert_int_equal(trace_count("overrun"), 0);
	assert_int_equal(trace_count("dropped events"), 0);
	seen = read_seen(instance(""));
	print_message("%u records of %u, others switched %u times\n", seen->records, ALL * EVENTS,
		      switches);
	/* no event was recorded twice, so an equal count means that none is missing */
	assert_int_equal(seen->records, ALL * EVENTS);
	for (i = 0; i < OTHERS; i++) {
		seen = read_seen(others[i]);
		print_message("another tracer has %u\n", seen->records);
		seen_by_others += seen->records;
		rmdir(tracefs("%s", others[i]));
	}
	assert_true(seen_by_others > 0);
	assert_true(switches >= 8);
}

KERNEL_TESTS_MAIN
