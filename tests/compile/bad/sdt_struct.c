// SPDX-License-Identifier: MIT
// expect: an argument of a probe is a number, a pointer or an array, and no struct or union
#include <user_events_sdt.h>

struct pair {
	int a, b;
};

void f(struct pair s);
void f(struct pair s)
{
	DTRACE_PROBE2(app, two, s, s.a);
}
