/* SPDX-License-Identifier: MIT */
/*
 * Shortening bytes: EventHeader events
 */

/* @enabled */

UE__SETUP void ue__copy_bytes(struct ue__cut *c, size_t n)
{
	if (n > (size_t)(c->end - c->p)) {
		c->wrong = true;
		return;
	}
	if (c->out) {
		memmove(c->out, c->p, n);
		c->out += n;
	}
	c->p += n;
	c->size += n;
}

/* A count of 16 bits in the payload. */
UE__SETUP size_t ue__copy_count(struct ue__cut *c)
{
	uint16_t count = 0;

	if (c->end - c->p >= 2)
		memcpy(&count, c->p, 2);
	ue__copy_bytes(c, 2);
	return count;
}

/* Copies KEPT of SIZE bytes, and sets the count at COUNT, if there is one, to UNITS. */
UE__SETUP void ue__copy_some(struct ue__cut *c, size_t size, size_t kept, unsigned char *count,
			     size_t units)
{
	if (size > (size_t)(c->end - c->p)) {
		c->wrong = true;
		return;
	}
	if (count)
		ue__put_u16(count, units);
	ue__copy_bytes(c, kept);
	c->p += size - kept;
}

/* A string: up to a zero unit, or counted. */
UE__SETUP void ue__cut_string(struct ue__cut *c, unsigned int kind)
{
	bool counted = kind >= UE__KIND_STRING8, text = kind != UE__KIND_BINARY;
	size_t unit = text ? (size_t)1 << (kind - UE__KIND_ZSTRING8) % 3 : 1, n = 0, left, kept;
	unsigned char *count = c->out;

	if (counted)
		n = ue__copy_count(c) * unit;
	left = (size_t)(c->end - c->p);
	if (!counted && unit == 1)
		n = ue__units(c->p, 0, left);
	else if (!counted)
		while (n + unit <= left && memcmp(c->p + n, "\0\0\0", unit) != 0)
			n += unit;
	if (n > left) {
		c->wrong = true;
		return;
	}
	kept = ue__whole(c->p, n, c->most, unit, text);
	ue__copy_some(c, n, kept, counted ? count : NULL, kept / unit);
	if (!counted)
		ue__copy_bytes(c, unit);
}

UE__SETUP void ue__cut_fields(struct ue__cut *c, size_t n);

/* An array of strings or structs: its first element, and those behind it that fit whole. */
UE__SETUP void ue__cut_elements(struct ue__cut *c, const struct ue__definition *d, size_t count)
{
	struct ue__definitions meta = c->meta;
	unsigned char *at = c->out ? c->out - 2 : NULL;
	size_t i, used = 0, kept = 0;
	bool full = false;

	c->depth++;
	c->wrong |= c->depth > 8;
	for (i = 0; i < count && !c->wrong; i++) {
		struct ue__cut before = *c;
		int pass;

		/* whether an element fits is known only once it is measured */
		for (pass = 0; pass < (full || !before.out ? 1 : 2); pass++) {
			*c = before;
			c->out = pass ? before.out : NULL;
			c->meta = meta;
			if (d->kind == UE__KIND_STRUCT)
				ue__cut_fields(c, d->members);
			else
				ue__cut_string(c, d->kind);
			full |= i && !d->constant && used + (c->size - before.size) > c->most;
		}
		if (full) {
			c->size = before.size;
			c->out = before.out;
		} else {
			used += c->size - before.size;
			kept++;
		}
	}
	c->depth--;
	if (at && d->variable)
		ue__put_u16(at, kept);
	c->meta = meta;
	if (d->kind == UE__KIND_STRUCT)
		ue__skip_definitions(&c->meta, d->members);
}

/* An array of scalars, or one. */
UE__SETUP void ue__cut_values(struct ue__cut *c, const struct ue__definition *d, size_t count)
{
	unsigned int log2 = d->kind - UE__KIND_VALUE8;
	size_t kept = count;

	if (d->constant)
		kept = ue__constant_count(count, c->most, log2);
	else if (d->variable && count > c->most >> log2)
		kept = c->most >> log2;
	ue__copy_some(c, count << log2, kept << log2, c->out && d->variable ? c->out - 2 : NULL,
		      kept);
}

/* N fields of one struct, or of the event. */
UE__SETUP void ue__cut_fields(struct ue__cut *c, size_t n)
{
	struct ue__definition d;
	uint16_t constant = 1;
	size_t i, count;

	for (i = 0; i < n && c->meta.p < c->meta.end && !c->wrong; i++) {
		if (!ue__next_definition(&c->meta, &d)) {
			c->wrong = true;
			return;
		}
		if (d.constant)
			memcpy(&constant, d.count, 2);
		count = d.variable ? ue__copy_count(c) : d.constant ? constant : 1;
		if (ue__is_value(d.kind))
			ue__cut_values(c, &d, count);
		else if (d.constant || d.variable)
			ue__cut_elements(c, &d, count);
		else if (d.kind == UE__KIND_STRUCT)
			n += d.members;
		else
			ue__cut_string(c, d.kind);
	}
}

/* Finds the metadata of an EventHeader event. False if it has none that this can read. */
UE__SETUP bool ue__find_metadata(struct ue__copy *copy)
{
	struct ue__definitions *meta = &copy->cut.meta;
	unsigned char *p = copy->bytes + 4, *name;
	size_t at = 8;
	uint16_t block[2];

	if (copy->payload < at || p[0] != UE__HEADER_FLAGS)
		return false;
	do {
		if (copy->payload - at < sizeof(block))
			return false;
		memcpy(block, p + at, sizeof(block));
		at += sizeof(block);
		if (copy->payload - at < block[0])
			return false;
		if ((block[1] & UE__EXTENSION_KINDS) == UE__EXTENSION_METADATA) {
			meta->p = p + at;
			meta->end = p + at + block[0];
		}
		at += block[0];
	} while (block[1] & UE__EXTENSION_MORE);
	copy->data = at;
	if (!meta->p || meta->p == meta->end)
		return false;
	name = (unsigned char *)memchr(meta->p, 0, (size_t)(meta->end - meta->p));
	if (!name)
		return false;
	meta->p = name + 1;
	return true;
}

/* As ue__cut_locs(), of an EventHeader event; 0 if it is not understood. */
UE__SETUP size_t ue__cut_log(struct ue__copy *copy, size_t most, bool measure)
{
	struct ue__cut c = copy->cut;

	c.most = most;
	c.p = copy->bytes + 4 + copy->data;
	c.out = measure ? NULL : c.p;
	c.end = copy->bytes + 4 + copy->payload;
	ue__cut_fields(&c, 65536);
	if (!c.wrong)
		ue__copy_bytes(&c, (size_t)(c.end - c.p));
	if (!measure)
		ue__cut_counts(copy->cut.meta, most, true);
	return c.wrong ? 0 : copy->data + c.size;
}
