// SPDX-License-Identifier: MIT
// expect: an event has a name
#include <user_events.h>

UE_EVENT_SET(set, "Bad_Set", 4, 1);
void f(void);
void f(void)
{
	UE_LOG(set, "");
}
