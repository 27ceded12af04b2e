/* SPDX-License-Identifier: MIT */
/*
 * Threads register, write and unregister events at the same time, while tracers attach and detach.
 * Also built with ThreadSanitizer.
 */
#include <pthread.h>

#include "test.h"
#include "rounds.h"

#define FAKE_KERNEL_HOOKS
#include "fake_kernel.h"
#include <user_events.h>

enum { THREADS = 6, ROUNDS = ROUNDS_OF(400) };

/* The first field of each event identifies the event, so that mix-ups are detected. */
UE_TRACEPOINT(thread_small, UE_U32(me), UE_U32(thread), UE_U32(number));
UE_TRACEPOINT(thread_text, UE_U32(me), UE_U32(thread), UE_U32(number), UE_STR(s), UE_STRN(t),
	      UE_U64(last));

static char long_text[1001];

static void write_all(uint32_t thread, uint32_t number)
{
	trace_thread_small(1, thread, number);
	trace_thread_text(2, thread, number, "short", "text", 4, 7);
	trace_thread_text(2, thread, number, long_text, long_text, 900, 7);
}

struct worker {
	pthread_t thread;
	uint32_t number;
	void (*function)(struct worker *);
	struct ue_event event;
};

static void *work(void *argument)
{
	struct worker *w = argument;

	w->function(w);
	return NULL;
}

static void run(struct worker *workers, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		workers[i].number = (uint32_t)i;
		assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
	}
	for (size_t i = 0; i < n; i++)
		pthread_join(workers[i].thread, NULL);
}

static int new_kernel(void **state)
{
	(void)state;
	memset(long_text, 'l', 1000);
	ue_unregister_all();
	fake_kernel_reset(NULL);
	return ue_register_all();
}

static void writes(struct worker *w)
{
	for (uint32_t i = 0; i < ROUNDS; i++)
		write_all(w->number, i);
}

static void expect_sound_records(void)
{
	for (size_t i = 0; i < fake_kernel_records(); i++) {
		const struct fake_record *r = fake_kernel_record(i);
		uint32_t me, thread, loc;

		memcpy(&me, r->data, 4);
		memcpy(&thread, r->data + 4, 4);
		assert_true(thread < THREADS);
		if (me == 1) {
			assert_string_equal(r->name, "thread_small");
			assert_int_equal(r->size, 12);
			continue;
		}
		assert_int_equal(me, 2);
		assert_string_equal(r->name, "thread_text");
		memcpy(&loc, r->data + 12, 4);
		assert_int_equal(r->size, loc >> 16 == 6 ? 28 + 6 + 5 : 28 + 1001 + 901);
	}
}

TEST_SETUP(test_each_event_of_each_thread_is_recorded_once_in_order, new_kernel)
{
	static struct worker workers[THREADS];
	uint32_t next[THREADS] = { 0 }, part[THREADS] = { 0 };

	fake_kernel_enable("thread_*", FAKE_OTHER);
	for (size_t i = 0; i < THREADS; i++)
		workers[i].function = writes;
	run(workers, THREADS);
	assert_int_equal(fake_kernel_records(), THREADS * ROUNDS * 3);
	expect_sound_records();
	for (size_t i = 0; i < THREADS * ROUNDS * 3; i++) {
		const struct fake_record *r = fake_kernel_record(i);
		uint32_t thread, number;

		memcpy(&thread, r->data + 4, 4);
		memcpy(&number, r->data + 8, 4);
		assert_int_equal(number, next[thread]);
		if (++part[thread] == 3) {
			part[thread] = 0;
			next[thread]++;
		}
	}
	assert_int_equal(ue_status().failed, 0);
}

static void tracers_come_and_go(struct worker *w)
{
	(void)w;
	for (unsigned int i = 0; i < ROUNDS; i++) {
		fake_kernel_enable("thread_*", FAKE_OTHER);
		fake_kernel_disable("thread_*", FAKE_OTHER);
	}
}

