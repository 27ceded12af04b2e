// SPDX-License-Identifier: MIT
// expect: .orders. (undeclared|was not declared)|undeclared identifier .orders.
#include <user_events.h>

UE_EVENT_SET(order, "Orders", UE_LEVEL_INFORMATION, 0x1);

void f(int n);
void f(int n)
{
	UE_LOG(orders, "Order", n);
}
