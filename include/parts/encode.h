/* SPDX-License-Identifier: MIT */
/*
 * Encoding events
 */

@enabled

/* A pointer's bytes, zeros for NULL. */
static inline unsigned char *ue__put_fixed(unsigned char *p, const void *data, size_t n)
{
	if (data)
		memcpy(p, data, n);
	else
		memset(p, 0, n);
	return p + n;
}

/* Header and metadata block of an EventHeader event without an activity. */
static inline unsigned char *ue__put_meta(unsigned char *p, const struct ue_event *event,
					  const struct ue__desc *d)
{
	memcpy(p, ue__types(d) + d->types + 1, d->meta);
	p[7] = event->level;
	return p + d->meta;
}

/*
 * Index, and of an EventHeader event the header, activity and metadata blocks. TYPE and V move
 * behind the activity.
 */
static inline unsigned char *ue__put_head(unsigned char *p, uint32_t index, struct ue_event *event,
					  const struct ue__desc *d, const uint32_t **type,
					  const uint64_t **v)
{
	const unsigned char *meta = (const unsigned char *)(*type + d->types + 1);

	memcpy(p, &index, 4);
	p += 4;
	if (d->kind == UE__KERNEL_KIND)
		return p;
	if (UE__SHAPE_OF(**type) == UE__SHAPE_ACTIVITY) {
		const void *id = (const void *)(uintptr_t)(*v)[0];
		const void *related = (const void *)(uintptr_t)(*v)[1];

		*type += 1;
		*v += 2;
		/* a file's constant values, which GCC warns of, are no addresses: it is not to know */
		__asm__("" : "+r"(id), "+r"(related));
		if (id) {
			unsigned char *extension = p + 8;

			memcpy(p, meta, 8);
			p[7] = event->level;
			p = ue__put_u16(ue__put_u16(extension, related ? 32 : 16), 0x8002);
			p = (unsigned char *)memcpy(p, id, 16) + 16;
			if (related)
				p = (unsigned char *)memcpy(p, related, 16) + 16;
			return (unsigned char *)memcpy(p, meta + 8, d->meta - 8u) + d->meta - 8;
		}
	}
	return ue__put_meta(p, event, d);
}

/* An array of strings: the number of those, whole, that its segments had room for. */
UE__FN size_t ue__put_strings(struct ue__out *o, const void *strings, size_t count,
			      unsigned int log2)
{
	const void *const *s = (const void *const *)strings;
	int limit = o->count + 2 * UE__STRING_PAIRS - 2;
	size_t i;

	for (i = 0; i < count; i++) {
		const void *string = s[i] ? s[i] : "\0\0\0";
		size_t size = ue__units(string, log2, 65536) + 1;

		if (size > 65536 || ((size << log2) > o->room && o->count > limit))
			break;
		ue__put_data(o, string, size << log2);
	}
	return i;
}

/* What a field of dynamic size points to. */
struct ue__data {
	const void *p;
	size_t count;	 /* elements, strings without their zero unit */
	bool terminated; /* is a zero unit in memory behind them */
};

static inline const uint64_t *ue__get_data(struct ue__data *data, uint32_t t, const uint64_t *v,
					   bool *cut)
{
	data->p = (const void *)(uintptr_t)*v++;
	data->terminated = false;
	if (t & UE__T_SPAN) {
		data->count = ((const struct ue__span *)data->p)->count;
		data->p = ((const struct ue__span *)data->p)->data;
	} else if (UE__SHAPE_OF(t) == UE__SHAPE_ZSTRING && !UE__IS_ARRAY(t)) {
		size_t most = t & UE__T_BOUNDED ? UE__LENGTH_OF(t) : 65535;
		unsigned int log2 = UE__LOG2_OF(t);

		data->count = data->p ? ue__units(data->p, log2, most) : 0;
		data->terminated = data->p && data->count < most;
		if (UE__UNLIKELY(data->count == 65535) && !(t & UE__T_BOUNDED))
			*cut |= ue__more(data->p, log2);
	} else if (t & UE__T_CARRAY) {
		data->count = UE__LENGTH_OF(t);
		*cut |= (t & UE__T_BOUNDED) != 0;
		return v;
	} else {
		data->count = (size_t)*v++;
	}
	if (!data->p)
		data->count = 0;
	/* a negative length, of a read() that failed: nothing */
	if (data->count > SIZE_MAX / 2) {
		data->count = 0;
		*cut = true;
	}
	if (data->count > 65535) {
		data->count = 65535;
		*cut = true;
	}
	return v;
}

