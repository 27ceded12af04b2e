// SPDX-License-Identifier: MIT
// expect: field \\?"[a-z]*\\?" .*cannot carry.*UE_I32
#include <user_events.h>

struct pair {
	int a, b;
};
void f(struct pair p);
void f(struct pair p)
{
	UE_TRACE(event, p);
}
