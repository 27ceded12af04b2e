/* SPDX-License-Identifier: MIT */
/* flags: -Itests/compile/uapi */
/* With <linux/user_events.h>, which user_events.h finds by itself. */
#include <user_events.h>
#include "abi.h"
#ifndef ue__reg /* which is struct user_reg then */
#error "the kernel header was not found"
#endif
SAME(UE_PERSIST, USER_EVENT_REG_PERSIST);
SAME(UE_MULTI_FORMAT, USER_EVENT_REG_MULTI_FORMAT);
