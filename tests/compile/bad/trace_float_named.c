// SPDX-License-Identifier: MIT
// expect: field \\?"ratio\\?" .*cannot carry.*use UE_LOG
#include <user_events.h>

void f(double r);
void f(double r)
{
	UE_TRACE(event, UE_F64(ratio, r));
}
