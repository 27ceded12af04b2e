// SPDX-License-Identifier: MIT
// flags: -Iinclude/kernel -Itests/compile/good
/*
 * Includes a trace header twice: once to declare the events, as most files do, and once to define
 * them, as one file of a program does. The program also defines macros of its own.
 */
#include <linux/tracepoint.h>
#define source 1
#define place 2
#include "tracepoint.h"

int events(FILE *stream);
static void probe(void *data, const char *name, unsigned int n, const unsigned long *mask, void *p);

static void probe(void *data, const char *name, unsigned int n, const unsigned long *mask, void *p)
{
	(void)data;
	(void)name;
	(void)n;
	(void)mask;
	(void)p;
}

int events(FILE *stream)
{
	unsigned long mask = 1;
	char text[16] = "";

	trace_good_event("name", 1, &mask, text);
	trace_good_condition(0, 1);
	trace_good_first();
	trace_good_second();
	trace_good_third();
	trace_good_bare(text);
	return trace_good_event_enabled() + register_trace_good_event(probe, text) +
	       unregister_trace_good_event(probe, text) + ue_print_events(stream) +
	       ue_print_events_stop(stream) + tracepoint_enabled(good_bare);
}

#define CREATE_TRACE_POINTS
#include "tracepoint.h"

/*
 * define_trace.h includes the trace header several times, each time with other macros. This must
 * not change the core's macros, such as the one for the sign of a USDT argument.
 */
UE__I_STATIC_ASSERT(UE__F_IS_SIGNED(UE__I32) && !UE__F_IS_SIGNED(UE__U32), "signs");
