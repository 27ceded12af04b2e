/* SPDX-License-Identifier: MIT */
/* bars.c: draws histograms on a terminal. */
#ifndef UETRACE_BARS_H
#define UETRACE_BARS_H

#include "summary/histogram.h"

#include <stdio.h>

enum unit { UNIT_NONE, UNIT_NS };

/*
 * These functions print a heading, a summary (count, minimum, median, 99th percentile, maximum),
 * and the rows of a histogram.
 */
void bars_head(FILE *out, unsigned int columns, const char *name);
void bars_summary(FILE *out, unsigned int columns, const char *name, const struct histogram *h,
		  enum unit unit);
void bars_rows(FILE *out, unsigned int columns, const struct histogram *h, enum unit unit);
/* Returns true if the name fits in the name column of the summary. */
bool bars_fit(unsigned int columns, const char *name);
/*
 * Prints a whole name, on several lines if necessary. The last part of the name, at most room
 * columns wide, has no newline, so that the caller can continue its line. Returns the length of
 * this part.
 */
size_t bars_name(FILE *out, unsigned int columns, size_t room, const char *name);
/* Prints a single row. */
void bars_row(FILE *out, unsigned int columns, const char *label, size_t label_columns,
	      uint64_t count, uint64_t most);

#endif