TEST_SETUP(test_attaching_and_detaching_tracers_cause_no_failure, new_kernel)
{
	static struct worker workers[THREADS];

	for (size_t i = 0; i < THREADS; i++)
		workers[i].function = i ? writes : tracers_come_and_go;
	run(workers, THREADS);
	expect_sound_records();
	assert_int_equal(ue_status().failed, 0);
}

static void registers_its_own(struct worker *w)
{
	char spec[64];
	uint32_t payload = w->number;

	snprintf(spec, sizeof(spec), "own_%u u32 number", (unsigned int)w->number);
	for (unsigned int i = 0; i < ROUNDS; i++) {
		if (ue_event_register(&w->event, spec, 0) != 0)
			abort();
		*strchr(spec, ' ') = '\0';
		fake_kernel_enable(spec, FAKE_OTHER);
		spec[strlen(spec)] = ' ';
		if (!ue_event_enabled(&w->event) || ue_event_write(&w->event, &payload, 4) != 0)
			abort();
		if (ue_event_unregister(&w->event) != 0)
			abort();
	}
}

TEST_SETUP(test_threads_register_their_own_events_at_once, new_kernel)
{
	static struct worker workers[THREADS];
	size_t seen[THREADS] = { 0 };

	for (size_t i = 0; i < THREADS; i++)
		workers[i].function = registers_its_own;
	run(workers, THREADS);
	assert_int_equal(fake_kernel_records(), THREADS * ROUNDS);
	for (size_t i = 0; i < THREADS * ROUNDS; i++) {
		const struct fake_record *r = fake_kernel_record(i);
		char name[16];
		uint32_t number;

		memcpy(&number, r->data, 4);
		snprintf(name, sizeof(name), "own_%u", (unsigned int)number);
		assert_string_equal(r->name, name);
		seen[number]++;
	}
	for (size_t i = 0; i < THREADS; i++)
		assert_int_equal(seen[i], ROUNDS);
	assert_int_equal(ue_status().runtime, 0);
	assert_int_equal(ue_status().error, 0);
}

static void registers_all(struct worker *w)
{
	(void)w;
	for (unsigned int i = 0; i < ROUNDS; i++)
		ue_register_all();
}

static void unregisters_all(struct worker *w)
{
	(void)w;
	for (unsigned int i = 0; i < ROUNDS; i++)
		ue_unregister_all();
}

static void asks(struct worker *w)
{
	(void)w;
	for (unsigned int i = 0; i < ROUNDS; i++) {
		struct ue_status status = ue_status();

		if (status.registered > status.declared || status.declared != 2)
			abort();
		ue_event_delete(i % (ROUNDS / 4) ? "no_such_event" : "anothers");
	}
}

static void comes_and_goes(struct worker *w)
{
	for (unsigned int i = 0; i < ROUNDS; i++) {
		ue_event_register(&w->event, "zz_coming u32 me; u32 thread", 0);
		ue_event_write(&w->event, "\3\0\0\0\0\0\0\0", 8);
		ue_event_unregister(&w->event);
	}
}

TEST_SETUP(test_concurrent_calls_are_harmless, new_kernel)
{
	static struct worker workers[THREADS] = {
		{ .function = writes },
		{ .function = registers_all },
		{ .function = unregisters_all },
		{ .function = writes },
		{ .function = asks },
		{ .function = comes_and_goes },
	};

	fake_kernel_enable("thread_*", FAKE_OTHER);
	assert_int_equal(fake_kernel_other_register("anothers u32 me", 0), 0);
	run(workers, THREADS);
	ue_unregister_all();
	assert_int_equal(fake_kernel_enablers(), 0);
	assert_int_equal(fake_kernel_fds(), 1); /* the shared file remains open */
	assert_int_equal(ue_register_all(), 0);
	assert_int_equal(ue_status().registered, 2);
	assert_true(trace_thread_small_enabled());
	fake_kernel_clear_records();
	write_all(0, 0);
	assert_int_equal(fake_kernel_records(), 3);
	expect_sound_records();
}

