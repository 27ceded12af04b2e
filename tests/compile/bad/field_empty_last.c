// SPDX-License-Identifier: MIT
// expect: a field is a variable
#include <user_events.h>

void f(int x);
void f(int x)
{
	UE_TRACE(done, x, );
}
