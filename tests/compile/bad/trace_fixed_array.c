// SPDX-License-Identifier: MIT
// expect: field \\?"list\\?" .*cannot carry.*use UE_LOG
#include <user_events.h>

void f(const uint32_t *p);
void f(const uint32_t *p)
{
	UE_TRACE(event, UE_FIXED_ARRAY(U32, list, p, 4));
}
