/* SPDX-License-Identifier: MIT */
/*
 * Formats event fields as text. The libtraceevent plugin also uses this file, so it must not exit
 * the process.
 */
#include "fields/fields.h"
#include "util/clean.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TRUNCATED " (truncated)" /* suffix of an event that the program truncated */

/* Enlarges the line to fit n more bytes. Returns false if memory runs out. */
static bool put_more(struct writer *w, size_t n)
{
	size_t room = w->room ? w->room : 512;
	char *line;

	while (w->n + n > room)
		room *= 2;
	line = realloc(w->line, room);
	if (!line)
		return false;
	w->line = line;
	w->room = room;
	return true;
}

void put_bytes(struct writer *w, const char *text, size_t n)
{
	if (w->room - w->n < n && !put_more(w, n))
		return;
	if (n)
		memcpy(w->line + w->n, text, n);
	w->n += n;
}

void put_char(struct writer *w, char c)
{
	put_bytes(w, &c, 1);
}

void put_text(struct writer *w, const char *text)
{
	put_bytes(w, text, strlen(text));
}

void put_format(struct writer *w, const char *format, ...)
{
	char text[128];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	put_text(w, text);
}

void put_padded(struct writer *w, uint64_t value, unsigned int width)
{
	char text[32], *p = text + sizeof(text);

	for (; value || width || p == text + sizeof(text); value /= 10) {
		*--p = (char)('0' + value % 10);
		width -= width != 0;
	}
	put_bytes(w, p, (size_t)(text + sizeof(text) - p));
}

void put_end(struct writer *w, FILE *out)
{
	if (w->n)
		fwrite_unlocked(w->line, 1, w->n, out);
	w->n = 0;
}

size_t utf8_character(const char *text, size_t n)
{
	const uint8_t *s = (const uint8_t *)text;

	return *s < 0x80 ? 1 : ue__decode_sequence(s, s + n);
}

size_t text_cut(const char *text, size_t n, size_t max)
{
	if (n <= max)
		return n;
	while (max && (text[max] & 0xc0) == 0x80)
		max--;
	return max;
}

/*
 * Returns the length of the longest prefix that is safe to print. The prefix ends before the first
 * control character, character that changes the text direction, or invalid UTF-8, because some
 * terminals interpret these bytes.
 */
static size_t printable(const char *text, size_t n)
{
	const unsigned char *s = (const unsigned char *)text, *end = s + n;
	const uint64_t ones = 0x0101010101010101u;
	uint64_t bytes;
	size_t length;

	while (s < end) {
		for (; end - s >= 8; s += 8) {
			memcpy(&bytes, s, 8);
			/* check whether any of eight bytes is below 32 or above 126 */
			if ((bytes | (bytes - ones * 32) | (bytes + ones)) & ones * 0x80)
				break;
		}
		for (; s < end && *s >= 32 && *s < 127; s++)
			;
		length = s < end && s[0] > 127 ? utf8_character((const char *)s, (size_t)(end - s))
					       : 0;
		if (!length || unclean_character(s, length))
			break;
		s += length;
	}
	return (size_t)(s - (const unsigned char *)text);
}

/*
 * Appends text. If escape is true, unsafe characters become JSON escapes such as "\u202e";
 * otherwise, they become "?".
 */
static void put_printable(struct writer *w, const char *text, size_t n, bool escape)
{
	const unsigned char *s = (const unsigned char *)(n ? text : ""), *end = s + n;
	unsigned int code;
	size_t length;

	for (;;) {
		length = printable((const char *)s, (size_t)(end - s));
		put_bytes(w, (const char *)s, length);
		s += length;
		if (s == end)
			return;
		length = *s < 0x80 ? 1 : utf8_character((const char *)s, (size_t)(end - s));
		code = length ? unclean_character(s, length) : 0;
		if (code && escape)
			put_format(w, "\\u%04x", code);
		else
			put_char(w, '?');
		s += length ? length : 1;
	}
}

void put_shown(struct writer *w, const char *text, size_t n)
{
	put_printable(w, text, n, false);
}

void put_clean(FILE *out, const char *text, size_t n)
{
	static struct writer w;

	put_printable(&w, text, n, false);
	put_end(&w, out);
}

void put_json_string(struct writer *w, const char *s, size_t n)
{
	const char *end = s + n, *clean;
	unsigned int code;
	size_t length;

	put_char(w, '"');
	for (;;) {
		for (clean = s; s < end && *s >= ' ' && *s <= '~' && *s != '"' && *s != '\\'; s++)
			;
		put_bytes(w, clean, (size_t)(s - clean));
		if (s == end)
			break;
		length = utf8_character(s, (size_t)(end - s));
		code = (unsigned char)*s < ' ' ? (unsigned char)*s
		       : length		       ? unclean_character((const unsigned char *)s, length)
					       : 0;
		if (!length) {
			put_text(w, "\xef\xbf\xbd"); /* U+FFFD, the replacement character */
		} else if (*s == '"' || *s == '\\') {
			put_char(w, '\\');
			put_char(w, *s);
		} else if (code || !*s) {
			put_format(w, "\\u%04x", code);
		} else {
			put_bytes(w, s, length);
		}
		s += length ? length : 1;
	}
	put_char(w, '"');
}

