// SPDX-License-Identifier: MIT
// expect: field \\?"ratio\\?" .*cannot carry.*use UE_LOG
#include <user_events.h>

void f(float ratio);
void f(float ratio)
{
	UE_TRACE(event, ratio);
}
