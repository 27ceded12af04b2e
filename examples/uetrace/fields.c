/* SPDX-License-Identifier: MIT */
/*
 * Events' fields as text. The plugin for libtraceevent prints with this, too: nothing here exits.
 */
#include "fields.h"

#include "clean.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Returns the bytes of the character of UTF-8 at s, which is not ASCII; 0 if it is none. */
static size_t character(const unsigned char *s, size_t n)
{
	size_t length = *s < 0xc2 ? 0 : *s < 0xe0 ? 2 : *s < 0xf0 ? 3 : *s < 0xf5 ? 4 : 0, i;

	for (i = 1; i < length; i++) {
		if (i >= n || (s[i] & 0xc0) != 0x80)
			return 0;
	}
	return length;
}

/*
 * Replaces what must not be shown: controls, changes of direction, and bytes that are not UTF-8,
 * which a terminal may take for controls. escape: a string of JSON, which has "\u202e" for them;
 * else they become "?".
 */
static void put_printable(FILE *out, const char *text, size_t n, bool escape)
{
	const unsigned char *s = (const unsigned char *)text, *end, *clean = s;

	if (!n)
		return;
	for (end = s + n; s < end;) {
		size_t length = *s < 0x80 ? 1 : character(s, (size_t)(end - s));
		unsigned int code = length ? unclean_character(s, length) : 0;

		if (length && *s >= 32 && !code) {
			s += length;
			continue;
		}
		fwrite_unlocked(clean, 1, (size_t)(s - clean), out);
		if (code && escape)
			fprintf(out, "\\u%04x", code);
		else
			putc_unlocked('?', out);
		s += length ? length : 1;
		clean = s;
	}
	fwrite_unlocked(clean, 1, (size_t)(s - clean), out);
}

void put_clean(FILE *out, const char *text, size_t n)
{
	put_printable(out, text, n, false);
}

int put_json(void *out, const char *text, size_t n)
{
	const unsigned char *s = (const unsigned char *)text, *end = s + n, *clean = s;

	while (s < end) {
		unsigned int code = *s < 0x7f ? 0 : unclean_character(s, (size_t)(end - s));

		if (!code) {
			s++;
			continue;
		}
		fwrite_unlocked(clean, 1, (size_t)(s - clean), out);
		fprintf(out, "\\u%04x", code);
		clean = s += unclean_length(code);
	}
	fwrite_unlocked(clean, 1, (size_t)(s - clean), out);
	return ferror_unlocked((FILE *)out) ? -EIO : 0;
}

void put_colour(const struct writer *w, const char *colour)
{
	if (w->colours)
		fputs_unlocked(colour, w->out);
}

static bool is_string(const struct ue_decode_item *item)
{
	if (item->format == UE_DECODE_FORMAT_LATIN1 || item->format == UE_DECODE_FORMAT_UTF)
		return true;
	return item->kind >= UE_DECODE_KIND_ZSTRING8 && item->kind <= UE_DECODE_KIND_STRING32 &&
	       item->format != UE_DECODE_FORMAT_HEX_BYTES;
}

#define LONG 10 /* digits that nobody reads */

/* Returns a floating point number that needs many digits to be exact, as in JSON; else 0. */
static int shorten(const struct ue_decode_item *item, const char *exact, size_t n, char *text,
		   size_t room)
{
	double value, size;

	if (item->type != UE_DECODE_VALUE || item->format != UE_DECODE_FORMAT_FLOAT || n < LONG ||
	    (item->kind != UE_DECODE_KIND_VALUE32 && item->kind != UE_DECODE_KIND_VALUE64))
		return 0;
	value = strtod(exact, NULL);
	size = value < 0 ? -value : value;
	/* larger numbers are counters, or their fraction does not matter */
	if (!(size < 1e9))
		return 0;
	return snprintf(text, room, "%.*g", size < 1 ? 6 : 9, value);
}

/* As in JSON, but only strings have quotes, and floating point numbers few digits. */
void put_value(struct writer *w, const struct ue_decode_item *item)
{
	size_t n = ue_decode_value(item, UE_DECODE_JSON, w->value, w->value_room);
	char few[32], *s;

	if (n >= w->value_room) {
		s = realloc(w->value, n + 1);
		if (!s) {
			fputs_unlocked("?", w->out);
			return;
		}
		w->value = s;
		w->value_room = n + 1;
		n = ue_decode_value(item, UE_DECODE_JSON, w->value, w->value_room);
	}
	s = w->value;
	if (n >= 2 && s[0] == '"' && !is_string(item)) {
		s++;
		n -= 2;
	}
	if (shorten(item, s, n, few, sizeof(few)) > 0) {
		s = few;
		n = strlen(few);
	}
	put_printable(w->out, s, n, true);
}

void put_name(struct writer *w, const char *name, size_t length)
{
	putc_unlocked(' ', w->out);
	put_colour(w, CYAN);
	put_clean(w->out, name, length);
	put_colour(w, PLAIN);
	putc_unlocked('=', w->out);
}

