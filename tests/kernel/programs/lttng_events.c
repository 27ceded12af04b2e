/* SPDX-License-Identifier: MIT */
/*
 * Writes COUNT rounds of events in the style of an LTTng-UST program. Fails if the kernel rejects
 * an event of one of its providers. lttng_events_cpp.cc is the same program in C++.
 */
#define TRACEPOINT_DEFINE
#include "../../unit/helpers/trace/ceph_like.h"
#include "../../unit/helpers/trace/ros2_like.h"
#include "../../unit/helpers/trace/seastar_like.h"

#include <stdlib.h>

int main(int argc, char **argv)
{
	static const unsigned char gid[] = { 1, 2, 3, 4 };
	static const uint16_t parts[] = { 1, 2 };
	static const char *const nodes[] = { "talker", "listener" };

	for (int i = 0; i < (argc > 1 ? atoi(argv[1]) : 1); i++) {
		tracepoint(robot, node_init, argv, nodes[i % 2], gid, (size_t)i);
		tracepoint(robot, callback_start, argv, i % 2 != 0);
		tracepoint(store, write_enter, nodes[i % 2], gid, 4, OP_WRITE, 100 * i);
		tracepoint(store, begin, nodes[i % 2], -i, parts, 2, i / 2.0, NULL);
		tracepoint(store, end, nodes[i % 2], -i, parts, 2, i / 2.0, NULL);
	}
	return ue_status().registered != ue_status().declared;
}
