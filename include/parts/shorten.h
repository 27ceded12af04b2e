/* SPDX-License-Identifier: MIT */
/*
 * Shortening events
 */

/* @enabled */

/*
 * An event that is too large for tracers (UE_MAX_EVENT) is shortened: its strings and arrays are
 * cut to the largest limit with which it fits. Events of UE_TRACE and UE_LOG are packed again with
 * that limit (ue__again()). Of others there are only bytes, which ue__shorten() cuts.
 */

/*
 * How many of SIZE bytes remain if at most MOST may: whole elements, whole UTF-8 characters of
 * TEXT.
 */
UE__SETUP size_t ue__whole(const void *data, size_t size, size_t most, size_t element, bool text)
{
	const unsigned char *p = (const unsigned char *)data;
	unsigned int i;

	if (size <= most)
		return size;
	most -= most % element;
	for (i = 0; text && element == 1 && i < 3 && most > 0 && (p[most] & 0xc0) == 0x80; i++)
		most--;
	return most;
}

/* A definition in the metadata of an EventHeader event. */
struct ue__definition {
	unsigned int kind, members;
	bool constant, variable;
	unsigned char *count; /* of a constant array, 2 bytes */
};
struct ue__definitions {
	unsigned char *p, *end;
};

UE__SETUP bool ue__next_definition(struct ue__definitions *meta, struct ue__definition *d)
{
	size_t left = (size_t)(meta->end - meta->p), need;
	unsigned char *p = left ? (unsigned char *)memchr(meta->p, 0, left) : NULL;
	unsigned int encoding, format = 0;

	left -= p ? (size_t)(p - meta->p) + 1 : left;
	if (left == 0)
		return false;
	encoding = *++p;
	if (encoding & UE__ENCODING_MORE && left > 1)
		format = p[1];
	need = (encoding & UE__ENCODING_MORE ? 2u : 1u) + (format & UE__ENCODING_MORE ? 2 : 0);
	d->count = p + need;
	need += encoding & UE__ENCODING_CARRAY ? 2 : 0;
	if (left < need)
		return false;
	meta->p = p + need;
	d->kind = encoding & UE__ENCODING_KINDS;
	d->members = format & ~(unsigned int)UE__ENCODING_MORE;
	d->constant = (encoding & UE__ENCODING_CARRAY) != 0;
	d->variable = (encoding & UE__ENCODING_VARRAY) != 0;
	return d->kind != UE__KIND_NULL && d->kind <= UE__KIND_BINARY &&
	       !(d->constant && d->variable);
}

static UE__ALWAYS_INLINE bool ue__is_value(unsigned int kind)
{
	return kind >= UE__KIND_VALUE8 && kind <= UE__KIND_VALUE128;
}

/* Goes past N definitions and their members. */
UE__SETUP void ue__skip_definitions(struct ue__definitions *meta, size_t n)
{
	struct ue__definition d;
	size_t i;

	for (i = 0; i < n && ue__next_definition(meta, &d); i++)
		n += d.kind == UE__KIND_STRUCT ? d.members : 0;
}

static UE__ALWAYS_INLINE size_t ue__constant_count(size_t count, size_t most, unsigned int log2)
{
	if (count > most >> log2)
		count = most >> log2;
	return count ? count : 1; /* readers take no array of constant length 0 */
}

/*
 * Cuts the counts of constant arrays, which are in the metadata, to MOST bytes. ALL: also those
 * within arrays of structs.
 */
UE__SETUP void ue__cut_counts(struct ue__definitions meta, size_t most, bool all)
{
	struct ue__definition d;
	uint16_t count;

	while (ue__next_definition(&meta, &d)) {
		if (d.kind == UE__KIND_STRUCT && d.variable && !all)
			ue__skip_definitions(&meta, d.members);
		if (!d.constant || !ue__is_value(d.kind))
			continue;
		memcpy(&count, d.count, 2);
		ue__put_u16(d.count, ue__constant_count(count, most, d.kind - UE__KIND_VALUE8));
	}
}

/* The search for a limit. */
struct ue__bound {
	size_t most;	  /* of a string or array; UE__ALL: not yet; UE__TOO_MUCH: no use */
	size_t best, bit; /* what is known to fit, and what is to be decided next */
	bool cut;
};
#define UE__ALL SIZE_MAX
#define UE__TOO_MUCH (SIZE_MAX - 1)
#define UE__FIRST_BIT ((size_t)1 << 19) /* over any string or array */

static UE__ALWAYS_INLINE bool ue__is_large(size_t size)
{
	return UE__UNLIKELY(size - sizeof(uint32_t) > UE_MAX_EVENT);
}
