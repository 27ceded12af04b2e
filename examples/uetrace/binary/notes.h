/* SPDX-License-Identifier: MIT */
/* notes.c: what a binary declares, for those who want more of it than specifications. */
#ifndef UETRACE_NOTES_H
#define UETRACE_NOTES_H

#include "binary/elf.h"
#include "uetrace.h"

#define NOTE_FIELDS_MAX 64 /* of an event */

struct note_field {
	const char *name; /* in the event's; NULL of logs */
	uint32_t type;	  /* of "Types" in user_events.h */
};

enum note_kind {
	NOTE_EVENT,  /* a site of UE_TRACE or UE_TRACEPOINT */
	NOTE_LOG,    /* a site of UE_LOG */
	NOTE_SET,    /* an event set */
	NOTE_RECORD, /* an event of TRACE_EVENT: its fields are in the spec alone */
};

struct note_event {
	enum note_kind kind;
	uint64_t address;	   /* of the nop, or a set's enable word; 0: it is not known */
	char *name;		   /* NULL of sets and logs */
	char *spec;		   /* NULL of logs */
	struct note_field *fields; /* of sites, with a type of 0 behind the last one */
	size_t n;
	uint8_t *meta; /* of logs: the event's header and metadata */
	size_t size;   /* of these */
};

/* In the order of the file. */
struct notes {
	struct note_event *events;
	size_t n;
};

void notes_collect(struct binary *b, struct notes *notes);
void notes_free(struct notes *notes);

/* types.c: keeps what the fields of an event are, until the end. */
void meanings_keep(const char *event, const struct note_field *fields, size_t n);

#endif
