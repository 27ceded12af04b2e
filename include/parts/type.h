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

/*
 * How readers show a value (UE_AS). Which one fits which type: docs/eventheader.md
 */
#define UE_FORMAT_UNSIGNED 1
#define UE_FORMAT_SIGNED 2
#define UE_FORMAT_HEX 3
#define UE_FORMAT_ERRNO 4
#define UE_FORMAT_PID 5
#define UE_FORMAT_TIME 6
#define UE_FORMAT_BOOL 7
#define UE_FORMAT_FLOAT 8
#define UE_FORMAT_HEX_BYTES 9
#define UE_FORMAT_STRING8 10
#define UE_FORMAT_UTF 11
#define UE_FORMAT_UTF_BOM 12
#define UE_FORMAT_XML 13
#define UE_FORMAT_JSON 14
#define UE_FORMAT_UUID 15
#define UE_FORMAT_PORT 16
#define UE_FORMAT_IP 17

#define UE_U8(...) UE__VALUE(UE__KIND(U8), __VA_ARGS__)
#define UE_U16(...) UE__VALUE(UE__KIND(U16), __VA_ARGS__)
#define UE_U32(...) UE__VALUE(UE__KIND(U32), __VA_ARGS__)
#define UE_U64(...) UE__VALUE(UE__KIND(U64), __VA_ARGS__)
#define UE_I8(...) UE__VALUE(UE__KIND(I8), __VA_ARGS__)
#define UE_I16(...) UE__VALUE(UE__KIND(I16), __VA_ARGS__)
#define UE_I32(...) UE__VALUE(UE__KIND(I32), __VA_ARGS__)
#define UE_I64(...) UE__VALUE(UE__KIND(I64), __VA_ARGS__)
#define UE_X8(...) UE__VALUE(UE__KIND(X8), __VA_ARGS__)
#define UE_X16(...) UE__VALUE(UE__KIND(X16), __VA_ARGS__)
#define UE_X32(...) UE__VALUE(UE__KIND(X32), __VA_ARGS__)
#define UE_X64(...) UE__VALUE(UE__KIND(X64), __VA_ARGS__)
#define UE_PTR(...) UE__VALUE(UE__KIND(PTR), __VA_ARGS__)
#define UE_F32(...) UE__VALUE(UE__KIND(F32), __VA_ARGS__)
#define UE_F64(...) UE__VALUE(UE__KIND(F64), __VA_ARGS__)
#define UE_BOOL(...) UE__VALUE(UE__KIND(BOOL), __VA_ARGS__)
#define UE_CHAR(...) UE__VALUE(UE__KIND(CHAR), __VA_ARGS__)
#define UE_CHAR16(...) UE__VALUE(UE__KIND(CHAR16), __VA_ARGS__)
#define UE_CHAR32(...) UE__VALUE(UE__KIND(CHAR32), __VA_ARGS__)
#define UE_PID(...) UE__VALUE(UE__KIND(PID), __VA_ARGS__)
#define UE_ERRNO(...) UE__VALUE(UE__KIND(ERRNO), __VA_ARGS__)
#define UE_PORT(...) UE__VALUE(UE__KIND(PORT), __VA_ARGS__)
#define UE_TIME32(...) UE__VALUE(UE__KIND(TIME32), __VA_ARGS__)
#define UE_TIME64(...) UE__VALUE(UE__KIND(TIME64), __VA_ARGS__)
#define UE_UUID(...) UE__VALUE(UE__KIND(UUID), __VA_ARGS__)
#define UE_IPV4(...) UE__VALUE(UE__KIND(IPV4), __VA_ARGS__)
#define UE_IPV6(...) UE__VALUE(UE__KIND(IPV6), __VA_ARGS__)
#define UE_STR(...) UE__VALUE(UE__KIND(STR), __VA_ARGS__)
#define UE_STR16(...) UE__VALUE(UE__KIND(STR16), __VA_ARGS__)
#define UE_STR32(...) UE__VALUE(UE__KIND(STR32), __VA_ARGS__)
#define UE_LATIN1(...) UE__VALUE(UE__KIND(LATIN1), __VA_ARGS__)
#define UE_XML(...) UE__VALUE(UE__KIND(XML), __VA_ARGS__)
#define UE_JSON(...) UE__VALUE(UE__KIND(JSON), __VA_ARGS__)
#define UE_STRN(...) UE__SPAN(UE__KIND(STRN), __VA_ARGS__)
#define UE_STR16N(...) UE__SPAN(UE__KIND(STR16N), __VA_ARGS__)
#define UE_STR32N(...) UE__SPAN(UE__KIND(STR32N), __VA_ARGS__)
#define UE_BYTES(...) UE__SPAN(UE__KIND(BYTES), __VA_ARGS__)
#define UE_ARRAY(type, ...) UE__ARRAY(UE__T_##type, UE__C_##type, __VA_ARGS__)
#define UE_FIXED_ARRAY(type, ...) UE__FIXED_ARRAY(UE__T_##type, UE__C_##type, __VA_ARGS__)
#define UE_STRUCT(...) UE__STRUCT(__VA_ARGS__, UE__END)
#define UE_STRUCT_ARRAY(...) UE__STRUCT_ARRAY(__VA_ARGS__, UE__END)
#define UE_TAGGED(tag, ...) UE__WITH(UE__TAG_BITS(UE__UP_TO(tag, 65535)), ~0ull, __VA_ARGS__)
#define UE_AS(format, ...) \
	UE__WITH(UE__FORMAT_BITS(UE__UP_TO(format, 127)), ~UE__FORMAT_BITS(0x7f), __VA_ARGS__)

