// SPDX-License-Identifier: MIT
// expect: has one UE_ID, UE_OPCODE, UE_TAG, UE_ACTIVITY
#include <user_events.h>

UE_EVENT_SET(set, "Bad_Set", 4, 1);
void f(const unsigned char *id);
void f(const unsigned char *id)
{
	UE_LOG(set, "event", UE_ACTIVITY(id), UE_ACTIVITY(id));
}
