// SPDX-License-Identifier: MIT
// expect: an event or struct has over 64 fields
#include <user_events.h>

#define EIGHT(p) UE_U8(p##0, 1), UE_U8(p##1, 1), UE_U8(p##2, 1), UE_U8(p##3, 1), \
	UE_U8(p##4, 1), UE_U8(p##5, 1), UE_U8(p##6, 1), UE_U8(p##7, 1)
void f(void);
void f(void)
{
	UE_TRACE(many, EIGHT(a), EIGHT(b), EIGHT(c), EIGHT(d), EIGHT(e), EIGHT(g), EIGHT(h),
		 EIGHT(i), UE_U8(last, 1));
}
