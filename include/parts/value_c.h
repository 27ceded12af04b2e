/* SPDX-License-Identifier: MIT */
/*
 * The type of a bare variable, in C
 */

/* @private */

#ifndef __cplusplus
#define UE__T_LONG (sizeof(long) == 8 ? UE__T_0I64 : UE__T_0I32)
#define UE__T_ULONG (sizeof(long) == 8 ? UE__T_0U64 : UE__T_0U32)
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

/* The value of X, an array decayed, in contexts that do not evaluate it. */
#define UE__DECAYED(x) ((void)0, (x))
#define UE__IS_ARRAY_OBJECT(x) \
	(!__builtin_types_compatible_p(__typeof__(x), __typeof__(UE__DECAYED(x))))
/* An array's first element; else X itself. ARRAY says which. */
#define UE__ELEMENT(array, x) \
	__builtin_choose_expr(array, __builtin_choose_expr(array, (x), "")[0], (x))
#define UE__C_TYPE(type, kind, t) type : t,
#define UE__C_VALUE(type, kind, t) type : ue__in_##kind,
/* The type of X, in two steps: of an array, that of its elements. */
#define UE__ELEMENT_TYPE(array, x)                                                        \
	_Generic(UE__DECAYED(UE__ELEMENT(array, x)), UE__C_TYPES(UE__C_TYPE)              \
		 char * : UE__T_0STR, const char * : UE__T_0STR,                          \
		 default : __builtin_classify_type(x) == 5 ? UE__T_0PTR : UE__T_NONE)
#define UE__OBJECT_TYPE(array, t, size)                                                   \
	(!array		   ? t :                                                          \
	 t == UE__T_0CHAR  ? UE__T_0STR + UE__IN_ARRAY(size) :                            \
	 UE__SHAPE_OF(t)   ? UE__T_NONE :                                                 \
	 t == UE__T_0PTR   ? UE__T_NONE :                                                 \
			     UE__ELEMENT_OF(t) + UE__T_ELEMENTS(size >> UE__LOG2_OF(t)))
#define UE__IN_ARRAY(size) (size > 65535 ? 0 : UE__T_BOUNDED | UE__T_LENGTH(size))
#define UE__IN(like, x) \
	_Generic(UE__DECAYED(like), UE__C_TYPES(UE__C_VALUE) default : ue__in_pointer)(x)
/* An object of that type, for what does not evaluate it; clang warns of a null pointer all the same. */
#define UE__LIKE(at) (*(ue__x##at *)sizeof(uint64_t))
#define UE__TYPE_0B(at, as, tag, string, x) typedef __typeof__(_Generic(0, default : x)) ue__x##at;
#define UE__ENUM_0B(at, as, tag, string, x)                                               \
	ue__a##at = UE__IS_ARRAY_OBJECT(UE__LIKE(at)),                                    \
	ue__e##at = UE__ELEMENT_TYPE(ue__a##at, UE__LIKE(at)),                            \
	ue__t##at = UE__FORMATTED(UE__OBJECT_TYPE(ue__a##at, ue__e##at, sizeof(ue__x##at)), as) tag,
#endif
