/* SPDX-License-Identifier: MIT */
/*
 * Events as JSON
 */

/* @private */

static inline void ue__decode_string(struct ue__decode_out *out, const char *text, size_t length)
{
	ue__decode_utf8(out, (const uint8_t *)text, length);
}

static inline void ue__decode_key(struct ue__decode_out *out, const char *name, size_t length,
				  unsigned tag)
{
	char *p;

	ue__decode_room(out);
	ue__decode_comma(out);
	ue__decode_put(out, '"');
	if (length <= UE__DECODE_SHORT &&
	    ue__decode_short(out->p, (const uint8_t *)name, length, 1)) {
		out->p += length; /* and there is room for the rest */
	} else {
		ue__decode_string(out, name, length);
		ue__decode_room(out);
	}
	if (UE__DECODE_UNLIKELY(tag)) {
		ue__decode_puts(out, ";tag=");
		ue__decode_hex_int(out, tag);
	}
	p = out->p;
	p[0] = '"';
	p[1] = ':';
	p[2] = ' ';
	out->p = p + 2 + out->spaced;
}

/* There is room left for a value of 42 bytes. */
UE__DECODE_INLINE void ue__decode_meta_key(struct ue__decode_out *out, const char *name)
{
	size_t length = strlen(name);
	char *p;

	ue__decode_room(out);
	ue__decode_comma(out);
	p = out->p;
	*p++ = '"';
	memcpy(p, name, length);
	p += length;
	p[0] = '"';
	p[1] = ':';
	p[2] = ' ';
	out->p = p + 2 + out->spaced;
}

UE__DECODE_INLINE void ue__decode_meta_uint(struct ue__decode_out *out, const char *name,
					    uint64_t value)
{
	ue__decode_meta_key(out, name);
	ue__decode_uint(out, value);
}

UE__DECODE_INLINE void ue__decode_meta_hex(struct ue__decode_out *out, const char *name,
					   uint64_t value)
{
	if (!value)
		return;
	ue__decode_meta_key(out, name);
	ue__decode_put(out, '"');
	ue__decode_hex_int(out, value);
	ue__decode_put(out, '"');
}

UE__DECODE_INLINE void ue__decode_meta_uuid(struct ue__decode_out *out, const char *name,
					    const uint8_t *id)
{
	if (!id)
		return;
	ue__decode_meta_key(out, name);
	ue__decode_put(out, '"');
	ue__decode_uuid(out, id);
	ue__decode_put(out, '"');
}

static inline void ue__decode_meta_record(struct ue__decode_out *out,
					  const struct ue_decode_meta *meta)
{
	uint64_t second = meta->time / 1000000000, rest = meta->time % 1000000000;
	int wall = (meta->known & UE_DECODE_HAS_WALL_TIME) != 0;

	if (meta->time && (wall || meta->known & UE_DECODE_HAS_TIME)) {
		ue__decode_meta_key(out, "time");
		if (wall) {
			ue__decode_put(out, '"');
			ue__decode_date(out, (int64_t)second);
		} else {
			ue__decode_uint(out, second);
		}
		ue__decode_put(out, '.');
		ue__decode_padded(out, rest, 9);
		if (wall)
			ue__decode_puts(out, "Z\"");
	}
	if (meta->known & UE_DECODE_HAS_CPU)
		ue__decode_meta_uint(out, "cpu", meta->cpu);
	if (meta->known & UE_DECODE_HAS_PID)
		ue__decode_meta_uint(out, "pid", meta->pid);
	if (meta->known & UE_DECODE_HAS_TID)
		ue__decode_meta_uint(out, "tid", meta->tid);
}

static inline void ue__decode_meta_event(struct ue__decode_out *out,
					 const struct ue_decode_event *event)
{
	if (event->id)
		ue__decode_meta_uint(out, "id", event->id);
	if (event->version)
		ue__decode_meta_uint(out, "version", event->version);
	if (event->level)
		ue__decode_meta_uint(out, "level", event->level);
	ue__decode_meta_hex(out, "keyword", event->keyword);
	if (event->opcode)
		ue__decode_meta_uint(out, "opcode", event->opcode);
	ue__decode_meta_hex(out, "tag", event->tag);
	ue__decode_meta_uuid(out, "activity", event->activity);
	ue__decode_meta_uuid(out, "relatedActivity", event->related);
}

