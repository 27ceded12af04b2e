// SPDX-License-Identifier: MIT
// expect: name has no quotes
#include <user_events.h>

void f(int x, int y);
void f(int x, int y)
{
	UE_TRACE("done");
}
