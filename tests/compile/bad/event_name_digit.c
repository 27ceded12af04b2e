// SPDX-License-Identifier: MIT
// expect: names are identifiers
#include <user_events.h>

void f(int x);
void f(int x)
{
	UE_TRACE(5, x);
}
