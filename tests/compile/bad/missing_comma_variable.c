// SPDX-License-Identifier: MIT
// expect: a comma between fields|expected .\).|expected primary-expression
// lines: 26
#include <user_events.h>

void f(int x, int y);
void f(int x, int y)
{
	UE_TRACE(done, UE_I32(x) y);
}
