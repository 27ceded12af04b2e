// SPDX-License-Identifier: MIT
// flags: -Iinclude/kernel -Itests/compile/bad 
// expect: tracepoint_unknown_event.c:9:.*error: .*trace_bad_unknown
#include "tracepoint.h"

void f(void);
void f(void)
{
	trace_bad_unknown(1);
}
