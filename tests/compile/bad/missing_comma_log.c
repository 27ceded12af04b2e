// SPDX-License-Identifier: MIT
// expect: UE_LOG.set, .{1,2}Name.{1,2}, fields
#include <user_events.h>

UE_EVENT_SET(orders, "Orders", 4, 1);
void f(int x);
void f(int x)
{
	UE_LOG(orders, "done" x);
}
