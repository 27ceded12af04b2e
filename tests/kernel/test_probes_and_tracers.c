/* SPDX-License-Identifier: MIT */
/*
 * The kernel and the in-process probes use different bits of one enable word. Neither changes the
 * other's bit, and each receives its events independently of the other.
 */
#include "witness.h"

UE_TRACEPOINT(shared_word, UE_STR(who), UE_U32(step));

enum { WRITERS = 3, EVENTS = 20000 };

static uint32_t probed, wrong;

static void count(struct ue_event *event, const void *payload, size_t size, void *data)
{
	uint32_t step;

	memcpy(&step, (const char *)payload + 4, sizeof(step));
	if (size != 4 + 4 + strlen("thread") + 1 || data != &probed)
		__atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&probed, 1, __ATOMIC_RELAXED);
}

static struct ue_event *shared_word(void)
{
	struct ue_event *event = ue_event_find("shared_word", NULL);

	assert_non_null(event);
	return event;
}

TEST(test_the_word_shows_tracers_and_probes)
{
	struct ue_event *event = shared_word();

	assert_int_equal(event->enabled, 0);
	assert_int_equal(ue_probe_register(event, count, &probed), 0);
	assert_int_equal(event->enabled, 2);
	trace_enable("shared_word");
	assert_int_equal(event->enabled, 3);
	trace_clear();
	trace_shared_word("thread", 1);
	assert_string_equal(trace_text(), "shared_word: who=thread step=0x1 (1)\n");
	assert_int_equal(probed, 1);
	assert_int_equal(ue_probe_unregister(event, count, &probed), 0);
	assert_int_equal(event->enabled, 1);
	trace_shared_word("thread", 2);
	assert_int_equal(probed, 1);
	assert_int_equal(ue_probe_register(event, count, &probed), 0);
	trace_disable("shared_word");
	assert_int_equal(event->enabled, 2);
	trace_shared_word("thread", 3);
	assert_int_equal(probed, 2);
	assert_string_equal(trace_text(), "shared_word: who=thread step=0x1 (1)\n"
					  "shared_word: who=thread step=0x2 (2)\n");
	assert_int_equal(ue_probe_unregister(event, count, &probed), 0);
	assert_int_equal(event->enabled, 0);
}

TEST(test_an_unregistered_event_still_has_its_probes)
{
	struct ue_event *event = shared_word();

	trace_from_now("shared_word");
	probed = 0;
	assert_int_equal(ue_probe_register(event, count, &probed), 0);
	ue_unregister_all();
	assert_int_equal(event->enabled, 2);
	trace_shared_word("thread", 1);
	assert_int_equal(probed, 1);
	assert_int_equal(ue_register_all(), 0);
	/* the tracer has been attached all the time, so the event still exists in the kernel */
	assert_int_equal(event->enabled, 3);
	trace_shared_word("thread", 2);
	assert_int_equal(probed, 2);
	assert_string_equal(trace_text(), "shared_word: who=thread step=0x2 (2)\n");
	assert_int_equal(ue_probe_unregister(event, count, &probed), 0);
	assert_int_equal(ue_status().failed, 0);
	trace_disable("shared_word");
}

static void *writes(void *data)
{
	for (uint32_t i = 0; i < EVENTS; i++)
		trace_shared_word("thread", i);
	return NULL;
}

TEST(test_probes_get_every_event_while_tracers_attach_and_detach)
{
	struct ue_event *event = shared_word();
	pthread_t thread[WRITERS];

	probed = 0;
	assert_int_equal(ue_probe_register(event, count, &probed), 0);
	threads_begin(thread, WRITERS, writes);
	for (int i = 0; i < 50; i++) {
		trace_enable("shared_word");
		usleep(500);
		trace_disable("shared_word");
	}
	threads_join(thread, WRITERS);
	assert_int_equal(ue_probe_unregister(event, count, &probed), 0);
	assert_int_equal(probed, WRITERS * EVENTS);
	assert_int_equal(wrong, 0);
	assert_int_equal(ue_status().failed, 0);
	assert_int_equal(event->enabled, 0);
}

KERNEL_TESTS_MAIN
