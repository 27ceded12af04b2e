/* SPDX-License-Identifier: MIT */
/*
 * Summarises events: counts, histograms and latencies. Each constructor returns a sink for
 * output/sink.h.
 *
 *	stats.c		the summary, the live table and the progress line
 *	hist.c		the histogram of a field
 *	latency.c	the time between two events
 *	spans.c		spans that have begun and not ended, in bounded memory
 *	histogram.c	histograms of numbers, in bounded memory; bars.c draws them
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
	const char *from, *to; /* events; NULL: begin and end of activities */
	const char *by; /* field that links the events, as "FIELD" or "FIELD,FIELD"; or NULL */
	size_t slowest; /* number of the longest durations to print with their events */
};

/* Sinks that print their summary at the end. If live is true, they also redraw it every second. */
struct sink *hist_new(const struct hist_settings *settings, FILE *out, bool live);
struct sink *latency_new(const struct latency_settings *settings, FILE *out, bool live);

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
	bool lost_unknown; /* more events than these may be lost */
	uint64_t begin;	   /* CLOCK_MONOTONIC, ns */
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
