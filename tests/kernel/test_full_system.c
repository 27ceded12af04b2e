/* SPDX-License-Identifier: MIT */
/*
 * Tests the behaviour at the kernel's limits. If kernel.user_events_max is reached, registration
 * fails with EMFILE and a message, and succeeds later. If a ring buffer is full, events are lost
 * and counted by the kernel, but the program is not affected. If an event is larger than a buffer
 * page, the kernel drops it without an error, and ue_status() counts it.
 */
#include "witness.h"

#define MAX "/proc/sys/kernel/user_events_max"

TEST(test_too_many_events_fail_with_a_message)
{
	struct ue_event event[8] = { { 0 } };
	char before[32], limit[32], spec[32];
	unsigned int i;
	int error = 0;

	snprintf(before, sizeof(before), "%d", atoi(get(MAX)));
	snprintf(limit, sizeof(limit), "%u", active_events() + 4);
	put(MAX, limit);
	for (i = 0; i < 8 && error == 0; i++) {
		snprintf(spec, sizeof(spec), "many_%u u32 a", i);
		error = ue_event_register(&event[i], spec, 0);
	}
	put(MAX, before);
	assert_int_equal(error, -EMFILE);
	assert_in_range(i, 2, 5);
	assert_int_equal(ue_status().error, -EMFILE);
	assert_contains(ue_status().message, "\"many_");
	assert_contains(ue_status().message, "kernel.user_events_max");
	assert_int_equal(ue_event_register(&event[i - 1], spec, 0), 0);
	while (i-- > 0)
		assert_int_equal(ue_event_unregister(&event[i]), 0);
}

UE_TRACEPOINT(flood, UE_U32(number), UE_STR(s));

TEST(test_full_buffer_keeps_the_first_events_and_counts_the_others)
{
	unsigned int i, wrote = 3000, recorded;

	put(instance("buffer_size_kb"), "16");
	put(instance("options/overwrite"), "0");
	trace_from_now("flood");
	for (i = 1; i <= wrote; i++)
		trace_flood(i, "a string of some length, to fill the buffer");
	trace_disable("flood");
	assert_int_equal(ue_status().failed, 0);
	recorded = count_of(trace_text(), "flood: ");
	assert_line("flood: number=0x1 (1) s=a string of some length, to fill the buffer");
	assert_in_range(recorded, 100, wrote - 1);
	assert_int_equal(trace_count("entries"), recorded);
	assert_int_equal(recorded + trace_count("dropped events"), wrote);
}

TEST(test_full_buffer_in_overwrite_mode_keeps_the_last_events)
{
	unsigned int i, wrote = 3000, recorded;

	put(instance("options/overwrite"), "1");
	trace_from_now("flood");
	for (i = 1; i <= wrote; i++)
		trace_flood(i, "a string of some length, to fill the buffer");
	trace_disable("flood");
	recorded = count_of(trace_text(), "flood: ");
	assert_line("flood: number=0xbb8 (3000) s=a string of some length, to fill the buffer");
	assert_in_range(recorded, 100, wrote - 1);
	assert_int_equal(recorded + trace_count("overrun"), wrote);
	assert_int_equal(ue_status().failed, 0);
}

static char large[9000];

UE_EVENT_SET(oversized_log, "Oversized", UE_LEVEL_INFORMATION, 0x1);

TEST(test_oversized_event_is_truncated_recorded_and_counted)
{
	/* the maximum payload is 4064 bytes: a u32 loc, the text and a NUL */
	const size_t most = 4064 - 4 - 1;

	put(instance("buffer_size_kb"), "1024");
	memset(large, 'x', sizeof(large) - 1);
	trace_clear();
	UE_TRACE(oversized, UE_STRN(text, large, most));
	trace_enable("oversized");
	assert_int_equal(ue_status().cut, 0);
	UE_TRACE(oversized, UE_STRN(text, large, most));
	assert_int_equal(ue_status().cut, 0);
	assert_int_equal(count_of(trace_text(), "oversized: text=xxxx"), 1);
	trace_clear();
	/* exceeds the limit by 4 bytes, the alignment of record lengths */
	UE_TRACE(oversized, UE_STRN(text, large, most + 4));
	assert_int_equal(count_of(trace_text(), "oversized: text=xxxx"), 1);
	trace_clear();
	UE_TRACE(oversized, UE_STRN(text, large, sizeof(large)));
	assert_int_equal(count_of(trace_text(), "oversized: text=xxxx"), 1);
	assert_int_equal(ue_status().cut, 2);
	trace_from_now("Oversized_L4K1");
	UE_LOG(oversized_log, "Big", UE_STRN(text, large, sizeof(large)), UE_STR(s, large + 3000));
	assert_int_equal(count_of(trace_text(), "Oversized_L4K1:"), 1);
	assert_int_equal(ue_status().cut, 3);
	assert_int_equal(ue_status().large, 0);
	assert_int_equal(ue_status().failed, 0);
}

KERNEL_TESTS_MAIN
