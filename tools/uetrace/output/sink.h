/* SPDX-License-Identifier: MIT */
/*
 * Output of events. A reader calls sinks_event() for each event, which passes it to all sinks. Each
 * sink is an output format (format/) or a summary (summary/).
 *
 *   sink.c    list of sinks
 *   own.c     events that uetrace generates about itself
 *   stream.c  output file of a live session, written by a separate thread
 *   live.c    summaries that are redrawn on a terminal
 */
#ifndef UETRACE_SINK_H
#define UETRACE_SINK_H

#include <stdbool.h>
#include <stdint.h>

struct event;
struct record;

/* A consumer of events. Each sink type starts with this struct. */
struct sink {
	void (*event)(struct sink *sink, struct event *event, const struct record *record);
	void (*lost)(struct sink *sink, uint64_t lost); /* reports lost events; may be NULL */
	/* called after the initial gaps, when no more events are missing; may be NULL */
	void (*complete)(struct sink *sink);
	void (*flush)(struct sink *sink); /* writes buffered output; may be NULL */
	void (*end)(struct sink *sink);	  /* called after the last event; may be NULL */
	void (*free)(struct sink *sink);  /* may be NULL */
	bool off;			  /* true if the output failed; no more events are passed */
	bool failed;			  /* true if no event had a requested field */
	struct sink *next;
};
void sinks_add(struct sink **first, struct sink *sink);
void sinks_event(struct sink *first, struct event *event, const struct record *record);
void sinks_lost(struct sink *first, uint64_t lost);
void sinks_complete(struct sink *first);
void sinks_flush(struct sink *first);
void sinks_end(struct sink *first);
bool sinks_failed(const struct sink *first);
void sinks_free(struct sink *first);

/*
 * own.c. In both functions, realtime_offset is CLOCK_REALTIME minus the clock of the time argument,
 * in ns.
 */
/*
 * Passes an event "uetrace:NAME" to the sinks. The event contains uetrace's version and the numbers
 * of events printed and lost so far.
 */
void own_counts(struct sink *first, const char *name, uint64_t time, int64_t realtime_offset,
		uint64_t events, uint64_t lost, bool lost_unknown);
/*
 * Passes an event "uetrace:clock" to the sinks. The event reports that the system time was changed
 * by step ns.
 */
void own_clock(struct sink *first, uint64_t time, int64_t realtime_offset, int64_t step);

#endif
