/* SPDX-License-Identifier: MIT */
/* As many fields and parameters as there may be, and names as long. */
#include <user_events.h>

#define EIGHT(_, p) _(p##0), _(p##1), _(p##2), _(p##3), _(p##4), _(p##5), _(p##6), _(p##7)
#define ALL(_)                                                                             \
	EIGHT(_, a), EIGHT(_, b), EIGHT(_, c), EIGHT(_, d), EIGHT(_, e), EIGHT(_, f),      \
		EIGHT(_, g), EIGHT(_, h)
#define ZERO(name) UE_U8(name, 0)
UE_TRACEPOINT(many_parameters, ALL(UE_U8));
UE_TRACEPOINT(many_pointers, EIGHT(UE_BYTES, a), EIGHT(UE_BYTES, b));
UE_TRACEPOINT(many_twenty, EIGHT(UE_U8, a), EIGHT(UE_U8, b), UE_U8(c0), UE_U8(c1), UE_U8(c2),
	      UE_U8(c3));

#define FIVE(x) x x x x x
/* 249 letters, then "_L4K1f" */
UE_EVENT_SET(many_letters,
	     FIVE("abcdefghijabcdefghijabcdefghijabcdefghij") FIVE("abcdefghi") "abcd", 4, 0x1f);

void many(void);
void many(void)
{
	trace_many_twenty(0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3);
	UE_TRACE(many_fields, ALL(ZERO));
	UE_LOG(many_letters, "event", ALL(ZERO), UE_STRUCT(more, ALL(ZERO)));
}
