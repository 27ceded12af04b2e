/* SPDX-License-Identifier: MIT */
/*
 * Kernel-typed events
 */

/* @public */

/*
 * Kernel-typed events
 * ===================
 *
 * Any tracepoint's record, described by its format file in tracefs
 * (events/SYSTEM/NAME/format):
 *
 *	struct ue_decode_field fields[64];
 *	struct ue_decode_format format = { .fields = fields, .fields_max = 64 };
 *
 *	ue_decode_format_parse(&format, text, length);
 *	ue_decode_format_json(&format, record, size, NULL, 0, line, sizeof(line));
 */
struct ue_decode_field {
	const char *name;
	size_t name_length;
	uint32_t offset; /* in the record */
	uint32_t size;	 /* 0: the rest of the record */
	uint8_t unit;	 /* bytes of an element */
	uint8_t kind;	 /* enum ue_decode_kind, of an array its elements' */
	uint8_t format;	 /* enum ue_decode_format_code */
	uint8_t array;	 /* UE_DECODE_..._ARRAY, or 0 */
	uint8_t loc;	 /* UE_DECODE_DATA_LOC, UE_DECODE_REL_LOC, or 0 */
	uint8_t common;	 /* one of the common_* fields that every record has */
};

#define UE_DECODE_DATA_LOC 1 /* offset and length, counted from the record's start */
#define UE_DECODE_REL_LOC 2  /* the same, counted from behind the field */

struct ue_decode_format {
	/* The caller's. */
	const char *system; /* "user_events", for JSON; NULL is the same as "" */
	size_t system_length;
	struct ue_decode_field *fields;
	size_t fields_max;
	uint8_t big_endian; /* the recording machine's byte order, */
	uint8_t long_size;  /* and its sizeof(long), 4 or 8; 0 is 8 */

	/* Set by ue_decode_format_parse(). */
	const char *name;
	size_t name_length;
	uint32_t id;
	size_t field_count;
	/*
	 * Where the event's bytes for ue_decode_parse() begin in a record, if this is a
	 * tracepoint of EventHeader events: it has their six fields and no others. Else 0.
	 */
	size_t eventheader;
};

/*
 * Reads a format file's text, which must outlive the format. Lines that it does not know are
 * skipped, and fields without an offset or a size. Returns 0, -ENOSPC if there are more fields
 * than fields_max (field_count tells how many; the first ones are there), or -EINVAL if there is
 * none.
 */
static inline int ue_decode_format_parse(struct ue_decode_format *format, const char *text,
					 size_t length);

/*
 * Finds a field's value in a record: item is then a UE_DECODE_VALUE, or a UE_DECODE_ARRAY of
 * fixed-size values that ue_decode_value() can print. char arrays are strings up to their first
 * NUL, a char is a character. Returns 0, or -EBADMSG if the value is not in the record; item is
 * then a null.
 */
static inline int ue_decode_format_item(const struct ue_decode_format *format,
					const struct ue_decode_field *field, const void *record,
					size_t size, struct ue_decode_item *item);

/*
 * The record as one JSON object, "n" being "system:name", as ue_decode_json() and
 * ue_decode_json_to() do it. common_* fields are left out, a value that is not in the
 * record is null, and its error last in "meta".
 */
static inline size_t ue_decode_format_json(const struct ue_decode_format *format,
					   const void *record, size_t record_size,
					   const struct ue_decode_meta *meta, unsigned flags,
					   char *buffer, size_t size);
static inline int ue_decode_format_json_to(const struct ue_decode_format *format,
					   const void *record, size_t record_size,
					   const struct ue_decode_meta *meta, unsigned flags,
					   ue_decode_write_fn write, void *context);

/* @private */

/* The number behind "key:" in "...;\toffset:8;\tsize:4;", or missing. */
static inline uint32_t ue__decode_property(const char *p, const char *end, const char *key,
					   uint32_t missing)
{
	size_t length = strlen(key);

	for (; (size_t)(end - p) > length; p++)
		if (!ue__is_word(p[-1]) && !memcmp(p, key, length)) {
			const char *digits = p + length;
			uint32_t value;

			p = digits;
			value = ue__decode_number(&p, end);
			return p > digits ? value : missing;
		}
	return missing;
}

