// SPDX-License-Identifier: MIT
// expect: the builder writes arrays of structs: ue_struct_array_begin
#include <user_events.h>
UE_EVENT_SET(set, "Bad_Set", 4, 1);
void f(const void *p);
void f(const void *p)
{
	UE_LOG(set, "event", UE_STRUCT_ARRAY(peers, p, 1, UE_U32(id), UE_U16(port)));
}
