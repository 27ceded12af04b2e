// SPDX-License-Identifier: MIT
// expect: missing.*(undeclared|not declared)|undeclared identifier .missing
#include <user_events.h>

void f(void);
void f(void)
{
	UE_TRACE(event, missing);
}
