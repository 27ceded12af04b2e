/* SPDX-License-Identifier: MIT */
/* flags: -Itests/compile/uapi */
/* The program itself includes <linux/user_events.h>, before. */
#include <linux/user_events.h>

#include <user_events.h>
#include "abi.h"
