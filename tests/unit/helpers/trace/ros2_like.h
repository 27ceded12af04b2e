/* SPDX-License-Identifier: MIT */
/*
 * An LTTng-UST provider in the style of ROS 2: old macro names, handles recorded as addresses, no
 * level, and a macro for the provider's name.
 */
/* clang-format off */
#undef TRACEPOINT_PROVIDER
#define TRACEPOINT_PROVIDER robot

#undef TRACEPOINT_INCLUDE
#define TRACEPOINT_INCLUDE "trace/ros2_like.h"

#if !defined(ROS2_LIKE_H) || defined(TRACEPOINT_HEADER_MULTI_READ)
#define ROS2_LIKE_H

#include <lttng/tracepoint.h>
#include <stdbool.h>
#include <stdint.h>

#define GID_SIZE 4

TRACEPOINT_EVENT(
	TRACEPOINT_PROVIDER,
	node_init,
	TP_ARGS(
		const void *, node_handle_arg,
		const char *, node_name_arg,
		const uint8_t *, gid_arg,
		const size_t, queue_depth_arg
	),
	TP_FIELDS(
		ctf_integer_hex(const void *, node_handle, node_handle_arg)
		ctf_string(node_name, node_name_arg)
		ctf_array(uint8_t, gid, gid_arg, GID_SIZE)
		ctf_integer(size_t, queue_depth, queue_depth_arg)
		ctf_string(version, "1.0")
	)
)

TRACEPOINT_EVENT(
	TRACEPOINT_PROVIDER,
	callback_start,
	TP_ARGS(const void *, callback_arg, bool, intra_process_arg),
	TP_FIELDS(
		ctf_integer_hex(const void *, callback, callback_arg)
		ctf_integer(int, intra_process, (intra_process_arg ? 1 : 0))
	)
)

TRACEPOINT_EVENT(TRACEPOINT_PROVIDER, spin, TP_ARGS(), TP_FIELDS())

#endif

#include <lttng/tracepoint-event.h>
