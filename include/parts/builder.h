/* SPDX-License-Identifier: MIT */
/*
 * Builder
 */

@public

/*
 * Builder: EventHeader events whose fields are known at run time only.
 * =======
 *
 *	char buffer[1024];
 *	struct ue_builder b;
 *
 *	ue_builder_begin(&b, buffer, sizeof(buffer), "RequestDone", 0);
 *	ue_add_u32(&b, "status", 200);
 *	ue_struct_begin(&b, "peer");
 *	ue_add_str(&b, "host", host);
 *	ue_struct_end(&b);
 *	err = ue_builder_write(&b, &app_info, NULL, NULL);
 *
 * The buffer holds names and small values; data over 64 bytes is not copied
 * and must stay as it is until the write. An error (no room, a NULL name, a struct
 * that was not closed, in any order of calls) sticks, later calls do nothing, and
 * the write returns it. The same builder may be written several times, and begun
 * anew. Names may carry attributes: "name;attribute=value".
 *
 * One builder belongs to one thread at a time; all calls are async-signal-safe.
 */
struct ue__level { /* an open struct; offsets into metadata and data */
	size_t format_at, members_at, members_end, count_at;
	uint16_t elements;
	uint8_t members, array, replayed;
};

struct ue_builder {
	unsigned char *buffer; /* room for the header, metadata; data; pieces at its end */
	size_t size;
	size_t meta_end, data, data_end, limit;
	size_t replay; /* in later elements of a struct array: where its metadata is read */
	unsigned int pieces, depth;
	struct ue__level level[8];
	uint16_t id, tag, next_tag;
	uint8_t version, opcode, next_format;
	int error; /* 0 or the first error, -errno */
};

/*
 * Begins an event. TAG is the event's, 0 for none. BUFFER needs 70 bytes for the header, the
 * names with two bytes a field, the values, and 24 bytes for each long piece. Returns 0,
 * -EINVAL for NULL or an empty name, -ENOSPC.
 */
UE__API int ue_builder_begin(struct ue_builder *b, void *buffer, size_t size, const char *name,
			    uint16_t tag);
UE__API void ue_builder_id(struct ue_builder *b, uint16_t id, uint8_t version);
UE__API void ue_builder_opcode(struct ue_builder *b, uint8_t opcode);

/*
 * ue_add_<type>(b, "name", value)
 * ue_add_array_<type>(b, "name", p, count)		COUNT is 0..65535
 * ue_add_fixed_array_<type>(b, "name", p, n)		N is 1..65535
 *	for each of u8 u16 u32 u64 i8 i16 i32 i64 x8 x16 x32 x64 ptr f32 f64 bool char char16
 *	char32 pid errno port time32 time64 uuid ipv4 ipv6 str str16 str32 latin1 xml json;
 *	uuid and the IPs by pointer, p of strings an array of pointers
 * ue_add_<type>(b, "name", p, count)	for strn str16n str32n bytes
 *
 * A count over its limit is cut to it, and counted by ue_status().
 */

/* The next field or struct gets this tag, or is shown in this UE_FORMAT_. */
UE__API void ue_field_tag(struct ue_builder *b, uint16_t tag);
UE__API void ue_field_format(struct ue_builder *b, uint8_t format);

/* The fields up to ue_struct_end() are members of a struct: 1 to 127, 8 levels deep. */
UE__API void ue_struct_begin(struct ue_builder *b, const char *name);
UE__API void ue_struct_end(struct ue_builder *b);

/*
 * An array of structs: ue_struct_array_begin(), then for each element ue_struct_array_next()
 * and its members, ue_struct_end(). All elements add the same fields in the same order
 * (-EINVAL); there is at least one.
 */
UE__API void ue_struct_array_begin(struct ue_builder *b, const char *name);
UE__API void ue_struct_array_next(struct ue_builder *b);

/*
 * Writes the event to SET if somebody listens. ACTIVITY and RELATED are 16 bytes each or NULL.
 * Returns 0 also when nobody listens, -EINVAL (an event that was not begun, a struct left open,
 * unequal elements), -ENOSPC (the buffer is too small), -E2BIG (over 127 members, 8 levels, 500
 * long pieces or 65534 bytes of metadata), or what write() fails with.
 */
