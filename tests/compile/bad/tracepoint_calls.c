/* SPDX-License-Identifier: MIT */
/* Mistakes in calls of the functions that tracepoint.h defines. Each is the body of f(). */
/* flags: -Iinclude/kernel -Itests/compile/bad */
#include "tracepoint.h"

void probe(void *data, const char *name);
void f(void)
{

/* expect: tracepoint_calls.c:11:.*error: .*(too few arguments|no matching function) */
	trace_bad_event(1);

/* expect: tracepoint_calls.c:14:.*error: */
	trace_bad_event(1, 2);

/* expect: tracepoint_calls.c:17:.*error: .*trace_bad_unknown */
	trace_bad_unknown(1);

/* expect: tracepoint_calls.c:20:.*error: */
	register_trace_bad_event(probe, 0);

/* expect: tracepoint_calls.c:23:.*error: */
	check_trace_callback_type_bad_event(probe);