/* The segments and the buffer of an event; on the stack as long as it is a usual one. */
#define UE__USUAL_FIELDS 4
struct ue__usual {
	struct ue__iovec iov[2 * UE__USUAL_FIELDS + 1];
	unsigned char buffer[256 + UE_INLINE_BYTES];
};
#define UE__BEGIN_OUT(o, usual, d)                                                         \
	do {                                                                               \
		size_t ue__n = (d)->dynamic;                                               \
		size_t ue__size = 4 + 8 + 36 + (d)->fixed + (d)->meta + 4 * ue__n;         \
		(o).iov = (usual).iov;                                                     \
		(o).segment = (usual).buffer;                                              \
		if (ue__n > UE__USUAL_FIELDS)                                              \
			(o).iov = (struct ue__iovec *)__builtin_alloca((2 * ue__n + 1) *       \
								   sizeof(struct ue__iovec));  \
		if (ue__size > 256)                                                        \
			(o).segment = (unsigned char *)__builtin_alloca(ue__size +         \
									UE_INLINE_BYTES);  \
		(o).room = UE_INLINE_BYTES;                                                \
		(o).size = 0;                                                              \
		(o).count = 0;                                                             \
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
	struct ue__usual usual;
	struct ue__out o;
	unsigned char *p, *end;
	bool cut = false;

	UE__BEGIN_OUT(o, usual, d);
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
					  (t & UE__T_CARRAY ? UE__LENGTH_OF(t) : (size_t)1) << log2);
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
	struct ue__usual usual;
	struct ue__out o;
	bool cut = false;

	UE__BEGIN_OUT(o, usual, d);
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

/*
 * The way from a call site, with what the site's macros know: of EVENT, the description D and its
 * values. Not for direct use. A site is UE__COLD_SITE and then one of these, which are said
 * to be hot, since what only cold code calls is optimised for size.
 */
#define UE__HOT UE__API UE__NOINLINE __attribute__((__hot__))

/* All values in an array, for what the functions below have no shorter way. */
UE__FN UE__NOINLINE void
ue__encode_kernel_array(struct ue_event *event, const struct ue__desc *d, const uint64_t *v)
{
	/* 0: about to be registered, or unregistered a moment ago */
	uint32_t index = UE__LOAD(&event->index);

	if (index)
		ue__encode_locs(event, d, v, index - 1);
}

UE__FN UE__NOINLINE void
ue__encode_log_array(struct ue_event *event, const struct ue__desc *d, const uint64_t *v)
{
	uint32_t index = UE__LOAD(&event->index);

	if (index)
		ue__encode_dynamic(event, d, v, index - 1);
}

/* A segment of its own, which would cost the others two instructions. */
UE__COLD void ue__send_probed_one(struct ue_event *event, const unsigned char *buffer, size_t size)
{
	struct ue__iovec one;

	one.iov_base = (void *)(uintptr_t)buffer;
	one.iov_len = size;
	ue__send_probed(event, &one, 1, size);
}

/* The recorder alone costs no more than it does itself. */
UE__HOT void ue__send_probed_usual(struct ue_event *event, const unsigned char *buffer, size_t size)
{
	int (*record)(struct ue_event *event, const void *bytes, size_t size);

	record = __atomic_load_n(&ue__state_v1.record, __ATOMIC_ACQUIRE);
	if (record && UE__LOAD(&event->enabled) == UE__PROBE_BIT && !UE__LOAD(&ue__state_v1.run))
		record(event, buffer, size);
	else
		ue__send_probed_one(event, buffer, size);
}

