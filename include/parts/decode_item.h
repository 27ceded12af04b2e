/* SPDX-License-Identifier: MIT */
/*
 * Items: what fields consist of
 */

/* @public */

/*
 * Fields
 * ======
 *
 *	struct ue_decode_fields fields;
 *	int more;
 *
 *	ue_decode_start(&fields, &event);
 *	while ((more = ue_decode_next(&fields)) > 0)
 *		use(&fields.item);
 *
 * A struct comes as an item of type UE_DECODE_STRUCT, its members, and
 * UE_DECODE_STRUCT_END; an array as UE_DECODE_ARRAY, its elements, which are values
 * or structs, and UE_DECODE_ARRAY_END.
 *
 * An event without metadata has no name, and only its writer knows its fields, by the
 * header's id and version. It comes as two values of UE_DECODE_KIND_BINARY: "header", 8
 * bytes, and "payload", if it has any.
 */
enum ue_decode_type {
	UE_DECODE_VALUE,
	UE_DECODE_STRUCT,
	UE_DECODE_STRUCT_END,
	UE_DECODE_ARRAY,
	UE_DECODE_ARRAY_END
};

/* ue_decode_item.kind: how the bytes are laid out. */
enum ue_decode_kind {
	UE_DECODE_KIND_NULL = UE__KIND_NULL,
	UE_DECODE_KIND_STRUCT = UE__KIND_STRUCT,
	UE_DECODE_KIND_VALUE8 = UE__KIND_VALUE8,
	UE_DECODE_KIND_VALUE16 = UE__KIND_VALUE16,
	UE_DECODE_KIND_VALUE32 = UE__KIND_VALUE32,
	UE_DECODE_KIND_VALUE64 = UE__KIND_VALUE64,
	UE_DECODE_KIND_VALUE128 = UE__KIND_VALUE128,
	UE_DECODE_KIND_ZSTRING8 = UE__KIND_ZSTRING8,
	UE_DECODE_KIND_ZSTRING16 = UE__KIND_ZSTRING16,
	UE_DECODE_KIND_ZSTRING32 = UE__KIND_ZSTRING32,
	UE_DECODE_KIND_STRING8 = UE__KIND_STRING8,
	UE_DECODE_KIND_STRING16 = UE__KIND_STRING16,
	UE_DECODE_KIND_STRING32 = UE__KIND_STRING32,
	UE_DECODE_KIND_BINARY = UE__KIND_BINARY
};

/* ue_decode_item.format: what they mean. Others are shown as the kind's default. */
enum ue_decode_format_code {
	UE_DECODE_FORMAT_DEFAULT = UE_FORMAT_DEFAULT,
	UE_DECODE_FORMAT_UNSIGNED = UE_FORMAT_UNSIGNED,
	UE_DECODE_FORMAT_SIGNED = UE_FORMAT_SIGNED,
	UE_DECODE_FORMAT_HEX = UE_FORMAT_HEX,
	UE_DECODE_FORMAT_ERRNO = UE_FORMAT_ERRNO,
	UE_DECODE_FORMAT_PID = UE_FORMAT_PID,
	UE_DECODE_FORMAT_TIME = UE_FORMAT_TIME,
	UE_DECODE_FORMAT_BOOL = UE_FORMAT_BOOL,
	UE_DECODE_FORMAT_FLOAT = UE_FORMAT_FLOAT,
	UE_DECODE_FORMAT_HEX_BYTES = UE_FORMAT_HEX_BYTES,
	UE_DECODE_FORMAT_LATIN1 = UE_FORMAT_STRING8,
	UE_DECODE_FORMAT_UTF = UE_FORMAT_UTF,
	UE_DECODE_FORMAT_UTF_BOM = UE_FORMAT_UTF_BOM,
	UE_DECODE_FORMAT_XML = UE_FORMAT_XML,
	UE_DECODE_FORMAT_JSON = UE_FORMAT_JSON,
	UE_DECODE_FORMAT_UUID = UE_FORMAT_UUID,
	UE_DECODE_FORMAT_PORT = UE_FORMAT_PORT,
	UE_DECODE_FORMAT_IP = UE_FORMAT_IP,
	UE_DECODE_FORMAT_IP_OLD
};

#define UE_DECODE_CONSTANT_ARRAY UE__ENCODING_CARRAY /* the count is part of the definition */
#define UE_DECODE_VARIABLE_ARRAY UE__ENCODING_VARRAY /* it is part of this event */

struct ue_decode_item {
	const char *name;
	size_t name_length;	  /* without attributes */
	size_t attributes_length; /* ";attribute=value...", right after the name */
	/*
	 * The value, without a length or a NUL, in the event's byte order. For
	 * UE_DECODE_ARRAY all elements if they are of a fixed size (as far as they are
	 * there); otherwise, and for structs, NULL.
	 */
	const uint8_t *value;
	size_t size;
	uint32_t count;	    /* elements of the array, or 1 */
	uint32_t index;	    /* of this element, or 0 */
	uint16_t tag;	    /* of the field; 0 = none */
	uint8_t type;	    /* enum ue_decode_type */
	uint8_t kind;	    /* enum ue_decode_kind, of an array its elements' */
	uint8_t format;	    /* enum ue_decode_format_code; of a struct its member count */
	uint8_t array;	    /* UE_DECODE_..._ARRAY for an array and its elements, or 0 */
	uint8_t depth;	    /* structs and arrays around it */
	uint8_t big_endian; /* how to read value */
};
