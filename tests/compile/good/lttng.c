/* SPDX-License-Identifier: MIT */
/*
 * Providers and event calls written for LTTng-UST and LinuxTracepoints must compile unchanged with
 * the compatibility headers.
 */
/* flags: -Iinclude/compat -Itests/unit/helpers -UUE__I_NO_SYSTEM_HEADER */
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "trace/ceph_like.h"
#include "trace/ros2_like.h"
#include "trace/seastar_like.h"

#include <eventheader/eventheader-tracepoint.h>
#include <lttng/tracelog.h>

int lttng(int n);
int lttng(int n)
{
	static tracepoint_state state = TRACEPOINT_STATE_INIT;

	tracepoint(robot, spin);
	lttng_ust_tracepoint(reactor, arrays, &n, "abcd", 1);
	tracelog(TRACE_INFO, "%d", n);
	return TRACEPOINT_ENABLED(&state) || tracepoint_enabled(store, end);
}
