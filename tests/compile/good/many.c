/* SPDX-License-Identifier: MIT */
/*
 * Uses events with the maximum number of fields and parameters, and with names of the maximum
 * length.
 */
#include <user_events.h>

#define MANY_8(_, p) _(p##0), _(p##1), _(p##2), _(p##3), _(p##4), _(p##5), _(p##6), _(p##7)
#define MANY_64(_)                                                                             \
	MANY_8(_, a), MANY_8(_, b), MANY_8(_, c), MANY_8(_, d), MANY_8(_, e), MANY_8(_, f),      \
		MANY_8(_, g), MANY_8(_, h)
#define MANY_ZERO(name) UE_U8(name, 0)
UE_TRACEPOINT(many_parameters, MANY_64(UE_U8));
UE_TRACEPOINT(many_pointers, MANY_8(UE_BYTES, a), MANY_8(UE_BYTES, b));
UE_TRACEPOINT(many_twenty, MANY_8(UE_U8, a), MANY_8(UE_U8, b), UE_U8(c0), UE_U8(c1), UE_U8(c2),
	      UE_U8(c3));

#define MANY_5(x) x x x x x
/* 249 letters; the library appends "_L4K1f" */
UE_EVENT_SET(many_letters,
	     MANY_5("abcdefghijabcdefghijabcdefghijabcdefghij") MANY_5("abcdefghi") "abcd", 4,
	     0x1f);

void many(void);
void many(void)
{
	trace_many_twenty(0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3);
	UE_TRACE(many_fields, MANY_64(MANY_ZERO));
	UE_LOG(many_letters, "event", MANY_64(MANY_ZERO));
	UE_LOG(many_letters, "struct", UE_STRUCT(more, MANY_8(MANY_ZERO, a), MANY_8(MANY_ZERO, b)));
}
