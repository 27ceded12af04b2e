// SPDX-License-Identifier: MIT
// expect: (re(definition|declaration) of|conflicting declaration|duplicate).*ue__v_a
#include <user_events.h>

void f(int a);
void f(int a)
{
	UE_TRACE(event, a, UE_U32(a, 1));
}
