// SPDX-License-Identifier: MIT
// expect: the level of an event set is 1 to 255
#define UE_DISABLE
#include <user_events.h>

UE_EVENT_SET(set, "Bad_Set", 256, 1);
