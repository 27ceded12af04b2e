/* SPDX-License-Identifier: MIT */
/* histogram.c: counts numbers in bounded memory, for minimum, maximum and percentiles. */
#ifndef UETRACE_HISTOGRAM_H
#define UETRACE_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HISTOGRAM_POWERS 660  /* of ten; those of double go from -324 to 308 */
#define HISTOGRAM_BUCKETS 900 /* for each power */
#define HISTOGRAM_ROWS 20

struct histogram {
	uint64_t count;
	long double min, max; /* exactly */
	bool fractions;	      /* not all numbers are integers */
	/* private: the different values in order, while there are few, */
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
/* Counts a number; NaN is ignored. whole: the number is an integer. */
void histogram_add(struct histogram *h, long double value, bool whole);
/*
 * Returns a percentile; share is 0 to 1. It is exact for integers below 1000 and if there are at
 * most HISTOGRAM_ROWS different values, else at most 0.5 % off.
 */
long double histogram_percentile(const struct histogram *h, double share);

/* A row: values from least to below most. For a single value, both are that value. */
struct histogram_row {
	long double least, most;
	uint64_t count;
};
/*
 * Makes at most HISTOGRAM_ROWS rows in ascending order. values: rows of single values, if these are
 * few and repeat. Returns the number of rows.
 */
size_t histogram_rows(const struct histogram *h, bool values,
		      struct histogram_row rows[HISTOGRAM_ROWS]);

#endif
