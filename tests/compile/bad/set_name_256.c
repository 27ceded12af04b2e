// SPDX-License-Identifier: MIT
// expect: an event set.{1,2}s name, PROVIDER_LxKyGgroup, is at most 255 bytes
#include <user_events.h>

#define FIVE(x) x x x x x
/* 250 letters, then "_L4K1f" */
UE_EVENT_SET(set, FIVE("abcdefghijabcdefghijabcdefghijabcdefghijabcdefghij"), 4, 0x1f);
