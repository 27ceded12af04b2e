/* SPDX-License-Identifier: MIT */
/*
 * Payload of fields
 */

/* @private */

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

/* Reads a string, or counted bytes, from the payload. */
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
