// SPDX-License-Identifier: MIT
// expect: too few arguments|no matching function|not enough
#define UE_DISABLE
#include <user_events.h>

UE_TRACEPOINT(point, UE_U32(a), UE_STR(s));
void f(void);
void f(void)
{
	trace_point(1);
}
