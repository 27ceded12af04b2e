/* SPDX-License-Identifier: MIT */
/* What was seen: the summary, the live table, the progress line. */
#include "uetrace.h"

#include "fields.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1e9
#define NAME_COLUMNS 32
#define NAME_LEAST 14 /* on a terminal where all columns have no room */
#define HEAD "      COUNT     RATE/s        BYTES   MIN GAP  MEAN GAP   MAX GAP"

uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void count(struct sink *sink, struct event *event, const struct record *record)
{
	struct stats *stats = (struct stats *)sink;
	uint64_t gap = record->time - event->last;

	stats->events++;
	stats->bytes += record->size;
	if (!event->count) {
		event->first = record->time;
	} else {
		event->gap_min = gap < event->gap_min ? gap : event->gap_min;
		event->gap_max = gap > event->gap_max ? gap : event->gap_max;
	}
	event->last = record->time;
	event->count++;
	event->bytes += record->size;
}

static void count_lost(struct sink *sink, uint64_t lost)
{
	((struct stats *)sink)->lost += lost;
}

void stats_begin(struct stats *stats)
{
	stats->sink = (struct sink){ .event = count, .lost = count_lost };
	stats->begin = now();
}

static const char *duration(char buffer[16], double ns)
{
	static const struct {
		double unit;
		const char *name;
	} units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" }, { 1, "ns" } };
	size_t i = 0;

	while (i < ARRAY_SIZE(units) - 1 && ns < units[i].unit)
		i++;
	snprintf(buffer, 16, "%.*f%s", i == ARRAY_SIZE(units) - 1 ? 0 : 1, ns / units[i].unit,
		 units[i].name);
	return buffer;
}

static int by_count(const void *a, const void *b)
{
	const struct event *x = *(struct event *const *)a, *y = *(struct event *const *)b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return strcmp(x->shown, y->shown);
}

/* What fits onto a live table, so that the next one is drawn over it. */
struct room {
	size_t rows;
	size_t columns;
	size_t name; /* columns of it */
};

static struct room room_of(FILE *out)
{
	struct winsize size = { .ws_row = 24, .ws_col = 80 };
	struct winsize found;
	struct room room;

	if (ioctl(fileno(out), TIOCGWINSZ, &found) == 0 && found.ws_row && found.ws_col)
		size = found;
	/* the last row is the cursor's; a row that ends in the last column may wrap */
	room.rows = size.ws_row > 2 ? size.ws_row - 1u : 1;
	room.columns = size.ws_col - 1u;
	room.name = NAME_COLUMNS;
	if (room.columns < NAME_COLUMNS + strlen(HEAD))
		room.name = room.columns < NAME_LEAST + strlen(HEAD) ? NAME_LEAST
								     : room.columns - strlen(HEAD);
	if (room.name > room.columns)
		room.name = room.columns;
	return room;
}

/* room: NULL if it need not fit */
static void put_row(FILE *out, const struct room *room, const char *name, const char *figures)
{
	size_t length = strlen(name), columns = room ? room->name : NAME_COLUMNS;
	size_t shown = strlen(figures);

	if (room && length > columns)
		length = columns;
	if (room && shown > room->columns - columns)
		shown = room->columns - columns;
	put_clean(out, name, length);
	fprintf(out, "%*s%.*s\n", length < columns ? (int)(columns - length) : 0, "", (int)shown,
		figures);
}

static void table_row(const struct event *event, double rate, FILE *out, const struct room *room)
{
	char least[16] = "-", mean[16] = "-", most[16] = "-", figures[128];

	if (event->count > 1) {
		duration(least, (double)event->gap_min);
		duration(mean, (double)(event->last - event->first) / (double)(event->count - 1));
		duration(most, (double)event->gap_max);
	}
	snprintf(figures, sizeof(figures), " %10llu %10.0f %12llu %9s %9s %9s",
		 (unsigned long long)event->count, rate, (unsigned long long)event->bytes, least,
		 mean, most);
	put_row(out, room, event->shown, figures);
}

/* The rate is that of the time since the last table, or of all of it. */
void stats_table(struct stats *stats, const struct events *events, FILE *out, bool redraw)
{
	struct event **list, **sorted;
	size_t n = events_list(events, &list), i;
	uint64_t end = stats->end ? stats->end : now();
	uint64_t since = redraw && stats->shown_at ? stats->shown_at : stats->begin;
	double seconds = (double)(end - since) / SECOND;
	struct room live = room_of(out), *room = redraw ? &live : NULL;

	if (stats->table_drawn)
		fprintf(out, "\033[%uA\033[J", stats->table_lines);
	sorted = allocate(n * sizeof(*sorted));
	if (n)
		memcpy(sorted, list, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), by_count);
	put_row(out, room, "EVENT", HEAD);
	stats->table_lines = 1;
	for (i = 0; i < n && (!room || stats->table_lines < room->rows); i++) {
		struct event *event = sorted[i];
		uint64_t count = event->count - (redraw ? event->shown_count : 0);

		if (!event->count)
			break;
		table_row(event, seconds > 0 ? (double)count / seconds : 0, out, room);
		event->shown_count = event->count;
		stats->table_lines++;
	}
	free(sorted);
	fflush(out);
	stats->table_drawn = redraw;
	stats->shown_at = end;
}

void stats_progress(struct stats *stats, const char *output)
{
	uint64_t t = now();
	double seconds = (double)(t - (stats->shown_at ? stats->shown_at : stats->begin)) / SECOND;
	double rate = seconds > 0 ? (double)(stats->events - stats->shown_events) / seconds : 0;

	fprintf(stderr, "\r\033[K%s: %llu events, %.0f/s, %llu lost", output,
		(unsigned long long)stats->events, rate, (unsigned long long)stats->lost);
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

void stats_summary(struct stats *stats)
{
	double seconds = (double)(stats->end - stats->begin) / SECOND;

	stats_clear(stats);
	fprintf(stderr, "uetrace: %llu event%s in %.3f s (%.0f/s), %llu lost\n",
		(unsigned long long)stats->events, stats->events == 1 ? "" : "s", seconds,
		seconds > 0 ? (double)stats->events / seconds : 0, (unsigned long long)stats->lost);
}
