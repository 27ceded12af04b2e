// SPDX-License-Identifier: MIT
// expect: a comma between fields
#include <user_events.h>

void f(int x, int y);
void f(int x, int y)
{
	UE_TRACE(done, UE_I32(x) y);
}
