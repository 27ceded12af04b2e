/* SPDX-License-Identifier: MIT */
/*
 * Code shared by the threaded tests of captures and recorders. The threads write known events, and
 * the checks determine which of these events were kept. EACH is the number of events per thread.
 * Every 16th event is followed by an additional one.
 */
#ifndef THREADS_H
#define THREADS_H

#include <pthread.h>
#include <sched.h>

#define FAKE_KERNEL_HOOKS
#include "fake_kernel.h"
#include "rounds.h"
#include <user_events_capture.h>

enum { THREADS = 4, EACH = ROUNDS_OF(5000), ALL = THREADS * (EACH + (EACH + 15) / 16) };

UE_TRACEPOINT(counted, UE_U32(thread), UE_U32(number), UE_U32(check), UE_STR(text));
UE_EVENT_SET(info, "Threads", UE_LEVEL_INFORMATION, 0x1);

static const char some_text[] = "some text of a thread, that is not always short";
static int stop;

static int registered(void **state)
{
	(void)state;
	ue_unregister_all();
	fake_kernel_reset(NULL);
	__atomic_store_n(&stop, 0, __ATOMIC_RELAXED);
	return ue_register_all();
}

static void *writer(void *number)
{
	uint32_t thread = (uint32_t)(uintptr_t)number;

	for (uint32_t i = 0; i < EACH; i++) {
		trace_counted(thread, i, thread * 1000003 ^ i * 7, some_text + i % 40);
		if (i % 16 == 0)
			UE_LOG(info, "Also", UE_U32(thread), UE_U32(i));
	}
	return NULL;
}

/* Number of events read, for each thread. */
struct seen {
	unsigned int all;
	uint32_t counted[THREADS], next[THREADS], tids[THREADS];
};

/* Checks that EVENT is correct and follows the previous events of its thread. */
static void expect_right(struct seen *seen, const struct ue_capture_event *event)
{
	uint32_t thread = (uint32_t)ue_captured_u64(event, "thread"), number;
	char text[64];

	seen->all++;
	if (event->eventheader)
		return;
	number = (uint32_t)ue_captured_u64(event, "number");
	assert_in_range(thread, 0, THREADS - 1);
	assert_int_equal(ue_captured_u64(event, "check"), thread * 1000003 ^ number * 7);
	assert_true(number >= seen->next[thread]);
	seen->next[thread] = number + 1;
	seen->counted[thread]++;
	assert_int_not_equal(event->tid, 0);
	if (!seen->tids[thread])
		seen->tids[thread] = event->tid;
	assert_int_equal(event->tid, seen->tids[thread]);
	assert_int_equal(event->pid, getpid());
	for (uint32_t i = 0; i < thread; i++)
		assert_int_not_equal(seen->tids[i], event->tid);
	ue_captured_string(event, "text", text, sizeof(text));
	assert_string_equal(text, some_text + number % 40);
}

/* Runs FUNCTION in N threads. Each thread receives its number. */
static void run(void *(*function)(void *), unsigned int n, void (*meanwhile)(void))
{
	pthread_t threads[THREADS];

	for (unsigned int i = 0; i < n; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, function, (void *)(uintptr_t)i),
				 0);
	if (meanwhile)
		meanwhile();
	for (unsigned int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
}

static struct ue_event late[THREADS];

/*
 * Registers 100 run-time events in one struct, one after the other, and writes each of them three
 * times.
 */
static void *register_and_write(void *number)
{
	uint32_t thread = (uint32_t)(uintptr_t)number;
	char spec[64];

	for (uint32_t i = 0; i < 100; i++) {
		snprintf(spec, sizeof(spec), "late_%u_%u u32 thread; u32 number", thread, i % 7);
		ue_event_register(&late[thread], spec, 0);
		for (uint32_t n = 0; n < 3; n++)
			ue_event_write(&late[thread], (uint32_t[]){ thread, i % 7 }, 8);
		ue_event_unregister(&late[thread]);
	}
	return NULL;
}

/*
 * Checks that the values in EVENT were written for this event and not for another event that was
 * registered in the same struct.
 */
static void expect_own_format(const struct ue_capture_event *event)
{
	char name[32];

	snprintf(name, sizeof(name), "late_%u_%u ", (unsigned int)ue_captured_u64(event, "thread"),
		 (unsigned int)ue_captured_u64(event, "number"));
	assert_memory_equal(event->spec, name, strlen(name));
}

#endif