/*
 * The types. One row each:
 *
 * name, the kernel's type, log2 of the (element's) size in bytes, shape, EventHeader
 * kind, EventHeader format (0 is the kind's default), C type of a value or element,
 * may a kernel-typed event carry it
 *
 * The order is part of the descriptions that events leave in the binary
 * (docs/reference.md): new types go to the end.
 */
#define UE__TYPES(_)                                                    \
	_(U8, "u8", 0, VALUE, 2, 0, uint8_t, 1)                         \
	_(U16, "u16", 1, VALUE, 3, 0, uint16_t, 1)                      \
	_(U32, "u32", 2, VALUE, 4, 0, uint32_t, 1)                      \
	_(U64, "u64", 3, VALUE, 5, 0, uint64_t, 1)                      \
	_(I8, "s8", 0, VALUE, 2, 2, int8_t, 1)                          \
	_(I16, "s16", 1, VALUE, 3, 2, int16_t, 1)                       \
	_(I32, "s32", 2, VALUE, 4, 2, int32_t, 1)                       \
	_(I64, "s64", 3, VALUE, 5, 2, int64_t, 1)                       \
	_(X8, "u8", 0, VALUE, 2, 3, uint8_t, 1)                         \
	_(X16, "u16", 1, VALUE, 3, 3, uint16_t, 1)                      \
	_(X32, "u32", 2, VALUE, 4, 3, uint32_t, 1)                      \
	_(X64, "u64", 3, VALUE, 5, 3, uint64_t, 1)                      \
	_(PTR32, "u32", 2, VALUE, 4, 3, const void *, 1)                \
	_(PTR64, "u64", 3, VALUE, 5, 3, const void *, 1)                \
	_(F32, "", 2, VALUE, 4, 8, float, 0)                            \
	_(F64, "", 3, VALUE, 5, 8, double, 0)                           \
	_(BOOL, "u8", 0, VALUE, 2, 7, bool, 1)                          \
	_(CHAR, "char", 0, VALUE, 2, 10, char, 1)                       \
	_(CHAR16, "u16", 1, VALUE, 3, 11, uint16_t, 1)                  \
	_(CHAR32, "u32", 2, VALUE, 4, 11, uint32_t, 1)                  \
	_(PID, "s32", 2, VALUE, 4, 5, int32_t, 1)                       \
	_(ERRNO, "s32", 2, VALUE, 4, 4, int32_t, 1)                     \
	_(PORT, "u16", 1, VALUE, 3, 16, uint16_t, 1)                    \
	_(TIME32, "s32", 2, VALUE, 4, 6, int32_t, 1)                    \
	_(TIME64, "s64", 3, VALUE, 5, 6, int64_t, 1)                    \
	_(UUID, "unsigned char[16]", 4, POINTER, 6, 15, const void *, 1) \
	_(IPV4, "unsigned char[4]", 2, POINTER, 4, 17, const void *, 1) \
	_(IPV6, "unsigned char[16]", 4, POINTER, 6, 17, const void *, 1) \
	_(STR, "char", 0, ZSTRING, 7, 0, const char *, 1)               \
	_(STR16, "u16", 1, ZSTRING, 8, 0, const void *, 1)              \
	_(STR32, "u32", 2, ZSTRING, 9, 0, const void *, 1)              \
	_(LATIN1, "char", 0, ZSTRING, 7, 10, const char *, 1)           \
	_(XML, "char", 0, ZSTRING, 7, 13, const char *, 1)              \
	_(JSON, "char", 0, ZSTRING, 7, 14, const char *, 1)             \
	_(STRN, "char", 0, COUNTED, 10, 0, const char *, 1)             \
	_(STR16N, "u16", 1, COUNTED, 11, 0, const void *, 1)            \
	_(STR32N, "u32", 2, COUNTED, 12, 0, const void *, 1)            \
	_(BYTES, "u8", 0, COUNTED, 13, 0, const void *, 1)              \
	_(STRUCT, "", 0, COUNTED, 1, 0, const void *, 0)

