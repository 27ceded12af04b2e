/* SPDX-License-Identifier: MIT */
/*
 * Preprocessor: what is asked of each field
 */

@private

/* op UE__DO: evaluates each value, in order, into a variable */
#define UE__DO_0V(c, t, string, variable, value, ctype, name) \
	UE__LOCAL UE__CAT(c, variable) __attribute__((__unused__)) = value;
#define UE__DO_0P(c, t, string, variable, p, n, ctype, name)                           \
	const uint64_t UE__CAT(c, variable) __attribute__((__unused__)) = p;          \
	const uint64_t UE__CAT(UE__CAT(c, variable), __count) __attribute__((__unused__)) = n;
#define UE__DO_0S(c, t, string, name, count, ...) \
	UE__EACH_LATER()(UE__DO, UE__CAT(c, name##__), __VA_ARGS__)
#define UE__DO_0R(c, t, string, name, p, n, count, ...)                                \
	const uint64_t UE__CAT(c, ue__v_##name) __attribute__((__unused__)) = p;      \
	const uint64_t UE__CAT(c, ue__v_##name##__count) __attribute__((__unused__)) = n;
#define UE__DO_0X(c, option, ...) UE__DO_##option(__VA_ARGS__)
#define UE__DO_0END(...)
#define UE__DO_0ID(...)
#define UE__DO_0OPCODE(...)
#define UE__DO_0TAG(...)
#define UE__DO_0ACTIVITY(id, related)                                                  \
	const uint64_t ue__v__activity __attribute__((__unused__)) = id;              \
	const uint64_t ue__v__related __attribute__((__unused__)) = related;

/* op UE__PASS: the variables as arguments */
#define UE__PASS_0V(c, t, string, variable, value, ctype, name) ue__arg(UE__CAT(c, variable)),
#define UE__PASS_0P(c, t, string, variable, p, n, ctype, name) \
	UE__CAT(c, variable), UE__CAT(UE__CAT(c, variable), __count),
#define UE__PASS_0S(c, t, string, name, count, ...) \
	UE__EACH_LATER()(UE__PASS, UE__CAT(c, name##__), __VA_ARGS__)
#define UE__PASS_0R(c, t, string, name, p, n, count, ...) \
	UE__CAT(c, ue__v_##name), UE__CAT(c, ue__v_##name##__count),
#define UE__PASS_0X(...)

/* op UE__EXPRESSION: the values themselves as arguments, for C++ */
#define UE__EXPRESSION_0V(c, t, string, variable, value, ctype, name) value,
#define UE__EXPRESSION_0P(c, t, string, variable, p, n, ctype, name) p, n,
#define UE__EXPRESSION_0S(c, t, string, name, count, ...) \
	UE__EACH_LATER()(UE__EXPRESSION, c, __VA_ARGS__)
#define UE__EXPRESSION_0R(c, t, string, name, p, n, count, ...) p, n,
#define UE__EXPRESSION_0X(c, option, ...) UE__EXPRESSION_##option(__VA_ARGS__)
#define UE__EXPRESSION_0END(...)
#define UE__EXPRESSION_0ID(...)
#define UE__EXPRESSION_0OPCODE(...)
#define UE__EXPRESSION_0TAG(...)
#define UE__EXPRESSION_0ACTIVITY(id, related) ue__activity{ id, related },

/* op UE__TYPE: the types of values */
#define UE__TYPE_0V(c, t, ...) t,
#define UE__TYPE_0P(c, t, ...) t,
#define UE__TYPE_0S(c, t, string, name, count, ...) UE__EACH_LATER()(UE__TYPE, c, __VA_ARGS__)
#define UE__TYPE_0R(c, t, string, name, p, n, count, ...) \
	(t) | UE__U64(0 UE__EACH_LATER()(UE__SIZE, c, __VA_ARGS__)) << 32,
#define UE__TYPE_0X(...)

/* op UE__SIZE: of a packed struct's members, "+ bytes" each */
#define UE__SIZE_0V(c, t, ...) \
	+(((t) & UE__T_CARRAY ? UE__SIZE_T(UE__LENGTH_OF(t)) : 1u) << UE__LOG2_OF(t))
#define UE__SIZE_0S(c, t, string, name, count, ...) UE__EACH_LATER()(UE__SIZE, c, __VA_ARGS__)
#define UE__SIZE_0X(...)

/*
 * op UE__SUM: what an event needs, as "+ sum": bits 0..23 fixed bytes, 24..35 values, 36..47
 * fields of dynamic size, 48..63 entries of types
 */
#define UE__SUM_OF(bytes, values, dynamic, types)                                     \
	+(UE__U64(bytes) | UE__U64(values) << 24 | UE__U64(dynamic) << 36 |  \
	  UE__U64(types) << 48)
#define UE__IS_FIXED(t)                                                               \
	((UE__SHAPE_OF(t) == UE__SHAPE_VALUE || UE__SHAPE_OF(t) == UE__SHAPE_POINTER) && \
	 !((t) & (UE__T_VARRAY | UE__T_SPAN)))
/* of a kernel-typed event: arrays of N in place, all else a loc of 4 bytes */
#define UE__KSUM_0V(c, t, ...)                                                         \
	UE__SUM_OF(UE__IS_FIXED(t) ?                                                  \
			   ((t) & UE__T_CARRAY ? UE__LENGTH_OF(t) : 1u) << UE__LOG2_OF(t) : \
			   4, 1, !UE__IS_FIXED(t), 1)
#define UE__KSUM_0P(c, t, ...) UE__SUM_OF(4, 2, 1, 1)
#define UE__KSUM_0S(...)
#define UE__KSUM_0R(...)
#define UE__KSUM_0X(...)
/*
 * Of an event without fields, a zero byte without a name: kernels before 6.12 do not always show
 * an empty payload.
 */
#define UE__KSUM_ALL(...) \
	(UE__U64(0) UE__EACH(UE__KSUM, , __VA_ARGS__) + (UE__COUNT(__VA_ARGS__) == 0 ? 1 : 0))
#define UE__NO_FIELDS(...) (UE__COUNT(__VA_ARGS__) == 0 ? UE__U64(UE__T_U8) : UE__U64(UE__T_END))
/* in pairs of segments: an array of strings may take many */
#define UE__WEIGHT(t) (UE__SHAPE_OF(t) == UE__SHAPE_ZSTRING && UE__IS_ARRAY(t) ? UE__STRING_PAIRS : 1)
/* of an EventHeader event: a count of 2 bytes before what is counted */
#define UE__SUM_0V(c, t, ...)                                                          \
	UE__SUM_OF(UE__IS_FIXED(t) && !((t) & UE__T_CARRAY) ? 1u << UE__LOG2_OF(t) :  \
		   (t) & UE__T_SPAN		       ? 2 :                          \
							 0,                           \
		   1, UE__IS_FIXED(t) && !((t) & UE__T_CARRAY) ? 0 : UE__WEIGHT(t), 1)
#define UE__SUM_0P(c, t, ...) UE__SUM_OF(2, 2, UE__WEIGHT(t), 1)
#define UE__SUM_0S(c, t, string, name, count, ...) UE__EACH_LATER()(UE__SUM, c, __VA_ARGS__)
#define UE__SUM_0R(...) UE__SUM_OF(2, 2, 1, 1)
#define UE__SUM_0X(c, option, ...) UE__SUM_##option
#define UE__SUM_0END
#define UE__SUM_0ID
#define UE__SUM_0OPCODE
#define UE__SUM_0TAG
#define UE__SUM_0ACTIVITY UE__SUM_OF(0, 2, 0, 1)

#define UE__DESC(kind, sum, meta)                                                     \
	{                                                                             \
		kind, { 0, 0, 0 }, \
			UE__U32((sum) & 0xffffff), UE__U16((sum) >> 24 & 0xfff), \
			UE__U16((sum) >> 36 & 0xfff), UE__U16((sum) >> 48), meta \
	}

/* op UE__NAME: "field\0" */
#define UE__NAME_0V(c, t, string, ...) string "\0"
#define UE__NAME_0P(c, t, string, ...) string "\0"
#define UE__NAME_0S(...)
#define UE__NAME_0R(...)
#define UE__NAME_0X(...)

/* op UE__CHECK: what a kernel-typed event cannot carry */
#define UE__CARRIES(t)                                                                \
	((UE__U64(t) >> 27 & 1) && (!((t) & UE__T_CARRAY) || UE__ROW_OF(t) == UE__ROW_CHAR || \
			     UE__ROW_OF(t) == UE__ROW_U8) &&                          \
	 !(((t) & UE__T_VARRAY) && UE__SHAPE_OF(t) != UE__SHAPE_VALUE))
#define UE__CHECK_0V(c, t, string, ...)                                                \
	UE__STATIC_ASSERT(UE__CARRIES(t), "user_events.h: field \"" string            \
					  "\" has a type that kernel-typed events cannot carry (a " \
					  "float, a fixed array of other than bytes); use UE_LOG");
#define UE__CHECK_0P UE__CHECK_0V
#define UE__CHECK_0S(c, t, string, ...)                                                \
	UE__STATIC_ASSERT(0, "user_events.h: field \"" string                         \
			     "\" is a struct, which kernel-typed events cannot carry; use UE_LOG");
#define UE__CHECK_0R UE__CHECK_0S
#define UE__CHECK_0X(c, option, ...) UE__CHECK_##option
#define UE__CHECK_0END
#define UE__CHECK_0ID UE__CHECK_OPTION
#define UE__CHECK_0OPCODE UE__CHECK_OPTION
#define UE__CHECK_0TAG UE__CHECK_OPTION
#define UE__CHECK_0ACTIVITY UE__CHECK_OPTION
#define UE__CHECK_OPTION                                                              \
	UE__STATIC_ASSERT(0, "user_events.h: UE_ID, UE_OPCODE, UE_TAG and UE_ACTIVITY are " \
			     "options of UE_LOG");