int put_json(void *writer, const char *text, size_t n)
{
	put_printable(writer, text, n, true);
	return 0;
}

void put_colour(struct writer *w, const char *colour)
{
	if (w->colours)
		put_text(w, colour);
}

static bool is_string(const struct ue_decode_item *item)
{
	if (item->format == UE_DECODE_FORMAT_LATIN1 || item->format == UE_DECODE_FORMAT_UTF)
		return true;
	return item->kind >= UE_DECODE_KIND_ZSTRING8 && item->kind <= UE_DECODE_KIND_STRING32 &&
	       item->format != UE_DECODE_FORMAT_HEX_BYTES;
}

#define LONG 10 /* minimum length of a number to be rounded, in characters */

static bool is_long_float(const struct ue_decode_item *item, size_t n)
{
	return item->type == UE_DECODE_VALUE && item->format == UE_DECODE_FORMAT_FLOAT &&
	       n >= LONG &&
	       (item->kind == UE_DECODE_KIND_VALUE32 || item->kind == UE_DECODE_KIND_VALUE64);
}

/*
 * Rounds the decimal number at s to 9 significant digits, or to 6 if it is below 1, and returns its
 * new length. Does not round numbers of 10^9 and above, because they are probably counters.
 */
static size_t shorten(char *s, size_t n)
{
	char *exponent = memchr(s, 'e', n), *end = exponent ? exponent : s + n;
	char *first = s + (*s == '-'), *point = memchr(s, '.', n), *p = first;
	unsigned int digits = exponent || *first == '0' ? 6 : 9;
	size_t rest = (size_t)(s + n - end);
	bool up;

	if (!point || point - first > 9 || (exponent && exponent[1] == '+'))
		return n;
	while (*p == '0' || *p == '.')
		p++; /* skip leading zeros, which are not significant */
	for (; p < end && digits; p++)
		digits -= *p != '.';
	if (p == point)
		p++;
	up = p < end && *p >= '5';
	end = p;
	while (up && --p >= first) {
		if (*p == '.')
			continue;
		up = *p == '9';
		*p = up ? '0' : (char)(*p + 1);
	}
	if (up) { /* the carry turned 99.9999999999 into 00.00: insert a 1, drop the last 0 */
		memmove(first + 1, first, (size_t)(end - first - 1));
		*first = '1';
		point++;
	}
	while (end > point + 1 && end[-1] == '0')
		end--;
	if (end == point + 1)
		end--;
	memmove(end, s + n - rest, rest);
	return (size_t)(end - s) + rest;
}

void put_value(struct writer *w, const struct ue_decode_item *item)
{
	size_t n, room;
	bool string = is_string(item);
	char *s;

	do {
		room = w->room - w->n;
		n = ue_decode_value(item, UE_DECODE_JSON, room ? w->line + w->n : NULL, room);
	} while (n >= room && put_more(w, n + 1));
	if (n >= room) {
		put_char(w, '?');
		return;
	}
	s = w->line + w->n;
	if (n >= 2 && s[0] == '"' && !string)
		memmove(s, s + 1, n -= 2);
	if (is_long_float(item, n))
		n = shorten(s, n);
	if (string && printable(s, n) < n) {
		s = strndup(s, n);
		put_printable(w, s ? s : "?", s ? n : 1, true);
		free(s);
		return;
	}
	w->n += n;
}

static void put_field_name(struct writer *w, const char *name, size_t length)
{
	put_colour(w, CYAN);
	put_printable(w, name, length, false);
	put_colour(w, PLAIN);
	put_char(w, '=');
}

void put_name(struct writer *w, const char *name, size_t length)
{
	put_char(w, ' ');
	put_field_name(w, name, length);
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
			put_char(w, '?');
	}
	if (ue_decode_format_truncated(format, data, size))
		put_text(w, TRUNCATED);
}

/*
 * Returns true if an array is printed as a single value. The caller must then skip the elements,
 * which the decoder still returns.
 */
static bool is_flat(const struct ue_decode_item *item)
{
	return item->type == UE_DECODE_ARRAY && item->value;
}

/*
 * Prints an array as a single value. A character array is printed as a string up to its first NUL,
 * as in kernel-typed events.
 */
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
	unsigned int skip = 0; /* depth of the array whose elements are skipped, plus 1; or 0 */
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
			put_char(w, item->type == UE_DECODE_STRUCT_END ? '}' : ']');
			first = false;
			continue;
		}
		/* the decoder also returns the array's name with each element */
		if (item->array && item->type != UE_DECODE_ARRAY) {
			if (!first)
				put_text(w, ", ");
		} else if (first) {
			put_field_name(w, item->name, item->name_length);
		} else {
			put_name(w, item->name, item->name_length);
		}
		first = false;
		if (item->type == UE_DECODE_STRUCT ||
		    (item->type == UE_DECODE_ARRAY && !is_flat(item))) {
			put_char(w, item->type == UE_DECODE_STRUCT ? '{' : '[');
			first = true;
		} else if (is_flat(item)) {
			put_flat(w, item);
			skip = item->depth + 1u;
		} else {
			put_value(w, item);
		}
	}
	if (more < 0 || event->error)
		put_format(w, " <%s at byte %zu>",
			   ue_decode_strerror(more < 0 ? fields.error : event->error),
			   more < 0 ? fields.error_offset : event->error_offset);
}

