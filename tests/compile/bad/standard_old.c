/* SPDX-License-Identifier: MIT */
/* flags: -std=c89 */
/* expect: needs C11 or C..11 */
#include <user_events.h>
