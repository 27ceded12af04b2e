// SPDX-License-Identifier: MIT
// expect: makes pointer from integer|incompatible integer to pointer|invalid conversion|no matching function|cannot initialize|cannot convert
#include <user_events.h>

void f(int n);
void f(int n)
{
	UE_TRACE(event, UE_STR(s, n));
}
