// SPDX-License-Identifier: MIT
// expect: WRITE_THE_NAME_WITHOUT_QUOTES
#include <user_events.h>

UE_TRACEPOINT("event", UE_U32(n));
