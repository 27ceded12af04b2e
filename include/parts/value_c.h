/* SPDX-License-Identifier: MIT */
/*
 * The type of a bare variable, in C
 */

/* @private */

#ifndef __cplusplus
UE__ENUM64 {
	UE__T_LONG = sizeof(long) == 8 ? UE__T_0I64 : UE__T_0I32,
	UE__T_ULONG = sizeof(long) == 8 ? UE__T_0U64 : UE__T_0U32
};
#define UE__C_TYPES(_)                                                                    \
	_(bool, 0BOOL, UE__T_0BOOL)                                                       \
	_(char, 0CHAR, UE__T_0CHAR)                                                       \
	_(signed char, 0I8, UE__T_0I8)                                                    \
	_(unsigned char, 0U8, UE__T_0U8)                                                  \
	_(short, 0I16, UE__T_0I16)                                                        \
	_(unsigned short, 0U16, UE__T_0U16)                                               \
	_(int, 0I32, UE__T_0I32)                                                          \
	_(unsigned int, 0U32, UE__T_0U32)                                                 \
	_(long, 0I64, UE__T_LONG)                                                         \
	_(unsigned long, 0U64, UE__T_ULONG)                                               \
	_(long long, 0I64, UE__T_0I64)                                                    \
	_(unsigned long long, 0U64, UE__T_0U64)                                           \
	_(float, 0F32, UE__T_0F32)                                                        \
	_(double, 0F64, UE__T_0F64)

/* An object of the variable's type, for what does not evaluate it; clang warns of a null pointer. */
#define UE__LIKE(at) *(ue__x##at *)8
/* The value of X, an array decayed, in contexts that do not evaluate it. */
#define UE__DECAYED(x) ((void)0, x)
/* Is it an array? It has another type than its value; to clang so has what is _Atomic. */
#define UE__VALUE_TYPE(at) __typeof__(UE__DECAYED(UE__LIKE(at)))
#ifdef __clang__
#define UE__DECAYS(at)                                                                    \
	(!__builtin_types_compatible_p(ue__x##at, UE__VALUE_TYPE(at)) &&                  \
	 !__builtin_types_compatible_p(ue__x##at, _Atomic(UE__VALUE_TYPE(at))))
#else
#define UE__DECAYS(at) !__builtin_types_compatible_p(ue__x##at, UE__VALUE_TYPE(at))
#endif
#define UE__C_TYPE(type, kind, t) type : t,
#define UE__C_VALUE(type, kind, t) type : ue__in_##kind,
/*
 * The type in steps, each of which has a name, since the compiler reads all that is written here for
 * each variable: is it an array; the type of it or its elements; their number; what an array is. The
 * number has the name that the compiler tells of an array of variable length.
 */
#define UE__TYPE_0B(at, as, tag, string, x) typedef __typeof__(_Generic(0, default : x)) ue__x##at;
#define UE__ENUM_0B(at, as, tag, string, x)                                               \
	ue__a##at = UE__DECAYS(at),                                                       \
	ue__e##at = _Generic(UE__DECAYED(__builtin_choose_expr(ue__a##at, \
				*__builtin_choose_expr(ue__a##at, UE__LIKE(at), ""), UE__LIKE(at))), \
			     UE__C_TYPES(UE__C_TYPE) char * : UE__T_0STR, const char * : UE__T_0STR, \
			     default : !ue__a##at && __builtin_classify_type(UE__DECAYED(UE__LIKE(at))) == 5 ? \
				     UE__T_0PTR : UE__T_NONE),                            \
	ue__use_UE_ARRAY##at = sizeof(ue__x##at) >> (ue__e##at & 7),                      \
	ue__t##at = as(ue__a##at ? UE__ARRAY_TYPE(ue__e##at, ue__use_UE_ARRAY##at) : ue__e##at) tag,
#ifdef __clang__ /* to which what is not constant is the enumerator before it plus 1 */
#define UE__ARRAY_TYPE(e, z) (z >> 44 ? e : UE__ARRAY_OF(e, z))
#else
#define UE__ARRAY_TYPE UE__ARRAY_OF
#endif
#define UE__ARRAY_OF(e, z)                                                                \
	(e == UE__T_0CHAR ? UE__T_0STR + (z > 65535 ? 0 : z << 16 | 0x8000u) :            \
	 e & 0x38	  ? UE__T_NONE :                                                  \
	 (e & 0xffffffff0000ffff) + (z > 65535 ? 0xffff9000u : z << 16 | 0x1000u))
/* A variable's value; what is no field has been told once. */
#define UE__IN(at, x)                                                                     \
	_Generic(UE__DECAYED(__builtin_choose_expr(ue__t##at == UE__T_NONE, 0, UE__LIKE(at))), \
		 UE__C_TYPES(UE__C_VALUE) default : ue__in_pointer)(                      \
		__builtin_choose_expr(ue__t##at == UE__T_NONE, 0, x))
#if __SIZEOF_POINTER__ == 8 /* a cast serves integers and pointers; UE_LOG alone has floats */
#define UE__IN_KERNEL(at, x) (uint64_t)__builtin_choose_expr(ue__t##at == UE__T_NONE, 0, x)
#else
#define UE__IN_KERNEL UE__IN
#endif
#endif
