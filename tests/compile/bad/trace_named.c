// SPDX-License-Identifier: MIT
// expect: field .*a.b.*UE_NAMED.*: use UE_LOG
#include <user_events.h>

void f(int x);
void f(int x)
{
	UE_TRACE(event, UE_NAMED("a.b", x));
}
