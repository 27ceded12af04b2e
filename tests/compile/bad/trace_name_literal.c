// SPDX-License-Identifier: MIT
// expect: expected|does not give a valid preprocessing token|pasting|string
#include <user_events.h>

UE_TRACEPOINT("event", UE_U32(n));
