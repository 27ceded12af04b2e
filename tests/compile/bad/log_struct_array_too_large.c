// SPDX-License-Identifier: MIT
// expect: struct \\?"big\\?" of a UE_STRUCT_ARRAY is over 65535 bytes
#include <user_events.h>

UE_EVENT_SET(set, "Bad_Set", 4, 1);
void f(const void *p);
void f(const void *p)
{
	UE_LOG(set, "event", UE_STRUCT_ARRAY(big, p, 1, UE_FIXED_ARRAY(U32, words, 16384)));
}
