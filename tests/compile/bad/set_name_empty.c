// SPDX-License-Identifier: MIT
// expect: an event set.{1,2}s name is at most 255 bytes
#include <user_events.h>

UE_EVENT_SET(set, "", 4, 1);
