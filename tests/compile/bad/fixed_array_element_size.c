// SPDX-License-Identifier: MIT
// expect: elements of .*list.* have another size
#include <user_events.h>

UE_EVENT_SET(set, "Bad_Set", 4, 1);
void f(const double *p);
void f(const double *p)
{
	UE_LOG(set, "event", UE_FIXED_ARRAY(F32, list, p, 2));
}
