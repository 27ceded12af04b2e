/* SPDX-License-Identifier: MIT */
/* Events at the limits: 64 fields, structs with 63 members, and three levels of nested structs. */
#include <user_events.h>

UE_EVENT_SET(sizes_set, "Compile_Sizes", 255, 0xffffffffffffffff, "group9");
UE_EVENT_SET(no_keyword, "Compile_Sizes", 1, 0);

#define EIGHT(p) UE_U8(p##0, 1), UE_U8(p##1, 1), UE_U8(p##2, 1), UE_U8(p##3, 1), \
	UE_U8(p##4, 1), UE_U8(p##5, 1), UE_U8(p##6, 1), UE_U8(p##7, 1)

void limits(int n, const char *s);
void limits(int n, const char *s)
{
	UE_TRACE(sixty_four, EIGHT(a), EIGHT(b), EIGHT(c), EIGHT(d), EIGHT(e), EIGHT(f), EIGHT(g),
		 EIGHT(h));
	UE_TRACE(sixty_three, EIGHT(a), EIGHT(b), EIGHT(c), EIGHT(d), EIGHT(e), EIGHT(f), EIGHT(g),
		 n, UE_STR(s), UE_U8(z2, 1), UE_U8(z3, 1), UE_U8(z4, 1), UE_U8(z5, 1),
		 UE_U8(z6, 1));
	UE_LOG(sizes_set, "members",
	       UE_STRUCT(most, EIGHT(a), EIGHT(b), EIGHT(c), EIGHT(d), EIGHT(e), EIGHT(f), EIGHT(g),
			 UE_U8(z0, 1), UE_U8(z1, 1), UE_U8(z2, 1), UE_U8(z3, 1), UE_U8(z4, 1),
			 UE_U8(z5, 1), UE_U8(z6, 1)));
	UE_LOG(sizes_set, "64", EIGHT(a), EIGHT(b), EIGHT(c), EIGHT(d), EIGHT(e), EIGHT(f),
	       EIGHT(g), EIGHT(h));
	UE_LOG(no_keyword, "deep",
	       UE_STRUCT(one, n,
			 UE_STRUCT(two, UE_STRUCT(three, n, UE_STRUCT(four, UE_STR(s)), s), n), s),
	       UE_STRUCT(other, UE_STRUCT(two, n)), n);
	UE_TRACE(one_field, n);
	UE_TRACE(eight_fields, EIGHT(a));
	UE_TRACE(nine_fields, EIGHT(a), n);
	UE_TRACE(no_field);
}

/* Arrays with lengths up to and above the maximum of a 16-bit count. */
static char large_array_text[70000], array_text[40000];
static unsigned char large_array[70000], array[40000];
void arrays(void);
void arrays(void)
{
	UE_TRACE(array, array_text);
	UE_TRACE(array_large, large_array_text);
	UE_LOG(sizes_set, "arrays", array_text, large_array_text, array, large_array);
}

UE_TRACEPOINT(point_none);
UE_TRACEPOINT(point_sixteen, UE_U8(a0), UE_U8(a1), UE_U8(a2), UE_U8(a3), UE_U8(a4), UE_U8(a5),
	      UE_U8(a6), UE_U8(a7), UE_U8(b0), UE_U8(b1), UE_U8(b2), UE_U8(b3), UE_U8(b4),
	      UE_U8(b5), UE_U8(b6), UE_U8(b7));
void points(void);
void points(void)
{
	trace_point_none();
	trace_point_sixteen(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}
