/* SPDX-License-Identifier: MIT */
/* Events' fields as text, for uetrace and for the plugin for libtraceevent. */
#ifndef UETRACE_FIELDS_H
#define UETRACE_FIELDS_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <user_events_decode.h>

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

/* Makes room for n bytes more. Returns false if there is no memory. */
bool put_more(struct writer *w, size_t n);

static inline void put_bytes(struct writer *w, const char *text, size_t n)
{
	if (w->room - w->n < n && !put_more(w, n))
		return;
	if (n)
		memcpy(w->line + w->n, text, n);
	w->n += n;
}

static inline void put_char(struct writer *w, char c)
{
	put_bytes(w, &c, 1);
}

static inline void put_text(struct writer *w, const char *text)
{
	put_bytes(w, text, strlen(text));
}

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

#endif