/* A line's text behind "field:"; 0 if it is none. */
static inline int ue__decode_field_line(const struct ue_decode_format *format, const char *p,
					const char *end, struct ue_decode_field *field)
{
	const char *semicolon = (const char *)memchr(p, ';', (size_t)(end - p));
	uint8_t long_size = format->long_size ? format->long_size : 8;
	struct ue__decode_declaration d;
	uint32_t is_signed;

	if (!semicolon)
		return 0;
	ue__decode_declare(&d, p, semicolon, long_size);
	if (!d.name)
		return 0;
	memset(field, 0, sizeof(*field));
	field->name = d.name;
	field->name_length = d.name_length;
	field->common = d.name_length > 7 && !memcmp(d.name, "common_", 7);
	field->offset = ue__decode_property(semicolon, end, "offset:", UINT32_MAX);
	field->size = ue__decode_property(semicolon, end, "size:", UINT32_MAX);
	if (field->offset == UINT32_MAX || field->size == UINT32_MAX)
		return 0;
	is_signed =
		ue__decode_property(semicolon, end, "signed:", !(d.words & UE__DECODE_UNSIGNED));
	/* user_events calls "__rel_loc u8[]" signed, by its first letter */
	if ((d.words & UE__DECODE_UNSIGNED) &&
	    (d.words & (UE__DECODE_DATA_WORD | UE__DECODE_REL_WORD)))
		is_signed = 0;
	ue__decode_type(field, &d, is_signed != 0, long_size);
	return 1;
}

/* The fields of every tracepoint of EventHeader events, and of no other. */
static const struct {
	char name[18];
	uint8_t offset;
	uint8_t size;
} ue__decode_eventheader[] = {
#define UE__DECODE_HEADER(separator, type, name, offset, size) { name, offset, size },
	UE__HEADER_FIELDS(UE__DECODE_HEADER)
#undef UE__DECODE_HEADER
};

#define UE__DECODE_EVENTHEADER (sizeof(ue__decode_eventheader) / sizeof(ue__decode_eventheader[0]))

/* Whether field is the one at index of an EventHeader tracepoint that begins at begin. */
static inline int ue__decode_is_eventheader(const struct ue_decode_field *field, size_t index,
					    size_t begin)
{
	return index < UE__DECODE_EVENTHEADER &&
	       ue__decode_is(field->name, field->name_length, ue__decode_eventheader[index].name) &&
	       field->offset == begin + ue__decode_eventheader[index].offset &&
	       field->size == ue__decode_eventheader[index].size;
}

static inline int ue_decode_format_parse(struct ue_decode_format *format, const char *text,
					 size_t length)
{
	const char *p = text, *end = text + length, *line_end;
	size_t own = 0, alike = 0, begin = 0; /* fields that are not common */

	format->name = NULL;
	format->name_length = 0;
	format->id = 0;
	format->field_count = 0;
	format->eventheader = 0;
	for (; p < end; p = line_end + (line_end < end)) {
		struct ue_decode_field field;

		line_end = (const char *)memchr(p, '\n', (size_t)(end - p));
		if (!line_end)
			line_end = end;
		while (p < line_end && (*p == ' ' || *p == '\t'))
			p++;
		if (line_end - p > 6 && !memcmp(p, "name: ", 6)) {
			format->name = p + 6;
			format->name_length = (size_t)(line_end - p) - 6;
		} else if (line_end - p > 4 && !memcmp(p, "ID: ", 4)) {
			p += 4;
			format->id = ue__decode_number(&p, line_end);
		} else if (line_end - p > 6 && !memcmp(p, "field:", 6) &&
			   ue__decode_field_line(format, p + 6, line_end, &field)) {
			if (format->field_count < format->fields_max)
				format->fields[format->field_count] = field;
			format->field_count++;
			if (!field.common) {
				if (!own)
					begin = field.offset;
				if (ue__decode_is_eventheader(&field, own++, begin))
					alike++;
			}
		} else if (line_end - p > 10 && !memcmp(p, "print fmt:", 10)) {
			break;
		}
	}
	if (own == UE__DECODE_EVENTHEADER && alike == own)
		format->eventheader = begin;
	if (format->field_count > format->fields_max)
		return -ENOSPC;
	return format->field_count ? 0 : -EINVAL;
}

