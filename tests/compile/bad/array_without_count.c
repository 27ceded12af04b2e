// SPDX-License-Identifier: MIT
// expect: a pointer has a length: write UE_ARRAY.I32, name, pointer, count.
#include <user_events.h>

void f(const int *values);
void f(const int *values)
{
	UE_TRACE(done, UE_ARRAY(I32, values, values));
}
