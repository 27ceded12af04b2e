// SPDX-License-Identifier: MIT
// expect: incompatible type|a bare variable of this type is no field
#include <user_events.h>

struct pair {
	int a, b;
};
void f(struct pair p);
void f(struct pair p)
{
	UE_TRACE(event, p);
}
