/* SPDX-License-Identifier: MIT */
/* flags: -DUE__NO_KERNEL_HEADER */
/* Without <linux/user_events.h>, as before linux-libc-dev 6.4. */
#include <user_events.h>
#include "abi.h"
