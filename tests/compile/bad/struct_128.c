// SPDX-License-Identifier: MIT
// expect: struct \\?"many\\?" needs 1 to 127 members
#include <user_events.h>

#define EIGHT(p) UE_U8(p##0, 1), UE_U8(p##1, 1), UE_U8(p##2, 1), UE_U8(p##3, 1), \
	UE_U8(p##4, 1), UE_U8(p##5, 1), UE_U8(p##6, 1), UE_U8(p##7, 1)
#define ALL EIGHT(a), EIGHT(b), EIGHT(c), EIGHT(d), EIGHT(e), EIGHT(g), EIGHT(h), EIGHT(i), \
	EIGHT(j), EIGHT(k), EIGHT(l), EIGHT(m), EIGHT(n), EIGHT(o), EIGHT(p), EIGHT(q)
UE_EVENT_SET(set, "Bad_Set", 4, 1);
void f(void);
void f(void)
{
	UE_LOG(set, "event", UE_STRUCT(many, ALL));
}
