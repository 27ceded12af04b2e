/* SPDX-License-Identifier: MIT */
/*
 * Unit tests: finding events and their fields
 */

@public

/*
 * Unit tests
 * ==========
 */

/* An event that was found. Its pointers point into the capture. */
struct ue_capture_event {
	const char *spec; /* "name type field; ...", NUL-terminated */
	const char *name; /* of an EventHeader event its own, else the tracepoint's */
	size_t name_length;
	/* As a tracer has it: u16 type, u8 flags, u8 preempt, s32 thread id; the payload. */
	const uint8_t *record;
	size_t size;
	uint64_t time;	     /* CLOCK_MONOTONIC, in nanoseconds */
	int64_t wall;	     /* to add to it for CLOCK_REALTIME; 0 if it is not known */
	const char *program; /* name of the process, at most 15 bytes; "" if it is not known */
	uint64_t format;     /* a number for each SPEC, the same in every file */
	uint32_t pid, tid, cpu;
	uint8_t eventheader; /* self-describing: DECODED is set */
	uint8_t big_endian;
	size_t offset; /* of the captured bytes */
	struct ue_decode_event decoded;
};

/*
 * The first event of this name in a memory capture, or the first behind the one that EVENT is.
 * NAME is the tracepoint's ("request_done", "MyApp_L4K1") or the name within an EventHeader
 * event ("RequestDone"); NULL takes any. Returns 0, -ENOENT if there is none, or -EINVAL if this is
 * no memory capture. The capture may be running; events of other threads that
 * are just being written end the search, until they are there. Thread-safe, async-signal-safe.
 */
UE__FN int ue_capture_find(const struct ue_capture *c, const char *name,
			   struct ue_capture_event *event);
UE__FN int ue_capture_find_next(const struct ue_capture *c, const char *name,
				struct ue_capture_event *event);

/* How many there are, or -EINVAL as above. */
UE__FN int ue_capture_count(const struct ue_capture *c, const char *name);

/*
 * A field's value. FIELD is a name, or a path: "peer.host", "samples[2]", "peers[0].port".
 * Fields that are not there, or cannot be such a value, give UINT64_MAX, INT64_MIN, NaN.
 * Negative numbers are as a cast makes them, floats are no integers, integers are doubles.
 * Thread-safe, async-signal-safe, as are all that follow.
 */
UE__FN uint64_t ue_captured_u64(const struct ue_capture_event *event, const char *field);
UE__FN int64_t ue_captured_i64(const struct ue_capture_event *event, const char *field);
UE__FN double ue_captured_double(const struct ue_capture_event *event, const char *field);

/*
 * Any value as text: strings as UTF-8, numbers, "[1,2,3]", "true", UUIDs and so on as
 * ue_decode_value() has them. Writes at most SIZE bytes, the last of them a NUL. Returns the
 * length of the whole, as snprintf() does, or -ENOENT, and "" in BUFFER.
 */
UE__FN int ue_captured_string(const struct ue_capture_event *event, const char *field,
			      char *buffer, size_t size);

/*
 * The field itself, for what else user_events_decode.h can do with it. Returns 0, or -ENOENT; -EBADMSG if
 * its value is not in the record.
 */
UE__FN int ue_captured_item(const struct ue_capture_event *event, const char *field,
			    struct ue_decode_item *item);

/* The event as one JSON object. FLAGS and the result are those of ue_decode_json(). */
UE__FN size_t ue_captured_json(const struct ue_capture_event *event, unsigned int flags,
			       char *buffer, size_t size);
UE__FN int ue_captured_json_to(const struct ue_capture_event *event, unsigned int flags,
			       ue_decode_write_fn write, void *context);

@private

/* Unit tests */

static inline int ue__capture_named(const struct ue_capture_event *event, const char *name)
{
	size_t n = name ? strlen(name) : 0;

	if (!name || (event->name_length == n && !memcmp(event->name, name, n)))
		return 1;
	return strcspn(event->spec, " ") == n && !memcmp(event->spec, name, n);
}

/* The first at FROM or behind it; *COUNT is the number of all, if it is asked for. */
UE__FN int ue__capture_search(const struct ue_capture *c, const char *name, size_t from, int *count,
			      struct ue_capture_event *event)
{
	struct ue_capture_reader reader;
	struct ue_capture_event e;
	int more = ue_capture_read_memory(&reader, c);

	if (more)
		return more;
	while ((more = ue_capture_next(&reader, &e)) != 0) {
		if (more < 0 || e.offset < from || !ue__capture_named(&e, name))
			continue;
		if (!count) {
			*event = e;
			return 0;
		}
		++*count;
	}
	return -ENOENT;
}

