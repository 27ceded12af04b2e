// SPDX-License-Identifier: MIT
// expect: UE_TAGGED.. takes a tag of 16 bits
#include <user_events.h>

UE_EVENT_SET(set, "Bad_Set", 4, 1);
void f(int a);
void f(int a)
{
	UE_LOG(set, "event", UE_TAGGED(65536, UE_I32(a)));
}
