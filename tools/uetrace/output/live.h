/* SPDX-License-Identifier: MIT */
/* Draws summaries that are updated in place on a terminal. */
#ifndef UETRACE_LIVE_H
#define UETRACE_LIVE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Returns the size of the terminal that out writes to. If out is not a terminal, returns 24 rows
 * and either $COLUMNS or 80 columns.
 */
void terminal_size(FILE *out, unsigned int *rows, unsigned int *columns);
/*
 * Moves the cursor to the start of an empty line, because a traced program may have printed part of
 * a line. Writes as many spaces as the terminal has columns, and a carriage return. Therefore, the
 * cursor changes lines only if it is not already at the start of a line.
 */
void fresh_line(int fd);

struct live {
	bool on;	    /* redraw every second */
	uint64_t next;	    /* time of the next redraw, on the clock of the events, ns */
	unsigned int lines; /* number of lines drawn last time */
};
/* Draws a summary whose lines have at most this number of columns. */
typedef void (*draw_fn)(void *context, FILE *out, unsigned int columns);
/* Redraws the summary, at most once per second and truncated to the number of terminal rows. */
void live_draw(struct live *live, FILE *out, uint64_t time, draw_fn fn, void *context);
/* Redraws the whole summary a last time. */
void live_end(struct live *live, FILE *out, draw_fn fn, void *context);

#endif
