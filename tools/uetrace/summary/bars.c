/* SPDX-License-Identifier: MIT */
/* Draws histograms on a terminal. Lines are never wider than the terminal. */
#include "summary/bars.h"
#include "fields/fields.h"
#include "util/util.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define FIGURES "     COUNT       MIN    MEDIAN       P99       MAX"
#define NAME_LEAST 8
#define BAR_MOST 60 /* maximum length of a bar in columns */
#define VALUE 32
#define LABEL (2 * VALUE + 8)

static const char *shown(char text[VALUE], long double value, bool whole, enum unit unit)
{
	if (unit == UNIT_NS)
		return duration(text, (double)value);
	/* print very large numbers with an exponent */
	if (whole && value > -1e15L && value < 1e15L)
		snprintf(text, VALUE, "%.0Lf", value);
	else
		snprintf(text, VALUE, "%.6Lg", value);
	return text;
}

static size_t name_columns(unsigned int columns)
{
	size_t rest = columns > strlen(FIGURES) ? columns - strlen(FIGURES) : 0;

	return rest > 40 ? 40 : rest < NAME_LEAST ? NAME_LEAST : rest;
}

size_t bars_name(FILE *out, unsigned int columns, size_t room, const char *name)
{
	size_t n;

	while ((n = strlen(name)) > room) {
		n = n > columns ? columns : n;
		/* do not split a UTF-8 character */
		while (n > 1 && ((unsigned char)name[n] & 0xc0) == 0x80)
			n--;
		put_clean(out, name, n);
		putc_unlocked('\n', out);
		name += n;
	}
	put_clean(out, name, n);
	return n;
}

/* Prints a name and, after its last part, as many figures as fit on the line. */
static void put_line(FILE *out, unsigned int columns, const char *name, const char *figures)
{
	size_t name_room = name_columns(columns), n = bars_name(out, columns, name_room, name);
	size_t room = columns > name_room ? columns - name_room : 0;

	fprintf(out, "%*s%.*s\n", (int)(name_room - n), "", (int)room, figures);
}

bool bars_fit(unsigned int columns, const char *name)
{
	return strlen(name) <= name_columns(columns);
}

void bars_head(FILE *out, unsigned int columns, const char *name)
{
	put_line(out, columns, name, FIGURES);
}

void bars_summary(FILE *out, unsigned int columns, const char *name, const struct histogram *h,
		  enum unit unit)
{
	const long double values[] = { h->min, histogram_percentile(h, 0.5),
				       histogram_percentile(h, 0.99), h->max };
	char figures[160], value[VALUE];
	int n = snprintf(figures, sizeof(figures), "%10llu", (unsigned long long)h->count);
	size_t i;

	for (i = 0; h->count && i < ARRAY_SIZE(values); i++)
		n += snprintf(figures + n, sizeof(figures) - (size_t)n, " %9s",
			      shown(value, values[i], !h->fractions, unit));
	put_line(out, columns, name, figures);
}

void bars_row(FILE *out, unsigned int columns, const char *label, size_t label_columns,
	      uint64_t count, uint64_t most)
{
	size_t n = strlen(label), room, length;

	if (n > label_columns)
		n = label_columns;
	fprintf(out, "%*s", (int)(label_columns - n), "");
	put_clean(out, label, n);
	fprintf(out, " %10llu |", (unsigned long long)count);
	room = label_columns + 13 < columns ? columns - label_columns - 13 : 0;
	if (room > BAR_MOST)
		room = BAR_MOST;
	length = most ? (size_t)((double)count / (double)most * (double)room + 0.5) : 0;
	/* draw at least one column if the count is not 0 */
	if (count && !length && room)
		length = 1;
	while (length--)
		putc_unlocked('@', out);
	putc_unlocked('\n', out);
}

/*
 * Formats the bound of a row. Bounds have at most three significant digits, so they need no
 * rounding.
 */
static const char *bound(char text[VALUE], long double value, bool whole, enum unit unit)
{
	static const char *const names[] = { "ns", "us", "ms", "s" };
	size_t i;

	if (unit == UNIT_NONE)
		return shown(text, value, whole, unit);
	for (i = 0; i < ARRAY_SIZE(names) - 1 && value >= 1000; i++)
		value /= 1000;
	snprintf(text, VALUE, "%.6Lg%s", value, names[i]);
	return text;
}

static void row_label(char label[LABEL], const struct histogram_row *row, bool whole,
		      enum unit unit)
{
	char least[VALUE], most[VALUE];

	if (row->least == row->most)
		snprintf(label, LABEL, "%s", shown(least, row->least, whole, unit));
	else
		snprintf(label, LABEL, "[%s, %s)", bound(least, row->least, whole, unit),
			 bound(most, row->most, whole, unit));
}

void bars_rows(FILE *out, unsigned int columns, const struct histogram *h, enum unit unit)
{
	struct histogram_row rows[HISTOGRAM_ROWS];
	size_t n = histogram_rows(h, unit == UNIT_NONE, rows), i, width = 0;
	char labels[HISTOGRAM_ROWS][LABEL];
	uint64_t most = 0;

	for (i = 0; i < n; i++) {
		row_label(labels[i], &rows[i], !h->fractions, unit);
		if (strlen(labels[i]) > width)
			width = strlen(labels[i]);
		if (rows[i].count > most)
			most = rows[i].count;
	}
	for (i = 0; i < n; i++) {
		/* replace three or more consecutive empty rows with a single line */
		if (i && i + 2 < n && !rows[i].count && !rows[i + 1].count && !rows[i + 2].count) {
			bars_row(out, columns, "...", width, 0, most);
			while (i + 1 < n && !rows[i + 1].count)
				i++;
			continue;
		}
		bars_row(out, columns, labels[i], width, rows[i].count, most);
	}
}
