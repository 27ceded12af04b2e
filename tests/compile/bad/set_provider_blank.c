// SPDX-License-Identifier: MIT
// expect: the provider .{1,2}My Company.{1,2} has a blank
#include <user_events.h>

UE_EVENT_SET(set, "My Company", 4, 1);