static void put_activity(struct writer *w, const char *name, const uint8_t *id)
{
	struct ue_decode_item item = { .type = UE_DECODE_VALUE,
				       .kind = UE_DECODE_KIND_VALUE128,
				       .format = UE_DECODE_FORMAT_UUID,
				       .value = id,
				       .size = 16 };

	if (!id)
		return;
	put_text(w, name);
	put_value(w, &item);
}

static const char *level_colour(unsigned int level)
{
	static const char *const colours[] = { BOLD, BOLD RED, RED, YELLOW, BOLD, DIM };

	return level < sizeof(colours) / sizeof(*colours) ? colours[level] : DIM;
}

const char *opcode_name(unsigned int opcode)
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
		put_char(w, ' ');
}

void put_event_name(struct writer *w, const char *name)
{
	put_colour(w, BOLD);
	put_shown(w, name, strlen(name));
	put_colour(w, PLAIN);
	put_padding(w, strlen(name));
}

void put_clock(struct writer *w, uint64_t ns, bool dated)
{
	/* second that hms contains; cached because localtime_r() is slow */
	static time_t last = -1;
	static char hms[16];
	time_t second = (time_t)(ns / 1000000000u);
	struct tm tm;

	if (dated && second != last) {
		if (localtime_r(&second, &tm))
			strftime(hms, sizeof(hms), "%H:%M:%S", &tm);
		last = second;
	}
	if (dated)
		put_text(w, hms);
	else
		put_format(w, "%8llu", (unsigned long long)second);
	put_char(w, '.');
	put_padded(w, ns % 1000000000u / 1000, 6);
}

const char *duration(char buffer[16], double ns)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	size_t i;

	for (i = 0; i < 3 && ns >= 1000; i++)
		ns /= 1000;
	snprintf(buffer, 16, "%.*f%s", i ? 1 : 0, ns, units[i]);
	return buffer;
}

/*
 * Prints a log as severity, body and attributes. Prints a span as name, duration, kind and
 * attributes. The IDs come last in both cases.
 */
static void put_otel(struct writer *w, const struct ue_decode_event *e, const struct otel *otel)
{
	static const struct {
		const char *name;
		enum otel_field field;
	} rows[] = { { " name=", OTEL_NAME },	  { " id=", OTEL_EVENT_ID },
		     { " error=", OTEL_MESSAGE }, { " trace=", OTEL_TRACE },
		     { " span=", OTEL_SPAN },	  { " parent=", OTEL_PARENT },
		     { " links=", OTEL_LINKS },	  { " service=", OTEL_ROLE } };
	static const char *const kinds[] = { "internal", "server", "client", "producer",
					     "consumer" };
	const struct ue_decode_item *severity = &otel->items[OTEL_SEVERITY_TEXT];
	uint64_t kind = otel_number(otel, OTEL_KIND);
	struct ue_decode_fields fields;
	bool within = false;
	char took[16];
	size_t i;

	put_char(w, ' ');
	if (otel->span) {
		put_value(w, &otel->items[OTEL_NAME]);
		put_format(w, " %s %s", duration(took, (double)(otel->end - otel->begin)),
			   kind < 5 ? kinds[kind] : "?");
	} else {
		put_shown(w, (const char *)severity->value, severity->size);
		put_char(w, ' ');
		put_value(w, &otel->items[OTEL_BODY]);
	}
	ue_decode_start(&fields, e);
	while (otel_attribute(&fields, &within)) {
		put_name(w, fields.item.name, fields.item.name_length);
		put_value(w, &fields.item);
	}
	for (i = otel->span; i < sizeof(rows) / sizeof(*rows); i++) {
		if (otel->items[rows[i].field].name) {
			put_text(w, rows[i].name);
			put_value(w, &otel->items[rows[i].field]);
		}
	}
}

void put_eventheader(struct writer *w, const char *tracepoint, const void *data, size_t size)
{
	struct ue_decode_event e;
	struct otel otel;

	ue_decode_parse(&e, tracepoint, strlen(tracepoint), data, size);
	put_colour(w, level_colour(e.level));
	put_shown(w, e.provider, e.provider_length);
	put_char(w, ':');
	put_shown(w, e.name, e.name_length);
	put_colour(w, PLAIN);
	if (e.attributes_length)
		put_shown(w, e.name + e.name_length, e.attributes_length);
	put_padding(w, e.provider_length + 1 + e.name_length + e.attributes_length);
	if (e.opcode)
		put_format(w, " (%s)", opcode_name(e.opcode));
	if (otel_read(&e, &otel))
		put_otel(w, &e, &otel);
	else
		put_eventheader_fields(w, &e);
	put_activity(w, " activity=", e.activity);
	put_activity(w, " related=", e.related);
	if (ue_decode_truncated(&e))
		put_text(w, TRUNCATED);
}