UE__API int ue_builder_write(struct ue_builder *b, struct ue_event_set *set,
			    const void *activity, const void *related);

@private

/*
 * Builder
 */
struct ue__piece {
	const void *data;
	size_t size, at; /* behind so many bytes of data */
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

/* Room for so many bytes more of each; the data moves if need be. */
UE__FN UE__NOINLINE bool
ue__make_room(struct ue_builder *b, size_t meta, size_t data, unsigned int pieces)
{
	size_t used = b->data_end - b->data, limit, start;

	if (b->error)
		return false;
	b->pieces += pieces;
	limit = b->size > (b->pieces + 1) * sizeof(struct ue__piece) ?
			(size_t)((unsigned char *)ue__pieces(b) - b->buffer) : 0;
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

/* The definition of a field or struct, and its place in the struct it is a member of. */
UE__FN void ue__define(struct ue_builder *b, const char *name, uint64_t t)
{
	unsigned char encoding[6];
	size_t n = 2;
	uint16_t count = (uint16_t)UE__LENGTH_OF(t);
	unsigned int format = b->next_format ? b->next_format : (unsigned int)UE__FORMAT_OF(t);
	unsigned int kind = (unsigned int)UE__KIND_OF(t);

	if (!b->error && (!name || !*name))
		b->error = -EINVAL;
	if (b->error)
		return;
	if (b->depth) {
		struct ue__level *level = &b->level[b->depth - 1];

		if (level->array && level->elements == 0)
			b->error = -EINVAL; /* no ue_struct_array_next() */
		else if (++level->members > 127)
			b->error = -E2BIG;
		if (b->error)
			return;
		if (!b->replay)
			b->buffer[level->format_at] =
				(unsigned char)((b->buffer[level->format_at] & 0x80) | level->members);
	}
	kind |= (t & UE__T_CARRAY ? 0x20u : 0) | (t & UE__T_VARRAY ? 0x40u : 0);
	encoding[1] = (unsigned char)(format | (b->next_tag ? 0x80u : 0));
	if (encoding[1] || UE__ROW_OF(t) == UE__ROW_STRUCT)
		kind |= 0x80;
	else
		n = 1;
	encoding[0] = (unsigned char)kind;
	if ((t & UE__T_CARRAY) == 0 && b->replay == 0 && b->next_tag == 0 &&
	    UE__ROW_OF(t) != UE__ROW_STRUCT) {
		/* the usual field: all of it at once */
		size_t length = strlen(name) + 1;

		/* and of a scalar its value, for which 8 bytes are stored whatever its size */
		if (ue__room(b, length + 2, 8)) {
			memcpy(b->buffer + b->meta_end, name, length);
			b->meta_end += length;
			memcpy(b->buffer + b->meta_end, encoding, 2);
			b->meta_end += n;
		}
		b->next_format = 0;
		return;
	}
	ue__meta(b, name, strlen(name) + 1);
	if (UE__ROW_OF(t) == UE__ROW_STRUCT) {
		/* the format byte counts members: it is known at the end, or was checked before */
		ue__meta(b, encoding, 1);
		if (b->error)
			return;
		b->level[b->depth].format_at = b->replay ? b->replay : b->meta_end;
		if (!b->replay)
			ue__meta(b, encoding + 1, 1);
		else if ((b->buffer[b->replay++] ^ encoding[1]) & 0x80)
			b->error = -EINVAL; /* one has a tag, the other has none */
		n = 0;
	}
	if (b->next_tag) {
		memcpy(encoding + n, &b->next_tag, 2);
		n += 2;
	}
	if (t & UE__T_CARRAY) {
		memcpy(encoding + n, &count, 2);
		n += 2;
	}
	if (n)
		ue__meta(b, encoding, n);
	b->next_tag = 0;
	b->next_format = 0;
}

UE__FN void ue__add_value(struct ue_builder *b, const char *name, uint64_t t, const void *value)
{
	static const char zeros[16] = "";

	ue__define(b, name, t);
	if (!b->error)
		ue__data(b, value ? value : zeros, (size_t)1 << UE__LOG2_OF(t));
}

static inline void ue__add_scalar(struct ue_builder *b, const char *name, uint64_t t, uint64_t value)
{
	unsigned int log2 = (unsigned int)UE__LOG2_OF(t);

	ue__define(b, name, t);
	if (ue__room(b, 0, 8)) {
		ue__put_value(b->buffer + b->data_end, value, log2);
		b->data_end += (size_t)1 << log2;
	}
}

/* A string, and its zero unit. */
UE__FN void ue__add_string(struct ue_builder *b, const void *p, unsigned int log2)
{
	size_t n = p ? ue__units(p, log2, 65535) : 0;

	if (n == 65535) {
		if (ue__more(p, log2))
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
	ue__define(b, name, t & UE__T_CARRAY ? t | UE__T_LENGTH(count) : t);
	if (b->error)
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

UE__API int ue_builder_begin(struct ue_builder *b, void *buffer, size_t size, const char *name,
			    uint16_t tag)
{
	memset(b, 0, sizeof(*b));
	b->buffer = (unsigned char *)buffer;
	b->size = size;
	b->meta_end = UE__BUILDER_HEAD;
	b->tag = tag;
	if (!buffer || !name || !*name)
		b->error = -EINVAL;
	else if (size < UE__BUILDER_HEAD + sizeof(void *))
		b->error = -ENOSPC;
	b->data = b->data_end = UE__BUILDER_HEAD;
	if (!b->error) {
		/* half for the names, half for the values, as long as nothing says otherwise */
		b->limit = (size_t)((unsigned char *)ue__pieces(b) - b->buffer);
		b->data = b->data + (b->limit - b->data) / 2;
		if (b->data > UE__BUILDER_META)
			b->data = UE__BUILDER_META;
		b->data_end = b->data;
	}
	if (!b->error)
		ue__meta(b, name, strlen(name) + 1);
	return b->error;
}

UE__API void ue_builder_id(struct ue_builder *b, uint16_t id, uint8_t version)
{
	b->id = id;
	b->version = version;
}

UE__API void ue_builder_opcode(struct ue_builder *b, uint8_t opcode)
{
	b->opcode = opcode;
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

UE__FN void ue__level_begin(struct ue_builder *b, const char *name, bool array)
{
	struct ue__level *level = &b->level[b->depth < 8 ? b->depth : 7];

	if (!b->error && b->depth == 8)
		b->error = -E2BIG;
	if (b->error)
		return;
	b->next_format = 0;
	memset(level, 0, sizeof(*level));
	ue__define(b, name, UE__T_0STRUCT | (array ? UE__T_VARRAY : 0));
	if (b->error)
		return;
	level->array = array;
	level->replayed = b->replay != 0;
	level->members_at = b->replay ? b->replay : b->meta_end;
	if (array) {
		level->count_at = b->data_end - b->data;
		ue__data(b, &level->elements, 2);
	}
	if (!b->error)
		b->depth++;
}

/* Where an element of the innermost struct ends in the metadata: all its members were added. */
UE__FN void ue__element_end(struct ue_builder *b, struct ue__level *level)
{
	size_t here = b->replay ? b->replay : b->meta_end;

	if (here == level->members_at || (level->members_end && here != level->members_end) ||
	    (b->buffer[level->format_at] & 0x7f) != level->members)
		b->error = -EINVAL;
	level->members_end = here;
	level->members = 0;
}

UE__API void ue_struct_begin(struct ue_builder *b, const char *name)
{
	ue__level_begin(b, name, false);
}

UE__API void ue_struct_array_begin(struct ue_builder *b, const char *name)
{
	ue__level_begin(b, name, true);
}

UE__API void ue_struct_array_next(struct ue_builder *b)
{
	struct ue__level *level = &b->level[b->depth ? b->depth - 1 : 0];

	if (!b->error && (b->depth == 0 || !level->array))
		b->error = -EINVAL;
	if (b->error)
		return;
	if (level->elements > 0) {
		ue__element_end(b, level);
		b->replay = level->members_at;
	}
	if (++level->elements == 0)
		b->error = -E2BIG;
	else
		memcpy(b->buffer + b->data + level->count_at, &level->elements, 2);
}

UE__API void ue_struct_end(struct ue_builder *b)
{
	struct ue__level *level = &b->level[b->depth ? b->depth - 1 : 0];

	if (!b->error && (b->depth == 0 || (level->array && level->elements == 0)))
		b->error = -EINVAL;
	if (b->error)
		return;
	ue__element_end(b, level);
	/* a struct that is itself repeated goes on being compared */
	b->replay = level->replayed ? level->members_end : 0;
	b->depth--;
}

#ifndef UE_DISABLE
UE__API int ue_builder_write(struct ue_builder *b, struct ue_event_set *set, const void *activity,
			    const void *related)
{
	uint32_t index = UE__LOAD(&set->event.index);
	unsigned char *p;
	struct ue__piece *pieces;
	struct ue__iovec *iov;
	size_t size, done = 0, n;
	int count = 0;
	unsigned int i;
	uint16_t u16;

	if (!b->error && (b->depth || !b->buffer))
		b->error = -EINVAL;
	if (b->error)
		return b->error;
	if (!ue_event_set_enabled(set) || index-- == 0)
		return 0;
	iov = (struct ue__iovec *)__builtin_alloca((2 * b->pieces + 2) * sizeof(*iov));
	p = b->buffer + UE__BUILDER_HEAD - 4 - 8 - 4;
	if (activity)
		p -= related ? 36 : 20;
	iov[0].iov_base = p;
	memcpy(p, &index, 4);
	p[4] = UE__HEADER_FLAGS;
	p[5] = b->version;
	memcpy(p + 6, &b->id, 2);
	memcpy(p + 8, &b->tag, 2);
	p[10] = b->opcode;
	p[11] = set->event.level;
	p += 12;
	if (activity) {
		u16 = related ? 32 : 16;
		memcpy(p, &u16, 2);
		u16 = 0x8002;
		memcpy(p + 2, &u16, 2);
		memcpy(p + 4, activity, 16);
		if (related)
			memcpy(p + 20, related, 16);
		p += related ? 36 : 20;
	}
	u16 = (uint16_t)(b->meta_end - UE__BUILDER_HEAD);
	memcpy(p, &u16, 2);
	u16 = 1;
	memcpy(p + 2, &u16, 2);
	/* one segment if the data can be moved behind the metadata cheaply */
	n = b->data_end - b->data;
	if (n <= UE_INLINE_BYTES && b->data != b->meta_end) {
		memmove(b->buffer + b->meta_end, b->buffer + b->data, n);
		b->data = b->meta_end;
		b->data_end = b->data + n;
	}
	size = (size_t)(b->buffer + b->meta_end - (unsigned char *)iov[0].iov_base);
	iov[0].iov_len = size;
	pieces = ue__pieces(b);
	for (i = b->pieces + 1; i-- > 0;) {
		size_t end = i ? pieces[i - 1].at : n;

		if (end > done) {
			if (count == 0 && b->data == b->meta_end) {
				iov[0].iov_len += end - done;
			} else {
				iov[++count].iov_base = b->buffer + b->data + done;
				iov[count].iov_len = end - done;
			}
			size += end - done;
			done = end;
		}
		if (i) {
			iov[++count].iov_base = (void *)(uintptr_t)pieces[i - 1].data;
			iov[count].iov_len = pieces[i - 1].size;
			size += pieces[i - 1].size;
		}
	}
	return ue__send(&set->event, iov, count + 1, size);
}
#else
UE__API int ue_builder_write(struct ue_builder *b, struct ue_event_set *set, const void *activity,
			    const void *related)
{
	(void)set;
	(void)activity;
	(void)related;
	return b->error ? b->error : b->depth || !b->buffer ? -EINVAL : 0;
}
#endif
