/* SPDX-License-Identifier: MIT */
/*
 * Definitions of fields
 */

/* @private */

/* By enum ue_decode_kind: the size of a value, or the log2 of a string's unit. */
struct ue__decode_shape {
	uint8_t fixed;
	uint8_t counted;
	uint8_t unit;
};

static const struct ue__decode_shape ue__decode_shapes[] = {
	{ 0, 0, 0 },  { 0, 0, 0 }, /* null, struct */
	{ 1, 0, 0 },  { 2, 0, 0 }, { 4, 0, 0 }, { 8, 0, 0 },
	{ 16, 0, 0 }, { 0, 0, 0 }, { 0, 0, 1 }, { 0, 0, 2 }, /* up to a NUL */
	{ 0, 1, 0 },  { 0, 1, 1 }, { 0, 1, 2 }, { 0, 1, 0 },
};

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
 * Reads the next field's definition into fields->item if it is one value of a plain kind without
 * a tag, as most are. Returns 0 if it is not: ue__decode_definition() reads it again, and tells
 * errors.
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
	kind = encoding & UE__ENCODING_KINDS;
	if (encoding & UE__ENCODING_ARRAYS || kind < UE_DECODE_KIND_VALUE8 ||
	    kind > UE_DECODE_KIND_BINARY)
		return 0;
	if (encoding & UE__ENCODING_MORE) {
		format = *p++;
		if (format & UE__ENCODING_MORE)
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
	item->kind = *encoding & UE__ENCODING_KINDS;
	item->array = *encoding & UE__ENCODING_ARRAYS;
	item->format = 0;
	item->tag = 0;
	item->count = 1;
	item->index = 0;
	if (*encoding & UE__ENCODING_MORE) {
		if (UE__DECODE_UNLIKELY(p == end))
			goto cut;
		item->format = *p & 0x7f;
		if (*p++ & UE__ENCODING_MORE) {
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
	if (UE__DECODE_UNLIKELY(item->array == UE__ENCODING_ARRAYS))
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
