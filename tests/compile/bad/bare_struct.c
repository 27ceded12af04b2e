// SPDX-License-Identifier: MIT
// expect: incompatible type|is no scalar, pointer or array of scalars
#include <user_events.h>

struct pair {
	int a, b;
};
void f(struct pair p);
void f(struct pair p)
{
	UE_TRACE(event, p);
}
