// SPDX-License-Identifier: MIT
// expect: (first argument is a set of UE_EVENT_SET|cannot convert|cannot initialize)
#include <user_events.h>

void f(void);
void f(void)
{
	UE_LOG("set", "event", UE_U32(n, 1));
}
