// SPDX-License-Identifier: MIT
// only: gcc
// expect: undefined named operand .cpu.
/* An operand of the USDT probe's asm for GCC. usdt_sites.c has the name in two pieces. */
#include <user_events.h>

UE_EVENT_SET(set, "Bad_Set", 4, 1);
void f(void);
void f(void)
{
	UE_LOG(set, "load %[cpu]");
}
