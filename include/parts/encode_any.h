/* SPDX-License-Identifier: MIT */
/*
 * Encoding events of any kind and size
 */

/* @enabled */

/* The segments and the buffer of an event; on the stack as long as it is a small one. */
#define UE__SMALL_FIELDS 4
struct ue__small {
	struct ue__iovec iov[2 * UE__SMALL_FIELDS + 1];
	unsigned char buffer[256 + UE_INLINE_BYTES];
};
#define UE__BEGIN_OUT(o, small, d)                                                              \
	do {                                                                                    \
		size_t ue__n = (d)->dynamic;                                                    \
		size_t ue__size = 4 + 8 + 36 + (d)->fixed + (d)->meta + 4 * ue__n;              \
		(o).iov = (small).iov;                                                          \
		(o).segment = (small).buffer;                                                   \
		if (ue__n > UE__SMALL_FIELDS || ue__size > 256) {                               \
			ue__n = 2 * ue__n + 1;                                                  \
			(o).iov = (struct ue__iovec *)__builtin_alloca(                         \
				ue__n * sizeof(struct ue__iovec) + ue__size + UE_INLINE_BYTES); \
			(o).segment = (unsigned char *)((o).iov + ue__n);                       \
		}                                                                               \
		(o).p = (o).segment;                                                            \
		(o).room = UE_INLINE_BYTES;                                                     \
		(o).size = 0;                                                                   \
		(o).count = 0;                                                                  \
	} while (0)

/*
 * An event is packed that is, or was, too large for tracers. Returns whether to pack it again with
 * the limit L->most for each of its strings and arrays. This is a binary search, bit by bit; the
 * best limit is packed last. Probes get the event first, and whole.
 */
UE__SETUP bool ue__again(struct ue_event *event, struct ue__out *o, struct ue__bound *l)
{
	uint32_t enabled = UE__LOAD(&event->enabled);

	if (l->most == UE__ALL) {
		if (!(enabled & (UE__KERNEL_BIT | UE__OWN_BIT)))
			return false;
		if (enabled & UE__OUR_BITS)
			ue__send_probed(event, o->iov, o->count, o->size, NULL);
		l->bit = UE__FIRST_BIT;
		l->most = 0;
		return true;
	}
	if (l->bit == 0)
		return false;
	if (!ue__is_large(o->size)) {
		l->best = l->most;
	} else if (l->bit == UE__FIRST_BIT) {
		l->bit = 0;
		l->most = UE__TOO_MUCH;
		return true;
	}
	l->bit >>= 1;
	l->most = l->best | l->bit;
	return true;
}

/* Is the event packed? Else it is to be packed again. */
static UE__ALWAYS_INLINE bool ue__is_packed(struct ue_event *event, struct ue__out *o,
					    struct ue__bound *l)
{
	return !UE__UNLIKELY(ue__is_large(o->size) || l->most != UE__ALL) ||
	       !ue__again(event, o, l);
}

UE__ONCE void ue__end_out(struct ue_event *event, struct ue__out *o, const struct ue__bound *l)
{
	if (UE__UNLIKELY(l->most != UE__ALL)) {
		UE__INCREMENT(l->most == UE__TOO_MUCH ? &ue__state_v1.large : &ue__state_v1.cut);
		ue__count_write(event, ue__write_enabled(event, UE__LOAD(&event->enabled), o->iov,
							 o->count));
		return;
	}
	if (UE__UNLIKELY(l->cut))
		UE__INCREMENT(&ue__state_v1.cut);
	ue__send(event, o->iov, o->count, o->size);
}

/*
 * A kernel-typed event with data: a loc of each among the fixed fields, at P, and the data
 * behind them, at O.
 */
static inline UE__PLAIN void ue__pack_locs(struct ue__out *o, const struct ue__desc *d,
					   const uint64_t *v, uint32_t index,
					   struct ue__bound *limit)
{
	const uint32_t *type = ue__types(d);
	size_t dynamic = d->dynamic, done = 0;
	unsigned char *p, *end;

	memcpy(o->segment, &index, 4);
	p = o->segment + 4;
	end = o->p = p + d->fixed;
	for (;; type++) {
		uint32_t t = *type;
		unsigned int log2 = UE__LOG2_OF(t);
		struct ue__data data;
		size_t room = 65535, size, nul;
		uint32_t loc;

		if ((t & UE__T_BEYOND_SCALARS) == 0) {
			p = ue__put_exactly(p, end, *v++, t);
			continue;
		}
		if (t == UE__T_END)
			break;
		if (t & UE__T_CARRAY || UE__SHAPE_OF(t) == UE__SHAPE_POINTER) {
			p = ue__put_fixed(p, (const void *)(uintptr_t)*v++,
					  (t & UE__T_CARRAY ? UE__LENGTH_OF(t) : (size_t)1)
						  << log2);
			continue;
		}
		v = ue__get_data(&data, t, v, limit);
		/* a char loc must end with a NUL, else the kernel refuses the event */
		nul = UE__IS_CHAR(t);
		size = data.count << log2;
		dynamic--;
		if (UE__UNLIKELY(done + size > 65535 - d->fixed - 4 * d->dynamic)) {
			/* sizes are 16 bits; so are offsets, also of the data that follows */
			if (dynamic) {
				room = 65535 - d->fixed - 4 * dynamic;
				room = room > done ? room - done : 0;
			}
			room = room > nul ? room - nul : 0;
			if (size > room) {
				size = room >> log2 << log2;
				data.terminated = false;
				limit->cut = true;
			}
		}
		loc = (uint32_t)((size + nul) << 16 | ((size_t)(end - p) - 4 + done));
		p = (unsigned char *)memcpy(p, &loc, 4) + 4;
		done += size + nul;
		if (nul && data.terminated && size >= o->room) {
			size++;
			nul = 0;
		}
		if (size)
			ue__put_data(o, data.p, size);
		if (nul)
			*o->p++ = '\0';
	}
	ue__close_segment(o);
}

