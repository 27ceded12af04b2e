/* SPDX-License-Identifier: MIT */
/*
 * With UE_LTTNG_SETS, all events of a provider with the same level are EventHeader events in one
 * set.
 *
 * Also compiled as C++, because C++ programs also include provider headers.
 */

#include "test.h"

#define UE_LTTNG_SETS
#define TRACEPOINT_DEFINE
#include "trace/ceph_like.h"
#include "trace/ros2_like.h"
#include <user_events_capture.h>

TEST(test_events_of_a_level_share_a_set)
{
	static const struct {
		const char *name, *set, *field, *text;
	} rows[] = {
		{ "node_init", "robot_L5K1 ", "node_handle", "0x10" },
		{ "spin", "robot_L5K1 ", NULL, NULL },
		{ "write_enter", "store_L4K1 ", "data_hex", "[0x1,0xFF]" },
		{ "begin", "store_L5K1 ", "weight", "1.5" },
		{ "end", "store_L1K1 ", "weight", "1.5" },
	};
	static struct ue_capture capture;
	static char memory[1 << 16] __attribute__((__aligned__(8)));
	static struct ue_capture_event event;
	const uint16_t parts[2] = { 1, 2 };
	char text[100];

	assert_int_equal(ue_capture_memory(&capture, memory, sizeof(memory)), 0);
	tracepoint(robot, node_init, (void *)0x10, "talker", (const uint8_t *)"1234", 10);
	tracepoint(robot, spin);
	tracepoint(store, write_enter, NULL, (const unsigned char *)"\1\xff", 2, OP_WRITE, -1);
	tracepoint(store, begin, "x", -5, parts, 2, 1.5, NULL);
	tracepoint(store, end, "x", -5, parts, 2, 1.5, NULL);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(ue_capture_find(&capture, rows[i].name, &event), 0);
		assert_true(strncmp(event.spec, rows[i].set, strlen(rows[i].set)) == 0);
		if (!rows[i].field)
			continue;
		ue_captured_string(&event, rows[i].field, text, sizeof(text));
		assert_string_equal(text, rows[i].text);
	}
	assert_int_equal(ue_capture_stop(&capture), 0);
}

TESTS_MAIN
