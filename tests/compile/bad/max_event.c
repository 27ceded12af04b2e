/* SPDX-License-Identifier: MIT */
/* flags: -DUE_MAX_EVENT=1000 */
/* expect: UE_MAX_EVENT is at least 1024 */
#include <user_events.h>
