/* SPDX-License-Identifier: MIT */
/*
 * The fields of events as text, for uetrace and for the plugin for libtraceevent: nothing here
 * prints or ends the process.
 *
 *	text.c	lines of text and JSON
 *	otel.c	OpenTelemetry's logs and spans in Common Schema, as user_events_otel.h and Rust's
 *		exporters write them
 */
#ifndef UETRACE_FIELDS_H
#define UETRACE_FIELDS_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <user_events_decode.h>

/* text.c */

/* A line that grows; the owner frees it. Without memory, text is left out. */
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
/* At most 127 bytes. */
void put_format(struct writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* With zeros in front, up to so many digits. */
void put_padded(struct writer *w, uint64_t value, unsigned int width);
void put_colour(struct writer *w, const char *colour);
/*
 * Puts text of strangers; "?" stands for each character that would do something to the terminal.
 * put_clean() writes it.
 */
void put_shown(struct writer *w, const char *text, size_t n);
void put_clean(FILE *out, const char *text, size_t n);
/* Writes the line, and begins a new one. */
void put_end(struct writer *w, FILE *out);
/*
 * Writes JSON, with such characters as "\u202e". text ends with a whole character. A
 * ue_decode_write_fn, whose context is a struct writer: returns 0.
 */
int put_json(void *writer, const char *text, size_t n);
/* " NAME=" */
void put_name(struct writer *w, const char *name, size_t length);
/* As in JSON, but only strings have quotes, and floating point numbers few digits. */
void put_value(struct writer *w, const struct ue_decode_item *item);
void put_event_name(struct writer *w, const char *name);
const char *opcode_name(unsigned int opcode); /* "start" */
/* Formats a time as "1.5ms". */
const char *duration(char buffer[16], double ns);
/* The fields of a record that a format file describes, a space before each. */
void put_plain_fields(struct writer *w, const struct ue_decode_format *format, const void *data,
		      size_t size);
/*
 * PROVIDER:EVENT and the fields of an EventHeader event, data being its bytes from the header on.
 */
void put_eventheader(struct writer *w, const char *tracepoint, const void *data, size_t size);

/* otel.c */

/* What is not an attribute, and in which part it is. */
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
	/* ns since 1970; those of a log are its time; 0: not known */
	uint64_t begin, end;
	struct ue_decode_item items[OTEL_FIELDS]; /* in the event's bytes; name NULL: it has none */
};

/* Returns false if the event is none of these. */
bool otel_read(const struct ue_decode_event *event, struct otel *otel);
/* Goes to the next attribute. Begin with ue_decode_start(), and *within false. */
bool otel_attribute(struct ue_decode_fields *fields, bool *within);
/* Returns 0 if the event does not have it. */
uint64_t otel_number(const struct otel *otel, enum otel_field field);
/* Is it hexadecimal digits, so many of them, and not all zeros? */
bool otel_is_id(const struct otel *otel, enum otel_field field, size_t digits);

#endif
