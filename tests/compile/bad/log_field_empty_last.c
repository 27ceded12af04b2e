// SPDX-License-Identifier: MIT
// expect: a field is a variable
#include <user_events.h>

UE_EVENT_SET(orders, "Orders", 4, 1);
void f(int x);
void f(int x)
{
	UE_LOG(orders, "done", x, );
}
