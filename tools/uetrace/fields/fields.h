/* SPDX-License-Identifier: MIT */
/*
 * Formats the fields of events as text, for uetrace and the libtraceevent plugin. Nothing in this
 * directory writes to standard output or exits the process.
 *
 *   text.c  text and JSON
 *   dotnet.c  events of the .NET runtime, as EventHeader events (dotnet.h)
 *   otel.c  OpenTelemetry logs and spans in Common Schema, as written by user_events_otel.h and the
 *   Rust exporters
 */
#ifndef UETRACE_FIELDS_H
#define UETRACE_FIELDS_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <user_events_decode.h>

/* text.c */

/* A growing line of text. The owner frees line. If memory runs out, text is dropped. */
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
/* Appends formatted text, truncated to 127 bytes. */
void put_format(struct writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Appends a number with at least width digits, padded with zeros. */
void put_padded(struct writer *w, uint64_t value, unsigned int width);
void put_colour(struct writer *w, const char *colour);
/*
 * Appends untrusted text. Replaces each character that would control a terminal with "?". To write
 * untrusted text directly to a file, use put_clean().
 */
void put_shown(struct writer *w, const char *text, size_t n);
void put_clean(FILE *out, const char *text, size_t n);
/* Writes the line to a file and starts a new line. */
void put_end(struct writer *w, FILE *out);
/*
 * Appends a quoted JSON string. Escapes characters that would control a terminal, and replaces each
 * byte that is not valid UTF-8 with U+FFFD.
 */
void put_json_string(struct writer *w, const char *s, size_t n);
/*
 * Returns the length in bytes of the UTF-8 character at s, or 0 if it is invalid. n is the number
 * of available bytes, at least 1.
 */
size_t utf8_character(const char *s, size_t n);
/*
 * Returns the length of the text if it is truncated to at most max bytes without splitting a
 * character.
 */
size_t text_cut(const char *text, size_t n, size_t max);
/*
 * Appends a piece of JSON, which must not end within a character. Escapes characters that would
 * control a terminal. Always returns 0. This function can be used as a ue_decode_write_fn whose
 * context is a struct writer.
 */
int put_json(void *writer, const char *text, size_t n);
/* Appends " NAME=". */
void put_name(struct writer *w, const char *name, size_t length);
/*
 * Appends a value as in JSON, except that only strings are quoted, and that long decimal fractions
 * are rounded.
 */
void put_value(struct writer *w, const struct ue_decode_item *item);
void put_event_name(struct writer *w, const char *name);
/* Returns the name of an EventHeader opcode, for example "start". */
const char *opcode_name(unsigned int opcode);
/*
 * Appends a time with six decimals. If dated is true, ns counts from 1970 and is printed as the
 * local time of day. Otherwise, ns is printed in seconds.
 */
void put_clock(struct writer *w, uint64_t ns, bool dated);
/* Formats a duration, for example as "1.5ms". */
const char *duration(char buffer[16], double ns);
/*
 * Appends the fields of a record that has this format, each preceded by a space. If the program
 * truncated the event, also appends " (truncated)". put_eventheader() does the same.
 */
void put_plain_fields(struct writer *w, const struct ue_decode_format *format, const void *data,
		      size_t size);
/*
 * Appends "PROVIDER:EVENT" and the fields of an EventHeader event. data points to the event's
 * header.
 */
void put_eventheader(struct writer *w, const char *tracepoint, const void *data, size_t size);

/* otel.c */

/*
 * Fields of a log or span other than its attributes. Each row contains the Common Schema part (A or
 * B) to which the field belongs.
 */
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
	bool span; /* false for a log */
	/* start and end in ns since 1970, 0 if unknown; equal for a log */
	uint64_t begin, end;
	/* field values, which point into the event; name is NULL for an absent field */
	struct ue_decode_item items[OTEL_FIELDS];
};

/* Reads an event. Returns false if it is neither an OpenTelemetry log nor a span. */
bool otel_read(const struct ue_decode_event *event, struct otel *otel);
/*
 * Advances to the next attribute. Before the first call, call ue_decode_start() and set *within to
 * false. Returns false after the last attribute.
 */
bool otel_attribute(struct ue_decode_fields *fields, bool *within);
/* Returns the value of a numeric field, or 0 if the field is absent. */
uint64_t otel_number(const struct otel *otel, enum otel_field field);
/*
 * Returns true if the field consists of exactly this number of hexadecimal digits, at least one of
 * which is not 0.
 */
bool otel_is_id(const struct otel *otel, enum otel_field field, size_t digits);

#endif
