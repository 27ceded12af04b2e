/* SPDX-License-Identifier: MIT */
/*
 * Encoding events of any kind and size
 */

@enabled

/* The segments and the buffer of an event; on the stack as long as it is a small one. */
#define UE__SMALL_FIELDS 4
struct ue__small {
	struct ue__iovec iov[2 * UE__SMALL_FIELDS + 1];
	unsigned char buffer[256 + UE_INLINE_BYTES];
};
#define UE__BEGIN_OUT(o, small, d)                                                                \
	do {                                                                                      \
		size_t ue__n = (d)->dynamic;                                                      \
		size_t ue__size = 4 + 8 + 36 + (d)->fixed + (d)->meta + 4 * ue__n;                \
		(o).iov = (small).iov;                                                            \
		(o).segment = (small).buffer;                                                     \
		if (ue__n > UE__SMALL_FIELDS)                                                     \
			(o).iov = (struct ue__iovec *)__builtin_alloca((2 * ue__n + 1) *          \
								       sizeof(struct ue__iovec)); \
		if (ue__size > 256)                                                               \
			(o).segment =                                                             \
				(unsigned char *)__builtin_alloca(ue__size + UE_INLINE_BYTES);    \
		(o).room = UE_INLINE_BYTES;                                                       \
		(o).size = 0;                                                                     \
		(o).count = 0;                                                                    \
	} while (0)

static inline void ue__end_out(struct ue_event *event, struct ue__out *o, bool cut)
{
	ue__close_segment(o);
	if (UE__UNLIKELY(cut))
		UE__INCREMENT(&ue__state_v1.cut);
	ue__send(event, o->iov, o->count, o->size);
}

/*
 * A kernel-typed event with data: a loc of each among the fixed fields, at P, and the data
 * behind them, at O.
 */
static inline void ue__encode_locs(struct ue_event *event, const struct ue__desc *d,
				   const uint64_t *v, uint32_t index)
{
	const uint32_t *type = ue__types(d);
	size_t dynamic = d->dynamic, done = 0;
	struct ue__small small;
	struct ue__out o;
	unsigned char *p, *end;
	bool cut = false;

	UE__BEGIN_OUT(o, small, d);
	memcpy(o.segment, &index, 4);
	p = o.segment + 4;
	end = o.p = p + d->fixed;
	for (;; type++) {
		uint32_t t = *type;
		unsigned int log2 = UE__LOG2_OF(t);
		struct ue__data data;
		size_t room = 65535, size, nul;
		uint32_t loc;

		if ((t & UE__T_BEYOND_SCALARS) == 0) {
			p = ue__put_exactly(p, end, *v++, log2);
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
		v = ue__get_data(&data, t, v, &cut);
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
				cut = true;
			}
		}
		loc = (uint32_t)((size + nul) << 16 | ((size_t)(end - p) - 4 + done));
		p = (unsigned char *)memcpy(p, &loc, 4) + 4;
		done += size + nul;
		if (nul && data.terminated && size >= o.room) {
			ue__put_data(&o, data.p, size + 1);
			continue;
		}
		if (size)
			ue__put_data(&o, data.p, size);
		if (nul)
			*o.p++ = '\0';
	}
	ue__end_out(event, &o, cut);
}

/* An EventHeader event with data, all in order. */
static inline void ue__encode_dynamic(struct ue_event *event, const struct ue__desc *d,
				      const uint64_t *v, uint32_t index)
{
	const uint32_t *type = ue__types(d);
	struct ue__small small;
	struct ue__out o;
	bool cut = false;

	UE__BEGIN_OUT(o, small, d);
	o.p = ue__put_head(o.segment, index, event, d, &type, &v);
	for (;; type++) {
		uint32_t t = *type;
		unsigned int log2 = UE__LOG2_OF(t), shape = UE__SHAPE_OF(t);
		struct ue__data data;
		size_t size;

		if ((t & UE__T_BEYOND_SCALARS) == 0) {
			o.p = ue__put_value(o.p, *v++, log2);
			continue;
		}
		if (t == UE__T_END)
			break;
		if (shape == UE__SHAPE_POINTER && !UE__IS_ARRAY(t)) {
			o.p = ue__put_fixed(o.p, (const void *)(uintptr_t)*v++, (size_t)1 << log2);
			continue;
		}
		v = ue__get_data(&data, t, v, &cut);
		size = data.count << log2;
		if (shape == UE__SHAPE_ZSTRING && !UE__IS_ARRAY(t)) {
			/* the zero unit comes with the string or from here */
			if (data.terminated) {
				ue__put_data(&o, data.p, size + ((size_t)1 << log2));
				continue;
			}
			if (size)
				ue__put_data(&o, data.p, size);
			memset(o.p, 0, 4);
			o.p += (size_t)1 << log2;
			continue;
		}
		if (!(t & UE__T_CARRAY))
			o.p = ue__put_u16(o.p, data.count);
		if (shape == UE__SHAPE_ZSTRING) {
			unsigned char *at = o.p - 2;
			size_t written = data.p ? ue__put_strings(&o, data.p, data.count, log2) : 0;

			cut |= written != data.count;
			if (t & UE__T_VARRAY)
				ue__put_u16(at, written);
			else if (written != data.count)
				goto failed; /* the metadata promises them all */
			continue;
		}
		if (UE__ROW_OF(t) == UE__ROW_STRUCT)
			size = data.count * UE__LENGTH_OF(t);
		if (data.p && size) {
			ue__put_data(&o, data.p, size);
		} else if (size) { /* NULL for a constant-length array: zeros */
			if (size > o.room)
				goto failed;
			o.room -= size;
			o.p = ue__put_fixed(o.p, NULL, size);
		}
	}
	ue__end_out(event, &o, cut);
	return;
failed:
	UE__INCREMENT(&ue__state_v1.failed);
}

/* All values in an array, for what the functions below have no shorter way. */
UE__FN UE__NOINLINE void ue__encode_kernel_array(struct ue_event *event, const struct ue__desc *d,
						 const uint64_t *v)
{
	/* 0: about to be registered, or unregistered a moment ago */
	uint32_t index = UE__LOAD(&event->index);

	if (index)
		ue__encode_locs(event, d, v, index - 1);
}

UE__FN UE__NOINLINE void ue__encode_log_array(struct ue_event *event, const struct ue__desc *d,
					      const uint64_t *v)
{
	uint32_t index = UE__LOAD(&event->index);

	if (index)
		ue__encode_dynamic(event, d, v, index - 1);
}
