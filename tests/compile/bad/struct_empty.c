// SPDX-License-Identifier: MIT
// expect: struct \\?"nothing\\?" needs 1 to 63 members
#include <user_events.h>

UE_EVENT_SET(set, "Bad_Set", 4, 1);
void f(void);
void f(void)
{
	UE_LOG(set, "event", UE_STRUCT(nothing));
}
