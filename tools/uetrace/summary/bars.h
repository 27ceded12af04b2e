/* SPDX-License-Identifier: MIT */
/* bars.c: draws histograms on a terminal. */
#ifndef UETRACE_BARS_H
#define UETRACE_BARS_H

#include "summary/histogram.h"

#include <stdio.h>

enum unit { UNIT_NONE, UNIT_NS };

/* Print the heading, then lines with count, minimum, median, 99th percentile and maximum. */
void bars_head(FILE *out, unsigned int columns, const char *name);
void bars_summary(FILE *out, unsigned int columns, const char *name, const struct histogram *h,
		  enum unit unit);
void bars_rows(FILE *out, unsigned int columns, const struct histogram *h, enum unit unit);
/* Tells whether the name fits in these lines. */
bool bars_fit(unsigned int columns, const char *name);
/*
 * Prints a whole name: its last part, of up to room columns, begins the current line, and any
 * earlier parts are printed on lines of their own before it. Returns the length of the last part.
 */
size_t bars_name(FILE *out, unsigned int columns, size_t room, const char *name);
/* Prints a single row with this label. */
void bars_row(FILE *out, unsigned int columns, const char *label, size_t label_columns,
	      uint64_t count, uint64_t most);

#endif
