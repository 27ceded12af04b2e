/* SPDX-License-Identifier: MIT */
/*
 * Types: one row each
 */

@public

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
#define UE_ARRAY(type, ...) UE__SPAN(0L, 0##type, __VA_ARGS__)
#define UE_FIXED_ARRAY(type, ...) UE__FIXED(0##type, __VA_ARGS__)
#define UE_STRUCT(...) UE__STRUCT(__VA_ARGS__, UE__NOTHING)
#define UE_STRUCT_ARRAY(...) UE__STRUCT_ARRAY(__VA_ARGS__, UE__NOTHING)
#define UE_TAGGED(tag, ...) UE__WITH(UE__TAG, UE__TAG_BITS(UE__UP_TO(tag, 65535)), __VA_ARGS__)
#define UE_AS(format, ...) UE__WITH(UE__AS, UE__FORMAT_BITS(UE__UP_TO(format, 17)), __VA_ARGS__)

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

@private

/*
 * A type is 64 bits. The lower half is what the encoders need, and stands in the descriptor:
 *
 *	0..2 log2 of the size		3..5 shape		6..11 row of UE__TYPES
 *	12 array of constant length	13 array		14 a struct ue__span (C++)
 *	15 a string within an array, an array cut to its length
 *	16..31 length of array or packed struct
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

#define UE__T(row, log2, shape, kind, format, ok)                               \
	(UE__U64(log2) | UE__U64(shape) << 3 | UE__U64(row) << 6 |              \
	 UE__U64(kind) << 32 | UE__U64(format) << 37 | UE__U64(ok) << 44 |      \
	 UE__U64((format) < 7 && (0x74 >> (format) & 1)) << 45)
/* Plain numbers, since the macros repeat them for each field. */
#define UE__T_CARRAY 0x1000u
#define UE__T_VARRAY 0x2000u
#define UE__T_SPAN 0x4000u
#define UE__T_BOUNDED 0x8000u
#define UE__T_BEYOND_SCALARS 0x7038u /* what is not one integer in the event */
#define UE__T_DYNAMIC 0x6010u	     /* what has a size that only its value tells */
#define UE__T_END 0x38u		     /* behind the last */
#define UE__T_NONE 0x30u	     /* no type that a field could have */
#define UE__T_LENGTH(n) (UE__U64((n) > 65535 ? 65535 : (n)) << 16)
#define UE__T_ELEMENTS(n) (UE__T_CARRAY | UE__T_LENGTH(n) | ((n) > 65535 ? UE__T_BOUNDED : 0u))
/*
 * A negative array size here is a format over 17, an id or tag over 65535, a version or opcode
 * over 255.
 */
#define UE__UP_TO(x, most) (UE__U64(x) + 0 * sizeof(char[UE__U64(x) <= (most) ? 1 : -1]))
#define UE__FORMAT_BITS(format) (UE__U64((format) & 127) << 37)
#define UE__FORMAT_PART(t) ((t) & UE__FORMAT_BITS(127))
#define UE__TAG_BITS(tag) (UE__U64((tag) & 65535) << 48)
#define UE__T_ACTIVITY 0x20u

#define UE__LOG2_OF(t) ((t) & 7)
#define UE__SHAPE_OF(t) ((t) >> 3 & 7)
#define UE__ROW_OF(t) ((t) >> 6 & 63)
#define UE__LENGTH_OF(t) ((t) >> 16 & 0xffff)
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

/* What a call site or an event set is: constant, followed by the parts named here. */
struct ue__desc {
	uint8_t variant;  /* UE__DESC_KERNEL, ... */
	uint8_t reserved[3];
	uint32_t fixed;	  /* bytes of payload that no value changes */
	uint16_t values;  /* arguments of ue__encode_...() */
	uint16_t dynamic; /* fields whose size only their value tells */
	uint16_t types;	  /* uint32_t each, right behind this; UE__T_END */
	uint16_t meta;	  /* log: then header and metadata, of that size */
};			  /* kernel: then "name;field;field;" */
			  /* set: then uint64_t keyword, "provider\0group\0" */
			  /* text: then what registers it; FIXED is the flags */
			  /* callbacks, probe: then struct ue__callbacks */
enum {
	UE__DESC_KERNEL,
	UE__DESC_LOG,
	UE__DESC_SET,
	UE__DESC_TEXT,
	UE__DESC_CALLBACKS,
	UE__DESC_PROBE /* for probes with arguments alone, without a payload */
};
/* An event whose texts functions make. */
struct ue__callbacks {
	const char *name;
	int (*spec)(char out[512], const char *name); /* 0 or -E2BIG */
	int (*print)(char *buffer, size_t size, const void *record); /* as snprintf() */
};
/* Limits of small events, which are packed at once: of names and fixed fields, of a string. */
enum { UE__SMALL_SIZE = 256, UE__SMALL_STRING = 128 };
#define UE__IS_SMALL(fixed, meta) ((fixed) + (meta) <= UE__SMALL_SIZE - 4 - 36 - 8)
/* Of an event's first byte: this machine's, and that metadata follow. */
#define UE__HEADER_FLAGS                                                              \
	((sizeof(void *) == 8 ? UE__HEADER_POINTER64 : 0) |                           \
	 (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? UE__HEADER_LITTLE_ENDIAN : 0) | \
	 UE__HEADER_EXTENSION)
/* Pairs of segments that an array of strings may take. */
#define UE__STRING_PAIRS 33
#define UE__HEADER_TEXT(separator, type, name, offset, size) separator type " " name
#define UE__SET_FIELDS UE__HEADER_FIELDS(UE__HEADER_TEXT)

struct ue__span {
	const void *data;
	size_t count;
};

/*
 * In C++ events begin with UE__NEW_IN_DATA, that is not zero: .bss is not in the file, and a USDT
 * semaphore is where the file is mapped.
 */
enum { UE__NEW, UE__REGISTERED, UE__NEW_IN_DATA };
#define UE__KERNEL_BIT 1u
#define UE__PROBE_BIT 2u
#define UE__OWN_BIT 4u /* the kernel's, of events with a file of their own: those known at run time */
/* For ue_event.index and what is written: the kernel does not have it, probes do. */
#define UE__NO_INDEX 0xffffffffu
