/* SPDX-License-Identifier: MIT */
/*
 * Preprocessor: what is asked of each field
 */

/* @private */

/*
 * op UE__TYPE: ue__x..., the type of a bare variable, by which all else asks for it: so a variable
 * that is not declared is told once.
 */
#define UE__TYPE_0V(...)
#define UE__TYPE_0P(...)
#define UE__TYPE_0L(...)
#define UE__TYPE_0F(...)
#define UE__TYPE_0S(...)
#define UE__TYPE_0R(...)
#define UE__TYPE_0M(at, class, tuple) UE__INNER(UE__TYPE_##class, at, UE__UNPACK tuple)
#define UE__TYPE_0X(...)

/*
 * op UE__ENUM: ue__t..., the type, as an enumerator, so that all else has a short name for it. A
 * type that the user names has one, but for UE_AS() and UE_TAGGED(). That of bare variables,
 * UE__ENUM_0B, is C's and C++'s own.
 */
#define UE__ENUM_0V(at, kind, as, tag, ...) \
	UE__IF_PLAIN(as tag, UE__ENUM_PLAIN, UE__ENUM_OTHER)(at, UE__T_##kind as tag)
#define UE__ENUM_PLAIN(...) /* it has a name: UE__T_... */
#define UE__ENUM_OTHER(at, t) ue__t##at = t,
/* without UE_AS() and UE_TAGGED() */
#define UE__IF_PLAIN(more, plain, other) UE__SECOND_OF(UE__PLAIN_PROBE more(plain), other, ~)
#define UE__PLAIN_PROBE(plain) ~, plain
#define UE__ENUM_0P UE__ENUM_0V
#define UE__ENUM_0L(at, kind, as, tag, ...) ue__t##at = UE__T_##kind + UE__T_VARRAY as tag,
#define UE__ENUM_0F(at, kind, as, tag, string, name, p, ...) \
	ue__t##at = UE__ELEMENT_OF(UE__T_##kind) + UE__T_CARRAY +            \
		    UE__FIXED_LENGTH((__VA_ARGS__)) as tag,
#define UE__ENUM_0S(at, as, tag, string, members) \
	ue__t##at = UE__T_0STRUCT + UE__FORMAT_BITS(members) as tag,
#define UE__ENUM_0R(at, as, tag, string, members, size, ...) \
	ue__t##at = UE__T_0STRUCT + UE__T_VARRAY + UE__FORMAT_BITS(members) + \
		    UE__T_LENGTH(size) as tag,
#define UE__ENUM_0M(at, class, tuple) UE__INNER(UE__ENUM_##class, at, UE__UNPACK tuple)
#define UE__ENUM_0X(...)

/* op UE__NAME: "field;" */
#define UE__NAME_0B(at, as, tag, string, x) string ";"
#define UE__NAME_0V(at, kind, as, tag, string, ...) string ";"
#define UE__NAME_0P UE__NAME_0V
#define UE__NAME_0L UE__NAME_0V
#define UE__NAME_0F UE__NAME_0V
#define UE__NAME_0S(at, as, tag, string, ...) string ";"
#define UE__NAME_0R UE__NAME_0S
#define UE__NAME_0M(at, class, tuple) UE__INNER(UE__NAME_##class, at, UE__UNPACK tuple)
#define UE__NAME_0X(...)

/*
 * op UE__ENTRY: the types of values in the descriptor. In C++ an operator of an enumerator makes
 * clang look for overloads, which takes long: so each is cast first.
 */
#define UE__ENTRY_0B(at, ...) UE__U32(ue__t##at),
#define UE__ENTRY_0V(at, kind, ...) UE__U32(UE__T_##kind),
#define UE__ENTRY_0P UE__ENTRY_0V
#define UE__ENTRY_0L UE__ENTRY_0B
#define UE__ENTRY_0F UE__ENTRY_0B
#define UE__ENTRY_0S(...)
#define UE__ENTRY_0R UE__ENTRY_0B
#define UE__ENTRY_0M(...)
#define UE__ENTRY_0X(...)

/*
 * op UE__KERNEL_SUM, UE__LOG_SUM: what an event needs, as "+ sum": bits 0..23 fixed bytes, 24..33
 * values, 34..47 pairs of segments, 48..56 entries of types, 57..63 what else is no scalar
 */
#define UE__SUM_OF(bytes, values, dynamic, types) \
	+(UE__U64(bytes) | UE__U64(values) << 24 | UE__U64(dynamic) << 34 | UE__U64(types) << 48)
#define UE__SUM_VALUE 0x1000001000000 /* one value, one type */
#define UE__SUM_DYNAMIC 0x400000000
#define UE__SUM_OTHER 0x200000000000000 /* no scalar, but of constant size */
#define UE__SUM_NO_SCALARS 0xfe00fffc00000000
#define UE__SUM_LOC 0x1000401000004 /* a loc of 4 bytes */
/* of a bare variable: a scalar has its size where an array of bytes has its length */
#define UE__KERNEL_PART(t) \
	(t & UE__T_DYNAMIC ? UE__SUM_LOC : \
	 UE__SUM_VALUE + UE__LENGTH_OF(t) + (t & UE__T_CARRAY ? UE__SUM_OTHER : 0))
#ifdef __cplusplus
#define UE__KERNEL_SUM_0B(at, ...) +ue__bare<ue__x##at>::ue__kernel
#else
#define UE__KERNEL_SUM_0B(at, ...) +UE__KERNEL_PART(ue__t##at)
#endif
#define UE__KERNEL_SUM_0V(at, kind, ...) +UE__NUMBER_OF(ue__k##kind)
#define UE__KERNEL_SUM_0P(...) UE__SUM_OF(4, 2, 1, 1)
#define UE__KERNEL_SUM_0L UE__KERNEL_SUM_0P
#define UE__KERNEL_SUM_0F(at, ...) +(UE__SUM_VALUE + UE__SUM_OTHER + UE__LENGTH_OF(ue__t##at))
#define UE__KERNEL_SUM_0S(...)
#define UE__KERNEL_SUM_0R(...)
#define UE__KERNEL_SUM_0M(...)
#define UE__KERNEL_SUM_0X(...)
/* of an EventHeader event: a count of 2 bytes before what is counted */
#define UE__LOG_PART(t)                                  \
	UE__SUM_VALUE + (t & (UE__T_DYNAMIC | UE__T_CARRAY) ? \
				 UE__SUM_DYNAMIC + (t & UE__T_SPAN ? 2 : 0) : UE__LENGTH_OF(t))
#ifdef __cplusplus
#define UE__LOG_SUM_0B(at, ...) +ue__bare<ue__x##at>::ue__log
#else
#define UE__LOG_SUM_0B(at, ...) +UE__LOG_PART(ue__t##at)
#endif
#define UE__LOG_SUM_0V(at, kind, ...) +UE__NUMBER_OF(ue__l##kind)
/* in pairs of segments: an array of strings may take many */
#define UE__SEGMENTS(t) \
	(UE__SHAPE_OF(t) == UE__SHAPE_ZSTRING && UE__IS_ARRAY(t) ? UE__STRING_PAIRS : 1)
#define UE__LOG_SUM_0P(...) UE__SUM_OF(2, 2, 1, 1)
#define UE__LOG_SUM_0L(at, ...) UE__SUM_OF(2, 2, UE__SEGMENTS(ue__t##at), 1)
#define UE__LOG_SUM_0F(at, ...) UE__SUM_OF(0, 1, UE__SEGMENTS(ue__t##at), 1)
#define UE__LOG_SUM_0S(...)
#define UE__LOG_SUM_0R UE__LOG_SUM_0P
#define UE__LOG_SUM_0M(...)
#define UE__LOG_SUM_0X(at, option, ...) UE__LOG_SUM_##option
#define UE__LOG_SUM_0END
#define UE__LOG_SUM_0NOTHING
#define UE__LOG_SUM_0ID
#define UE__LOG_SUM_0OPCODE
#define UE__LOG_SUM_0TAG
#define UE__LOG_SUM_0ACTIVITY UE__SUM_OF(0, 2, 0, 0x8001)
/* of the types that fields name, in either event; a pointer to bytes is no scalar */
UE__ENUM64 {
#define UE__SUM_FIXED(log2) UE__SUM_VALUE + (1 << log2)
#define UE__SUM_VALUE_OF(event, log2) UE__SUM_FIXED(log2)
#define UE__SUM_POINTER_OF(event, log2) UE__SUM_FIXED(log2) + UE__SUM_OTHER
#define UE__SUM_ZSTRING_OF(event, log2) event
#define UE__SUM_COUNTED_OF(event, log2) 0 /* two values */
#define UE__SUM_ROW(name, kernel, log2, shape, kind, format, ctype, how, ok) \
	ue__k0##name = UE__SUM_##shape##_OF(UE__SUM_LOC, log2),              \
	ue__l0##name = UE__SUM_##shape##_OF(UE__SUM_VALUE + UE__SUM_DYNAMIC, log2),
	UE__TYPES(UE__SUM_ROW)
#undef UE__SUM_ROW
	ue__k0PTR = UE__SUM_VALUE + sizeof(void *),
	ue__l0PTR = ue__k0PTR
};

/* op UE__ARGUMENT: the values, as ", value" */
#define UE__ARGUMENT_0B(at, as, tag, string, x) , ue__arg(UE__IN(at, x))
#define UE__ARGUMENT_0V(at, kind, as, tag, string, name, ...) , UE__IN_AS(kind)(__VA_ARGS__)
#define UE__ARGUMENT_0P(at, kind, as, tag, string, name, p, ...) \
	, UE__IN_AS(kind)(p), ue__in_count((__VA_ARGS__))
#define UE__ARGUMENT_0L(at, kind, as, tag, string, name, p, ...) \
	, UE__ELEMENTS(UE__T_##kind, p), ue__in_count((__VA_ARGS__))
#define UE__ARGUMENT_0F(at, kind, as, tag, string, name, p, ...) , UE__ELEMENTS(UE__T_##kind, p)
#define UE__ARGUMENT_0S(...)
#define UE__ARGUMENT_0R(at, as, tag, string, members, size, p, n) \
	, ue__in_pointer(p), ue__in_count(n)
#define UE__ARGUMENT_0M(...)
#define UE__ARGUMENT_0X(at, option, ...) UE__ARGUMENT_##option(__VA_ARGS__)
#define UE__ARGUMENT_0END(...)
#define UE__ARGUMENT_0NOTHING(...)
#define UE__ARGUMENT_0ID(...)
#define UE__ARGUMENT_0OPCODE(...)
#define UE__ARGUMENT_0TAG(...)
#define UE__ARGUMENT_0ACTIVITY(id, related) , id, related

/* op UE__PASS: the variables that hold them, as ", variable" */
#define UE__PASS_0B(at, ...) , ue__v##at
#define UE__PASS_0V UE__PASS_0B
#define UE__PASS_0P(at, ...) , ue__v##at, ue__n##at
#define UE__PASS_0L UE__PASS_0P
#define UE__PASS_0F UE__PASS_0B
#define UE__PASS_0S(...)
#define UE__PASS_0R UE__PASS_0P
#define UE__PASS_0M(...)
#define UE__PASS_0X(...)

#ifdef __cplusplus
/* op UE__PARAMETER: the same as parameters, in the order of the values */
#define UE__PARAMETER_0B(at, ...) , uint64_t ue__v##at
#define UE__PARAMETER_0V UE__PARAMETER_0B
#define UE__PARAMETER_0P(at, ...) , uint64_t ue__v##at, uint64_t ue__n##at
#define UE__PARAMETER_0L UE__PARAMETER_0P
#define UE__PARAMETER_0F UE__PARAMETER_0B
#define UE__PARAMETER_0S(...)
#define UE__PARAMETER_0R UE__PARAMETER_0P
#define UE__PARAMETER_0M(...)
#define UE__PARAMETER_0X(at, option, ...) UE__PARAMETER_##option(at)
#define UE__PARAMETER_0END(at)
#define UE__PARAMETER_0NOTHING(at)
#define UE__PARAMETER_0ID(at)
#define UE__PARAMETER_0OPCODE(at)
#define UE__PARAMETER_0TAG(at)
#define UE__PARAMETER_0ACTIVITY(at) , uint64_t ue__v##at, uint64_t ue__n##at
#endif
#if !defined(__cplusplus) || defined(__clang__)
/*
 * op UE__EVALUATE: the same, evaluated in order. In C++ it is one expression, so that temporaries
 * among the values live until all is written.
 */
#ifdef __cplusplus
#define UE__BE(variable, value) variable = value,
#define UE__IN_KERNEL(at, x) ue__arg(UE__IN(at, x))
#else
#define UE__BE(variable, value) const uint64_t variable = value;
#endif
#define UE__EVALUATE_0B(at, as, tag, string, x) UE__BE(ue__v##at, UE__IN_KERNEL(at, x))
#define UE__EVALUATE_0V(at, kind, as, tag, string, name, ...) \
	UE__BE(ue__v##at, UE__IN_AS(kind)(__VA_ARGS__))
#define UE__EVALUATE_0P(at, kind, as, tag, string, name, p, ...)                          \
	UE__BE(ue__v##at, UE__IN_AS(kind)(p)) UE__BE(ue__n##at, ue__in_count((__VA_ARGS__)))
#define UE__EVALUATE_0L(at, kind, as, tag, string, name, p, ...)                          \
	UE__BE(ue__v##at, UE__ELEMENTS(UE__T_##kind, p))                                  \
	UE__BE(ue__n##at, ue__in_count((__VA_ARGS__)))
#define UE__EVALUATE_0F(at, kind, as, tag, string, name, p, ...) \
	UE__BE(ue__v##at, UE__ELEMENTS(UE__T_##kind, p))
#define UE__EVALUATE_0S(...)
#define UE__EVALUATE_0R(at, as, tag, string, members, size, p, n)                       \
	UE__BE(ue__v##at, ue__in_pointer(p)) UE__BE(ue__n##at, ue__in_count(n))
#define UE__EVALUATE_0M(...)
#define UE__EVALUATE_0X(at, option, ...) UE__EVALUATE_##option(at, __VA_ARGS__)
#define UE__EVALUATE_0END(...)
#define UE__EVALUATE_0NOTHING(...)
#define UE__EVALUATE_0ID(...)
#define UE__EVALUATE_0OPCODE(...)
#define UE__EVALUATE_0TAG(...)
#ifdef __cplusplus
#define UE__EVALUATE_0ACTIVITY(at, id, related) UE__BE(ue__v##at, id) UE__BE(ue__n##at, related)
#define UE__EVALUATE_LOG UE__EVALUATE
#else
#define UE__EVALUATE_0ACTIVITY(at, id, related) \
	const uint64_t ue__v##at = id, ue__n##at = related;                    \
	(void)ue__v##at;                                                           \
	(void)ue__n##at;
/* op UE__EVALUATE_LOG: of an EventHeader event, which has floats */
#define UE__EVALUATE_LOG_0B(at, as, tag, string, x) const uint64_t ue__v##at = UE__IN(at, x);
#define UE__EVALUATE_LOG_0V UE__EVALUATE_0V
#define UE__EVALUATE_LOG_0P UE__EVALUATE_0P
#define UE__EVALUATE_LOG_0L UE__EVALUATE_0L
#define UE__EVALUATE_LOG_0F UE__EVALUATE_0F
#define UE__EVALUATE_LOG_0S UE__EVALUATE_0S
#define UE__EVALUATE_LOG_0R UE__EVALUATE_0R
#define UE__EVALUATE_LOG_0M UE__EVALUATE_0M
#define UE__EVALUATE_LOG_0X UE__EVALUATE_0X
#endif
#endif

#ifdef UE_DISABLE
/* Type-checks the values. */
#ifdef __cplusplus
#define UE__IGNORE(n, ...) ue__ignore(0 UE__EACH_##n(UE__ARGUMENT, __VA_ARGS__));
#else
#define UE__IGNORE(n, ...)                                                              \
	UE__EACH_##n(UE__EVALUATE, __VA_ARGS__)                                        \
	ue__ignore(0 UE__EACH_##n(UE__PASS, __VA_ARGS__));
#endif
#endif
