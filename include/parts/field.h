/* SPDX-License-Identifier: MIT */
/*
 * Preprocessor: fields as tuples
 */

@private

/*
 * Tuples. A type's name is taken apart where it is written, before macros that a program may have
 * for U8 or BOOL are expanded in it; so their own words begin with a digit.
 */
#define UE__KIND(type) UE__T_##type, UE__IN_##type, UE__C_##type
#define UE__VALUE(kind, ...) UE__CAT(UE__VALUE_, UE__MANY(__VA_ARGS__))(kind, __VA_ARGS__)
#define UE__VALUE_1(t, in, ctype, name) (0V, t, #name, ue__v_##name, in(name), ctype, name)
#define UE__VALUE_2(t, in, ctype, name, ...) \
	(0V, t, #name, ue__v_##name, in((__VA_ARGS__)), ctype, name)

#define UE__SPAN(kind, ...) UE__CAT(UE__SPAN_, UE__MANY(__VA_ARGS__))(kind, __VA_ARGS__)
#define UE__SPAN_1(t, in, ctype, name) UE__SPAN_2(t, in, ctype, name, name, name##_count)
#define UE__SPAN_2(t, in, ctype, name, p, ...) \
	(0P, t, #name, ue__v_##name, in(p), UE__CAST(uint64_t, __VA_ARGS__), ctype, name)

#define UE__ARRAY(t, ctype, ...) UE__CAT(UE__ARRAY_, UE__MANY(__VA_ARGS__))(t, ctype, __VA_ARGS__)
#define UE__ARRAY_1(t, ctype, name) UE__ARRAY_2(t, ctype, name, name, name##_count)
#define UE__ARRAY_2(t, ctype, name, p, ...)                                                  \
	(0P, UE__U64(t) | UE__T_VARRAY, #name, ue__v_##name, UE__ELEMENTS(t, p),            \
	 UE__CAST(uint64_t, __VA_ARGS__), ctype const *, name)

#define UE__FIXED_ARRAY(t, ctype, name, ...) \
	UE__CAT(UE__FIXED_, UE__MANY(__VA_ARGS__))(t, ctype, name, __VA_ARGS__)
#define UE__FIXED_1(t, ctype, name, n) UE__FIXED_2(t, ctype, name, name, n)
#define UE__FIXED_2(t, ctype, name, p, ...)                                                  \
	(0V, UE__U64(t) | UE__T_CARRAY | UE__FIXED_LENGTH(__VA_ARGS__), #name, ue__v_##name, \
	 UE__ELEMENTS(t, p), ctype const *, name)

/* A negative array size here is a fixed array's N outside 1..65535. */
#define UE__FIXED_LENGTH(n) \
	(UE__T_LENGTH(n) + 0 * sizeof(char[(n) > 0 && (n) <= 65535 ? 1 : -1]))
/* A negative array size here is a pointer to elements of another size than the type's. */
#define UE__ELEMENTS(t, p)                                                                   \
	(ue__in_pointer(p) +                                                                 \
	 0 * sizeof(char[UE__ELEMENT_FITS(t, __extension__ sizeof(*(p))) ? 1 : -1]))
#define UE__ELEMENT_FITS(t, size)                                                            \
	(UE__SHAPE_OF(t) == UE__SHAPE_VALUE   ? (size) == 1u << UE__LOG2_OF(t) :             \
	 UE__SHAPE_OF(t) == UE__SHAPE_ZSTRING ? (size) == sizeof(void *) :                   \
						UE__SHAPE_OF(t) == UE__SHAPE_POINTER)

#define UE__STRUCT(name, ...) \
	(0S, UE__U64(UE__T_STRUCT), #name, name, UE__COUNT(__VA_ARGS__), __VA_ARGS__)
#define UE__STRUCT_ARRAY(name, p, count, ...)                                                \
	(0R, UE__U64(UE__T_STRUCT) | UE__T_VARRAY, #name, name, ue__in_pointer(p),          \
	 UE__CAST(uint64_t, count), UE__COUNT(__VA_ARGS__), __VA_ARGS__)

/* UE_TAGGED, UE_AS: the field's tuple with bits of its type replaced */
#define UE__WITH(bits, mask, ...) UE__WITH_(bits, mask, __VA_ARGS__)
#define UE__WITH_(bits, mask, x) \
	UE__WITH__(bits, mask, UE__CAT(UE__FIELD_, UE__IS_PAREN(x))(x))
#define UE__WITH__(...) UE__WITH___(__VA_ARGS__)
#define UE__WITH___(bits, mask, class, type, ...) \
	(class, (UE__U64(type) & (mask)) | (bits), __VA_ARGS__)

#define UE__ACTIVITY(id, related, ...) \
	(0X, 0ACTIVITY, ue__in_pointer(id), ue__in_pointer(related))

/* op UE__BARE: what the types of bare variables need, in C, before anything else */
#ifdef __cplusplus
#define UE__BARES(...)
#else
#define UE__BARES(...) UE__SCAN(UE__EACH(UE__BARE, , __VA_ARGS__))
#define UE__BARE_0B(c, t, string, variable, value, ctype, name) UE__BARE_TYPES(name)
#define UE__BARE_0V(...)
#define UE__BARE_0P(...)
#define UE__BARE_0S(c, t, string, name, count, ...) UE__EACH_LATER()(UE__BARE, c, __VA_ARGS__)
#define UE__BARE_0R(c, t, string, name, p, n, count, ...) \
	UE__EACH_LATER()(UE__BARE, c, __VA_ARGS__)
#define UE__BARE_0X(...)
#endif
/* but for that, a bare variable is a value */
#define UE__DO_0B UE__DO_0V
#define UE__PASS_0B UE__PASS_0V
#define UE__EXPRESSION_0B UE__EXPRESSION_0V
#define UE__TYPE_0B UE__TYPE_0V
#define UE__SIZE_0B UE__SIZE_0V
#define UE__KSUM_0B UE__KSUM_0V
#define UE__SUM_0B UE__SUM_0V
#define UE__NAME_0B UE__NAME_0V
#define UE__CHECK_0B UE__CHECK_0V
#define UE__NOTE_TEXT_0B UE__NOTE_TEXT_0V
#define UE__NOTE_ARG_0B UE__NOTE_ARG_0V
#define UE__PARAM_0B UE__PARAM_0V
#define UE__FORWARD_0B UE__FORWARD_0V
#define UE__DEFINE_0B UE__DEFINE_0V
#define UE__INITIALISE_0B UE__INITIALISE_0V
#define UE__MEMBERS_0B UE__MEMBERS_0V
#define UE__MEMBER_0B UE__MEMBER_0V
#define UE__PACKED_0B UE__PACKED_0V
#define UE__HEAD_0B UE__HEAD_0V
#define UE__ACTIVITY_TYPE_0B UE__ACTIVITY_TYPE_0V
#define UE__ACTIVITY_EXPRESSION_0B UE__ACTIVITY_EXPRESSION_0V
#define UE__ACTIVITY_PASS_0B UE__ACTIVITY_PASS_0V