static inline void ue__decode_meta_error(struct ue__decode_out *out, int error, size_t offset)
{
	const char *text = ue_decode_strerror(error);

	ue__decode_meta_key(out, "error");
	ue__decode_put(out, '"');
	ue__decode_string(out, text, strlen(text));
	ue__decode_room(out);
	ue__decode_puts(out, error == UE_DECODE_ETRACEPOINT ? " at character " : " at byte ");
	ue__decode_uint(out, offset);
	ue__decode_put(out, '"');
}

/* "n": "left:right" */
static inline void ue__decode_identity(struct ue__decode_out *out, const char *left,
				       size_t left_length, const char *right, size_t right_length)
{
	ue__decode_begin(out, '{');
	ue__decode_meta_key(out, "n");
	ue__decode_put(out, '"');
	ue__decode_string(out, left, left_length);
	ue__decode_room(out);
	ue__decode_put(out, ':');
	ue__decode_string(out, right, right_length);
	ue__decode_room(out);
	ue__decode_put(out, '"');
}

/* event is NULL for a kernel-typed one. */
static inline void ue__decode_meta(struct ue__decode_out *out, const struct ue_decode_meta *meta,
				   const struct ue_decode_event *event, unsigned flags, int error,
				   size_t error_offset)
{
	int wanted = !(flags & UE_DECODE_NO_META);

	if (wanted || error) {
		ue__decode_meta_key(out, "meta");
		ue__decode_begin(out, '{');
		if (wanted && meta)
			ue__decode_meta_record(out, meta);
		if (wanted && event)
			ue__decode_meta_event(out, event);
		if (error)
			ue__decode_meta_error(out, error, error_offset);
		ue__decode_end(out, '}');
	}
	ue__decode_end(out, '}');
}

static inline void ue__decode_put_item(struct ue__decode_out *out,
				       const struct ue_decode_item *item)
{
	switch (item->type) {
	case UE_DECODE_STRUCT_END:
		ue__decode_end(out, '}');
		return;
	case UE_DECODE_ARRAY_END:
		ue__decode_end(out, ']');
		return;
	default:
		break;
	}
	if (item->array && item->type != UE_DECODE_ARRAY) {
		ue__decode_room(out);
		ue__decode_comma(out);
	} else {
		ue__decode_key(out, item->name, item->name_length + item->attributes_length,
			       item->tag);
	}
	switch (item->type) {
	case UE_DECODE_STRUCT:
		ue__decode_begin(out, '{');
		return;
	case UE_DECODE_ARRAY:
		ue__decode_begin(out, '[');
		return;
	default:
		ue__decode_put_value(out, item, item->value, item->size);
		return;
	}
}

static inline void ue__decode_put_event(struct ue__decode_out *out, struct ue_decode_event *event,
					const struct ue_decode_meta *meta, unsigned flags)
{
	struct ue_decode_fields fields;
	int more;

	ue__decode_identity(out, event->provider, event->provider_length, event->name,
			    event->name_length);
	ue_decode_start(&fields, event);
	while ((more = ue_decode_next(&fields)) > 0 && !out->result)
		ue__decode_put_item(out, &fields.item);
	if (more < 0)
		ue__decode_bad(event, fields.error, fields.error_offset);
	while (fields.depth) {
		fields.depth--;
		ue__decode_end(out, fields.stack[fields.depth].type == UE_DECODE_ARRAY ? ']' : '}');
	}
	ue__decode_meta(out, meta, event, flags, event->error, event->error_offset);
}

static inline size_t ue_decode_json(struct ue_decode_event *event,
				    const struct ue_decode_meta *meta, unsigned flags, char *buffer,
				    size_t size)
{
	struct ue__decode_out out;

	ue__decode_out_buffer(&out, flags | UE_DECODE_JSON, buffer, size);
	ue__decode_put_event(&out, event, meta, flags);
	return ue__decode_out_end(&out, size);
}

static inline int ue_decode_json_to(struct ue_decode_event *event,
				    const struct ue_decode_meta *meta, unsigned flags,
				    ue_decode_write_fn write, void *context)
{
	struct ue__decode_out out;

	ue__decode_out_init(&out, flags | UE_DECODE_JSON, write, context);
	ue__decode_put_event(&out, event, meta, flags);
	ue__decode_flush(&out);
	return out.result;
}
