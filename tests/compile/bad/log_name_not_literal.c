// SPDX-License-Identifier: MIT
// expect: UE_LOG.set, .{1,2}Name.{1,2}, fields
#include <user_events.h>

UE_EVENT_SET(set, "Bad_Set", 4, 1);
void f(const char *name);
void f(const char *name)
{
	UE_LOG(set, name, UE_U32(n, 1));
}