/* A usual event, at P with its data (of kernel-typed ones) at DATA, is packed: out with it. */
static inline void ue__send_usual(struct ue_event *event, const unsigned char *buffer,
				  const unsigned char *end)
{
	size_t size = (size_t)(end - buffer);
	struct ue__iovec one;

	if (UE__UNLIKELY(UE__LOAD(&event->enabled) != UE__KERNEL_BIT)) {
		ue__send_probed_usual(event, buffer, size);
		return;
	}
	one.iov_base = (void *)(uintptr_t)buffer;
	one.iov_len = size;
	ue__sent(ue__write(ue__data_fd(), &one, 1), size);
}

/* Four scalars, straight from registers; to BEYOND with T the first type that is none. */
#define UE__PUT_FOUR(p, type, t, beyond, v0, v1, v2, v3)        \
	do {                                                    \
		(t) = (type)[0];                                \
		if ((t) & UE__T_BEYOND_SCALARS)                 \
			goto beyond;                            \
		(p) = ue__put_value(p, v0, UE__LOG2_OF(t));     \
		(t) = (type)[1];                                \
		if ((t) & UE__T_BEYOND_SCALARS)                 \
			goto beyond;                            \
		(p) = ue__put_value(p, v1, UE__LOG2_OF(t));     \
		(t) = (type)[2];                                \
		if ((t) & UE__T_BEYOND_SCALARS)                 \
			goto beyond;                            \
		(p) = ue__put_value(p, v2, UE__LOG2_OF(t));     \
		(t) = (type)[3];                                \
		if ((t) & UE__T_BEYOND_SCALARS)                 \
			goto beyond;                            \
		(p) = ue__put_value(p, v3, UE__LOG2_OF(t));     \
	} while (0)

/* The same, and a long string that ends it, where it is. */
UE__FN UE__NOINLINE void
ue__send_two(struct ue_event *event, const unsigned char *buffer, const unsigned char *end,
	     const char *s, size_t n)
{
	struct ue__iovec two[2];

	two[0].iov_base = (void *)(uintptr_t)buffer;
	two[0].iov_len = (size_t)(end - buffer);
	two[1].iov_base = (void *)(uintptr_t)s;
	two[1].iov_len = n;
	ue__send(event, two, 2, two[0].iov_len + n);
}

UE__API UE__NOINLINE void
ue__encode_kernel_any(struct ue_event *event, const struct ue__desc *d, uint64_t v0, uint64_t v1,
		      uint64_t v2, uint64_t v3)
{
	uint64_t v[4];

	v[0] = v0;
	v[1] = v1;
	v[2] = v2;
	v[3] = v3;
	ue__encode_kernel_array(event, d, v);
}

UE__API UE__NOINLINE void
ue__encode_log_any(struct ue_event *event, const struct ue__desc *d, uint64_t v0, uint64_t v1,
		   uint64_t v2, uint64_t v3)
{
	uint64_t v[4];

	v[0] = v0;
	v[1] = v1;
	v[2] = v2;
	v[3] = v3;
	ue__encode_log_array(event, d, v);
}

/* Kernel-typed, at most four values, none of them data elsewhere. */
UE__HOT void ue__encode_scalars(struct ue_event *event, const struct ue__desc *d, uint64_t v0,
				uint64_t v1, uint64_t v2, uint64_t v3)
{
	unsigned char buffer[4 + 4 * 8 + 8], *p = buffer + 4;
	const uint32_t *type = ue__types(d);
	uint32_t index = UE__LOAD(&event->index), t;

	if (index-- == 0)
		return;
	memcpy(buffer, &index, 4);
	UE__PUT_FOUR(p, type, t, beyond, v0, v1, v2, v3);
	t = UE__T_END;
beyond:
	if (t == UE__T_END)
		ue__send_usual(event, buffer, p);
	else
		ue__encode_kernel_any(event, d, v0, v1, v2, v3);
}

/* memcpy(), without the call for the length that strings of events have most often. */
static inline void ue__copy_string(unsigned char *p, const char *s, size_t n)
{
	if (n >= 8 && n <= 16) {
		uint64_t first, last;

		memcpy(&first, s, 8);
		memcpy(&last, s + n - 8, 8);
		memcpy(p, &first, 8);
		memcpy(p + n - 8, &last, 8);
	} else {
		memcpy(p, s, n);
	}
}

