// SPDX-License-Identifier: MIT
// expect: UE_AS\(\) of struct \\?"s\\?"
#include <user_events.h>

UE_EVENT_SET(set, "Bad_Set", 4, 1);
void f(int a);
void f(int a)
{
	UE_LOG(set, "event", UE_AS(UE_FORMAT_HEX, UE_STRUCT(s, a)));
}
