/* SPDX-License-Identifier: MIT */
/* Draws a summary on a terminal and redraws it in place. */
#include "output/live.h"
#include "util/util.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define SECOND 1000000000u

void terminal_size(FILE *out, unsigned int *rows, unsigned int *columns)
{
	struct winsize size;
	/* a FILE created by stream.c has no descriptor, and its only possible terminal is stdout */
	int fd = fileno(out) >= 0 ? fileno(out) : STDOUT_FILENO;
	const char *given = getenv("COLUMNS");
	int wanted = given ? atoi(given) : 0;

	*rows = 24;
	*columns = wanted > 0 && wanted < 10000 ? (unsigned int)wanted : 80;
	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_row && size.ws_col) {
		*rows = size.ws_row;
		*columns = size.ws_col;
	}
}

void fresh_line(int fd)
{
	unsigned int rows, columns;

	terminal_size(stdout, &rows, &columns);
	dprintf(fd, "%*s\r", (int)columns, "");
}

static void draw(struct live *live, FILE *out, draw_fn fn, void *context, bool cut)
{
	unsigned int rows, columns, lines = 0;
	char *drawn = NULL, *line, *rest;
	size_t size;
	FILE *memory = open_memstream(&drawn, &size);

	if (!memory)
		die("out of memory");
	terminal_size(out, &rows, &columns);
	/* leave the last column empty, because a terminal may wrap after it */
	fn(context, memory, columns > 1 ? columns - 1 : 1);
	fclose(memory);
	if (live->lines)
		fprintf(out, "\033[%uA\033[J", live->lines);
	for (rest = drawn; (line = strsep(&rest, "\n")) && rest;) {
		if (cut && lines + 1 >= rows)
			break;
		fprintf(out, "%s\n", line);
		lines++;
	}
	live->lines = lines;
	fflush(out);
	free(drawn);
}

void live_draw(struct live *live, FILE *out, uint64_t time, draw_fn fn, void *context)
{
	if (!live->on || time < live->next)
		return;
	live->next = time + SECOND;
	draw(live, out, fn, context, true);
}

void live_end(struct live *live, FILE *out, draw_fn fn, void *context)
{
	draw(live, out, fn, context, false);
}