/* Kernel-typed, at most four values, some of them strings: at DATA, behind the fixed fields. */
UE__HOT void ue__encode_text(struct ue_event *event, const struct ue__desc *d, uint64_t v0,
			     uint64_t v1, uint64_t v2, uint64_t v3)
{
	unsigned char buffer[UE__USUAL_SIZE + 4 * UE__USUAL_STRING], *p = buffer + 4;
	unsigned char *fixed_end, *data;
	const uint32_t *type = ue__types(d);
	const uint64_t *value;
	uint32_t index = UE__LOAD(&event->index);
	uint64_t v[4];
	uint32_t t;

	if (index-- == 0)
		return;
	v[0] = v0;
	v[1] = v1;
	v[2] = v2;
	v[3] = v3;
	memcpy(buffer, &index, 4);
	fixed_end = data = p + d->fixed;
	/* up to the first string there is nothing behind the fixed fields */
	for (value = v; ((t = *type) & UE__T_BEYOND_SCALARS) == 0; type++, value++)
		p = ue__put_value(p, *value, UE__LOG2_OF(t));
	for (; (t = *type) != UE__T_END; type++, value++) {
		const char *s = (const char *)(uintptr_t)*value;
		uint32_t loc;
		size_t n;

		if ((t & UE__T_BEYOND_SCALARS) == 0) {
			p = ue__put_exactly(p, fixed_end, *value, UE__LOG2_OF(t));
			continue;
		}
		if (t != UE__U32(UE__T_0STR & 0xffffffff))
			goto unusual;
		if (!s)
			s = "";
		n = strlen(s) + 1;
		if (UE__UNLIKELY(n > UE__USUAL_STRING) && (n > 65535 || type[1] != UE__T_END))
			goto unusual;
		loc = (uint32_t)(n << 16 | (size_t)(data - p - 4));
		memcpy(p, &loc, 4);
		p += 4;
		if (n > UE__USUAL_STRING) {
			ue__send_two(event, buffer, data, s, n);
			return;
		}
		ue__copy_string(data, s, n);
		data += n;
		data[-1] = '\0'; /* whatever another thread did to the string */
	}
	ue__send_usual(event, buffer, data);
	return;
unusual:
	ue__encode_kernel_array(event, d, v);
}

/* EventHeader, at most four values. */
UE__HOT void ue__encode_log(struct ue_event *event, const struct ue__desc *d, uint64_t v0,
			    uint64_t v1, uint64_t v2, uint64_t v3)
{
	unsigned char buffer[UE__USUAL_SIZE + 4 * UE__USUAL_STRING], *p;
	const uint32_t *type = ue__types(d);
	const uint64_t *value;
	uint32_t index = UE__LOAD(&event->index);
	uint64_t v[4];
	uint32_t t;

	if (index-- == 0)
		return;
	if (UE__UNLIKELY(UE__SHAPE_OF(*type) == UE__SHAPE_ACTIVITY))
		goto unusual;
	memcpy(buffer, &index, 4);
	p = ue__put_meta(buffer + 4, event, d);
	if (d->dynamic == 0) {
		UE__PUT_FOUR(p, type, t, beyond, v0, v1, v2, v3);
		t = UE__T_END;
beyond:
		if (t != UE__T_END)
			goto unusual;
		ue__send_usual(event, buffer, p);
		return;
	}
	v[0] = v0;
	v[1] = v1;
	v[2] = v2;
	v[3] = v3;
	value = v;
	for (; (t = *type) != UE__T_END; type++, value++) {
		const char *s = (const char *)(uintptr_t)*value;
		size_t n;

		if ((t & UE__T_BEYOND_SCALARS) == 0) {
			p = ue__put_value(p, *value, UE__LOG2_OF(t));
			continue;
		}
		if (t != UE__U32(UE__T_0STR & 0xffffffff))
			goto unusual;
		if (!s)
			s = "";
		n = strlen(s) + 1;
		if (UE__UNLIKELY(n > UE__USUAL_STRING)) {
			if (n > 65535 || type[1] != UE__T_END)
				goto unusual;
			ue__send_two(event, buffer, p, s, n);
			return;
		}
		ue__copy_string(p, s, n);
		p += n;
		p[-1] = '\0';
	}
	ue__send_usual(event, buffer, p);
	return;
unusual:
	ue__encode_log_any(event, d, v0, v1, v2, v3);
}

