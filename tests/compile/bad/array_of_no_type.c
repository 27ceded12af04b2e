// SPDX-License-Identifier: MIT
// expect: an array.*s type is I32, U8, STR or another of the names, without UE_
#include <user_events.h>

void f(int *p, unsigned int n);
void f(int *p, unsigned int n)
{
	UE_TRACE(event, UE_ARRAY(int, list, p, n));
}