UE__FN int ue_capture_find(const struct ue_capture *c, const char *name,
			   struct ue_capture_event *event)
{
	return ue__capture_search(c, name, 0, NULL, event);
}

UE__FN int ue_capture_find_next(const struct ue_capture *c, const char *name,
				struct ue_capture_event *event)
{
	return ue__capture_search(c, name, event->offset + 1, NULL, event);
}

UE__FN int ue_capture_count(const struct ue_capture *c, const char *name)
{
	int count = 0, error = ue__capture_search(c, name, 0, &count, NULL);

	return error == -ENOENT ? count : error;
}

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
		if (ue_decode_format_item(&f.format, &f.fields[i], event->record, event->size, item))
			return -EBADMSG;
		/* the text of the format goes, the spec has the name, too */
		field = event->spec;
		while ((field = strchr(field + 1, ' ')) != NULL) {
			if (!strncmp(field + 1, path, n) && !ue__decode_is_ident(field[1 + n]))
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
		if (i->depth != depth || (element ? i->index != index : !ue__captured_is(i, path, n)))
			continue;
		if (!element)
			path += n;
		if (!*path || (i->type == UE_DECODE_ARRAY && i->value)) {
			*item = *i;
			return ue__captured_element(item, path);
		}
		element = i->type == UE_DECODE_ARRAY;
		if (element ? !ue__captured_index(&path, &index) :
			      i->type != UE_DECODE_STRUCT || *path++ != '.')
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
	*is_signed = item.format == UE_DECODE_FORMAT_SIGNED || item.format == UE_DECODE_FORMAT_ERRNO ||
		     item.format == UE_DECODE_FORMAT_PID || item.format == UE_DECODE_FORMAT_TIME;
	if (item.format == UE_DECODE_FORMAT_PORT && item.size == 2) /* in network byte order */
		*bits = ue__decode_u16(item.value, 1);
	unused = 64 - 8 * (unsigned int)item.size;
	if (*is_signed && !*is_float)
		*bits = (uint64_t)((int64_t)(*bits << unused) >> unused);
	return 1;
}

UE__FN uint64_t ue_captured_u64(const struct ue_capture_event *event, const char *field)
{
	uint64_t bits;
	int is_signed, is_float;

	if (!ue__captured_bits(event, field, &bits, &is_signed, &is_float) || is_float)
		return UINT64_MAX;
	return bits;
}

UE__FN int64_t ue_captured_i64(const struct ue_capture_event *event, const char *field)
{
	uint64_t bits;
	int is_signed, is_float;

	if (!ue__captured_bits(event, field, &bits, &is_signed, &is_float) || is_float)
		return INT64_MIN;
	return (int64_t)bits;
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

UE__FN int ue_captured_string(const struct ue_capture_event *event, const char *field,
			      char *buffer, size_t size)
{
	struct ue_decode_item item;

	if (size)
		*buffer = '\0';
	if (ue_captured_item(event, field, &item) || item.type == UE_DECODE_STRUCT ||
	    (item.type == UE_DECODE_ARRAY && !item.value))
		return -ENOENT;
	return (int)ue_decode_value(&item, 0, buffer, size);
}

UE__FN void ue__captured_meta(const struct ue_capture_event *event, struct ue_decode_meta *meta)
{
	meta->time = event->time + (uint64_t)event->wall;
	meta->cpu = event->cpu;
	meta->pid = event->pid;
	meta->tid = event->tid;
	meta->known = UE_DECODE_HAS_TIME | UE_DECODE_HAS_CPU | UE_DECODE_HAS_PID | UE_DECODE_HAS_TID |
		      (event->wall ? UE_DECODE_HAS_WALL_TIME : 0);
}

UE__FN size_t ue_captured_json(const struct ue_capture_event *event, unsigned int flags,
			       char *buffer, size_t size)
{
	struct ue_decode_event decoded = event->decoded;
	struct ue__capture_format f;
	struct ue_decode_meta meta;

	ue__captured_meta(event, &meta);
	if (event->eventheader)
		return ue_decode_json(&decoded, &meta, flags, buffer, size);
	ue__capture_parse(event, &f);
	return ue_decode_format_json(&f.format, event->record, event->size, &meta, flags, buffer,
				     size);
}

UE__FN int ue_captured_json_to(const struct ue_capture_event *event, unsigned int flags,
			       ue_decode_write_fn write, void *context)
{
	struct ue_decode_event decoded = event->decoded;
	struct ue__capture_format f;
	struct ue_decode_meta meta;

	ue__captured_meta(event, &meta);
	if (event->eventheader)
		return ue_decode_json_to(&decoded, &meta, flags, write, context);
	ue__capture_parse(event, &f);
	return ue_decode_format_json_to(&f.format, event->record, event->size, &meta, flags, write,
					context);
}
