/* SPDX-License-Identifier: MIT */
/*
 * Fields of captured events
 */

/* @private */

/* A kernel-typed event's format, and the memory that it needs. */
struct ue__capture_format {
	struct ue_decode_format format;
	struct ue_decode_field fields[128]; /* more than 511 bytes can name */
	char text[UE_CAPTURE_TEXT];
};

UE__FN void ue__capture_parse(const struct ue_capture_event *event, struct ue__capture_format *f)
{
	size_t n = ue_capture_format_text(event->spec, (uint16_t)event->format, f->text,
					  sizeof(f->text));

	memset(&f->format, 0, sizeof(f->format));
	f->format.system = "user_events";
	f->format.system_length = 11;
	f->format.fields = f->fields;
	f->format.fields_max = sizeof(f->fields) / sizeof(f->fields[0]);
	f->format.big_endian = event->big_endian;
	ue_decode_format_parse(&f->format, f->text, n < sizeof(f->text) ? n : sizeof(f->text) - 1);
	if (f->format.field_count > f->format.fields_max)
		f->format.field_count = f->format.fields_max;
}

/* "[2]" at the beginning of *PATH. */
UE__FN int ue__captured_index(const char **path, uint32_t *index)
{
	const char *p = *path + 1, *end = p + strcspn(p, "]");

	if (**path != '[' || *end != ']' || p == end)
		return 0;
	*index = ue__decode_number(&p, end);
	*path = end + 1;
	return p == end;
}

static inline int ue__captured_is(const struct ue_decode_item *item, const char *name, size_t n)
{
	return item->name_length == n && !memcmp(item->name, name, n);
}

/* An element of an array of values of one size. */
UE__FN int ue__captured_element(struct ue_decode_item *item, const char *path)
{
	uint32_t index;
	size_t unit;

	if (!*path)
		return 0;
	if (item->type != UE_DECODE_ARRAY || !ue__captured_index(&path, &index) || *path ||
	    index >= item->count || !item->value)
		return -ENOENT;
	unit = item->size / item->count;
	item->type = UE_DECODE_VALUE;
	item->value += index * unit;
	item->size = unit;
	item->index = index;
	item->count = 1;
	item->array = 0;
	return 0;
}

UE__FN int ue__captured_plain(const struct ue_capture_event *event, const char *path,
			      struct ue_decode_item *item)
{
	struct ue__capture_format f;
	size_t i, n = strcspn(path, "[");
	const char *field;

	ue__capture_parse(event, &f);
	for (i = 0; i < f.format.field_count; i++) {
		if (f.fields[i].common || f.fields[i].name_length != n ||
		    memcmp(f.fields[i].name, path, n))
			continue;
		if (ue_decode_format_item(&f.format, &f.fields[i], event->record, event->size,
					  item))
			return -EBADMSG;
		/* F ends with this function; the spec has the name, too */
		field = event->spec;
		while ((field = strchr(field + 1, ' ')) != NULL) {
			if (!strncmp(field + 1, path, n) && !ue__is_word(field[1 + n]))
				item->name = field + 1;
		}
		return ue__captured_element(item, path + n);
	}
	return -ENOENT;
}

UE__FN int ue__captured_deep(const struct ue_capture_event *event, const char *path,
			     struct ue_decode_item *item)
{
	struct ue_decode_fields fields;
	size_t n = strcspn(path, ".[");
	uint32_t index = 0;
	unsigned int depth = 0;
	int element = 0; /* look for the element INDEX, not for a name */

	ue_decode_start(&fields, &event->decoded);
	while (ue_decode_next(&fields) > 0) {
		const struct ue_decode_item *i = &fields.item;

		if (i->type == UE_DECODE_STRUCT_END || i->type == UE_DECODE_ARRAY_END) {
			if (i->depth < depth)
				return -ENOENT; /* it was not in there */
			continue;
		}
		if (i->depth != depth ||
		    (element ? i->index != index : !ue__captured_is(i, path, n)))
			continue;
		if (!element)
			path += n;
		if (!*path || (i->type == UE_DECODE_ARRAY && i->value)) {
			*item = *i;
			return ue__captured_element(item, path);
		}
		element = i->type == UE_DECODE_ARRAY;
		if (element ? !ue__captured_index(&path, &index)
			    : i->type != UE_DECODE_STRUCT || *path++ != '.')
			return -ENOENT;
		n = element ? 0 : strcspn(path, ".[");
		depth++;
	}
	return fields.error ? -EBADMSG : -ENOENT;
}

UE__FN int ue_captured_item(const struct ue_capture_event *event, const char *field,
			    struct ue_decode_item *item)
{
	if (event->eventheader)
		return ue__captured_deep(event, field, item);
	return ue__captured_plain(event, field, item);
}