void put_plain_fields(struct writer *w, const struct ue_decode_format *format, const void *data,
		      size_t size)
{
	struct ue_decode_item item;
	size_t i;

	for (i = 0; i < format->field_count; i++) {
		const struct ue_decode_field *field = &format->fields[i];

		if (field->common)
			continue;
		put_name(w, field->name, field->name_length);
		if (ue_decode_format_item(format, field, data, size, &item) == 0)
			put_value(w, &item);
		else
			fputs_unlocked("?", w->out);
	}
}

/* Tells whether this is an array that prints in one piece. Its elements follow even so. */
static bool is_flat(const struct ue_decode_item *item)
{
	return item->type == UE_DECODE_ARRAY && item->value;
}

/* Characters are a string up to the first NUL, as they are in kernel-typed events. */
static void put_flat(struct writer *w, const struct ue_decode_item *item)
{
	struct ue_decode_item string = *item;

	if (item->kind == UE_DECODE_KIND_VALUE8 && item->format == UE_DECODE_FORMAT_LATIN1) {
		string.type = UE_DECODE_VALUE;
		string.kind = UE_DECODE_KIND_STRING8;
		string.array = 0;
		string.size = strnlen((const char *)item->value, item->size);
	}
	put_value(w, &string);
}

static void put_eventheader_fields(struct writer *w, struct ue_decode_event *event)
{
	struct ue_decode_fields fields;
	unsigned int skip = 0; /* depth of a flat array whose elements were printed, plus 1 */
	bool first = false;
	int more;

	ue_decode_start(&fields, event);
	while ((more = ue_decode_next(&fields)) > 0) {
		const struct ue_decode_item *item = &fields.item;
		bool end = item->type == UE_DECODE_STRUCT_END || item->type == UE_DECODE_ARRAY_END;

		if (skip) {
			if (end && item->depth + 1u == skip)
				skip = 0;
			continue;
		}
		if (end) {
			putc_unlocked(item->type == UE_DECODE_STRUCT_END ? '}' : ']', w->out);
			first = false;
			continue;
		}
		/* elements have their array's name, which is printed already */
		if (item->array && item->type != UE_DECODE_ARRAY) {
			if (!first)
				fputs_unlocked(", ", w->out);
		} else if (first) {
			put_colour(w, CYAN);
			put_clean(w->out, item->name, item->name_length);
			put_colour(w, PLAIN);
			putc_unlocked('=', w->out);
		} else {
			put_name(w, item->name, item->name_length);
		}
		first = false;
		if (item->type == UE_DECODE_STRUCT ||
		    (item->type == UE_DECODE_ARRAY && !is_flat(item))) {
			putc_unlocked(item->type == UE_DECODE_STRUCT ? '{' : '[', w->out);
			first = true;
		} else if (is_flat(item)) {
			put_flat(w, item);
			skip = item->depth + 1u;
		} else {
			put_value(w, item);
		}
	}
	if (more < 0 || event->error)
		fprintf(w->out, " <%s at byte %zu>",
			ue_decode_strerror(more < 0 ? fields.error : event->error),
			more < 0 ? fields.error_offset : event->error_offset);
}

static void put_activity(struct writer *w, const char *name, const uint8_t *id)
{
	size_t i;

	if (!id)
		return;
	fprintf(w->out, " %s=", name);
	for (i = 0; i < 16; i++)
		fprintf(w->out, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", id[i]);
}

static const char *level_colour(unsigned int level)
{
	static const char *const colours[] = { BOLD, BOLD RED, RED, YELLOW, BOLD, DIM };

	return level < sizeof(colours) / sizeof(*colours) ? colours[level] : DIM;
}

static const char *opcode_name(unsigned int opcode)
{
	static const char *const names[] = {
		"",	     "start", "stop",	"collection-start", "collection-stop",
		"extension", "reply", "resume", "suspend",	    "send",
	};

	return opcode < sizeof(names) / sizeof(*names) ? names[opcode]
	       : opcode == 0xf0			       ? "receive"
						       : "?";
}

static void put_padding(struct writer *w, size_t width)
{
	for (; w->colours && width < 24; width++)
		putc_unlocked(' ', w->out);
}

void put_event_name(struct writer *w, const char *name)
{
	put_colour(w, BOLD);
	put_clean(w->out, name, strlen(name));
	put_colour(w, PLAIN);
	put_padding(w, strlen(name));
}

void put_eventheader(struct writer *w, const char *tracepoint, const void *data, size_t size)
{
	struct ue_decode_event e;

	ue_decode_parse(&e, tracepoint, strlen(tracepoint), data, size);
	put_colour(w, level_colour(e.level));
	put_clean(w->out, e.provider, e.provider_length);
	putc_unlocked(':', w->out);
	put_clean(w->out, e.name, e.name_length);
	put_colour(w, PLAIN);
	put_padding(w, e.provider_length + 1 + e.name_length);
	if (e.opcode)
		fprintf(w->out, " (%s)", opcode_name(e.opcode));
	put_eventheader_fields(w, &e);
	put_activity(w, "activity", e.activity);
	put_activity(w, "related", e.related);
}
