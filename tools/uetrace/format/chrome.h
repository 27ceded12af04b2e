/* SPDX-License-Identifier: MIT */
/* Chrome's Trace Event Format. */
#ifndef UETRACE_CHROME_H
#define UETRACE_CHROME_H

#include "event/event.h"

#include <stdio.h>

/* A line of the picture: a thread, or what is beside one. */
struct track {
	pid_t pid, tid;
	unsigned int number; /* 0 of a thread, else one that no other track has */
};

/* These are Chrome's phases. */
enum mark_kind {
	MARK_INSTANT = 'i',
	MARK_SLICE = 'X',
	MARK_OPEN = 'B', /* a slice whose end is not known */
};

/* What is drawn onto a track. */
struct mark {
	enum mark_kind kind;
	const struct track *track;
	uint64_t begin, end;
	const struct about *about;
	/* what ended a slice: its fields are in a struct "stop"; or NULL */
	const struct about *stop;
};

struct chrome {
	FILE *out;
	bool more;  /* the list of events is not empty */
	bool first; /* the next member is the first of its object or array */
};

/*
 * realtime_offset: CLOCK_REALTIME minus the clock of the times, ns; dated: whether it is known.
 */
void chrome_begin(struct chrome *c, int64_t realtime_offset, bool dated);
/* Name a process or a track: before anything is drawn onto it, and again when its name changes. */
void chrome_process(struct chrome *c, pid_t pid, const char *name);
/* sort: where it stands in its process. */
void chrome_track(struct chrome *c, const struct track *track, unsigned int sort, const char *name);
void chrome_mark(struct chrome *c, const struct mark *mark);
/* phase: the flow starts ('s') or finishes ('f') where the mark begins, which is a slice. */
void chrome_flow(struct chrome *c, char phase, const struct mark *mark, uint64_t flow);
void chrome_count(struct chrome *c, pid_t pid, const char *name, uint64_t time,
		  const struct field *value);
void chrome_lost(struct chrome *c, uint64_t time, uint64_t lost);
void chrome_end(struct chrome *c);

/*
 * Writes a string of JSON, without characters that would do something to a terminal; other bytes
 * than UTF-8 are U+FFFD.
 */
void json_string(FILE *out, const char *s, size_t n);
/*
 * Writes the field's name; a name may occur once in an object of JSON: the second one is "name#2".
 */
void json_name(FILE *out, const struct field *field);

#endif
