/* SPDX-License-Identifier: MIT */
/*
 * histogram.c: counts numbers in bounded memory, to calculate their minimum, maximum and
 * percentiles.
 */
#ifndef UETRACE_HISTOGRAM_H
#define UETRACE_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HISTOGRAM_POWERS 660  /* number of powers of ten; double requires -324 to 308 */
#define HISTOGRAM_BUCKETS 900 /* number of buckets per power of ten */
#define HISTOGRAM_ROWS 20

struct histogram {
	uint64_t count;
	long double min, max; /* exact values */
	bool fractions;	      /* true if some numbers are not integers */
	/* private: distinct values in ascending order, valid if different <= HISTOGRAM_ROWS */
	struct histogram_value {
		long double value;
		uint64_t count;
	} values[HISTOGRAM_ROWS];
	size_t different; /* number of distinct values; HISTOGRAM_ROWS + 1 if there are more */
	/*
	 * private: pages of HISTOGRAM_BUCKETS counters each, in ascending order; a page whose
	 * counters are all 0 is NULL
	 */
	uint64_t *pages[2 * HISTOGRAM_POWERS + 1];
};

struct histogram *histogram_new(void);
void histogram_free(struct histogram *h);
/* Counts a number. Ignores NaN. whole is true if the number is an integer. */
void histogram_add(struct histogram *h, long double value, bool whole);
/*
 * Returns a percentile, which is given as a share between 0 and 1. The result is exact for integers
 * below 1000, and for at most HISTOGRAM_ROWS distinct values. Otherwise, the error is at most 0.5%.
 */
long double histogram_percentile(const struct histogram *h, double share);

/*
 * A row counts the values v with least <= v < most. If least == most, it counts only the value
 * least.
 */
struct histogram_row {
	long double least, most;
	uint64_t count;
};
/*
 * Writes at most HISTOGRAM_ROWS rows in ascending order and returns their number. If values is
 * true, and the values are few and repeat, writes one row for each distinct value.
 */
size_t histogram_rows(const struct histogram *h, bool values,
		      struct histogram_row rows[HISTOGRAM_ROWS]);

#endif
