/* SPDX-License-Identifier: MIT */
/*
 * The table of types
 */

/* @private */

/*
 * The types. One row each:
 *
 * name, the kernel's type, log2 of the (element's) size in bytes, shape, EventHeader
 * kind, EventHeader format, C type of a value or element, how that
 * becomes 64 bits, may a kernel-typed event carry it
 *
 * The order is part of the descriptions that events leave in the binary
 * (docs/reference.md): new types go to the end.
 */
#define UE__TYPES(_) \
	_(U8, "u8", 0, VALUE, VALUE8, DEFAULT, uint8_t, INTEGER, 1) \
	_(U16, "u16", 1, VALUE, VALUE16, DEFAULT, uint16_t, INTEGER, 1) \
	_(U32, "u32", 2, VALUE, VALUE32, DEFAULT, uint32_t, INTEGER, 1) \
	_(U64, "u64", 3, VALUE, VALUE64, DEFAULT, uint64_t, INTEGER, 1) \
	_(I8, "s8", 0, VALUE, VALUE8, SIGNED, int8_t, INTEGER, 1) \
	_(I16, "s16", 1, VALUE, VALUE16, SIGNED, int16_t, INTEGER, 1) \
	_(I32, "s32", 2, VALUE, VALUE32, SIGNED, int32_t, INTEGER, 1) \
	_(I64, "s64", 3, VALUE, VALUE64, SIGNED, int64_t, INTEGER, 1) \
	_(X8, "u8", 0, VALUE, VALUE8, HEX, uint8_t, INTEGER, 1) \
	_(X16, "u16", 1, VALUE, VALUE16, HEX, uint16_t, INTEGER, 1) \
	_(X32, "u32", 2, VALUE, VALUE32, HEX, uint32_t, INTEGER, 1) \
	_(X64, "u64", 3, VALUE, VALUE64, HEX, uint64_t, INTEGER, 1) \
	_(PTR32, "u32", 2, VALUE, VALUE32, HEX, const void *, POINTER, 1) \
	_(PTR64, "u64", 3, VALUE, VALUE64, HEX, const void *, POINTER, 1) \
	_(F32, "", 2, VALUE, VALUE32, FLOAT, float, FLOAT, 0) \
	_(F64, "", 3, VALUE, VALUE64, FLOAT, double, DOUBLE, 0) \
	_(BOOL, "u8", 0, VALUE, VALUE8, BOOL, bool, INTEGER, 1) \
	_(CHAR, "char", 0, VALUE, VALUE8, STRING8, char, INTEGER, 1) \
	_(CHAR16, "u16", 1, VALUE, VALUE16, UTF, uint16_t, INTEGER, 1) \
	_(CHAR32, "u32", 2, VALUE, VALUE32, UTF, uint32_t, INTEGER, 1) \
	_(PID, "s32", 2, VALUE, VALUE32, PID, int32_t, INTEGER, 1) \
	_(ERRNO, "s32", 2, VALUE, VALUE32, ERRNO, int32_t, INTEGER, 1) \
	_(PORT, "u16", 1, VALUE, VALUE16, PORT, uint16_t, INTEGER, 1) \
	_(TIME32, "s32", 2, VALUE, VALUE32, TIME, int32_t, INTEGER, 1) \
	_(TIME64, "s64", 3, VALUE, VALUE64, TIME, int64_t, INTEGER, 1) \
	_(UUID, "unsigned char[16]", 4, POINTER, VALUE128, UUID, const void *, POINTER, 1) \
	_(IPV4, "unsigned char[4]", 2, POINTER, VALUE32, IP, const void *, POINTER, 1) \
	_(IPV6, "unsigned char[16]", 4, POINTER, VALUE128, IP, const void *, POINTER, 1) \
	_(STR, "char", 0, ZSTRING, ZSTRING8, DEFAULT, const char *, POINTER, 1) \
	_(STR16, "u16", 1, ZSTRING, ZSTRING16, DEFAULT, const void *, POINTER, 1) \
	_(STR32, "u32", 2, ZSTRING, ZSTRING32, DEFAULT, const void *, POINTER, 1) \
	_(LATIN1, "char", 0, ZSTRING, ZSTRING8, STRING8, const char *, POINTER, 1) \
	_(XML, "char", 0, ZSTRING, ZSTRING8, XML, const char *, POINTER, 1) \
	_(JSON, "char", 0, ZSTRING, ZSTRING8, JSON, const char *, POINTER, 1) \
	_(STRN, "char", 0, COUNTED, STRING8, DEFAULT, const char *, POINTER, 1) \
	_(STR16N, "u16", 1, COUNTED, STRING16, DEFAULT, const void *, POINTER, 1) \
	_(STR32N, "u32", 2, COUNTED, STRING32, DEFAULT, const void *, POINTER, 1) \
	_(BYTES, "u8", 0, COUNTED, BINARY, DEFAULT, const void *, POINTER, 1) \
	_(STRUCT, "", 0, COUNTED, STRUCT, DEFAULT, const void *, POINTER, 0)

/*
 * A type is 64 bits. The lower half is what the encoders need, and stands in the descriptor:
 *
 *	0..2 log2 of the size		3..5 shape		6..11 row of UE__TYPES
 *	12 array of constant length	13 array		14 a struct ue__span (C++)
 *	15 a string within an array, an array cut to its length
 *	16..31 length of array or packed struct; size of an integer that is no array
 *
 * The upper half is what the compiler needs for the metadata:
 *
 *	32..36 EventHeader kind		37..43 its format	44 for kernel-typed too
 *	45 signed			48..63 field tag
 */
