// SPDX-License-Identifier: MIT
// expect: (re(definition|declaration) of|conflicting declaration|duplicate).*ue__v_a
#include <user_events.h>

UE_EVENT_SET(set, "Bad_Set", 4, 1);
void f(int a);
void f(int a)
{
	UE_LOG(set, "event", a, UE_U32(a, 1));
}
