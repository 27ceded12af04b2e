/* SPDX-License-Identifier: MIT */
/*
 * Defines a function SITE that contains only the event EVENT. Both names are macros of the
 * including file.
 */
#include <user_events.h>

#include "cost_uprobe.h"

void SITE(uint32_t a, uint64_t b)
{
	UE_TRACE(EVENT, UE_U32(a), UE_U64(b), UE_U32(c, a), UE_U64(d, b));
}