enum ue__shape {
	UE__SHAPE_VALUE,    /* an integer of 1, 2, 4 or 8 bytes */
	UE__SHAPE_POINTER,  /* a pointer to 1 << log2 bytes */
	UE__SHAPE_ZSTRING,  /* a pointer to units and a zero unit */
	UE__SHAPE_COUNTED,  /* a pointer and a count of elements: two values */
	UE__SHAPE_ACTIVITY, /* two pointers to 16 bytes each, or NULL */
};

enum ue__row {
#define UE__ROW(name, kernel, log2, shape, kind, format, ctype, how, ok) UE__ROW_##name,
	UE__TYPES(UE__ROW)
#undef UE__ROW
	UE__ROWS
};

#define UE__IS_SIGNED(format) (0x74 >> format & 1) /* SIGNED, ERRNO, PID, TIME */
#define UE__T(row, log2, shape, kind, format, ok)                                        \
	(UE__U64(kind | format << 5 | ok << 12 | UE__IS_SIGNED(format) << 13) << 32 |    \
	 (log2 | shape << 3 | row << 6 | (shape == UE__SHAPE_VALUE ? 0x10000 << log2 : 0)))
/* Plain numbers, since the macros repeat them for each field. */
#define UE__T_CARRAY 0x1000u
#define UE__T_VARRAY 0x2000u
#define UE__T_SPAN 0x4000u
#define UE__T_BOUNDED 0x8000u
#define UE__T_BEYOND_SCALARS 0x7038u /* what is not one integer in the event */
#define UE__T_DYNAMIC 0x6010u	     /* what has a size that only its value tells */
#define UE__T_END 0x38u		     /* behind the last */
#define UE__T_CARRIED 0x100000000000 /* by kernel-typed events, too */
#define UE__T_SIGNED 0x200000000000
#define UE__T_NOTHING 0x400000000000 /* over 32 bits, as types are */
#define UE__T_NONE 0x400000000030    /* no type that a field could have */
#define UE__T_LENGTH(n) (((n) > 65535 ? UE__U64(65535) : (n)) << 16)
/* Of an array's elements: what an array has instead of the size. */
#define UE__ELEMENT_OF(t) ((t) - ((t)&UE__U64(0xffff0000)))
#define UE__T_MOST_ELEMENTS 0xffff9000u /* an array cut to the longest length */
#define UE__T_ELEMENTS(n) (UE__T_CARRAY | UE__T_LENGTH(n) | ((n) > 65535 ? UE__T_BOUNDED : 0u))
/*
 * A negative array size here is a format over 17, an id or tag over 65535, a version or opcode
 * over 255.
 */
#define UE__UP_TO(x, most) (UE__U64(x) + 0 * sizeof(char[UE__U64(x) <= (most) ? 1 : -1]))
#define UE__FORMAT_BITS(format) (((format) & UE__U64(127)) << 37)
#define UE__FORMAT_PART(t) ((t) & UE__FORMAT_BITS(127))
#define UE__TAG_BITS(tag) (((tag) & UE__U64(65535)) << 48)
#define UE__T_ACTIVITY 0x20u

#define UE__LOG2_OF(t) ((t) & 7)
#define UE__SHAPE_OF(t) ((t) >> 3 & 7)
#define UE__ROW_OF(t) ((t) >> 6 & 63)
#define UE__LENGTH_OF(t) ((t) >> 16 & 0xffff)
#define UE__SCALAR_SIZE(t) ((t) >> 16) /* of a scalar's lower half */
#define UE__IS_ARRAY(t) (((t) & (UE__T_CARRAY | UE__T_VARRAY)) != 0)
#define UE__IS_CHAR(t)                                                          \
	(UE__ROW_OF(t) == UE__ROW_CHAR ||                                       \
	 (((t) & (2u << 3 | 7u)) == 2u << 3 && UE__ROW_OF(t) < UE__ROW_BYTES))
#define UE__KIND_OF(t) (UE__U64(t) >> 32 & 31)
#define UE__FORMAT_OF(t) (UE__U64(t) >> 37 & 127)
#define UE__TAG_OF(t) (UE__U64(t) >> 48)
/* UE__T_CARRAY and UE__T_VARRAY, in the metadata */
#define UE__ENCODING_ARRAY(t) ((t) >> 7 & UE__ENCODING_ARRAYS)

UE__ENUM64 {
#define UE__CONSTANT(name, kernel, log2, shape, kind, format, ctype, how, ok) \
	UE__T_0##name = UE__T(UE__ROW_##name, log2, UE__SHAPE_##shape, UE__KIND_##kind, \
				UE_FORMAT_##format, ok),
	UE__TYPES(UE__CONSTANT)
#undef UE__CONSTANT
	UE__T_0PTR = sizeof(void *) == 8 ? UE__T_0PTR64 : UE__T_0PTR32
};

#define UE__CTYPE(name, kernel, log2, shape, kind, format, ctype, how, ok) \
	typedef ctype ue__c_0##name;
UE__TYPES(UE__CTYPE)
#undef UE__CTYPE
typedef const void *ue__c_0PTR;
