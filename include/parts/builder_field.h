/* SPDX-License-Identifier: MIT */
/*
 * Builder: fields
 */

/* @private */

/* Counts a member of the innermost struct, in its format byte. False if it can have no more. */
static inline bool ue__count_member(struct ue_builder *b)
{
	struct ue__open_struct *open = &b->open[b->depth - 1];

	if (open->array && open->elements == 0)
		b->error = -EINVAL; /* no ue_struct_array_next() */
	else if (++open->members > 127)
		b->error = -E2BIG;
	if (b->error)
		return false;
	if (!b->replay)
		b->buffer[open->format_at] =
			(unsigned char)((b->buffer[open->format_at] & UE__ENCODING_MORE) |
					open->members);
	return true;
}

/*
 * The definition of a field or struct of type T. False after an error. If not, there is room for a
 * scalar's value, too: 8 bytes are stored whatever its size.
 */
UE__FN bool ue__define(struct ue_builder *b, const char *name, uint64_t t)
{
	unsigned int format = b->next_format ? b->next_format : (unsigned int)UE__FORMAT_OF(t);
	uint16_t count = (uint16_t)UE__LENGTH_OF(t);
	unsigned char encoding[6]; /* kind, format, tag, count */
	size_t n = 1, at, length;

	if (!b->error && (!name || !*name))
		b->error = -EINVAL;
	if (b->error || (b->depth && !ue__count_member(b)))
		return false;
	length = strlen(name) + 1;
	encoding[0] = (unsigned char)(UE__KIND_OF(t) | UE__ENCODING_ARRAY(t));
	if (UE__ROW_OF(t) == UE__ROW_STRUCT) {
		at = (b->replay ? b->replay : b->meta_end) + length + 1;
		b->open[b->depth].format_at = at;
		/* it counts members: known at the end or, in a later element, checked by them */
		if (b->replay && at < b->meta_end)
			format = b->buffer[at] & ~(unsigned int)UE__ENCODING_MORE;
	}
	if (format || b->next_tag || UE__ROW_OF(t) == UE__ROW_STRUCT) {
		encoding[0] |= UE__ENCODING_MORE;
		encoding[n++] = (unsigned char)(format | (b->next_tag ? UE__ENCODING_MORE : 0u));
	}
	if (b->next_tag) {
		memcpy(encoding + n, &b->next_tag, 2);
		n += 2;
	}
	if (t & UE__T_CARRAY) {
		memcpy(encoding + n, &count, 2);
		n += 2;
	}
	b->next_tag = 0;
	b->next_format = 0;
	if (b->replay) {
		ue__meta(b, name, length);
		ue__meta(b, encoding, n);
		return ue__room(b, 0, 8);
	}
	if (!ue__room(b, length + (n > 2 ? 6 : 2), 8))
		return false;
	memcpy(b->buffer + b->meta_end, name, length);
	memcpy(b->buffer + b->meta_end + length, encoding, 2);
	if (n > 2)
		memcpy(b->buffer + b->meta_end + length + 2, encoding + 2, 4);
	b->meta_end += length + n;
	return true;
}

UE__FN void ue__add_value(struct ue_builder *b, const char *name, uint64_t t, const void *value)
{
	static const char zeros[16] = "";

	if (ue__define(b, name, t))
		ue__data(b, value ? value : zeros, (size_t)1 << UE__LOG2_OF(t));
}

static inline void ue__add_scalar(struct ue_builder *b, const char *name, uint64_t t,
				  uint64_t value)
{
	if (ue__define(b, name, t)) {
		ue__put_value(b->buffer + b->data_end, value, (uint32_t)t);
		b->data_end += (size_t)1 << UE__LOG2_OF(t);
	}
}

/* A string, and its zero unit. */
UE__FN void ue__add_string(struct ue_builder *b, const void *p, unsigned int log2)
{
	size_t n = p ? ue__units(p, log2, 65535) : 0;

	if (n == 65535) {
		if (ue__is_longer(p, log2))
			UE__INCREMENT(&ue__state_v1.cut);
	} else if (n << log2 > UE__BUILDER_COPIES) {
		ue__data(b, p, (n + 1) << log2);
		return;
	}
	if (n)
		ue__data(b, p, n << log2);
	ue__data(b, "\0\0\0", (size_t)1 << log2);
}

UE__FN void ue__add_data(struct ue_builder *b, const char *name, uint64_t t, const void *p,
			 size_t count)
{
	unsigned int log2 = (unsigned int)UE__LOG2_OF(t);
	bool strings = UE__SHAPE_OF(t) == UE__SHAPE_ZSTRING;
	uint16_t n;
	size_t i;

	if (!b->error && (t & UE__T_CARRAY) && (count == 0 || !p))
		b->error = -EINVAL;
	if (!p)
		count = 0;
	if (count > 65535) {
		count = 65535;
		UE__INCREMENT(&ue__state_v1.cut);
	}
	if (t & UE__T_CARRAY)
		t = UE__ELEMENT_OF(t) | UE__T_LENGTH(count);
	if (!ue__define(b, name, t))
		return;
	n = (uint16_t)count;
	if (!(t & UE__T_CARRAY) && (UE__IS_ARRAY(t) || !strings))
		ue__data(b, &n, 2);
	if (strings && UE__IS_ARRAY(t))
		for (i = 0; i < count; i++)
			ue__add_string(b, ((const void *const *)p)[i], log2);
	else if (strings)
		ue__add_string(b, p, log2);
	else
		ue__data(b, p, count << log2);
}

UE__API void ue_field_tag(struct ue_builder *b, uint16_t tag)
{
	b->next_tag = tag;
}

UE__API void ue_field_format(struct ue_builder *b, uint8_t format)
{
	if (format > 127 && !b->error)
		b->error = -EINVAL;
	b->next_format = format;
}
