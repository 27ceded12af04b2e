/* SPDX-License-Identifier: MIT */
/*
 * The type of a bare variable, in C
 */

@private

#ifndef __cplusplus
#define UE__T_LONG (sizeof(long) == 8 ? UE__T_I64 : UE__T_I32)
#define UE__T_ULONG (sizeof(long) == 8 ? UE__T_U64 : UE__T_U32)

/* The value of X, an array decayed, in contexts that do not evaluate it. */
#define UE__DECAYED(x) ((void)0, (x))
#define UE__IS_VECTOR(x) \
	(!__builtin_types_compatible_p(__typeof__(x), __typeof__(UE__DECAYED(x))))
#define UE__SCALARS(_)                                                                    \
	_(bool, UE__T_BOOL)                                                               \
	_(signed char, UE__T_I8)                                                          \
	_(unsigned char, UE__T_U8)                                                        \
	_(short, UE__T_I16)                                                               \
	_(unsigned short, UE__T_U16)                                                      \
	_(int, UE__T_I32)                                                                 \
	_(unsigned int, UE__T_U32)                                                        \
	_(long, UE__T_LONG)                                                               \
	_(unsigned long, UE__T_ULONG)                                                     \
	_(long long, UE__T_I64)                                                           \
	_(unsigned long long, UE__T_U64)                                                  \
	_(float, UE__T_F32)                                                               \
	_(double, UE__T_F64)
#define UE__AUTO_TYPE(type, t) type : t, type * : (t) | 1 << 28, const type * : (t) | 1 << 28,
/*
 * The type of a bare variable X. To ask for it takes a page of text, and each use of it in a field's
 * many expressions would take it again, so it is kept in the sizes of two array types: T's lower
 * 31 bits, and one more than what is above them. They may be declared again, as a typedef may.
 */
#define UE__AUTO(x)                                                                          \
	_Generic(UE__DECAYED(x), UE__SCALARS(UE__AUTO_TYPE) char : UE__T_CHAR,               \
		 char * : UE__T_STR, const char * : UE__T_STR, default : UE__T_PTR)
#define UE__AUTO_LENGTH(x, t)                                                                \
	(!UE__IS_VECTOR(x)	       ? 0u :                                                \
	 (t) == UE__U64(UE__T_STR)     ? (sizeof(x) <= 65535 ? sizeof(x) << 1 | 1 : 0u) :    \
	 !((t) & UE__T_CARRAY)	       ? 0u :                                                \
	 sizeof(x) >> UE__LOG2_OF(t) > 65535 ? 65535u << 1 | 1 :                             \
					 sizeof(x) >> UE__LOG2_OF(t) << 1)
#define UE__BARE_TYPES(x)                                                                    \
	typedef char __attribute__((__unused__))                                              \
	ue__t_##x[!UE__IS_VECTOR(x) && UE__AUTO(x) >> 28 ? UE__T_PTR : UE__AUTO(x)];          \
	typedef char __attribute__((__unused__))                                              \
	ue__n_##x[1 + UE__AUTO_LENGTH(x, sizeof(ue__t_##x))];                                  \
	UE__STATIC_ASSERT(sizeof(ue__t_##x) != UE__T_PTR ||                                    \
				  (!UE__IS_VECTOR(x) &&                                        \
				   sizeof(__typeof__(UE__DECAYED(x))) <= sizeof(uint64_t)), \
			  "user_events.h: a bare variable of this type is no field: \"" #x "\" is " \
			  "no scalar, pointer or array of scalars");
#define UE__BARE(x) \
	(UE__U64(sizeof(ue__t_##x)) | UE__U64(sizeof(ue__n_##x) - 1) << 31)

/* A function for each type, since only the one that is chosen must take X. */
#define UE__IN_FUNCTION(name, type)                                   \
	static inline uint64_t ue__in_##name(type value)              \
	{                                                             \
		return (uint64_t)value;                               \
	}
UE__IN_FUNCTION(bool, bool)
UE__IN_FUNCTION(char, char)
UE__IN_FUNCTION(schar, signed char)
UE__IN_FUNCTION(uchar, unsigned char)
UE__IN_FUNCTION(short, short)
UE__IN_FUNCTION(ushort, unsigned short)
UE__IN_FUNCTION(int, int)
UE__IN_FUNCTION(uint, unsigned int)
UE__IN_FUNCTION(long, long)
UE__IN_FUNCTION(ulong, unsigned long)
UE__IN_FUNCTION(llong, long long)
UE__IN_FUNCTION(ullong, unsigned long long)
#undef UE__IN_FUNCTION
#define UE__IN(x)                                                                            \
	_Generic(UE__DECAYED(x), bool : ue__in_bool, char : ue__in_char,                     \
		 signed char : ue__in_schar, unsigned char : ue__in_uchar,                   \
		 short : ue__in_short, unsigned short : ue__in_ushort, int : ue__in_int,     \
		 unsigned int : ue__in_uint, long : ue__in_long, unsigned long : ue__in_ulong, \
		 long long : ue__in_llong, unsigned long long : ue__in_ullong,               \
		 float : ue__in_float, double : ue__in_double, default : ue__in_pointer)(x)
#define UE__LOCAL const uint64_t
#define UE__STATIC_ASSERT _Static_assert

#endif