@private

/*
 *	bits 0..5 log2 of the size	6..11 row of UE__TYPES	12..14 shape
 *	15..19 EventHeader kind		20..26 its format	27 for kernel-typed too
 *	28 constant-length array	29 variable array	30 a struct ue__span (C++)
 *	31 a string within an array, an array cut to its length
 *	32..47 length of array, struct	48..63 field tag
 */
enum ue__shape {
	UE__SHAPE_VALUE,    /* an integer of 1, 2, 4 or 8 bytes */
	UE__SHAPE_POINTER,  /* a pointer to 1 << log2 bytes */
	UE__SHAPE_ZSTRING,  /* a pointer to units and a zero unit */
	UE__SHAPE_COUNTED,  /* a pointer and a count of elements: two values */
	UE__SHAPE_ACTIVITY, /* two pointers to 16 bytes each, or NULL */
};

enum ue__row {
#define UE__ROW(name, kernel, log2, shape, kind, format, ctype, ok) UE__ROW_##name,
	UE__TYPES(UE__ROW)
#undef UE__ROW
	UE__ROWS
};

#define UE__T(row, log2, shape, kind, format, ok)                               \
	(UE__U64(log2) | UE__U64(row) << 6 | UE__U64(shape) << 12 |    \
	 UE__U64(kind) << 15 | UE__U64(format) << 20 | UE__U64(ok) << 27)
#define UE__T_CARRAY (1ull << 28)
#define UE__T_VARRAY (1ull << 29)
#define UE__T_SPAN (1ull << 30)
#define UE__T_BOUNDED (1ull << 31)
#define UE__T_BEYOND_SCALARS (7ull << 12 | UE__T_CARRAY | UE__T_VARRAY)
#define UE__T_END (7ull << 12) /* behind the last */
#define UE__T_LENGTH(n) (UE__U64((n) > 65535 ? 65535 : (n)) << 32)
#define UE__T_ELEMENTS(n) (UE__T_CARRAY | UE__T_LENGTH(n) | ((n) > 65535 ? UE__T_BOUNDED : 0))
/*
 * A negative array size here is a format over 127, an id or tag over 65535, a version or opcode
 * over 255.
 */
