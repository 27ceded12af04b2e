// SPDX-License-Identifier: MIT
// expect: (makes pointer from integer|incompatible integer to pointer|invalid conversion|no matching function|cannot initialize|cannot convert)
#include <user_events.h>

UE_TRACEPOINT(point, UE_STR(s));
void f(int a);
void f(int a)
{
	trace_point(a);
}
