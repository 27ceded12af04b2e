// SPDX-License-Identifier: MIT
// expect: is no scalar, pointer or array of scalars|an array of this type is no field
#include <user_events.h>

UE_EVENT_SET(set, "Bad_Set", 4, 1);
struct item;
void f(void);
void f(void)
{
	struct item *items[2] = { 0, 0 };

	UE_LOG(set, "event", items);
}
