// SPDX-License-Identifier: MIT
// expect: field ..?status.{1,3}of UE_TRACEPOINT names its type: UE_I32
#include <user_events.h>

UE_TRACEPOINT(point, status);
