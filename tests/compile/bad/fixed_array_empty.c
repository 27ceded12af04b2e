// SPDX-License-Identifier: MIT
// expect: a fixed array has 1 to 65535 elements
#include <user_events.h>

UE_EVENT_SET(set, "Bad_Set", 4, 1);
void f(const uint32_t *p);
void f(const uint32_t *p)
{
	UE_LOG(set, "event", UE_FIXED_ARRAY(U32, list, p, 0));
}
