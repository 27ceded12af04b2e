/* SPDX-License-Identifier: MIT */
/* Numbers: count, least, most, percentiles, in bounded memory. */
#ifndef UETRACE_HISTOGRAM_H
#define UETRACE_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
 * The value that this share (0 to 1) of all are not above: exactly for integers below 1000 and
 * where there are no more than HISTOGRAM_ROWS different values, else at most 0.5 % off.
 */
long double histogram_percentile(const struct histogram *h, double share);

/* A row: values from least to below most; of one value, both are it. */
struct histogram_row {
	long double least, most;
	uint64_t count;
};
/*
 * At most HISTOGRAM_ROWS rows from the least value to the most, in order; values: the values
 * themselves if they are few and come again and again. Returns how many.
 */
size_t histogram_rows(const struct histogram *h, bool values,
		      struct histogram_row rows[HISTOGRAM_ROWS]);

#endif
