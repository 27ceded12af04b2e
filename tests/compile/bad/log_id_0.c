// SPDX-License-Identifier: MIT
// expect: UE_ID.. takes 1 to 65535
#include <user_events.h>

UE_EVENT_SET(set, "Bad_Set", 4, 1);
void f(int a);
void f(int a)
{
	UE_LOG(set, "event", UE_ID(0, 1), UE_I32(a));
}
