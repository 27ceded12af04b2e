/* SPDX-License-Identifier: MIT */
/*
 * What becomes of events. Whatever reads events hands each to sinks_event(), which hands it to all
 * that count, print or draw it.
 *
 *	sink.c		the sinks that the options ask for
 *	print.c		lines of text
 *	json.c		lines of JSON
 *	own.c		what uetrace reports of itself
 *	stream.c	where it is written to, live: a file that nobody waits for
 *	stats.c		the summary, the live table, the progress line
 *	picture.c	slices, instants, flows and tracks, which chrome.c writes as Chrome's JSON
 *	ctf.c		a folder in the Common Trace Format
 *	otlp.c		OpenTelemetry's logs and spans
 *	hist.c		the histogram of a field
 *	latency.c	the time between two events
 *	spans.c		what has started and not stopped yet, in bounded memory
 *	histogram.c	numbers, in bounded memory; bars.c draws them
 *	live.c		what changes on a terminal
 */
#ifndef UETRACE_WRITE_H
#define UETRACE_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct event;
struct options;
struct record;
struct row;

/* sink.c */
/* Something that gets events. The struct of each kind of sink begins with this one. */
struct sink {
	void (*event)(struct sink *sink, struct event *event, const struct record *record);
	void (*lost)(struct sink *sink, uint64_t lost); /* so many more were lost; may be NULL */
	void (*complete)(struct sink *sink);		/* no gaps from here on; may be NULL */
	void (*flush)(struct sink *sink);		/* writes what it has; may be NULL */
	void (*end)(struct sink *sink);			/* that was the last event; may be NULL */
	void (*free)(struct sink *sink);		/* may be NULL */
	bool off;    /* gets no more events, since its output is broken */
	bool failed; /* no event had a field that it was asked for */
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
/* What is written: --json says it, or the ending of the output's name. */
enum output_format {
	OUTPUT_TEXT,
	OUTPUT_JSON,
	OUTPUT_OTLP,
	OUTPUT_PICTURE,
	OUTPUT_CTF,
	OUTPUT_UNKNOWN,
};
enum output_format output_format(const struct options *o);
/* Adds the sink that the options ask for. */
void sinks_open(struct sink **first, const struct options *o, FILE *out, bool colours);

/*
 * The sinks. hist and latency write at the end; live, also every second over what they wrote
 * before.
 */
struct sink *printer_new(FILE *out, bool colours);
struct sink *json_new(FILE *out, const struct options *o);
struct sink *hist_new(const struct options *o, FILE *out, bool live);
struct sink *latency_new(const struct options *o, FILE *out, bool live);

/* A sink of OpenTelemetry's requests, one a line. */
struct sink *otlp_new(FILE *out, const struct options *options);
/* A sink that makes a folder of this name. */
struct sink *ctf_new(const char *folder);
/* A sink that draws into out. counters: "event.field"... */
struct sink *picture_new(FILE *out, char **counters);

/* own.c: wall is CLOCK_REALTIME minus the clock of time. */
/* Hands on "uetrace:NAME": this version, the events and lost ones that it has shown so far. */
void own_counts(struct sink *first, const char *name, uint64_t time, int64_t wall, uint64_t events,
		uint64_t lost);
/* Hands on "uetrace:clock": the time of day has been set, by this step in ns. */
void own_clock(struct sink *first, uint64_t time, int64_t wall, int64_t step);

/* stats.c */
struct stats {
	struct sink sink; /* counts */
	struct row **rows;
	void *by_name; /* of tsearch(): these */
	size_t row_count;
	bool live; /* else begin and end are times of records */
	uint64_t events;
	uint64_t bytes;
	uint64_t lost;
	uint64_t begin; /* CLOCK_MONOTONIC, ns */
	uint64_t end;
	uint64_t shown_events;
	uint64_t shown_at;
	bool table_drawn;
	unsigned int table_lines;
	bool progress_drawn;
};

/* Counts the events that its sink gets. */
void stats_begin(struct stats *stats, bool live);
void stats_table(struct stats *stats, FILE *out, bool redraw);
void stats_progress(struct stats *stats, const char *output);
void stats_clear(struct stats *stats);
/* unwritten: lines that the output did not take. */
void stats_summary(struct stats *stats, uint64_t unwritten);

#endif
