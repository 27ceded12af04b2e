// SPDX-License-Identifier: MIT
// expect: invalid storage class|function.definition is not allowed here
#include <user_events.h>

void f(int n);
void f(int n)
{
	UE_EVENT_SET(orders, "Orders", UE_LEVEL_INFORMATION, 0x1);
	UE_LOG(orders, "Order", n);
}
