/* SPDX-License-Identifier: MIT */
/*
 * Summarises events as counts, histograms and latencies. Each constructor returns a sink for
 * output/sink.h.
 *
 *   stats.c      summary, live table and progress line
 *   hist.c       histogram of a field
 *   latency.c    time between two events
 *   spans.c      open spans, in bounded memory
 *   histogram.c  histograms of numbers, in bounded memory; bars.c draws them
 */
#ifndef UETRACE_SUMMARY_H
#define UETRACE_SUMMARY_H

#include "output/sink.h"

#include <stddef.h>
#include <stdio.h>

struct row;

struct hist_settings {
	const char *event, *field;
};

struct latency_settings {
	const char *from, *to; /* event names; NULL for the start and end of activities */
	const char *by; /* field that links the events, "FIELD" or "FIELD,FIELD"; may be NULL */
	size_t slowest; /* number of longest durations to print with their events */
};

/* Both sinks print a summary at the end. If live is true, they also redraw it every second. */
struct sink *hist_new(const struct hist_settings *settings, FILE *out, bool live);
struct sink *latency_new(const struct latency_settings *settings, FILE *out, bool live);

/* stats.c */
struct stats {
	struct sink sink; /* sink that counts events */
	struct row **rows;
	void *by_name; /* tsearch() tree of rows */
	size_t row_count;
	bool live; /* true for live events; otherwise, begin and end are record times */
	uint64_t events;
	uint64_t bytes;
	uint64_t lost;
	bool lost_unknown; /* true if the actual number of lost events may exceed lost */
	uint64_t begin;	   /* start time (CLOCK_MONOTONIC), ns */
	uint64_t end;
	uint64_t shown_events;
	uint64_t shown_at;
	bool table_drawn;
	unsigned int table_lines;
	bool progress_drawn;
};

/* Starts counting the events that are passed to the sink. */
void stats_begin(struct stats *stats, bool live);
void stats_table(struct stats *stats, FILE *out, bool redraw);
void stats_progress(struct stats *stats, const char *output);
void stats_clear(struct stats *stats);
/* Prints the summary. unwritten is the number of output lines that could not be written. */
void stats_summary(struct stats *stats, uint64_t unwritten);

#endif
