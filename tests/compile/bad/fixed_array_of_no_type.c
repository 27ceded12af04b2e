// SPDX-License-Identifier: MIT
// expect: an array.*s type is I32, U8, STR or another of the names, without UE_
#include <user_events.h>

void f(int *p);
void f(int *p)
{
	UE_TRACE(event, UE_FIXED_ARRAY(UE_I32, list, p, 4));
}
