// SPDX-License-Identifier: MIT
// expect: a bare variable of this type is no field
#include <user_events.h>

void f(void);
void f(void)
{
	__extension__ __int128 large = 1;

	UE_TRACE(event, large);
}
