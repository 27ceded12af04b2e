/* SPDX-License-Identifier: MIT */
/*
 * Fields
 */

@public

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
	uint8_t left; /* members of the struct that are yet to come */
};

#define UE__DECODE_RAW_HEADER 1
#define UE__DECODE_RAW_PAYLOAD 2

struct ue_decode_fields {
	struct ue_decode_item item;
	/* Why ue_decode_next() failed: UE_DECODE_E..., and the byte of the event. */
	int error;
	size_t error_offset;
	/* Payload not read yet. Up to 7 bytes stay over where records are padded. */
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

/* Goes to before the first field of an event that ue_decode_parse() has seen. */
static inline void ue_decode_start(struct ue_decode_fields *fields,
				   const struct ue_decode_event *event);

/*
 * Goes to the next item. Returns 1 and fields->item, 0 after the last, or -EBADMSG,
 * now and from now on, with fields->error and fields->error_offset set. A string
 * that the event's end cuts short is an item as far as it goes, then an error.
 */
static inline int ue_decode_next(struct ue_decode_fields *fields);

@private

/* By enum ue_decode_kind: the size of a value, or the log2 of a string's unit. */
struct ue__decode_shape {
	uint8_t fixed;
	uint8_t counted;
	uint8_t unit;
};

static const struct ue__decode_shape ue__decode_shapes[] = {
	{ 0, 0, 0 }, { 0, 0, 0 },			/* null, struct */
	{ 1, 0, 0 }, { 2, 0, 0 }, { 4, 0, 0 }, { 8, 0, 0 }, { 16, 0, 0 },
	{ 0, 0, 0 }, { 0, 0, 1 }, { 0, 0, 2 },		/* up to a NUL */
	{ 0, 1, 0 }, { 0, 1, 1 }, { 0, 1, 2 }, { 0, 1, 0 },
};

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

UE__DECODE_COLD int ue__decode_stop(struct ue_decode_fields *fields, int error, const uint8_t *at)
{
	fields->error = error;
	fields->error_offset = (size_t)(at - fields->data);
	return -EBADMSG;
}

static inline int ue__decode_work(struct ue_decode_fields *fields, size_t work)
{
	if (UE__DECODE_UNLIKELY(fields->work < work))
		return ue__decode_stop(fields, UE_DECODE_EWORK, fields->definition);
	fields->work -= work;
	return 0;
}

/*
 * Reads the next field's definition into fields->item if it is one value of a plain kind without a
 * tag, as most are. Returns 0 if it is not: ue__decode_definition() reads it again, and tells errors.
 */
UE__DECODE_INLINE int ue__decode_plain_definition(struct ue_decode_fields *fields)
{
	struct ue_decode_item *item = &fields->item;
	const uint8_t *begin = fields->definition, *end = fields->definitions_end, *p;
	unsigned encoding, kind, format = 0;

	p = ue__decode_name(begin, end, fields->payload_end, &item->name, &item->name_length,
			    &item->attributes_length);
	if (UE__DECODE_UNLIKELY(!p || fields->payload_end - p < 2))
		return 0;
	encoding = *p++;
	kind = encoding & 0x1f;
	if (encoding & 0x60 || kind < UE_DECODE_KIND_VALUE8 || kind > UE_DECODE_KIND_BINARY)
		return 0;
	if (encoding & 0x80) {
		format = *p++;
		if (format & 0x80)
			return 0;
	}
	if (UE__DECODE_UNLIKELY(p > end || fields->work < (size_t)(p - begin)))
		return 0;
	fields->work -= (size_t)(p - begin);
	fields->definition = p;
	item->kind = (uint8_t)kind;
	item->format = (uint8_t)format;
	item->array = 0;
	item->tag = 0;
	item->count = 1;
	item->index = 0;
	return 1;
}

/* Reads the next field's definition into fields->item. */
UE__DECODE_NOINLINE int ue__decode_definition(struct ue_decode_fields *fields)
{
	struct ue_decode_item *item = &fields->item;
	const uint8_t *begin = fields->definition, *end = fields->definitions_end, *p, *encoding;

	p = ue__decode_name(begin, end, fields->payload_end, &item->name, &item->name_length,
			    &item->attributes_length);
	if (UE__DECODE_UNLIKELY(!p))
		return ue__decode_stop(fields, UE_DECODE_ENAME, begin);
	encoding = p;
	if (UE__DECODE_UNLIKELY(p == end))
		goto cut;
	p++;
	item->kind = *encoding & 0x1f;
	item->array = *encoding & 0x60;
	item->format = 0;
	item->tag = 0;
	item->count = 1;
	item->index = 0;
	if (*encoding & 0x80) {
		if (UE__DECODE_UNLIKELY(p == end))
			goto cut;
		item->format = *p & 0x7f;
		if (*p++ & 0x80) {
			if (UE__DECODE_UNLIKELY(end - p < 2))
				goto cut;
			item->tag = ue__decode_u16(p, item->big_endian);
			p += 2;
		}
	}
	if (item->array & UE_DECODE_CONSTANT_ARRAY) {
		if (UE__DECODE_UNLIKELY(end - p < 2))
			goto cut;
		item->count = ue__decode_u16(p, item->big_endian);
		if (UE__DECODE_UNLIKELY(!item->count))
			return ue__decode_stop(fields, UE_DECODE_ECOUNT, p);
		p += 2;
	}
	if (UE__DECODE_UNLIKELY(item->array == 0x60))
		return ue__decode_stop(fields, UE_DECODE_EARRAY, encoding);
	if (UE__DECODE_UNLIKELY(!item->kind || item->kind > UE_DECODE_KIND_BINARY))
		return ue__decode_stop(fields, UE_DECODE_EKIND, encoding);
	if (UE__DECODE_UNLIKELY(item->kind == UE_DECODE_KIND_STRUCT && !item->format))
		return ue__decode_stop(fields, UE_DECODE_EMEMBERS, encoding);
	fields->definition = p;
	return ue__decode_work(fields, (size_t)(p - begin));
cut:
	return ue__decode_stop(fields, UE_DECODE_EDEFINITION, begin);
}

/* The bytes before the zero unit, or all whole units if there is none. */
static inline size_t ue__decode_until_nul(const uint8_t *p, size_t left, size_t unit)
{
	static const uint8_t zero[4] = { 0, 0, 0, 0 };
	size_t size = 0;

	if (unit == 1) {
		const void *nul = left ? memchr(p, 0, left) : NULL;

		return nul ? (size_t)((const uint8_t *)nul - p) : left;
	}
	while (left - size >= unit && memcmp(p + size, zero, unit) != 0)
		size += unit;
	return size;
}

/* A string's. */
UE__DECODE_NOINLINE int ue__decode_string_payload(struct ue_decode_fields *fields)
{
	struct ue_decode_item *item = &fields->item;
	const struct ue__decode_shape *shape = &ue__decode_shapes[item->kind];
	size_t left = (size_t)(fields->payload_end - fields->payload);
	size_t size, unit = (size_t)1 << shape->unit, skip = 0;

	item->value = fields->payload;
	if (shape->counted) {
		if (UE__DECODE_UNLIKELY(left < 2))
			return ue__decode_stop(fields, UE_DECODE_EVALUE, fields->payload);
		size = (size_t)ue__decode_u16(item->value, item->big_endian) << shape->unit;
		item->value += 2;
		if (UE__DECODE_UNLIKELY(left - 2 < size)) {
			ue__decode_stop(fields, UE_DECODE_EVALUE, fields->payload);
			size = (left - 2) & ~(unit - 1);
		}
	} else {
		size = ue__decode_until_nul(item->value, left, unit);
		skip = unit;
		if (UE__DECODE_UNLIKELY(left - size < unit)) {
			ue__decode_stop(fields, UE_DECODE_ENUL, fields->payload);
			skip = 0;
		}
	}
	item->size = size;
	fields->payload = item->value + size + skip;
	return 1;
}

/* Reads the value that item describes from the payload. */
UE__DECODE_INLINE int ue__decode_payload(struct ue_decode_fields *fields)
{
	struct ue_decode_item *item = &fields->item;
	size_t size = ue__decode_shapes[item->kind].fixed;

	item->type = UE_DECODE_VALUE;
	if (!size)
		return ue__decode_string_payload(fields);
	item->value = fields->payload;
	if (UE__DECODE_UNLIKELY((size_t)(fields->payload_end - fields->payload) < size))
		return ue__decode_stop(fields, UE_DECODE_EVALUE, fields->payload);
	item->size = size;
	fields->payload += size;
	return 1;
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

/* Goes past the definitions of n members, nested ones included. */
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
	/* An empty array's members are nobody's; an error in them is told by the next call. */
	if (item->kind == UE_DECODE_KIND_STRUCT && !item->count)
		ue__decode_skip_members(fields, item->format);
	return 1;
}

static inline int ue__decode_close(struct ue_decode_fields *fields, uint8_t type)
{
	struct ue_decode_item *item = &fields->item;
	const struct ue__decode_frame *frame = &fields->stack[--fields->depth];

	item->name = frame->name;
	item->name_length = frame->name_length;
	item->attributes_length = frame->attributes_length;
	item->value = NULL;
	item->size = 0;
	item->tag = frame->tag;
	item->count = frame->count;
	item->index = frame->type == UE_DECODE_ARRAY ? 0 : frame->index;
	item->type = type;
	item->kind = frame->kind;
	item->format = frame->format;
	item->array = frame->array;
	item->depth = (uint8_t)fields->depth;
	return 1;
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

/* The next struct of the array of structs on top of the stack. */
UE__DECODE_NOINLINE int ue__decode_struct(struct ue_decode_fields *fields,
					  struct ue__decode_frame *frame)
{
	struct ue_decode_item *item = &fields->item;

	item->index = frame->index++;
	if (ue__decode_work(fields, 8))
		return -EBADMSG;
	item->name = frame->name;
	item->name_length = frame->name_length;
	item->attributes_length = frame->attributes_length;
	item->tag = frame->tag;
	item->count = frame->count;
	item->kind = frame->kind;
	item->format = frame->format;
	item->array = frame->array;
	fields->definition = frame->members;
	return ue__decode_open(fields, UE_DECODE_STRUCT);
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
