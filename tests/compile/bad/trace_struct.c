// SPDX-License-Identifier: MIT
// expect: field \\?"peer\\?" is a struct, .*use UE_LOG
#include <user_events.h>

void f(int a);
void f(int a)
{
	UE_TRACE(event, UE_STRUCT(peer, a));
}