static inline int ue_decode_format_item(const struct ue_decode_format *format,
					const struct ue_decode_field *field, const void *record,
					size_t size, struct ue_decode_item *item)
{
	const uint8_t *data = (const uint8_t *)record;
	size_t offset = field->offset, length = field->size;
	uint32_t loc;

	memset(item, 0, sizeof(*item));
	item->name = field->name;
	item->name_length = field->name_length;
	item->type = UE_DECODE_VALUE;
	item->count = 1;
	item->big_endian = format->big_endian;
	if (offset > size || size - offset < length)
		return -EBADMSG;
	if (field->loc) {
		loc = ue__decode_u32(data + offset, format->big_endian);
		offset = (loc & 0xffff) + (field->loc == UE_DECODE_REL_LOC ? offset + 4 : 0);
		length = loc >> 16;
		if (offset > size || size - offset < length)
			return -EBADMSG;
	} else if (!length) {
		length = size - offset;
	}

	item->value = data + offset;
	item->kind = field->kind;
	item->format = field->format;
	item->array = field->array;
	if (field->kind == UE_DECODE_KIND_ZSTRING8) {
		length = ue__decode_until_nul(item->value, length, 1);
	} else if (field->array) {
		item->type = UE_DECODE_ARRAY;
		item->count = (uint32_t)(length / field->unit);
		length -= length % field->unit;
	}
	item->size = length;
	return 0;
}

static inline void ue__decode_put_record(struct ue__decode_out *out,
					 const struct ue_decode_format *format, const void *record,
					 size_t size, const struct ue_decode_meta *meta,
					 unsigned flags)
{
	size_t count = format->field_count, i, error_offset = 0;
	int error = 0;

	if (count > format->fields_max)
		count = format->fields_max;
	ue__decode_identity(out, format->system, format->system_length, format->name,
			    format->name_length);
	for (i = 0; i < count && !out->result; i++) {
		const struct ue_decode_field *field = &format->fields[i];
		struct ue_decode_item item;

		if (field->common)
			continue;
		if (ue_decode_format_item(format, field, record, size, &item) && !error) {
			error = UE_DECODE_EVALUE;
			error_offset = field->offset;
		}
		ue__decode_key(out, item.name, item.name_length, 0);
		if (item.type == UE_DECODE_ARRAY)
			ue__decode_put_list(out, &item);
		else
			ue__decode_put_value(out, &item, item.value, item.size);
	}
	ue__decode_meta(out, meta, NULL, flags, error, error_offset);
}

static inline size_t ue_decode_format_json(const struct ue_decode_format *format,
					   const void *record, size_t record_size,
					   const struct ue_decode_meta *meta, unsigned flags,
					   char *buffer, size_t size)
{
	struct ue__decode_out out;

	ue__decode_out_buffer(&out, flags | UE_DECODE_JSON, buffer, size);
	ue__decode_put_record(&out, format, record, record_size, meta, flags);
	return ue__decode_out_end(&out, size);
}

static inline int ue_decode_format_json_to(const struct ue_decode_format *format,
					   const void *record, size_t record_size,
					   const struct ue_decode_meta *meta, unsigned flags,
					   ue_decode_write_fn write, void *context)
{
	struct ue__decode_out out;

	ue__decode_out_init(&out, flags | UE_DECODE_JSON, write, context);
	ue__decode_put_record(&out, format, record, record_size, meta, flags);
	ue__decode_flush(&out);
	return out.result;
}
