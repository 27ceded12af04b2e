// SPDX-License-Identifier: MIT
// expect: field \\?"[a-z]*\\?" .*cannot carry.*UE_I32
#include <user_events.h>

void f(void);
void f(void)
{
	__extension__ __int128 large = 1;

	UE_TRACE(event, large);
}
