/* SPDX-License-Identifier: MIT */
/* Counts events for the summary, the live table and the progress line. */
#include "summary/summary.h"
#include "event/event.h"
#include "fields/fields.h"
#include "util/util.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>

#define SECOND 1e9
#define ROWS_MAX 10000 /* maximum number of rows; limited because programs choose the event names */
#define NAME_COLUMNS 32
#define HEAD "      COUNT     RATE/s        BYTES   MIN GAP  MEAN GAP   MAX GAP"
#define COUNT_COLUMNS 11

/*
 * Counters for all events with the same name. For EventHeader events, prefix is the provider and
 * name is the event name. For other events, prefix is "system:event" and name is "".
 */
struct row {
	const char *prefix, *name;
	size_t prefix_length, name_length;
	char *shown; /* prefix and name in printable form */
	uint64_t count;
	uint64_t bytes;
	uint64_t first;
	uint64_t last;
	uint64_t gap_min;
	uint64_t gap_max;
	uint64_t shown_count; /* value of count when the live table was last printed */
};

static int compare_part(const char *a, size_t a_length, const char *b, size_t b_length)
{
	int order = memcmp(a, b, a_length < b_length ? a_length : b_length);

	return order ? order : a_length < b_length ? -1 : a_length > b_length;
}

static int by_names(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int order = compare_part(x->prefix, x->prefix_length, y->prefix, y->prefix_length);

	return order ? order : compare_part(x->name, x->name_length, y->name, y->name_length);
}

/*
 * Returns the row with the name in key, and adds it if necessary. Returns NULL if the table is
 * full.
 */
static struct row *row_of(struct stats *stats, const struct row *key)
{
	struct row **found = tfind(key, &stats->by_name, by_names), *row;

	if (found)
		return *found;
	if (stats->row_count >= ROWS_MAX)
		return NULL;
	row = allocate(sizeof(*row));
	*row = *key;
	row->gap_min = UINT64_MAX;
	row->shown = text("%.*s%s%.*s", (int)key->prefix_length, key->prefix,
			  key->name_length ? ":" : "", (int)key->name_length, key->name);
	row->prefix = row->shown;
	row->name = row->shown + strlen(row->shown) - row->name_length;
	if (!tsearch(row, &stats->by_name, by_names))
		die("out of memory");
	if (!(stats->row_count & (stats->row_count - 1)))
		stats->rows = doubled(stats->rows, stats->row_count, sizeof(*stats->rows));
	stats->rows[stats->row_count++] = row;
	return row;
}

static void count_row(struct row *row, const struct record *record)
{
	/* if the buffers of several CPUs were not read in time order, the time may decrease */
	uint64_t gap = record->time > row->last ? record->time - row->last : 0;

	if (!row->count) {
		row->first = record->time;
	} else {
		row->gap_min = gap < row->gap_min ? gap : row->gap_min;
		row->gap_max = gap > row->gap_max ? gap : row->gap_max;
	}
	row->last = record->time;
	row->count++;
	row->bytes += record->size;
}

static void count(struct sink *sink, struct event *event, const struct record *record)
{
	struct stats *stats = (struct stats *)sink;
	struct row key = { .prefix = event->shown,
			   .prefix_length = strlen(event->shown),
			   .name = "" };
	struct ue_decode_event e;
	struct row *row;

	if (event->eventheader) {
		event_header(event, record, &e);
		if (e.name_length) {
			key.prefix = e.provider;
			key.prefix_length = e.provider_length;
			key.name = e.name;
			key.name_length = e.name_length;
		}
	}
	stats->bytes += record->size;
	if (!stats->live && !stats->events)
		stats->begin = record->time;
	if (!stats->live && record->time > stats->end)
		stats->end = record->time;
	stats->events++;
	row = row_of(stats, &key);
	if (row)
		count_row(row, record);
}

static void count_lost(struct sink *sink, uint64_t lost)
{
	((struct stats *)sink)->lost += lost;
}

static void stats_free(struct sink *sink)
{
	struct stats *stats = (struct stats *)sink;

	while (stats->row_count)
		free(stats->rows[--stats->row_count]->shown);
	tdestroy(stats->by_name, free);
	free(stats->rows);
	stats->rows = NULL;
}

void stats_begin(struct stats *stats, bool live)
{
	stats->sink = (struct sink){ .event = count, .lost = count_lost, .free = stats_free };
	stats->live = live;
	if (live)
		stats->begin = now();
}

static int by_count(const void *a, const void *b)
{
	const struct row *x = *(struct row *const *)a, *y = *(struct row *const *)b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return strcmp(x->shown, y->shown);
}

/* Size of the live table. It must fit on the terminal, so that the next table can overwrite it. */
struct room {
	size_t rows;
	size_t columns;
	size_t name; /* width of the event names in columns */
};

/*
 * Calculates the size of the table. If names are long, omits columns from the right, except for the
 * event count.
 */
static struct room room_of(FILE *out, const struct stats *stats)
{
	struct winsize size = { .ws_row = 24, .ws_col = 80 };
	struct winsize found;
	struct room room = { .name = NAME_COLUMNS };
	size_t i, length;