#define UE__UP_TO(x, most) (UE__U64(x) + 0 * sizeof(char[UE__U64(x) <= (most) ? 1 : -1]))
#define UE__FORMAT_BITS(format) (UE__U64((format) & 127) << 20)
#define UE__TAG_BITS(tag) (UE__U64((tag) & 65535) << 48)
#define UE__T_ACTIVITY UE__T(0, 0, UE__SHAPE_ACTIVITY, 0, 0, 0)

#define UE__ROW_OF(t) (UE__U32(UE__U64(t) >> 6 & 63))
#define UE__LOG2_OF(t) (UE__U32(UE__U64(t) & 63))
#define UE__SHAPE_OF(t) (UE__U32(UE__U64(t) >> 12 & 7))
#define UE__KIND_OF(t) (UE__U32(UE__U64(t) >> 15 & 31))
#define UE__FORMAT_OF(t) (UE__U32(UE__U64(t) >> 20 & 127))
#define UE__LENGTH_OF(t) (UE__U32(UE__U64(t) >> 32 & 0xffff))
#define UE__TAG_OF(t) (UE__U32(UE__U64(t) >> 48))
#define UE__IS_CHAR(t) (UE__ROW_OF(t) == UE__ROW_CHAR || UE__KIND_OF(t) == 7 || UE__KIND_OF(t) == 10)
#define UE__IS_ARRAY(t) ((UE__U64(t) & (UE__T_CARRAY | UE__T_VARRAY)) != 0)

enum ue__type {
#define UE__CONSTANT(name, kernel, log2, shape, kind, format, ctype, ok) \
	UE__T_##name = UE__T(UE__ROW_##name, log2, UE__SHAPE_##shape, kind, format, ok),
	UE__TYPES(UE__CONSTANT)
#undef UE__CONSTANT
	UE__T_PTR = sizeof(void *) == 8 ? (int)UE__T_PTR64 : (int)UE__T_PTR32
};

/* What a call site or an event set is: constant, followed by the parts named here. */
struct ue__desc {
	uint8_t kind;	  /* UE__KERNEL_KIND, ... */
	uint8_t reserved[3];
	uint32_t fixed;	  /* bytes of payload that no value changes */
	uint16_t values;  /* arguments of ue__encode_...() */
	uint16_t dynamic; /* fields whose size only their value tells */
	uint16_t types;	  /* uint64_t each, right behind this; UE__T_END */
	uint16_t meta;	  /* log: then header and metadata, of that size */
};			  /* kernel: then "name\0field\0field\0" */
			  /* set: then uint64_t keyword, "provider\0group\0" */
			  /* text: then what registers it; FIXED is the flags */
			  /* other, probe: then struct ue__other */
enum {
	UE__KERNEL_KIND,
	UE__LOG_KIND,
	UE__SET_KIND,
	UE__TEXT_KIND,
	UE__OTHER_KIND,
	UE__PROBE_KIND /* for probes with arguments alone, without a payload */
};
/* An event whose texts functions make. */
struct ue__other {
	const char *name;
	int (*spec)(char out[512], const char *name); /* 0 or -E2BIG */
	int (*print)(char *buffer, size_t size, const void *record); /* as snprintf() */
};
/* Limits of the events that are packed at once: of names and fixed fields, of a string. */
enum { UE__USUAL_SIZE = 256, UE__USUAL_STRING = 128 };
#define UE__IS_USUAL(fixed, meta) ((fixed) + (meta) <= UE__USUAL_SIZE - 4 - 36 - 8)
#define UE__SET_FIELDS \
	"u8 eventheader_flags; u8 version; u16 id; u16 tag; u8 opcode; u8 level"

struct ue__span {
	const void *data;
	size_t count;
};

enum { UE__NEW, UE__REGISTERED };
#define UE__KERNEL_BIT 1u
#define UE__PROBE_BIT 2u
/* For ue_event.index and what is written: the kernel does not have it, probes do. */
#define UE__NO_INDEX 0xffffffffu