/*
 * More than four values, the first four and MORE. Returns false for what is not packed at once; the
 * caller then has them all in an array.
 */
static UE__ALWAYS_INLINE bool ue__encode_values(struct ue_event *event, const struct ue__desc *d,
						bool log, uint64_t v0, uint64_t v1, uint64_t v2,
						uint64_t v3, va_list *more)
{
	unsigned char buffer[UE__USUAL_SIZE], *p;
	const uint32_t *type = ue__types(d);
	const uint64_t *none = NULL;
	uint32_t index = UE__LOAD(&event->index), t;

	if (index == 0)
		return true;
	if (d->dynamic || !UE__IS_USUAL(d->fixed, d->meta))
		return false;
	if (log && UE__UNLIKELY(UE__SHAPE_OF(*type) == UE__SHAPE_ACTIVITY)) {
		uint64_t activity[2];
		const uint64_t *ids = activity;

		activity[0] = v0;
		activity[1] = v1;
		p = ue__put_head(buffer, index - 1, event, d, &type, &ids);
		if ((type[0] | type[1]) & UE__T_BEYOND_SCALARS)
			return false;
		p = ue__put_value(p, v2, UE__LOG2_OF(type[0]));
		p = ue__put_value(p, v3, UE__LOG2_OF(type[1]));
		type += 2;
	} else {
		p = ue__put_head(buffer, index - 1, event, d, &type, &none);
		UE__PUT_FOUR(p, type, t, unusual, v0, v1, v2, v3);
		type += 4;
	}
	while (((t = *type++) & UE__T_BEYOND_SCALARS) == 0)
		p = ue__put_value(p, va_arg(*more, uint64_t), UE__LOG2_OF(t));
	if (t != UE__T_END)
		return false;
	ue__send_usual(event, buffer, p);
	return true;
unusual:
	return false;
}

/* The four values and those of the list, in one array of N. */
#define UE__ALL_VALUES(v, usual, n, v0, v1, v2, v3, more)                       \
	do {                                                                    \
		unsigned int ue__i;                                             \
		v = usual;                                                      \
		if ((n) > sizeof(usual) / sizeof(*(usual)))                     \
			v = (uint64_t *)__builtin_alloca((n) * sizeof(*v));     \
		(v)[0] = v0;                                                    \
		(v)[1] = v1;                                                    \
		(v)[2] = v2;                                                    \
		(v)[3] = v3;                                                    \
		va_start(more, v3);                                             \
		for (ue__i = 4; ue__i < (n); ue__i++)                           \
			(v)[ue__i] = va_arg(more, uint64_t);                    \
		va_end(more);                                                   \
	} while (0)

UE__HOT void ue__encode_kernel_more(struct ue_event *event, const struct ue__desc *d, uint64_t v0,
				    uint64_t v1, uint64_t v2, uint64_t v3, ...)
{
	uint64_t usual[16], *v;
	va_list more;
	bool done;

	va_start(more, v3);
	done = ue__encode_values(event, d, false, v0, v1, v2, v3, &more);
	va_end(more);
	if (done)
		return;
	UE__ALL_VALUES(v, usual, d->values, v0, v1, v2, v3, more);
	ue__encode_kernel_array(event, d, v);
}

UE__HOT void ue__encode_log_more(struct ue_event *event, const struct ue__desc *d, uint64_t v0,
				 uint64_t v1, uint64_t v2, uint64_t v3, ...)
{
	uint64_t usual[16], *v;
	va_list more;
	bool done;

	va_start(more, v3);
	done = ue__encode_values(event, d, true, v0, v1, v2, v3, &more);
	va_end(more);
	if (done)
		return;
	UE__ALL_VALUES(v, usual, d->values, v0, v1, v2, v3, more);
	ue__encode_log_array(event, d, v);
}