/* The bits of an integer of up to 8 bytes, with its sign. 0 if it is none. */
UE__FN int ue__captured_bits(const struct ue_capture_event *event, const char *field,
			     uint64_t *bits, int *is_signed, int *is_float)
{
	struct ue_decode_item item;
	unsigned int unused;

	if (ue_captured_item(event, field, &item) || item.type != UE_DECODE_VALUE ||
	    item.kind < UE_DECODE_KIND_VALUE8 || item.kind > UE_DECODE_KIND_VALUE64)
		return 0;
	*bits = ue__decode_load(item.value, item.size, item.big_endian);
	*is_float = item.format == UE_DECODE_FORMAT_FLOAT ? (int)item.size : 0;
	*is_signed = item.format == UE_DECODE_FORMAT_SIGNED ||
		     item.format == UE_DECODE_FORMAT_ERRNO || item.format == UE_DECODE_FORMAT_PID ||
		     item.format == UE_DECODE_FORMAT_TIME;
	if (item.format == UE_DECODE_FORMAT_PORT && item.size == 2) /* in network byte order */
		*bits = ue__decode_u16(item.value, 1);
	unused = 64 - 8 * (unsigned int)item.size;
	if (*is_signed && !*is_float)
		*bits = (uint64_t)((int64_t)(*bits << unused) >> unused);
	return 1;
}

static inline uint64_t ue__captured_integer(const struct ue_capture_event *event, const char *field,
					    uint64_t none)
{
	uint64_t bits;
	int is_signed, is_float;

	if (!ue__captured_bits(event, field, &bits, &is_signed, &is_float) || is_float)
		return none;
	return bits;
}

UE__FN uint64_t ue_captured_u64(const struct ue_capture_event *event, const char *field)
{
	return ue__captured_integer(event, field, UINT64_MAX);
}

UE__FN int64_t ue_captured_i64(const struct ue_capture_event *event, const char *field)
{
	return (int64_t)ue__captured_integer(event, field, (uint64_t)INT64_MIN);
}

UE__FN double ue_captured_double(const struct ue_capture_event *event, const char *field)
{
	uint64_t bits;
	uint32_t half;
	int is_signed, is_float;
	double d = 0;
	float f;

	if (!ue__captured_bits(event, field, &bits, &is_signed, &is_float))
		return (double)__builtin_nan("");
	if (is_float == 8) {
		memcpy(&d, &bits, sizeof(d));
		return d;
	}
	if (is_float == 4) {
		half = (uint32_t)bits;
		memcpy(&f, &half, sizeof(f));
		return (double)f;
	}
	return is_signed ? (double)(int64_t)bits : (double)bits;
}

UE__FN int ue_captured_string(const struct ue_capture_event *event, const char *field, char *buffer,
			      size_t size)
{
	struct ue_decode_item item;

	if (size)
		*buffer = '\0';
	if (ue_captured_item(event, field, &item) || item.type == UE_DECODE_STRUCT ||
	    (item.type == UE_DECODE_ARRAY && !item.value))
		return -ENOENT;
	return (int)ue_decode_value(&item, 0, buffer, size);
}

/* What JSON tells of EVENT. True if that is an EventHeader event, else FORMAT has its fields. */
UE__FN bool ue__captured_meta(const struct ue_capture_event *event, struct ue_decode_meta *meta,
			      struct ue__capture_format *format)
{
	meta->time = event->time + (uint64_t)event->wall;
	meta->cpu = event->cpu;
	meta->pid = event->pid;
	meta->tid = event->tid;
	meta->known = UE_DECODE_HAS_TIME | UE_DECODE_HAS_CPU | UE_DECODE_HAS_PID |
		      UE_DECODE_HAS_TID | (event->wall ? UE_DECODE_HAS_WALL_TIME : 0);
	if (!event->eventheader)
		ue__capture_parse(event, format);
	return event->eventheader;
}

UE__FN size_t ue_captured_json(const struct ue_capture_event *event, unsigned int flags,
			       char *buffer, size_t size)
{
	struct ue_decode_event decoded = event->decoded;
	struct ue__capture_format f;
	struct ue_decode_meta meta;

	if (ue__captured_meta(event, &meta, &f))
		return ue_decode_json(&decoded, &meta, flags, buffer, size);
	return ue_decode_format_json(&f.format, event->record, event->size, &meta, flags, buffer,
				     size);
}

UE__FN int ue_captured_json_to(const struct ue_capture_event *event, unsigned int flags,
			       ue_decode_write_fn write, void *context)
{
	struct ue_decode_event decoded = event->decoded;
	struct ue__capture_format f;
	struct ue_decode_meta meta;

	if (ue__captured_meta(event, &meta, &f))
		return ue_decode_json_to(&decoded, &meta, flags, write, context);
	return ue_decode_format_json_to(&f.format, event->record, event->size, &meta, flags, write,
					context);
}
