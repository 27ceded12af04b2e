// SPDX-License-Identifier: MIT
// expect: two fields of an event have one name
#include <user_events.h>

void f(int a);
void f(int a)
{
	UE_TRACE(event, a, UE_U32(a, 1));
}
