// SPDX-License-Identifier: MIT
// expect: field .*a.b.* is a UE_NAMED or of a type
#include <user_events.h>

void f(int x);
void f(int x)
{
	UE_TRACE(event, UE_NAMED("a.b", x));
}
