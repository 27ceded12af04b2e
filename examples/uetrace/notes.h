/* SPDX-License-Identifier: MIT */
/* notes.c: what a binary declares, for those who want more of it than specifications. */
#ifndef UETRACE_NOTES_H
#define UETRACE_NOTES_H

#include "binary.h"
#include "uetrace.h"

#define NOTE_FIELDS_MAX 64 /* of an event */

struct note_field {
	char *name;
	uint32_t type; /* of "Types" in user_events.h */
};

/* A site of UE_TRACE or UE_TRACEPOINT, or an event of TRACE_EVENT. */
struct note_event {
	char *name;
	char *spec;
	uint64_t pc; /* address of its nop; 0: there is none, or it is not known */
	bool record; /* of TRACE_EVENT: its fields are in the spec alone */
	size_t n;
	struct note_field *fields;
};

struct note_set {
	char *spec;
	uint64_t word; /* address of its enable word */
};

/* A site of UE_LOG: its nop, its fields' types up to a 0, and the event's header and metadata. */
struct note_site {
	uint64_t pc;
	uint32_t types[NOTE_FIELDS_MAX + 1];
	size_t size;
	uint8_t *meta;
};

struct notes {
	struct note_event *events;
	struct note_set *sets;
	struct note_site *sites;
	size_t n_events, n_sets, n_sites;
};

/* Bytes of a unit, and whether the field is a pointer and a count. */
struct note_type {
	uint8_t unit, kind, format;
	bool value, zstring, counted;
};
struct note_type note_type(uint32_t type);

void notes_collect(struct binary *b, struct notes *notes);
void notes_free(struct notes *notes);

/* meanings.c: keeps what the fields of an event are, until the end. */
void meanings_keep(const char *event, const struct note_field *fields, size_t n);

#endif
