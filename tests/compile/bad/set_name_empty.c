// SPDX-License-Identifier: MIT
// expect: an event set has a name
#include <user_events.h>

UE_EVENT_SET(set, "", 4, 1);
