// SPDX-License-Identifier: MIT
// expect: is no scalar, pointer or array of scalars
#include <user_events.h>

void f(void);
void f(void)
{
	__extension__ __int128 large = 1;

	UE_TRACE(event, large);
}
