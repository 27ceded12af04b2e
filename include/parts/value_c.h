/* SPDX-License-Identifier: MIT */
/*
 * The type of a bare variable, in C
 */

/* @private */

#ifndef __cplusplus
/* Short names and no spaces, since each bare variable repeats this text. */
UE__ENUM64 {
	ue__bl = UE__T_0BOOL,
	ue__ch = UE__T_0CHAR,
	ue__i1 = UE__T_0I8,
	ue__u1 = UE__T_0U8,
	ue__i2 = UE__T_0I16,
	ue__u2 = UE__T_0U16,
	ue__i4 = UE__T_0I32,
	ue__u4 = UE__T_0U32,
	ue__il = sizeof(long) == 8 ? UE__T_0I64 : UE__T_0I32,
	ue__ul = sizeof(long) == 8 ? UE__T_0U64 : UE__T_0U32,
	ue__i8 = UE__T_0I64,
	ue__u8 = UE__T_0U64,
	ue__f4 = UE__T_0F32,
	ue__f8 = UE__T_0F64,
	ue__st = UE__T_0STR,
	ue__pt = UE__T_0PTR,
	ue__no = UE__T_NONE
};
/* clang-format off */
#define UE__TYPE_OF_VALUE(value, other)                                                   \
	_Generic(value,_Bool:ue__bl,char:ue__ch,signed char:ue__i1,unsigned char:ue__u1,  \
		 short:ue__i2,unsigned short:ue__u2,int:ue__i4,unsigned:ue__u4,long:ue__il, \
		 unsigned long:ue__ul,long long:ue__i8,unsigned long long:ue__u8,         \
		 float:ue__f4,double:ue__f8,char*:ue__st,const char*:ue__st,default:other)

/* An object of the variable's type, for what does not evaluate it; clang warns of NULL. */
#define UE__LIKE(at) *(ue__x##at*)8
/* The value of X, an array decayed, in contexts that do not evaluate it. */
#define UE__DECAYED(x) ((void)0,x)
/* Is it an array? It has another type than its value; to clang so has what is _Atomic. */
#define UE__VALUE_TYPE(at) __typeof__(UE__DECAYED(UE__LIKE(at)))
#ifdef __clang__
#define UE__DECAYS(at)                                                                    \
	(!__builtin_types_compatible_p(ue__x##at,UE__VALUE_TYPE(at))&&                    \
	 !__builtin_types_compatible_p(ue__x##at,_Atomic(UE__VALUE_TYPE(at))))
#else
#define UE__DECAYS(at) !__builtin_types_compatible_p(ue__x##at,UE__VALUE_TYPE(at))
#endif
/*
 * The type in steps, each of which has a name: is it an array; the type of it or its elements;
 * their number; what an array is. The number has the name that the compiler tells of an array of
 * variable length.
 */
#if !defined(__clang__) && !defined(UE__NO_SYSTEM_HEADER) /* -Wshadow tells of them then */
/* For GCC, of a variable that is missing between two commas, which has been told. */
typedef int ue__x0_1, ue__x0_2, ue__x0_3, ue__x0_4, ue__x0_5, ue__x0_6, ue__x0_7, ue__x0_8;
#endif
#define UE__TYPE_0B(at, as, tag, string, x) typedef __typeof__(_Generic(0,default:x))ue__x##at;
#define UE__ENUM_0B(at, as, tag, string, x)                                               \
	ue__a##at=UE__DECAYS(at),ue__e##at=UE__TYPE_OF_VALUE(                             \
		UE__DECAYED(*__builtin_choose_expr(ue__a##at,UE__LIKE(at),(ue__x##at*)8)), \
		!ue__a##at&&__builtin_classify_type(UE__LIKE(at))==5?ue__pt:ue__no),      \
	ue__use_UE_ARRAY##at=sizeof(ue__x##at)>>(ue__e##at&7),                            \
	ue__t##at=as(ue__a##at?UE__ARRAY_TYPE(ue__e##at,ue__use_UE_ARRAY##at):ue__e##at)tag,
#ifdef __clang__ /* to which what is not constant is the enumerator before it plus 1 */
#define UE__ARRAY_TYPE(e, z) (z>>44?e:UE__ARRAY_OF(e,z))
#else
#define UE__ARRAY_TYPE UE__ARRAY_OF
#endif
#define UE__ARRAY_OF(e, z)                                                                \
	(e==ue__ch?ue__st+(z>>16?0:(z|0ull)<<16|UE__T_BOUNDED):e&UE__T_BEYOND_SCALARS?ue__no:    \
	 (e&~0xffff0000ull)+(z>>16?UE__T_MOST_ELEMENTS:(z|0ull)<<16|UE__T_CARRAY))
/* A variable's value; what is no field (UE__T_NONE) has been told once. */
#define UE__FIELD_VALUE(at, x) __builtin_choose_expr(ue__t##at & UE__T_NOTHING, 0, x)
#if __SIZEOF_POINTER__ == 8 /* a cast serves integers and pointers; UE_LOG alone has floats */
#define UE__IN(at, x)                                                                     \
	_Generic(UE__DECAYED(UE__LIKE(at)), float : ue__in_0F32, double : ue__in_0F64,    \
		 default : ue__in_0U64)(                                                  \
		_Generic(UE__DECAYED(UE__LIKE(at)), float : x, double : x,                \
			 default : UE__IN_KERNEL(at, x)))
#define UE__IN_KERNEL(at, x) (uint64_t)UE__FIELD_VALUE(at, x)
#else
#define UE__C_TYPES(_)                                                                    \
	_(bool, 0BOOL) _(char, 0CHAR) _(signed char, 0I8) _(unsigned char, 0U8) _(short, 0I16) \
	_(unsigned short, 0U16) _(int, 0I32) _(unsigned int, 0U32) _(long, 0I64)          \
	_(unsigned long, 0U64) _(long long, 0I64) _(unsigned long long, 0U64)             \
	_(float, 0F32) _(double, 0F64)
#define UE__C_VALUE(type, kind) type : ue__in_##kind,
#define UE__IN(at, x)                                                                     \
	_Generic(UE__DECAYED(UE__FIELD_VALUE(at, UE__LIKE(at))),                          \
		 UE__C_TYPES(UE__C_VALUE) default : ue__in_pointer)(UE__FIELD_VALUE(at, x))
#define UE__IN_KERNEL UE__IN
#endif
/* clang-format on */
#endif
