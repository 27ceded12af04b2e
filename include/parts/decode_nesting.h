/* SPDX-License-Identifier: MIT */
/*
 * Structs and arrays
 */

/* @private */

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
	frame->name = item->name;
	frame->name_length = item->name_length;
	frame->attributes_length = item->attributes_length;
	frame->members = fields->definition;
	frame->tag = item->tag;
	frame->count = item->count;
	frame->index = type == UE_DECODE_ARRAY ? 0 : item->index;
	frame->type = type;
	frame->kind = item->kind;
	frame->format = item->format;
	frame->array = item->array;
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

/* What an item has from the struct or array around it. */
static inline void ue__decode_reload(struct ue_decode_item *item,
				     const struct ue__decode_frame *frame)
{
	item->name = frame->name;
	item->name_length = frame->name_length;
	item->attributes_length = frame->attributes_length;
	item->tag = frame->tag;
	item->count = frame->count;
	item->kind = frame->kind;
	item->format = frame->format;
	item->array = frame->array;
}

static inline int ue__decode_close(struct ue_decode_fields *fields, uint8_t type)
{
	struct ue_decode_item *item = &fields->item;
	const struct ue__decode_frame *frame = &fields->stack[--fields->depth];

	ue__decode_reload(item, frame);
	item->value = NULL;
	item->size = 0;
	item->index = frame->type == UE_DECODE_ARRAY ? 0 : frame->index;
	item->type = type;
	item->depth = (uint8_t)fields->depth;
	return 1;
}

/* The next struct of the array of structs on top of the stack. */
UE__DECODE_NOINLINE int ue__decode_struct(struct ue_decode_fields *fields,
					  struct ue__decode_frame *frame)
{
	struct ue_decode_item *item = &fields->item;

	item->index = frame->index++;
	if (ue__decode_work(fields, 8))
		return -EBADMSG;
	ue__decode_reload(item, frame);
	fields->definition = frame->members;
	return ue__decode_open(fields, UE_DECODE_STRUCT);
}
