// SPDX-License-Identifier: MIT
// expect: an event set.{1,2}s name, PROVIDER_LxKyGgroup, is at most 255 bytes
#include <user_events.h>

#define LETTERS(x) x x x x x
UE_EVENT_SET(set, LETTERS("abcdefghijabcdefghijabcdefghijabcdefghijabcdefghij"), 4, 1, "group");
