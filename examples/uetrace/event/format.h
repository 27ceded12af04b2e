/* SPDX-License-Identifier: MIT */
/* How the records of an event are read. */
#ifndef UETRACE_DECODE_H
#define UETRACE_DECODE_H

#include "uetrace.h"

#include <user_events_decode.h>

#define FIELDS_MAX 256

struct decoder {
	struct ue_decode_format format;
	struct ue_decode_field fields[FIELDS_MAX];
	size_t own;    /* the first that is not in all events */
	size_t places; /* how many from there on tell where a probe was hit, up to 2 */
};

/* Where an EventHeader event begins in its record, at most at its end. */
static inline size_t header_offset(const struct event *event, const struct record *record)
{
	size_t offset = event->decoder->format.eventheader;

	return offset < record->size ? offset : record->size;
}

/* What is before the fields of an EventHeader event; the error is in e, too. */
static inline int event_header(const struct event *event, const struct record *record,
			       struct ue_decode_event *e)
{
	size_t offset = header_offset(event, record);

	return ue_decode_parse(e, event->shown, strlen(event->shown),
			       (const char *)record->data + offset, record->size - offset);
}

/* binary/types.c: takes what binaries say of the fields, for text; JSON is that of the format alone. */
void event_meanings(struct event *event);

#endif
