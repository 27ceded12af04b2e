/* SPDX-License-Identifier: MIT */
/* flags: -Itests/compile/uapi */
/* The program itself includes <linux/user_events.h>, after. */
#include <user_events.h>

#include <linux/user_events.h>
#include "abi.h"
