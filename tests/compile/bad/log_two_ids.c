// SPDX-License-Identifier: MIT
// expect: has one UE_ID, UE_OPCODE, UE_TAG, UE_ACTIVITY
#include <user_events.h>

UE_EVENT_SET(set, "Bad_Set", 4, 1);
void f(int a);
void f(int a)
{
	UE_LOG(set, "event", UE_ID(1, 1), a, UE_ID(2, 1));
}
