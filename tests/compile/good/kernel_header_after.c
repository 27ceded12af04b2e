/* SPDX-License-Identifier: MIT */
/* flags: -Itests/compile/uapi */
/* The program includes <linux/user_events.h> after user_events.h. */
#include <user_events.h>

#include <linux/user_events.h>
#include "abi.h"
