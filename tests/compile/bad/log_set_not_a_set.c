// SPDX-License-Identifier: MIT
// expect: (first argument is a set of UE_EVENT_SET|has no member|no member named|incompatible pointer|cannot convert|no matching function|not a structure|invalid conversion|cannot initialize)
#include <user_events.h>

int set;
void f(void);
void f(void)
{
	UE_LOG(set, "event", UE_U32(n, 1));
}
