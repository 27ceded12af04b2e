/* SPDX-License-Identifier: MIT */
/*
 * Packing values
 */

/* @private */

/* A scalar of type T, of which this is the lower half. */
static UE__ALWAYS_INLINE unsigned char *ue__put_value(unsigned char *p, uint64_t value, uint32_t t)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	value <<= 64 - 8 * UE__SCALAR_SIZE(t);
#endif
	/*
	 * stores 8 bytes, for which there is room; the next field overwrites those beyond the value
	 */
	memcpy(p, &value, 8);
	return p + UE__SCALAR_SIZE(t);
}

/* Units before the zero unit, at most LIMIT. */
UE__ONCE size_t ue__units(const void *s, unsigned int log2, size_t limit)
{
	const uint32_t *s32 = (const uint32_t *)s;
	const uint16_t *s16 = (const uint16_t *)s;
	const void *end;
	size_t n = 0;

	if (log2 == 0) {
		end = memchr(s, 0, limit);
		return end ? (size_t)((const char *)end - (const char *)s) : limit;
	}
	while (n < limit && (log2 == 1 ? s16[n] : s32[n]))
		n++;
	return n;
}

/* Is there more of a string after 65535 units? */
static UE__ALWAYS_INLINE bool ue__is_longer(const void *s, unsigned int log2)
{
	/* GCC would warn of what lies behind a literal, which is never that long */
	__asm__("" : "+r"(s));
	return ue__units((const unsigned char *)s + ((size_t)65535 << log2), log2, 1) != 0;
}

/* @enabled */

/* An event that is being packed. */
struct ue__out {
	unsigned char *p, *segment; /* end of the buffer's use, begin of its open segment */
	size_t room;		    /* for strings and arrays, within the buffer */
	size_t size;		    /* of the closed segments */
	struct ue__iovec *iov;
	int count;
};

static UE__ALWAYS_INLINE void ue__close_segment(struct ue__out *o)
{
	if (o->p != o->segment) {
		o->iov[o->count].iov_base = o->segment;
		o->iov[o->count++].iov_len = (size_t)(o->p - o->segment);
		o->size += (size_t)(o->p - o->segment);
		o->segment = o->p;
	}
}

/* Short data joins the buffer, long data is a segment where it is. */
UE__ONCE void ue__put_data(struct ue__out *o, const void *data, size_t n)
{
	if (n <= o->room) {
		memcpy(o->p, data, n);
		o->p += n;
		o->room -= n;
		return;
	}
	ue__close_segment(o);
	o->iov[o->count].iov_base = (void *)(uintptr_t)data;
	o->iov[o->count++].iov_len = n;
	o->size += n;
}

static UE__ALWAYS_INLINE unsigned char *ue__put_u16(unsigned char *p, size_t value)
{
	uint16_t v = (uint16_t)value;

	memcpy(p, &v, 2);
	return p + 2;
}

/* The activity's extension, which another one follows. RELATED may be NULL. */
static inline unsigned char *ue__put_activity(unsigned char *p, const void *id, const void *related)
{
	p = ue__put_u16(p, related ? 32 : 16);
	p = ue__put_u16(p, UE__EXTENSION_ACTIVITY | UE__EXTENSION_MORE);
	p = (unsigned char *)memcpy(p, id, 16) + 16;
	return related ? (unsigned char *)memcpy(p, related, 16) + 16 : p;
}

/* Stores a scalar before END, and not a byte more: behind END there is data. */
static UE__ALWAYS_INLINE unsigned char *ue__put_exactly(unsigned char *p, const unsigned char *end,
							uint64_t value, uint32_t t)
{
	unsigned char bytes[8];

	if (p + 8 <= end)
		return ue__put_value(p, value, t);
	ue__put_value(bytes, value, t);
	return (unsigned char *)memcpy(p, bytes, UE__SCALAR_SIZE(t)) + UE__SCALAR_SIZE(t);
}
