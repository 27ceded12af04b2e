/* SPDX-License-Identifier: MIT */
/*
 * Fields of every type
 */

/* @public */

/*
 * Fields
 * ======
 *
 * A bare variable is a field of its own name and type: integers, bool, char,
 * enums, float and double (UE_LOG only), char pointers and arrays as strings,
 * arrays of scalars (in UE_LOG), other pointers as addresses. In C++ also pointers
 * to char16_t, char32_t and wchar_t, std::string, std::string_view, std::array,
 * std::vector and std::span of scalars. In C a char16_t pointer cannot be told from
 * a uint16_t pointer: name it, UE_STR16(s).
 *
 * Else the field names its type. All of these take (name), for the variable of that
 * name, or (name, value), for any expression:
 *
 *	UE_U8 UE_U16 UE_U32 UE_U64 UE_I8 UE_I16 UE_I32 UE_I64	decimal
 *	UE_X8 UE_X16 UE_X32 UE_X64 UE_PTR			hexadecimal
 *	UE_F32 UE_F64						UE_LOG only
 *	UE_BOOL UE_CHAR UE_CHAR16 UE_CHAR32
 *	UE_PID UE_ERRNO UE_TIME32 UE_TIME64 (seconds since 1970)
 *	UE_PORT (a uint16_t in network byte order, as in sin_port)
 *	UE_UUID UE_IPV4 UE_IPV6		pointer to 16, 4, 16 bytes in network byte order
 *	UE_STR UE_STR16 UE_STR32	NUL-terminated; NULL is ""
 *	UE_LATIN1 UE_XML UE_JSON	NUL-terminated, with that meaning
 *
 * and these a pointer and a length:
 *
 *	UE_STRN UE_STR16N UE_STR32N(name, p, units)
 *	UE_BYTES(name, p, size)
 *	UE_ARRAY(TYPE, name, p, count)		TYPE is one of the names above, UE_ left out
 *	UE_FIXED_ARRAY(TYPE, name, p, N)	N is a constant
 *
 * In UE_LOG only:
 *
 *	UE_STRUCT(name, fields...)		at most 127 members, nests
 *	UE_STRUCT_ARRAY(name, p, count, members...)	COUNT packed elements at P, each
 *					the members in order: UE_U32(id), UE_U16(port)
 *	UE_TAGGED(tag, field)		the field with a 16-bit tag of its own
 *	UE_AS(format, field)		the field shown in another UE_FORMAT_
 *
 * A kernel-typed event (UE_TRACE, UE_TRACEPOINT) carries a string as __rel_loc
 * char[], bytes and arrays as __rel_loc TYPE[], a fixed array of U8 or CHAR as
 * unsigned char[N] or char[N], hexadecimal as unsigned, UUID and IPs as unsigned
 * char[N]. What it cannot carry does not compile there, with a message that says so.
 */

#define UE_U8(...) UE__VALUE(0U8, __VA_ARGS__)
#define UE_U16(...) UE__VALUE(0U16, __VA_ARGS__)
#define UE_U32(...) UE__VALUE(0U32, __VA_ARGS__)
#define UE_U64(...) UE__VALUE(0U64, __VA_ARGS__)
#define UE_I8(...) UE__VALUE(0I8, __VA_ARGS__)
#define UE_I16(...) UE__VALUE(0I16, __VA_ARGS__)
#define UE_I32(...) UE__VALUE(0I32, __VA_ARGS__)
#define UE_I64(...) UE__VALUE(0I64, __VA_ARGS__)
#define UE_X8(...) UE__VALUE(0X8, __VA_ARGS__)
#define UE_X16(...) UE__VALUE(0X16, __VA_ARGS__)
#define UE_X32(...) UE__VALUE(0X32, __VA_ARGS__)
#define UE_X64(...) UE__VALUE(0X64, __VA_ARGS__)
#define UE_PTR(...) UE__VALUE(0PTR, __VA_ARGS__)
#define UE_F32(...) UE__VALUE(0F32, __VA_ARGS__)
#define UE_F64(...) UE__VALUE(0F64, __VA_ARGS__)
#define UE_BOOL(...) UE__VALUE(0BOOL, __VA_ARGS__)
#define UE_CHAR(...) UE__VALUE(0CHAR, __VA_ARGS__)
#define UE_CHAR16(...) UE__VALUE(0CHAR16, __VA_ARGS__)
#define UE_CHAR32(...) UE__VALUE(0CHAR32, __VA_ARGS__)
#define UE_PID(...) UE__VALUE(0PID, __VA_ARGS__)
#define UE_ERRNO(...) UE__VALUE(0ERRNO, __VA_ARGS__)
#define UE_PORT(...) UE__VALUE(0PORT, __VA_ARGS__)
#define UE_TIME32(...) UE__VALUE(0TIME32, __VA_ARGS__)
#define UE_TIME64(...) UE__VALUE(0TIME64, __VA_ARGS__)
#define UE_UUID(...) UE__VALUE(0UUID, __VA_ARGS__)
#define UE_IPV4(...) UE__VALUE(0IPV4, __VA_ARGS__)
#define UE_IPV6(...) UE__VALUE(0IPV6, __VA_ARGS__)
#define UE_STR(...) UE__VALUE(0STR, __VA_ARGS__)
#define UE_STR16(...) UE__VALUE(0STR16, __VA_ARGS__)
#define UE_STR32(...) UE__VALUE(0STR32, __VA_ARGS__)
#define UE_LATIN1(...) UE__VALUE(0LATIN1, __VA_ARGS__)
#define UE_XML(...) UE__VALUE(0XML, __VA_ARGS__)
#define UE_JSON(...) UE__VALUE(0JSON, __VA_ARGS__)
#define UE_STRN(...) UE__SPAN(0P, 0STRN, __VA_ARGS__)
#define UE_STR16N(...) UE__SPAN(0P, 0STR16N, __VA_ARGS__)
#define UE_STR32N(...) UE__SPAN(0P, 0STR32N, __VA_ARGS__)
#define UE_BYTES(...) UE__SPAN(0P, 0BYTES, __VA_ARGS__)
#define UE_ARRAY(type, ...) \
	UE__ARRAY(UE__SPAN_OF_, UE__IS_PAREN(UE_##type(~)), 0##type, __VA_ARGS__)
#define UE_FIXED_ARRAY(type, ...) \
	UE__ARRAY(UE__FIXED_OF_, UE__IS_PAREN(UE_##type(~)), 0##type, __VA_ARGS__)
#define UE_STRUCT(...) UE__STRUCT(__VA_ARGS__, UE__NOTHING)
#define UE_STRUCT_ARRAY(...) UE__STRUCT_ARRAY(__VA_ARGS__, UE__NOTHING)
#define UE_TAGGED(tag, ...) UE__WITH(UE__TAG, UE__TAG_BITS(UE__UP_TO(tag, 65535)), __VA_ARGS__)
#define UE_AS(format, ...) UE__WITH(UE__AS, UE__FORMAT_BITS(UE__UP_TO(format, 17)), __VA_ARGS__)
