// SPDX-License-Identifier: MIT
// expect: UE_ID, UE_OPCODE, UE_TAG and UE_ACTIVITY are options of UE_LOG
#include <user_events.h>

void f(int a);
void f(int a)
{
	UE_TRACE(event, UE_OPCODE(1), a);
}
