/* SPDX-License-Identifier: MIT */
/* chrome.c: writes timelines in the Chrome Trace Event Format. */
#ifndef UETRACE_CHROME_H
#define UETRACE_CHROME_H

#include "event/event.h"
#include "fields/fields.h"

#include <stdio.h>

/* A row of the timeline: a thread, a lane next to it, or another row of its process. */
struct track {
	pid_t pid, tid;
	unsigned int number; /* 0 for a thread, else a unique number */
};

/* Kinds of marks. The values are the phases ("ph") of the format. */
enum mark_kind {
	MARK_INSTANT = 'i',
	MARK_SLICE = 'X',
	MARK_OPEN = 'B', /* a slice whose end is unknown */
};

/* A slice or an instant on a track. */
struct mark {
	enum mark_kind kind;
	const struct track *track;
	uint64_t begin, end;
	const struct about *about;
	/* event that ended a slice, or NULL; its fields are written as a struct "stop" */
	const struct about *stop;
};

struct chrome {
	FILE *out;
	struct writer w; /* the current line */
	bool more;	 /* the list of events is not empty */
	bool first;	 /* the next member is the first of its object or array */
};

/*
 * Begins a timeline. realtime_offset is CLOCK_REALTIME minus the clock of the times, in ns; dated
 * is false if it is unknown.
 */
void chrome_begin(struct chrome *c, int64_t realtime_offset, bool dated);
/* Name a process or a track. Call them before its first mark and whenever its name changes. */
void chrome_process(struct chrome *c, pid_t pid, const char *name);
/* sort: position of the track among the tracks of its process. */
void chrome_track(struct chrome *c, const struct track *track, unsigned int sort, const char *name);
void chrome_mark(struct chrome *c, const struct mark *mark);
/* Starts ('s') or finishes ('f') a flow at the start of a slice. */
void chrome_flow(struct chrome *c, char phase, const struct mark *mark, uint64_t flow);
void chrome_count(struct chrome *c, pid_t pid, const char *name, uint64_t time,
		  const struct field *value);
void chrome_lost(struct chrome *c, uint64_t time, uint64_t lost);
/* Ends the timeline and frees the line buffer. */
void chrome_end(struct chrome *c);

#endif
