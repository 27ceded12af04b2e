// SPDX-License-Identifier: MIT
// expect: incompatible pointer type|invalid conversion|no matching function|cannot initialize|cannot convert
#define UE_DISABLE
#include <user_events.h>

void f(const int *p);
void f(const int *p)
{
	UE_TRACE(event, UE_STR(s, p));
}
