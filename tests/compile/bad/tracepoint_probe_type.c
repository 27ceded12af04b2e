// SPDX-License-Identifier: MIT
// flags: -Iinclude/kernel -Itests/compile/bad 
// expect: tracepoint_probe_type.c:12:.*error:
#include "tracepoint.h"

static void probe(void *data, const char *name);
static void probe(void *data, const char *name) { (void)data; (void)name; }

int f(void);
int f(void)
{
	return register_trace_bad_event(probe, 0);
}
