// SPDX-License-Identifier: MIT
// expect: UE_AS.. takes a UE_FORMAT_
#include <user_events.h>

UE_EVENT_SET(set, "Bad_Set", 4, 1);
void f(int a);
void f(int a)
{
	UE_LOG(set, "event", UE_AS(18, UE_I32(a)));
}
