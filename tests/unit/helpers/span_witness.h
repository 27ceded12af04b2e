/* SPDX-License-Identifier: MIT */
/*
 * Code shared by test_span_scope.c and test_span_cpp.cc. Converts the starts and ends of recorded
 * spans to text.
 */
#ifndef SPAN_WITNESS_H
#define SPAN_WITNESS_H

#include "log_witness.h"
#include <user_events_decode.h>
#include <user_events_span.h>

/*
 * Returns the recorded events as text: "Name+" for each START, and "Name-" for each STOP, which
 * ends the most recent open span.
 */
static inline const char *spans_seen(void)
{
	static char text[256];
	uint8_t open[8][16];
	size_t depth = 0, i, n = 0;

	for (i = 0; i < fake_kernel_records(); i++) {
		const struct fake_record *record = fake_kernel_record(i);
		struct ue_decode_event event;
		bool start;

		assert_int_equal(ue_decode_parse(&event, record->name, strlen(record->name),
						 record->data, record->size),
				 0);
		start = event.opcode == UE_OPCODE_ACTIVITY_START;
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%.*s%c", (int)event.name_length,
				      event.name, start ? '+' : '-');
		assert_true(n < sizeof(text));
		if (start) {
			assert_true(depth < 8);
			memcpy(open[depth++], event.activity, 16);
			continue;
		}
		assert_int_equal(event.opcode, UE_OPCODE_ACTIVITY_STOP);
		assert_true(depth > 0);
		assert_memory_equal(open[--depth], event.activity, 16);
	}
	text[n] = '\0';
	fake_kernel_clear_records();
	return text;
}

#endif
