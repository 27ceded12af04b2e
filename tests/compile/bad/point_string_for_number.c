// SPDX-License-Identifier: MIT
// expect: (makes integer from pointer|incompatible pointer to integer|invalid conversion|no matching function|cannot initialize|cannot convert)
#include <user_events.h>

UE_TRACEPOINT(point, UE_U32(n));
void f(const char *s);
void f(const char *s)
{
	trace_point(s);
}