/*
 * An event written while registrations change must be recorded under its own name, or not at all.
 */
TEST_SETUP(test_no_event_is_recorded_under_anothers_name, new_kernel)
{
	static struct worker workers[THREADS] = {
		{ .function = writes },		 { .function = registers_all },
		{ .function = unregisters_all }, { .function = writes },
		{ .function = registers_all },	 { .function = writes },
	};

	fake_kernel_enable("thread_*", FAKE_OTHER);
	run(workers, THREADS);
	expect_sound_records();
}

enum { EARLY = 100 };
static struct ue_event early[EARLY];
static unsigned int coming;

static void registers_early(struct worker *w)
{
	char spec[64];

	(void)w;
	for (unsigned int i = 0; i < EARLY; i++) {
		__atomic_store_n(&coming, i, __ATOMIC_RELAXED);
		snprintf(spec, sizeof(spec), "early_%u u32 number", i);
		if (ue_event_register(&early[i], spec, 0) != 0)
			abort();
	}
	__atomic_store_n(&coming, EARLY, __ATOMIC_RELAXED);
}

static void writes_early(struct worker *w)
{
	uint32_t i;

	(void)w;
	while ((i = __atomic_load_n(&coming, __ATOMIC_RELAXED)) < EARLY)
		ue_event_write(&early[i], &i, sizeof(i));
}

/*
 * An event that a tracer has already enabled may be written while it is being registered. Its index
 * is valid only for its own file.
 */
TEST_SETUP(test_an_event_during_registration_is_written_to_its_own_file, new_kernel)
{
	static struct worker workers[THREADS];
	char name[64];

	for (unsigned int i = 0; i < EARLY; i++) {
		snprintf(name, sizeof(name), "early_%u u32 number", i);
		assert_int_equal(fake_kernel_other_register(name, 0), 0);
	}
	fake_kernel_enable("*", FAKE_OTHER);
	for (size_t i = 0; i < THREADS; i++)
		workers[i].function = i ? writes_early : registers_early;
	run(workers, THREADS);
	for (size_t i = 0; i < fake_kernel_records(); i++) {
		const struct fake_record *r = fake_kernel_record(i);
		uint32_t number;

		memcpy(&number, r->data, 4);
		snprintf(name, sizeof(name), "early_%u", (unsigned int)number);
		assert_string_equal(r->name, name);
	}
	assert_int_equal(ue_status().failed, 0);
}

static bool wants(struct ue__i_hook *hook, const struct ue_event *event)
{
	(void)hook, (void)event;
	return false;
}

static void reads_serials(struct worker *w)
{
	for (uint32_t i = 0; i < ROUNDS; i++)
		w->event.level += UE__I_LOAD(&ue__state_v1.serial) != 0;
}

/* While a recorder handles an event, it reads the last serial number without the lock. */
TEST_SETUP(test_serials_are_read_while_events_get_them, new_kernel)
{
	static struct ue__i_hook hook = { .wants = wants };
	static struct worker workers[2];
	struct ue_event event;

	memset(&event, 0, sizeof(event));
	ue__i_lock();
	ue__i_add_hook(&hook);
	ue__i_unlock();
	workers[0].function = reads_serials;
	assert_int_equal(pthread_create(&workers[0].thread, NULL, work, &workers[0]), 0);
	for (int i = 0; i < 50; i++) {
		assert_int_equal(ue_event_register(&event, "numbered u8 a", 0), 0);
		assert_int_equal(ue_event_unregister(&event), 0);
	}
	pthread_join(workers[0].thread, NULL);
	ue__i_lock();
	ue__i_remove_hook(&hook);
	ue__i_unlock();
}

TESTS_MAIN
