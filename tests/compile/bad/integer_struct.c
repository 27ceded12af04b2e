// SPDX-License-Identifier: MIT
// expect: (incompatible type|no viable conversion|no matching function|aggregate value|operand of type .* where arithmetic|arithmetic or pointer type|invalid .?static_cast|cannot convert|no matching conversion)
#include <user_events.h>

struct pair {
	int a, b;
};
void f(struct pair p);
void f(struct pair p)
{
	UE_TRACE(event, UE_U32(n, p));
}
