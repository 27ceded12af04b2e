/* SPDX-License-Identifier: MIT */
/*
 * Probes with arguments are added and removed while other threads write. Also built with
 * ThreadSanitizer.
 */
#include <pthread.h>
#include <sched.h>

#include "rounds.h"
#include "test.h"

#define FAKE_KERNEL_HOOKS
#include "fake_kernel.h"
#define CREATE_TRACE_POINTS
#include "trace/every.h"

enum { TRACERS = 3, CHANGERS = 3, ROUNDS = ROUNDS_OF(100) };

int every_assigned, every_refuse, every_regs, every_unregs;
static int hooked, wrong;

int every_reg(void)
{
	/* two events share this hook */
	if (__atomic_fetch_add(&hooked, 1, __ATOMIC_RELAXED) > 1)
		__atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&every_regs, 1, __ATOMIC_RELAXED);
	return 0;
}

void every_unreg(void)
{
	if (__atomic_fetch_sub(&hooked, 1, __ATOMIC_RELAXED) < 1)
		__atomic_store_n(&wrong, 2, __ATOMIC_RELAXED);
	__atomic_fetch_add(&every_unregs, 1, __ATOMIC_RELAXED);
}

const char *every_status(struct trace_seq *p, int status)
{
	(void)status;
	return trace_seq_buffer_ptr(p);
}

struct count {
	unsigned long calls, bad;
};

static void probe_class(void *data, const char *name, int n)
{
	struct count *count = data;

	/* runs long enough to detect a missing wait for running probes */
	sched_yield();
	__atomic_fetch_add(&count->calls, 1, __ATOMIC_RELAXED);
	if (strcmp(name, "traced") != 0 || n != 5)
		__atomic_fetch_add(&count->bad, 1, __ATOMIC_RELAXED);
}

static void probe_payload(struct ue_event *event, const void *payload, size_t size, void *data)
{
	(void)event;
	(void)size;
	if (((const struct trace_event_raw_every_class *)ue_trace_record(payload))->n != 5)
		__atomic_store_n((int *)data, 3, __ATOMIC_RELAXED);
}

static int done;

static void *trace(void *nothing)
{
	while (!__atomic_load_n(&done, __ATOMIC_RELAXED)) {
		trace_every_first("traced", 5);
		trace_every_class_fn("traced", 5);
		trace_every_printed("traced", 5);
	}
	return nothing;
}

/*
 * Frees a probe's data after removing the probe, so that a sanitizer detects later uses of the
 * data.
 */
static void *change(void *stream)
{
	unsigned long calls = 0;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		struct count *count = calloc(1, sizeof(*count));
		struct ue_event *event = ue_event_find("every_printed", NULL);

		if (register_trace_every_first(probe_class, count) ||
		    register_trace_every_class_fn(probe_class, count) ||
		    register_trace_every_first(probe_class, count) != -EEXIST)
			__atomic_store_n(&wrong, 4, __ATOMIC_RELAXED);
		if (i % 16 == 0 && ue_print_events(stream) < 0)
			__atomic_store_n(&wrong, 5, __ATOMIC_RELAXED);
		ue_probe_register(event, probe_payload, &wrong);
		while (i % 4 == 0 && __atomic_load_n(&count->calls, __ATOMIC_RELAXED) == 0)
			sched_yield();
		ue_probe_unregister(event, probe_payload, &wrong);
		if (i % 16 == 0 && ue_print_events_stop(stream) < 0)
			__atomic_store_n(&wrong, 6, __ATOMIC_RELAXED);
		if (unregister_trace_every_first(probe_class, count) ||
		    unregister_trace_every_class_fn(probe_class, count) ||
		    unregister_trace_every_class_fn(probe_class, count) != -ENOENT)
			__atomic_store_n(&wrong, 7, __ATOMIC_RELAXED);
		calls += count->calls;
		if (count->bad)
			__atomic_store_n(&wrong, 8, __ATOMIC_RELAXED);
		free(count);
	}
	if (calls == 0)
		__atomic_store_n(&wrong, 9, __ATOMIC_RELAXED);
	return NULL;
}

TEST(test_probes_are_added_and_removed_while_threads_write)
{
	pthread_t tracers[TRACERS], changers[CHANGERS];
	FILE *stream = fopen("/dev/null", "w");
	int i;

	assert_non_null(stream);
	for (i = 0; i < TRACERS; i++)
		assert_int_equal(pthread_create(&tracers[i], NULL, trace, NULL), 0);
	for (i = 0; i < CHANGERS; i++)
		assert_int_equal(pthread_create(&changers[i], NULL, change, stream), 0);
	for (i = 0; i < CHANGERS; i++)
		pthread_join(changers[i], NULL);
	__atomic_store_n(&done, 1, __ATOMIC_RELAXED);
	for (i = 0; i < TRACERS; i++)
		pthread_join(tracers[i], NULL);
	fclose(stream);
	assert_int_equal(wrong, 0);
	assert_int_equal(hooked, 0);
	assert_true(every_regs > 0);
	assert_int_equal(every_regs, every_unregs);
	assert_false(trace_every_first_enabled() || trace_every_class_fn_enabled() ||
		     trace_every_printed_enabled());
	assert_int_equal(ue_status().unprobed, 0);
}

TESTS_MAIN
