/* SPDX-License-Identifier: MIT */
/* Histograms on a terminal. */
#ifndef UETRACE_BARS_H
#define UETRACE_BARS_H

#include "summary/histogram.h"

#include <stdio.h>

enum unit { UNIT_NONE, UNIT_NS };

/* A line of names, then lines of count, min, median, p99 and max. */
void bars_head(FILE *out, unsigned int columns, const char *name);
void bars_summary(FILE *out, unsigned int columns, const char *name, const struct histogram *h,
		  enum unit unit);
void bars_rows(FILE *out, unsigned int columns, const struct histogram *h, enum unit unit);
/* Is there room for the name in these lines? */
bool bars_fit(unsigned int columns, const char *name);
/*
 * Prints a name, whole: its end in a line that has so much room for it, and what comes before that,
 * if there is more, in lines of their own. Returns the length of the end.
 */
size_t bars_name(FILE *out, unsigned int columns, size_t room, const char *name);
/* One row of another kind. */
void bars_row(FILE *out, unsigned int columns, const char *label, size_t label_columns,
	      uint64_t count, uint64_t most);

#endif