/* An EventHeader event with data, all in order. False if it cannot be one. */
static inline UE__PLAIN bool ue__pack_log(struct ue__out *o, struct ue_event *event,
					  const struct ue__desc *d, const uint64_t *v,
					  uint32_t index, struct ue__bound *limit)
{
	const uint32_t *type = ue__types(d);

	o->p = ue__put_head(o->segment, index, event, d, &type, &v);
	if (UE__UNLIKELY(limit->most < UE__TOO_MUCH)) {
		struct ue__definitions meta;

		meta.end = o->p;
		/*
		 * without the header and the block's, which are of that size, and the event's name
		 */
		meta.p = o->p - (d->meta - 12u);
		meta.p += strlen((const char *)meta.p) + 1;
		ue__cut_counts(meta, limit->most, false);
	}
	for (;; type++) {
		uint32_t t = *type;
		unsigned int log2 = UE__LOG2_OF(t), shape = UE__SHAPE_OF(t);
		struct ue__data data;
		size_t size;

		if ((t & UE__T_BEYOND_SCALARS) == 0) {
			o->p = ue__put_value(o->p, *v++, t);
			continue;
		}
		if (t == UE__T_END)
			break;
		if (shape == UE__SHAPE_POINTER && !UE__IS_ARRAY(t)) {
			o->p = ue__put_fixed(o->p, (const void *)(uintptr_t)*v++,
					     (size_t)1 << log2);
			continue;
		}
		v = ue__get_data(&data, t, v, limit);
		size = data.count << log2;
		if (shape == UE__SHAPE_ZSTRING && !UE__IS_ARRAY(t)) {
			/* the zero unit comes with the string or from here */
			if (data.terminated) {
				ue__put_data(o, data.p, size + ((size_t)1 << log2));
				continue;
			}
			if (size)
				ue__put_data(o, data.p, size);
			memset(o->p, 0, 4);
			o->p += (size_t)1 << log2;
			continue;
		}
		if (!(t & UE__T_CARRAY))
			o->p = ue__put_u16(o->p, data.count);
		if (shape == UE__SHAPE_ZSTRING) {
			unsigned char *at = o->p - 2;
			size_t written =
				data.p ? ue__put_strings(o, data.p, data.count, log2, limit->most)
				       : 0;

			limit->cut |= written != data.count;
			if (t & UE__T_VARRAY)
				ue__put_u16(at, written);
			else if (written != data.count)
				return false; /* the metadata promises them all */
			continue;
		}
		if (UE__ROW_OF(t) == UE__ROW_STRUCT)
			size = data.count * UE__LENGTH_OF(t);
		if (data.p && size) {
			ue__put_data(o, data.p, size);
		} else if (size) { /* NULL for a constant-length array: zeros */
			if (size > o->room)
				return false;
			o->room -= size;
			o->p = ue__put_fixed(o->p, NULL, size);
		}
	}
	ue__close_segment(o);
	return true;
}

/* All values in an array, for what the functions below have no shorter way. */
UE__ONCE void ue__encode_kernel_array(struct ue_event *event, const struct ue__desc *d,
				      const uint64_t *v)
{
	/* 0: about to be registered, or unregistered a moment ago */
	uint32_t index = UE__LOAD(&event->index);
	struct ue__bound limit = { UE__ALL, 0, 0, false };
	struct ue__small small;
	struct ue__out o, begin;

	if (index == 0)
		return;
	UE__BEGIN_OUT(begin, small, d);
	do {
		o = begin;
		ue__pack_locs(&o, d, v, index - 1, &limit);
	} while (!ue__is_packed(event, &o, &limit));
	ue__end_out(event, &o, &limit);
}

UE__ONCE void ue__encode_log_array(struct ue_event *event, const struct ue__desc *d,
				   const uint64_t *v)
{
	uint32_t index = UE__LOAD(&event->index);
	struct ue__bound limit = { UE__ALL, 0, 0, false };
	struct ue__small small;
	struct ue__out o, begin;

	if (index == 0)
		return;
	UE__BEGIN_OUT(begin, small, d);
	do {
		o = begin;
		if (!ue__pack_log(&o, event, d, v, index - 1, &limit)) {
			UE__INCREMENT(&ue__state_v1.failed);
			return;
		}
	} while (!ue__is_packed(event, &o, &limit));
	ue__end_out(event, &o, &limit);
}