	if (ioctl(fileno(out), TIOCGWINSZ, &found) == 0 && found.ws_row && found.ws_col)
		size = found;
	/*
	 * The cursor occupies the last row. The last column stays empty, because a terminal may
	 * wrap after it.
	 */
	room.rows = size.ws_row > 2 ? size.ws_row - 1u : 1;
	room.columns = size.ws_col - 1u;
	for (i = 0; i < stats->row_count; i++) {
		length = strlen(stats->rows[i]->shown);
		room.name = length > room.name ? length : room.name;
	}
	if (room.name + COUNT_COLUMNS > room.columns)
		room.name = room.columns > COUNT_COLUMNS ? room.columns - COUNT_COLUMNS
							 : room.columns;
	return room;
}

/* Prints a line of the table. If room is not NULL, truncates the line to it. */
static void put_row(FILE *out, const struct room *room, const char *name, const char *figures)
{
	static const unsigned char ends[] = { 65, 55, 45, 35, 22, COUNT_COLUMNS, 0 };
	size_t length = strlen(name), columns = room ? room->name : NAME_COLUMNS, i = 0;

	if (room && length > columns)
		length = columns;
	while (room && ends[i] > room->columns - columns)
		i++;
	put_clean(out, name, length);
	fprintf(out, "%*s%.*s\n", length < columns ? (int)(columns - length) : 0, "",
		room ? (int)ends[i] : (int)strlen(figures), figures);
}

static void table_row(const struct row *row, double rate, FILE *out, const struct room *room)
{
	char least[16] = "-", mean[16] = "-", most[16] = "-", figures[128];

	if (row->count > 1) {
		duration(least, (double)row->gap_min);
		duration(mean, (double)(row->last - row->first) / (double)(row->count - 1));
		duration(most, (double)row->gap_max);
	}
	snprintf(figures, sizeof(figures), " %10llu %10.0f %12llu %9s %9s %9s",
		 (unsigned long long)row->count, rate, (unsigned long long)row->bytes, least, mean,
		 most);
	put_row(out, room, row->shown, figures);
}

/*
 * Prints the table. Event rates are averages: since the previous table if redraw is true, and since
 * the start otherwise.
 */
void stats_table(struct stats *stats, FILE *out, bool redraw)
{
	size_t i;
	uint64_t end = stats->end || !stats->live ? stats->end : now();
	uint64_t since = redraw && stats->shown_at ? stats->shown_at : stats->begin;
	double seconds = (double)(end - since) / SECOND;
	struct room live = room_of(out, stats), *room = redraw ? &live : NULL;

	if (stats->table_drawn)
		fprintf(out, "\033[%uA\033[J", stats->table_lines);
	if (stats->row_count)
		qsort(stats->rows, stats->row_count, sizeof(*stats->rows), by_count);
	put_row(out, room, "EVENT", HEAD);
	stats->table_lines = 1;
	for (i = 0; i < stats->row_count && (!room || stats->table_lines < room->rows); i++) {
		struct row *row = stats->rows[i];
		uint64_t more = row->count - (redraw ? row->shown_count : 0);

		table_row(row, seconds > 0 ? (double)more / seconds : 0, out, room);
		row->shown_count = row->count;
		stats->table_lines++;
	}
	fflush(out);
	stats->table_drawn = redraw;
	stats->shown_at = end;
}

/* Returns the number of lost events as text. The text is valid until the next call. */
static const char *lost_text(const struct stats *stats)
{
	static char number[24];

	if (stats->lost_unknown)
		return "an unknown number";
	snprintf(number, sizeof(number), "%llu", (unsigned long long)stats->lost);
	return number;
}

void stats_progress(struct stats *stats, const char *output)
{
	uint64_t t = now();
	double seconds = (double)(t - (stats->shown_at ? stats->shown_at : stats->begin)) / SECOND;
	double rate = seconds > 0 ? (double)(stats->events - stats->shown_events) / seconds : 0;

	fprintf(stderr, "\r\033[K%s: %llu events, %.0f/s, %s lost", output,
		(unsigned long long)stats->events, rate, lost_text(stats));
	fflush(stderr);
	stats->progress_drawn = true;
	stats->shown_at = t;
	stats->shown_events = stats->events;
}

void stats_clear(struct stats *stats)
{
	if (stats->progress_drawn)
		fputs("\r\033[K", stderr);
	stats->progress_drawn = false;
}

void stats_summary(struct stats *stats, uint64_t unwritten)
{
	double seconds = (double)(stats->end - stats->begin) / SECOND;

	stats_clear(stats);
	fprintf(stderr, "uetrace: %llu event%s in %.3f s (%.0f/s), %s lost",
		(unsigned long long)stats->events, stats->events == 1 ? "" : "s", seconds,
		seconds > 0 ? (double)stats->events / seconds : 0, lost_text(stats));
	if (unwritten)
		fprintf(stderr, ", %llu line%s not written", (unsigned long long)unwritten,
			unwritten == 1 ? "" : "s");
	fputc('\n', stderr);
}
