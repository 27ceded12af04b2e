/* SPDX-License-Identifier: MIT */
/*
 * Fields
 */

/* @public */

/* Begins and ends as struct ue_decode_item does, so that these parts are copied as they are. */
struct ue__decode_frame {
	const char *name;
	size_t name_length;
	size_t attributes_length;
	const uint8_t *members; /* definition of an array of structs' first member */
	uint32_t count;
	uint32_t index;
	uint16_t tag;
	uint8_t type; /* UE_DECODE_ARRAY or UE_DECODE_STRUCT */
	uint8_t kind;
	uint8_t format;
	uint8_t array;
	uint8_t left; /* members of the struct that are yet to come; of an item its depth */
	uint8_t big_endian;
};

#define UE__DECODE_RAW_HEADER 1
#define UE__DECODE_RAW_PAYLOAD 2

struct ue_decode_fields {
	struct ue_decode_item item;
	/* Why ue_decode_next() failed: UE_DECODE_E..., and the byte of the event. */
	int error;
	size_t error_offset;
	/* Payload that is not read yet; up to 7 bytes of padding remain at the end. */
	const uint8_t *payload;
	const uint8_t *payload_end;

	/* The rest is private. */
	const uint8_t *data;
	const uint8_t *definition;
	const uint8_t *definitions_end;
	uint64_t work;
	unsigned depth;
	uint8_t raw; /* bytes without a description that are yet to come: UE__DECODE_RAW_... */
	struct ue__decode_frame stack[UE_DECODE_DEPTH];
};

/* Begins before the first field of an event that ue_decode_parse() has read. */
static inline void ue_decode_start(struct ue_decode_fields *fields,
				   const struct ue_decode_event *event);

/*
 * Goes to the next item. Returns 1 and fields->item, 0 after the last, or -EBADMSG,
 * now and from now on, with fields->error and fields->error_offset set. A string
 * that the event's end cuts short is an item as far as it goes, then an error.
 */
static inline int ue_decode_next(struct ue_decode_fields *fields);

/* @private */

static inline void ue_decode_start(struct ue_decode_fields *fields,
				   const struct ue_decode_event *event)
{
	memset(&fields->item, 0, sizeof(fields->item));
	fields->item.big_endian = !(event->flags & UE_DECODE_FLAG_LITTLE_ENDIAN);
	fields->error = 0;
	fields->error_offset = 0;
	fields->data = event->data;
	fields->payload = event->payload;
	fields->payload_end = event->data + event->size;
	fields->definition = event->definitions;
	fields->definitions_end = event->definitions + event->definitions_length;
	fields->work = (uint64_t)event->size * UE_DECODE_WORK;
	fields->depth = 0;
	fields->raw = 0;
	if (!event->name && event->size >= 8)
		fields->raw = UE__DECODE_RAW_HEADER;
	if (!event->name && fields->payload < fields->payload_end)
		fields->raw |= UE__DECODE_RAW_PAYLOAD;
}

/* The next part of an event without metadata. */
UE__DECODE_COLD int ue__decode_raw(struct ue_decode_fields *fields)
{
	struct ue_decode_item *item = &fields->item;

	item->type = UE_DECODE_VALUE;
	item->kind = UE_DECODE_KIND_BINARY;
	item->count = 1;
	if (fields->raw & UE__DECODE_RAW_HEADER) {
		fields->raw &= UE__DECODE_RAW_PAYLOAD;
		item->name = "header";
		item->value = fields->data;
		item->size = 8;
	} else {
		fields->raw = 0;
		item->name = "payload";
		item->value = fields->payload;
		item->size = (size_t)(fields->payload_end - fields->payload);
		fields->payload = fields->payload_end;
	}
	item->name_length = strlen(item->name);
	return 1;
}

/* A field that is not plain. */
UE__DECODE_NOINLINE int ue__decode_field(struct ue_decode_fields *fields)
{
	struct ue_decode_item *item = &fields->item;

	if (ue__decode_definition(fields))
		return -EBADMSG;
	if (item->array)
		return ue__decode_open_array(fields);
	if (item->kind == UE_DECODE_KIND_STRUCT)
		return ue__decode_open(fields, UE_DECODE_STRUCT);
	return ue__decode_payload(fields);
}

static inline int ue_decode_next(struct ue_decode_fields *fields)
{
	if (UE__DECODE_UNLIKELY(fields->error))
		return -EBADMSG;
	fields->item.depth = (uint8_t)fields->depth;
	if (fields->depth) {
		struct ue__decode_frame *frame = &fields->stack[fields->depth - 1];

		if (frame->type == UE_DECODE_ARRAY) {
			if (frame->index == frame->count)
				return ue__decode_close(fields, UE_DECODE_ARRAY_END);
			if (frame->kind == UE_DECODE_KIND_STRUCT)
				return ue__decode_struct(fields, frame);
			fields->item.index = frame->index++;
			return ue__decode_payload(fields);
		}
		if (!frame->left || fields->definition == fields->definitions_end)
			return ue__decode_close(fields, UE_DECODE_STRUCT_END);
		frame->left--;
	} else if (fields->definition == fields->definitions_end) {
		return fields->raw ? ue__decode_raw(fields) : 0;
	}
	if (ue__decode_plain_definition(fields))
		return ue__decode_payload(fields);
	return ue__decode_field(fields);
}
