/* SPDX-License-Identifier: MIT */
/*
 * Preprocessor: fields as tuples
 */

/* @private */

/*
 * What a user writes becomes (class, UE__FIELD, what depends on the class...), UE__NORMAL() makes
 * of it class(position, what depends on the class...):
 *
 *	(0B, as, tag, "x", x)				a bare variable
 *	(0V, kind, as, tag, "name", name, value)	one value
 *	(0P, kind, as, tag, "name", name, pointer, count)  two values: a counted string, bytes
 *	(0L, kind, as, tag, "name", name, pointer, count)  two values: an array
 *	(0F, kind, as, tag, "name", name, pointer, n)	one value: an array of N
 *	(0S, as, tag, "name", members)			a struct, whose members follow
 *	(0R, as, tag, "name", members, size, pointer, count)  an array of packed structs, the same
 *	(0M, class, (...))				member of a packed struct, without value
 *	(0X, option...)					no field
 *
 * KIND is the type's name behind a zero, so that no macro of the program (U8, BOOL) is taken for
 * it. AS and TAG are empty, or what UE_AS() and UE_TAGGED() add to the type; a bare variable's AS
 * is the format's bits, or -1.
 */
#define UE__VALUE(kind, ...) UE__VALUE_BY(__VA_ARGS__, UE__VALUE_OF_NAME, ~)(kind, __VA_ARGS__)
#define UE__VALUE_BY(name, second, ...) UE__SECOND(second, UE__VALUE_2, ~)
#define UE__VALUE_OF_NAME ~, UE__VALUE_1
#define UE__VALUE_1(kind, name) (0V, UE__FIELD, kind, , , #name, name, name)
#define UE__VALUE_2(kind, name, ...) (0V, UE__FIELD, kind, , , #name, name, __VA_ARGS__)

#define UE__SPAN(class, kind, ...) \
	UE__CAT(UE__SPAN_, UE__UP_TO_3(__VA_ARGS__))(class, kind, __VA_ARGS__)
#define UE__SPAN_1(class, kind, name) (class, UE__FIELD, kind, , , #name, name, name, name##_count)
#define UE__SPAN_2(class, kind, name, p) (0V, UE__FIELD, 0I32, , , #name, name, UE__NO_LENGTH)
#define UE__NO_LENGTH                                                                   \
	UE__MISTAKE("a pointer has a length: write UE_ARRAY(I32, name, pointer, count), " \
		    "UE_BYTES(name, pointer, size)")
#define UE__MISTAKE(sentence)                                                           \
	(__extension__({                                                                \
		UE__STATIC_ASSERT(0, "user_events.h: " sentence);                       \
		0;                                                                      \
	}))
