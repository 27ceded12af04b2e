// SPDX-License-Identifier: MIT
// expect: UE_EVENT_SET\(symbol, \\?"provider\\?", level, keyword\), a name and a number
#include <user_events.h>

UE_EVENT_SET(set, "", 4, 1);
