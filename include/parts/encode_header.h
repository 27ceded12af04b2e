/* SPDX-License-Identifier: MIT */
/*
 * Header and metadata of an event
 */

/* @enabled */

/* A pointer's bytes, zeros for NULL. */
static UE__ALWAYS_INLINE unsigned char *ue__put_fixed(unsigned char *p, const void *data, size_t n)
{
	if (data)
		memcpy(p, data, n);
	else
		memset(p, 0, n);
	return p + n;
}

/* Header and metadata block of an EventHeader event without an activity. */
static UE__ALWAYS_INLINE unsigned char *ue__put_meta(unsigned char *p, const struct ue_event *event,
						     const struct ue__desc *d)
{
	const unsigned char *meta = (const unsigned char *)(ue__types(d) + d->types + 1);
	size_t n = d->meta, i;

	/*
	 * memcpy() of at least 8 bytes, the header, without the call; some bytes are copied twice
	 */
	if (UE__UNLIKELY(n < 16)) {
		memcpy(p, meta, 8);
		memcpy(p + n - 8, meta + n - 8, 8);
	} else {
		for (i = 16; i < n; i += 16) {
			memcpy(p + i - 16, meta + i - 16, 16);
			__asm__("" : "+r"(i)); /* else GCC makes it a call */
		}
		memcpy(p + n - 16, meta + n - 16, 16);
	}
	p[7] = event->level;
	return p + n;
}

/*
 * Index, and of an EventHeader event the header, activity and metadata blocks. TYPE and V move
 * behind the activity.
 */
static UE__ALWAYS_INLINE unsigned char *ue__put_head(unsigned char *p, uint32_t index,
						     struct ue_event *event,
						     const struct ue__desc *d,
						     const uint32_t **type, const uint64_t **v)
{
	const unsigned char *meta = (const unsigned char *)(*type + d->types + 1);

	memcpy(p, &index, 4);
	p += 4;
	if (d->variant == UE__DESC_KERNEL)
		return p;
	if (UE__SHAPE_OF(**type) == UE__SHAPE_ACTIVITY) {
		const void *id = (const void *)(uintptr_t)(*v)[0];
		const void *related = (const void *)(uintptr_t)(*v)[1];

		*type += 1;
		*v += 2;
		/* hides constants from GCC, which would warn that they are no addresses */
		__asm__("" : "+r"(id), "+r"(related));
		if (id) {
			unsigned char *extension = p + 8;

			memcpy(p, meta, 8);
			p[7] = event->level;
			p = ue__put_activity(extension, id, related);
			return (unsigned char *)memcpy(p, meta + 8, d->meta - 8u) + d->meta - 8;
		}
	}
	return ue__put_meta(p, event, d);
}