#define UE__SPAN_3(class, kind, name, p, ...) \
	(class, UE__FIELD, kind, , , #name, name, p, __VA_ARGS__)

/* An array: is there a UE_TYPE()? Else HOW_0 tells what a type is. */
#define UE__ARRAY(how, is_type, ...) UE__CAT(how, is_type)(__VA_ARGS__)
#define UE__SPAN_OF_1(kind, ...) UE__SPAN(0L, kind, __VA_ARGS__)
#define UE__SPAN_OF_0(kind, name, ...) (0V, UE__FIELD, 0I32, , , #name, name, UE__NO_TYPE)
#define UE__FIXED_OF_1 UE__FIXED
#define UE__FIXED_OF_0 UE__SPAN_OF_0
#define UE__NO_TYPE                                                                     \
	UE__MISTAKE("an array's type is I32, U8, STR or another of the names, without UE_: write " \
		    "UE_ARRAY(I32, name, pointer, count)")

#define UE__FIXED(kind, name, ...) \
	UE__FIXED_BY(__VA_ARGS__, UE__FIXED_OF_NAME, ~)(kind, name, __VA_ARGS__)
#define UE__FIXED_BY(n, second, ...) UE__SECOND(second, UE__FIXED_2, ~)
#define UE__FIXED_OF_NAME ~, UE__FIXED_1
#define UE__FIXED_1(kind, name, n) (0F, UE__FIELD, kind, , , #name, name, name, n)
#define UE__FIXED_2(kind, name, p, ...) (0F, UE__FIELD, kind, , , #name, name, p, __VA_ARGS__)

/*
 * The members stand in the list behind their struct, nested ones, too. So a struct's own members
 * are all that follow, but for those of the structs among them.
 */
#define UE__STRUCT(name, ...) \
	(0S, UE__FIELD, , , #name, UE__MEMBERS(__VA_ARGS__, UE__END)), __VA_ARGS__
#define UE__STRUCT_ARRAY(name, p, count, ...)                                           \
	(0R, UE__FIELD, , , #name, UE__MEMBERS(__VA_ARGS__, UE__END),           \
	 UE__PACKED_SIZE(__VA_ARGS__, UE__END), p, count) UE__PACKED(__VA_ARGS__, UE__END)
#define UE__MEMBERS(...) UE__MEMBERS_(UE__GROUPS(__VA_ARGS__), __VA_ARGS__)
#define UE__MEMBERS_(n, ...) \
	(UE__COUNT(__VA_ARGS__) UE__EACH(n, UE__NESTED, UE__NORMAL(n, , __VA_ARGS__)))
#define UE__NESTED_0B(...)
#define UE__NESTED_0V(...)
#define UE__NESTED_0P(...)
#define UE__NESTED_0L(...)
#define UE__NESTED_0F(...)
#define UE__NESTED_0M(at, class, tuple) UE__INNER(UE__NESTED_##class, at, UE__UNPACK tuple)
#define UE__NESTED_0S(at, as, tag, string, members) -members
#define UE__NESTED_0R(at, as, tag, string, members, ...) -members
/* an option of the event, which is none of its members, makes the number negative */
#define UE__NESTED_0X(at, option, ...) UE__NESTED_##option
#define UE__NESTED_0END
#define UE__NESTED_0NOTHING -1
#define UE__NESTED_0ID -1000
#define UE__NESTED_0OPCODE -1000
#define UE__NESTED_0TAG -1000
#define UE__NESTED_0ACTIVITY -1000

#define UE__PACKED(...) UE__PACKED_(UE__GROUPS(__VA_ARGS__), __VA_ARGS__)
#define UE__PACKED_(n, ...) UE__EACH(n, UE__PACK, UE__NORMAL(n, , __VA_ARGS__))
#define UE__PACK_0B(at, ...) , (0M, UE__FIELD, 0B, (__VA_ARGS__))
#define UE__PACK_0V(at, ...) , (0M, UE__FIELD, 0V, (__VA_ARGS__))
#define UE__PACK_0P(at, ...) , (0M, UE__FIELD, 0P, (__VA_ARGS__))
#define UE__PACK_0L(at, ...) , (0M, UE__FIELD, 0L, (__VA_ARGS__))
#define UE__PACK_0F(at, ...) , (0M, UE__FIELD, 0F, (__VA_ARGS__))
#define UE__PACK_0S(at, ...) , (0M, UE__FIELD, 0S, (__VA_ARGS__))
#define UE__PACK_0R(at, ...) , (0M, UE__FIELD, 0R, (__VA_ARGS__))
#define UE__PACK_0M(at, ...) , (0M, UE__FIELD, __VA_ARGS__)
#define UE__PACK_0X(...)

#define UE__PACKED_SIZE(...) UE__PACKED_SIZE_(UE__GROUPS(__VA_ARGS__), __VA_ARGS__)
#define UE__PACKED_SIZE_(n, ...) (0 UE__EACH(n, UE__BYTES, UE__NORMAL(n, , __VA_ARGS__)))
#define UE__BYTES_0B(at, as, tag, string, x) +sizeof(x)
#define UE__BYTES_0V(at, kind, ...) +(UE__U64(1) << UE__LOG2_OF(UE__T_##kind))
#define UE__BYTES_0P(...)
#define UE__BYTES_0L(...)
#define UE__BYTES_0F(at, kind, as, tag, string, name, p, ...) \
	+(UE__U64((__VA_ARGS__)) << UE__LOG2_OF(UE__T_##kind))
#define UE__BYTES_0S(...)
#define UE__BYTES_0R(...)
#define UE__BYTES_0M(...)
#define UE__BYTES_0X(...)

/* UE_AS, UE_TAGGED: the first tuple with more in it; behind it may be a struct's members. */
#define UE__WITH(op, bits, ...) UE__WITH_(op, bits, __VA_ARGS__, UE__NOTHING)
#define UE__WITH_(op, bits, x, ...) UE__APPLY(op, UE__TUPLE(bits, x)), __VA_ARGS__
#define UE__TAG_0B(bits, as, tag, ...) (0B, UE__FIELD, as, +bits, __VA_ARGS__)
#define UE__TAG_0V(bits, kind, as, tag, ...) (0V, UE__FIELD, kind, as, +bits, __VA_ARGS__)
#define UE__TAG_0P(bits, kind, as, tag, ...) (0P, UE__FIELD, kind, as, +bits, __VA_ARGS__)
#define UE__TAG_0L(bits, kind, as, tag, ...) (0L, UE__FIELD, kind, as, +bits, __VA_ARGS__)
#define UE__TAG_0F(bits, kind, as, tag, ...) (0F, UE__FIELD, kind, as, +bits, __VA_ARGS__)
#define UE__TAG_0S(bits, as, tag, ...) (0S, UE__FIELD, as, +bits, __VA_ARGS__)
#define UE__TAG_0R(bits, as, tag, ...) (0R, UE__FIELD, as, +bits, __VA_ARGS__)
#define UE__TAG_0X(bits, ...) (0X, UE__FIELD, __VA_ARGS__)
#define UE__AS_0B(bits, as, tag, string, x) \
	(0B, UE__FIELD, bits + UE__WITHOUT_FORMAT, tag, string, x)
#define UE__WITHOUT_FORMAT(t) (t) - UE__FORMAT_PART(t)
#define UE__AS_0V(bits, kind, as, ...) (0V, UE__FIELD, kind, UE__AS_KIND(bits, kind), __VA_ARGS__)
#define UE__AS_0P(bits, kind, as, ...) (0P, UE__FIELD, kind, UE__AS_KIND(bits, kind), __VA_ARGS__)
#define UE__AS_0L(bits, kind, as, ...) (0L, UE__FIELD, kind, UE__AS_KIND(bits, kind), __VA_ARGS__)
#define UE__AS_0F(bits, kind, as, ...) (0F, UE__FIELD, kind, UE__AS_KIND(bits, kind), __VA_ARGS__)
#define UE__AS_0S(bits, as, ...) (0S, UE__FIELD, +bits, __VA_ARGS__)
#define UE__AS_0R(bits, as, ...) (0R, UE__FIELD, +bits, __VA_ARGS__)
#define UE__AS_0X(bits, ...) (0X, UE__FIELD, __VA_ARGS__)
#define UE__AS_KIND(bits, kind) +bits - UE__FORMAT_PART(UE__T_##kind)

/* Of UE_LOG, not a field. */
#define UE__ACTIVITY(id, related, ...) \
	(0X, UE__FIELD, 0ACTIVITY, ue__in_pointer(id), ue__in_pointer(related))
