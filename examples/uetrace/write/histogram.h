/* SPDX-License-Identifier: MIT */
/*
 * Values and times as summaries and bars, in bounded memory.
 *
 *	histogram.c	numbers: count, least, most, percentiles
 *	bars.c		histograms on a terminal
 *	live.c		what changes on a terminal
 *	hist.c		the histogram of a field
 *	latency.c	the time between two events
 */
#ifndef UETRACE_HISTOGRAM_H
#define UETRACE_HISTOGRAM_H

#include "event/print_fields.h"
#include "write/picture.h"

/* histogram.c */

#define HISTOGRAM_POWERS 660  /* of ten; those of double go from -324 to 308 */
#define HISTOGRAM_BUCKETS 900 /* of each power */
#define HISTOGRAM_ROWS 20

struct histogram {
	uint64_t count;
	long double min, max; /* exactly */
	bool fractions;	      /* not all are integers */
	/* private: the different values in order, as long as there are few, */
	struct histogram_value {
		long double value;
		uint64_t count;
	} values[HISTOGRAM_ROWS];
	size_t different; /* HISTOGRAM_ROWS + 1: more */
	/* and pages of HISTOGRAM_BUCKETS, from the least number on; NULL: all are empty */
	uint64_t *pages[2 * HISTOGRAM_POWERS + 1];
};

struct histogram *histogram_new(void);
void histogram_free(struct histogram *h);
/* NaN is not counted. whole: it is an integer. */
void histogram_add(struct histogram *h, long double value, bool whole);
/*
 * The value that this share (0 to 1) of all are not above: exactly for integers below 1000 and where there are
 * no more than HISTOGRAM_ROWS different values, else at most 0.5 % off.
 */
long double histogram_percentile(const struct histogram *h, double share);

/* A row: values from least to below most; of one value, both are it. */
struct histogram_row {
	long double least, most;
	uint64_t count;
};
/*
 * At most HISTOGRAM_ROWS rows from the least value to the most, in order; values: the values themselves
 * if they are few and come again and again. Returns how many.
 */
size_t histogram_rows(const struct histogram *h, bool values,
		      struct histogram_row rows[HISTOGRAM_ROWS]);

/* bars.c */

enum unit { UNIT_NONE, UNIT_NS };

/* A line of names, then lines of count, min, median, p99 and max. */
void bars_head(FILE *out, unsigned int columns, const char *name);
void bars_summary(FILE *out, unsigned int columns, const char *name, const struct histogram *h,
		  enum unit unit);
void bars_rows(FILE *out, unsigned int columns, const struct histogram *h, enum unit unit);
/* Is there room for the name in these lines? */
bool bars_fit(unsigned int columns, const char *name);
/* One row of another kind. */
void bars_row(FILE *out, unsigned int columns, const char *label, size_t label_columns,
	      uint64_t count, uint64_t most);

/* live.c */

/* Of a terminal that the stream writes to; else 24 and $COLUMNS, or 80. */
void terminal_size(FILE *out, unsigned int *rows, unsigned int *columns);

struct live {
	bool on;	    /* draw it again and again */
	uint64_t next;	    /* when, on the clock of the events */
	unsigned int lines; /* that were drawn last */
};
/* Draws lines of at most so many columns. */
typedef void (*draw_fn)(void *context, FILE *out, unsigned int columns);
/* Once a second, as much as the terminal has lines for. */
void live_draw(struct live *live, FILE *out, uint64_t time, draw_fn fn, void *context);
/* The last time, all of it. */
void live_end(struct live *live, FILE *out, draw_fn fn, void *context);

/* hist.c, latency.c */

/*
 * Sinks that write to out at the end what the options ask for; live, also every second over what they
 * wrote before.
 */
struct sink *hist_new(const struct options *o, FILE *out, bool live);
struct sink *latency_new(const struct options *o, FILE *out, bool live);

#endif
