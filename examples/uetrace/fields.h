/* SPDX-License-Identifier: MIT */
/* Events' fields as text, for uetrace and for the plugin for libtraceevent. */
#ifndef UETRACE_FIELDS_H
#define UETRACE_FIELDS_H

#include <stdbool.h>
#include <stdio.h>

#include <user_events_decode.h>

struct writer {
	FILE *out;
	bool colours;
	char *value; /* a value's text, which grows; the owner frees it */
	size_t value_room;
};

#define DIM "\033[2m"
#define BOLD "\033[1m"
#define RED "\033[31m"
#define YELLOW "\033[33m"
#define CYAN "\033[36m"
#define PLAIN "\033[0m"

void put_colour(const struct writer *w, const char *colour);
/*
 * Writes text of strangers; "?" stands for each character that would do something to the
 * terminal.
 */
void put_clean(FILE *out, const char *text, size_t n);
/*
 * Writes JSON, with such characters as "\u202e". text ends with a whole character. A
 * ue_decode_write_fn, out is a FILE: returns 0, or -EIO.
 */
int put_json(void *out, const char *text, size_t n);
/* " NAME=" */
void put_name(struct writer *w, const char *name, size_t length);
/* As in JSON, but only strings have quotes, and floating point numbers few digits. */
void put_value(struct writer *w, const struct ue_decode_item *item);
void put_event_name(struct writer *w, const char *name);
/* The fields of a record that a format file describes, a space before each. */
void put_plain_fields(struct writer *w, const struct ue_decode_format *format, const void *data,
		      size_t size);
/*
 * PROVIDER:EVENT and the fields of an EventHeader event, data being its bytes from the header on.
 */
void put_eventheader(struct writer *w, const char *tracepoint, const void *data, size_t size);

#endif
