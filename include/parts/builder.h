/* SPDX-License-Identifier: MIT */
/*
 * Builder
 */

/* @public */

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
 * The buffer holds names and small values, and up to 16 bytes that stay free; data over 64 bytes is
 * not copied and must stay as it is until the write. An error (no room, a NULL name, a struct that
 * was not closed, in any order of calls) sticks, later calls do nothing, and the write returns it.
 * The same builder may be written several times, and begun anew. Names may carry attributes:
 * "name;attribute=value".
 *
 * One builder belongs to one thread at a time; all calls are async-signal-safe.
 */
struct ue__open_struct { /* an open struct; offsets into metadata and data */
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
	uint16_t id, tag, next_tag;
	uint8_t version, opcode, next_format;
	int error;			/* 0 or the first error, -errno */
	struct ue__open_struct open[8]; /* DEPTH of them are set */
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
UE__API int ue_builder_write(struct ue_builder *b, struct ue_event_set *set, const void *activity,
			     const void *related);

/* @private */

UE__API int ue_builder_begin(struct ue_builder *b, void *buffer, size_t size, const char *name,
			     uint16_t tag)
{
	memset(b, 0, offsetof(struct ue_builder, open));
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
