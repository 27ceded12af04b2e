// SPDX-License-Identifier: MIT
// expect: missing.*(undeclared|not declared)|undeclared identifier .missing
#define UE_DISABLE
#include <user_events.h>

UE_EVENT_SET(set, "Bad_Set", 4, 1);
void f(void);
void f(void)
{
	UE_LOG(set, "event", UE_U32(missing));
}
