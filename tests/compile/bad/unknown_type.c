// SPDX-License-Identifier: MIT
// expect: UE_U128
#include <user_events.h>

void f(int n);
void f(int n)
{
	UE_TRACE(event, UE_U128(n));
}
