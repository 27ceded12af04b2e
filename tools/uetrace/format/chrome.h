/* SPDX-License-Identifier: MIT */
/* chrome.c: writes timelines in the Chrome Trace Event Format. */
#ifndef UETRACE_CHROME_H
#define UETRACE_CHROME_H

#include "event/event.h"
#include "fields/fields.h"

#include <stdio.h>

/*
 * A horizontal row of the timeline: a thread, an additional lane of a thread, or another row of a
 * process.
 */
struct track {
	pid_t pid, tid;
	unsigned int number; /* 0 for a thread, otherwise a unique number */
};

/* Kinds of marks. The values are the phases ("ph") of the format. */
enum mark_kind {
	MARK_INSTANT = 'i',
	MARK_SLICE = 'X',
	MARK_OPEN = 'B', /* slice with an unknown end */
};

/* A slice or an instant on a track. */
struct mark {
	enum mark_kind kind;
	const struct track *track;
	uint64_t begin, end;
	const struct about *about;
	/*
	 * event that ended the slice, or NULL; the fields of this event are written as a struct
	 * named "stop"
	 */
	const struct about *stop;
};

struct chrome {
	FILE *out;
	struct writer w; /* current line */
	bool more;	 /* true if the event list is not empty */
	bool first;	 /* true if the next member is the first one of its object or array */
};

/*
 * Starts a timeline. realtime_offset is CLOCK_REALTIME minus the clock of the record times, in ns.
 * dated is false if the offset is unknown.
 */
void chrome_begin(struct chrome *c, int64_t realtime_offset, bool dated);
/*
 * Names a process. Must be called before the first mark of the process, and again whenever its name
 * changes.
 */
void chrome_process(struct chrome *c, pid_t pid, const char *name);
/*
 * Names a track. sort is the position of the track within its process. Must be called at the same
 * times as chrome_process().
 */
void chrome_track(struct chrome *c, const struct track *track, unsigned int sort, const char *name);
void chrome_mark(struct chrome *c, const struct mark *mark);
/* Starts (phase 's') or ends (phase 'f') a flow at the start of a slice. */
void chrome_flow(struct chrome *c, char phase, const struct mark *mark, uint64_t flow);
void chrome_count(struct chrome *c, pid_t pid, const char *name, uint64_t time,
		  const struct field *value);
void chrome_lost(struct chrome *c, uint64_t time, uint64_t lost);
/* Ends the timeline and frees the line buffer. */
void chrome_end(struct chrome *c);

#endif
