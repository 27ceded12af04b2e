/* SPDX-License-Identifier: MIT */
/* What changes on a terminal. */
#ifndef UETRACE_LIVE_H
#define UETRACE_LIVE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Of a terminal that the stream writes to; else 24 and $COLUMNS, or 80. */
void terminal_size(FILE *out, unsigned int *rows, unsigned int *columns);
/*
 * Begins a line of a terminal behind one that a program has not ended: as many blanks as there are
 * columns reach the next line then, else the end of this one.
 */
void fresh_line(int fd);

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

#endif
