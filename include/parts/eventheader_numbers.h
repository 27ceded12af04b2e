/* SPDX-License-Identifier: MIT */
/*
 * EventHeader's numbers
 */

/* @public */

#ifndef UE__PART_EVENTHEADER_NUMBERS /* user_events.h and user_events_decode.h both have them */
#define UE__PART_EVENTHEADER_NUMBERS
/* How readers show a value (UE_AS). docs/reference.md tells which one fits which type. */
#define UE_FORMAT_DEFAULT 0 /* the kind's own */
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

/* How the bytes of a value are laid out: a field's kind. */
enum ue__kind {
	UE__KIND_NULL,
	UE__KIND_STRUCT,
	UE__KIND_VALUE8,
	UE__KIND_VALUE16,
	UE__KIND_VALUE32,
	UE__KIND_VALUE64,
	UE__KIND_VALUE128,
	UE__KIND_ZSTRING8, /* up to a zero unit */
	UE__KIND_ZSTRING16,
	UE__KIND_ZSTRING32,
	UE__KIND_STRING8, /* behind a count of 16 bits */
	UE__KIND_STRING16,
	UE__KIND_STRING32,
	UE__KIND_BINARY
};

/*
 * A field's encoding: the kind and these bits. With MORE, the format follows; with MORE in the
 * format, a tag.
 */
#define UE__ENCODING_KINDS 0x1f
#define UE__ENCODING_CARRAY 0x20 /* an array, whose count is in the definition */
#define UE__ENCODING_VARRAY 0x40 /* an array, whose count is in the payload */
#define UE__ENCODING_ARRAYS 0x60
#define UE__ENCODING_MORE 0x80

/* The event's header, 8 bytes. */
#define UE__HEADER_FIELDS(_)                                                          \
	_("", "u8", "eventheader_flags", 0, 1) _("; ", "u8", "version", 1, 1)         \
	_("; ", "u16", "id", 2, 2) _("; ", "u16", "tag", 4, 2)                        \
	_("; ", "u8", "opcode", 6, 1) _("; ", "u8", "level", 7, 1)
/* the text that registers a set, behind the name */
#define UE__HEADER_TEXT(separator, type, name, offset, size) separator type " " name
#define UE__SET_FIELDS UE__HEADER_FIELDS(UE__HEADER_TEXT)
/* the flags */
#define UE__HEADER_POINTER64 1
#define UE__HEADER_LITTLE_ENDIAN 2
#define UE__HEADER_EXTENSION 4

/* Behind the header: blocks of a size and a kind of 16 bits each, then the block's bytes. */
#define UE__EXTENSION_METADATA 1
#define UE__EXTENSION_ACTIVITY 2
#define UE__EXTENSION_KINDS 0x7fff
#define UE__EXTENSION_MORE 0x8000 /* another one follows */
#endif
