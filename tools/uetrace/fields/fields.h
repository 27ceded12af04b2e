/* SPDX-License-Identifier: MIT */
/*
 * Prints the fields of events to lines of text, for uetrace and for the plugin for libtraceevent.
 * Nothing here writes to standard output or ends the process.
 *
 *	text.c	lines of text and JSON
 *	otel.c	logs and spans of OpenTelemetry in Common Schema, as user_events_otel.h and the
 *		exporters for Rust write them
 */
#ifndef UETRACE_FIELDS_H
#define UETRACE_FIELDS_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <user_events_decode.h>

/* text.c */

/* A growing line, which the owner frees. Without memory, text is left out. */
struct writer {
	bool colours;
	char *line;
	size_t n, room;
};

#define DIM "\033[2m"
#define BOLD "\033[1m"
#define RED "\033[31m"
#define YELLOW "\033[33m"
#define CYAN "\033[36m"
#define PLAIN "\033[0m"

void put_bytes(struct writer *w, const char *text, size_t n);
void put_char(struct writer *w, char c);
void put_text(struct writer *w, const char *text);
/* Appends at most 127 bytes. */
void put_format(struct writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Appends a number with leading zeros, at least width digits. */
void put_padded(struct writer *w, uint64_t value, unsigned int width);
void put_colour(struct writer *w, const char *colour);
/*
 * Appends untrusted text, with "?" for each character that a terminal would obey. put_clean()
 * writes such text to a file.
 */
void put_shown(struct writer *w, const char *text, size_t n);
void put_clean(FILE *out, const char *text, size_t n);
/* Writes the line to a file and begins a new one. */
void put_end(struct writer *w, FILE *out);
/*
 * Appends a string of JSON, quoted. Characters that a terminal would obey are escaped, and a byte
 * that is not UTF-8 becomes U+FFFD.
 */
void put_json_string(struct writer *w, const char *s, size_t n);
/* Returns the number of bytes of the UTF-8 character at s, of n > 0 bytes, or 0 if it is none. */
size_t utf8_character(const char *s, size_t n);
/* Returns the length of a text that is truncated to max bytes, after a whole character. */
size_t text_cut(const char *text, size_t n, size_t max);
/*
 * Appends a part of JSON, in which it escapes characters that a terminal would obey. text ends with
 * a whole character. This is a ue_decode_write_fn for a struct writer, and returns 0.
 */
int put_json(void *writer, const char *text, size_t n);
/* Appends " NAME=". */
void put_name(struct writer *w, const char *name, size_t length);
/* Appends a value as in JSON, but only strings are quoted and long decimal numbers are rounded. */
void put_value(struct writer *w, const struct ue_decode_item *item);
void put_event_name(struct writer *w, const char *name);
/* Returns the name of an EventHeader opcode, as "start". */
const char *opcode_name(unsigned int opcode);
/*
 * Appends a time in ns: if dated, since 1970 and as local time of day, else as seconds, with six
 * decimals.
 */
void put_clock(struct writer *w, uint64_t ns, bool dated);
/* Formats a duration as "1.5ms". */
const char *duration(char buffer[16], double ns);
/* Appends the fields of a record that a format file describes, with a space before each. */
void put_plain_fields(struct writer *w, const struct ue_decode_format *format, const void *data,
		      size_t size);
/*
 * Appends PROVIDER:EVENT and the fields of an EventHeader event. data: its bytes from the header
 * on.
 */
void put_eventheader(struct writer *w, const char *tracepoint, const void *data, size_t size);

/* otel.c */

/* The fields of a log or span that are not attributes, with the part that contains each. */
/* clang-format off */
#define OTEL_ROWS(_)                                                                   \
	_(TIME, A, time) _(TRACE, A, ext_dt_traceId) _(SPAN, A, ext_dt_spanId)         \
	_(ROLE, A, ext_cloud_role) _(INSTANCE, A, ext_cloud_roleInstance)              \
	_(TYPE, B, _typeName) _(BODY, B, body) _(SEVERITY, B, severityNumber)          \
	_(SEVERITY_TEXT, B, severityText) _(NAME, B, name) _(EVENT_ID, B, eventId)     \
	_(START, B, startTime) _(KIND, B, kind) _(SUCCESS, B, success)                 \
	_(PARENT, B, parentId) _(MESSAGE, B, statusMessage) _(LINKS, B, links)
/* clang-format on */
#define OTEL_FIELD(field, part, name) OTEL_##field,
enum otel_field { OTEL_ROWS(OTEL_FIELD) OTEL_FIELDS };

struct otel {
	bool span; /* else a log */
	/* ns since 1970, 0 if unknown; for a log, both are its time */
	uint64_t begin, end;
	struct ue_decode_item items[OTEL_FIELDS]; /* in the event's bytes; name NULL: absent */
};

/* Reads an event. Returns false if it is neither a log nor a span of OpenTelemetry. */
bool otel_read(const struct ue_decode_event *event, struct otel *otel);
/*
 * Goes to the next attribute. The caller begins with ue_decode_start() and *within false. Returns
 * false at the end.
 */
bool otel_attribute(struct ue_decode_fields *fields, bool *within);
/* Returns the number in a field, or 0 if the event does not have the field. */
uint64_t otel_number(const struct otel *otel, enum otel_field field);
/* Tells whether the field consists of this number of hexadecimal digits, not all zero. */
bool otel_is_id(const struct otel *otel, enum otel_field field, size_t digits);

#endif
