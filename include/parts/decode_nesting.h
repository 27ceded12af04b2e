/* SPDX-License-Identifier: MIT */
/*
 * Structs and arrays
 */

/* @private */

#define UE__DECODE_NAME_SIZE offsetof(struct ue_decode_item, value)
#define UE__DECODE_REST_SIZE \
	(offsetof(struct ue_decode_item, big_endian) + 1 - offsetof(struct ue_decode_item, count))

/* What an item has from the struct or array around it. */
static inline void ue__decode_frame_to_item(struct ue_decode_item *item,
					    const struct ue__decode_frame *frame, unsigned depth)
{
	memcpy(item, frame, UE__DECODE_NAME_SIZE);
	memcpy((char *)item + offsetof(struct ue_decode_item, count),
	       (const char *)frame + offsetof(struct ue__decode_frame, count),
	       UE__DECODE_REST_SIZE);
	item->value = NULL;
	item->size = 0;
	item->depth = (uint8_t)depth;
}

/* Opens the struct or array that item describes. */
static inline int ue__decode_open(struct ue_decode_fields *fields, uint8_t type)
{
	struct ue_decode_item *item = &fields->item;
	struct ue__decode_frame *frame = &fields->stack[fields->depth];

	if (UE__DECODE_UNLIKELY(fields->depth == UE_DECODE_DEPTH))
		return ue__decode_stop(fields, UE_DECODE_EDEPTH, fields->definition);
	item->type = type;
	item->value = NULL;
	item->size = 0;
	fields->depth++;
	memcpy(frame, item, UE__DECODE_NAME_SIZE);
	memcpy((char *)frame + offsetof(struct ue__decode_frame, count),
	       (const char *)item + offsetof(struct ue_decode_item, count), UE__DECODE_REST_SIZE);
	frame->members = fields->definition;
	if (type == UE_DECODE_ARRAY)
		frame->index = 0;
	frame->left = item->format;
	return 1;
}

/* Skips the definitions of n members, nested ones included. */
static inline int ue__decode_skip_members(struct ue_decode_fields *fields, size_t n)
{
	struct ue_decode_item item = fields->item;
	int result = 0;

	for (; n && fields->definition < fields->definitions_end; n--) {
		result = ue__decode_definition(fields);
		if (result)
			break;
		if (fields->item.kind == UE_DECODE_KIND_STRUCT)
			n += fields->item.format;
	}
	fields->item = item;
	return result;
}

static inline int ue__decode_open_array(struct ue_decode_fields *fields)
{
	struct ue_decode_item *item = &fields->item;
	size_t left = (size_t)(fields->payload_end - fields->payload), size;

	if (item->array == UE_DECODE_VARIABLE_ARRAY) {
		if (UE__DECODE_UNLIKELY(left < 2))
			return ue__decode_stop(fields, UE_DECODE_EVALUE, fields->payload);
		item->count = ue__decode_u16(fields->payload, item->big_endian);
		fields->payload += 2;
		left -= 2;
	}
	if (ue__decode_open(fields, UE_DECODE_ARRAY) < 0)
		return -EBADMSG;
	size = ue__decode_shapes[item->kind].fixed;
	if (size) {
		item->value = fields->payload;
		item->size = size * item->count;
		if (UE__DECODE_UNLIKELY(left < item->size))
			item->size = left - left % size;
	}
	/* An empty array's members are skipped; the next call reports an error in them. */
	if (item->kind == UE_DECODE_KIND_STRUCT && !item->count)
		ue__decode_skip_members(fields, item->format);
	return 1;
}

static inline int ue__decode_close(struct ue_decode_fields *fields, uint8_t type)
{
	struct ue_decode_item *item = &fields->item;
	const struct ue__decode_frame *frame = &fields->stack[--fields->depth];

	ue__decode_frame_to_item(item, frame, fields->depth);
	item->type = type;
	if (type == UE_DECODE_ARRAY_END)
		item->index = 0;
	return 1;
}

/* The next struct of the array of structs on top of the stack. */
UE__DECODE_NOINLINE int ue__decode_struct(struct ue_decode_fields *fields,
					  struct ue__decode_frame *frame)
{
	struct ue__decode_frame *top = frame + 1;

	if (ue__decode_work(fields, 8))
		return -EBADMSG;
	fields->definition = frame->members;
	if (UE__DECODE_UNLIKELY(fields->depth == UE_DECODE_DEPTH))
		return ue__decode_stop(fields, UE_DECODE_EDEPTH, fields->definition);
	/* both from the array's frame: to read at once what was written in parts is slow */
	ue__decode_frame_to_item(&fields->item, frame, fields->depth++);
	fields->item.type = UE_DECODE_STRUCT;
	*top = *frame;
	top->type = UE_DECODE_STRUCT;
	top->left = frame->format;
	frame->index++;
	return 1;
}
