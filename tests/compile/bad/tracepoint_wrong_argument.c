// SPDX-License-Identifier: MIT
// flags: -Iinclude/kernel -Itests/compile/bad 
// expect: tracepoint_wrong_argument.c:9:.*error:
#include "tracepoint.h"

void f(void);
void f(void)
{
	trace_bad_event(1, 2);
}
