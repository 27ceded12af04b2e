// SPDX-License-Identifier: MIT
// expect: a bare variable of this type is no field|an array of this type is no field
#include <user_events.h>

UE_EVENT_SET(set, "Bad_Set", 4, 1);
struct item;
void f(void);
void f(void)
{
	struct item *items[2] = { 0, 0 };

	UE_LOG(set, "event", items);
}
