/* SPDX-License-Identifier: MIT */
/*
 * Builder: the buffer of metadata and data
 */

/* @private */

struct ue__piece {
	const void *data;
	size_t size, at; /* bytes; those of data before it */
};
enum {
	UE__BUILDER_HEAD = 4 + 8 + 36 + 4,
	UE__BUILDER_META = UE__BUILDER_HEAD + 65535, /* no data beyond, so that names end there */
	UE__BUILDER_COPIES = 64
};

static inline struct ue__piece *ue__pieces(const struct ue_builder *b)
{
	uintptr_t end = ((uintptr_t)b->buffer + b->size) & ~(uintptr_t)(sizeof(void *) - 1);

	return (struct ue__piece *)end - b->pieces;
}

/* Makes room for more bytes of each; moves the data if needed. */
UE__FN UE__NOINLINE bool ue__make_room(struct ue_builder *b, size_t meta, size_t data,
				       unsigned int pieces)
{
	size_t used = b->data_end - b->data, limit, start;

	if (b->error)
		return false;
	b->pieces += pieces;
	limit = b->size > (b->pieces + 1) * sizeof(struct ue__piece)
			? (size_t)((unsigned char *)ue__pieces(b) - b->buffer)
			: 0;
	b->pieces -= pieces;
	if (!b->buffer)
		b->error = -EINVAL; /* not begun */
	else if (b->meta_end + meta > UE__BUILDER_META || b->pieces + pieces > 500)
		b->error = -E2BIG;
	else if (b->meta_end + meta + used + data > limit)
		b->error = -ENOSPC;
	if (b->error)
		return false;
	b->limit = limit;
	if (b->meta_end + meta > b->data || b->data_end + data > limit) {
		start = b->meta_end + meta + (limit - b->meta_end - meta - used - data) / 2;
		if (start > UE__BUILDER_META)
			start = UE__BUILDER_META;
		memmove(b->buffer + start, b->buffer + b->data, used);
		b->data = start;
		b->data_end = start + used;
	}
	return true;
}

static inline bool ue__room(struct ue_builder *b, size_t meta, size_t data)
{
	if (b->meta_end + meta <= b->data && b->data_end + data <= b->limit && !b->error)
		return true;
	return ue__make_room(b, meta, data, 0);
}

UE__FN void ue__meta(struct ue_builder *b, const void *p, size_t n)
{
	if (b->replay) {
		/* a later element of a struct array must say the same */
		if (b->replay + n > b->meta_end || memcmp(b->buffer + b->replay, p, n) != 0)
			b->error = -EINVAL;
		else
			b->replay += n;
	} else if (ue__room(b, n, 0)) {
		memcpy(b->buffer + b->meta_end, p, n);
		b->meta_end += n;
	}
}

UE__FN void ue__data(struct ue_builder *b, const void *p, size_t n)
{
	if (n > UE__BUILDER_COPIES) {
		if (ue__make_room(b, 0, 0, 1)) {
			struct ue__piece *pieces;

			b->pieces++;
			/* the newest is the lowest */
			pieces = ue__pieces(b);
			pieces->data = p;
			pieces->size = n;
			pieces->at = b->data_end - b->data;
		}
	} else if (n && ue__room(b, 0, n)) {
		memcpy(b->buffer + b->data_end, p, n);
		b->data_end += n;
	}
}
