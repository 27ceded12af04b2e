// SPDX-License-Identifier: MIT
// expect: UE_DECODE_DEPTH is 1 to 255
#define UE_DECODE_DEPTH 0
#include <user_events_decode.h>
