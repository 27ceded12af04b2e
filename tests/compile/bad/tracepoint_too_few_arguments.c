// SPDX-License-Identifier: MIT
// flags: -Iinclude/kernel -Itests/compile/bad 
// expect: tracepoint_too_few_arguments.c:9:.*error: .*(too few arguments|no matching function)
#include "tracepoint.h"

void f(void);
void f(void)
{
	trace_bad_event(1);
}
