/* SPDX-License-Identifier: MIT */
/*
 * Draws a histogram of a field's values. Numbers are grouped by value, and strings are sorted by
 * frequency.
 */
#include "summary/summary.h"
#include "command/options.h"
#include "event/event.h"
#include "fields/fields.h"
#include "select/select.h"
#include "util/util.h"
#include "summary/bars.h"
#include "output/live.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EVENTS 64  /* maximum number of event names in a histogram */
#define TEXTS 4096 /* maximum number of distinct strings per event name */
#define TEXT 256   /* strings that agree in this number of bytes are counted together */
#define TEXTS_SHOWN 20

struct count {
	uint64_t n;
	char text[];
};

/* Values of the field in all events with the same name. */
struct series {
	char *name;
	struct histogram *numbers;
	struct count **texts;
	size_t texts_n;
	void *by_text;	  /* tsearch() tree of the strings */
	uint64_t others;  /* number of strings not counted separately, because TEXTS was exceeded */
	uint64_t missing; /* number of events that lack the field */
};

/*
 * If an event lacks the field, its field names are collected for the error message. At most this
 * number of events is examined.
 */
#define LOOKED_AT 1000

struct hist {
	struct sink sink;
	FILE *out;
	struct live live;
	const char *event, *field;
	struct series series[EVENTS];
	size_t n;
	uint64_t others; /* number of events not counted, because EVENTS was exceeded */
};

static int by_text(const void *a, const void *b)
{
	const struct count *x = a, *y = b;

	return strcmp(x->text, y->text);
}

static void add_text(struct series *s, const char *text, size_t length)
{
	struct count *key, **found;

	if (length > TEXT)
		length = TEXT;
	key = allocate(sizeof(*key) + length + 1);
	memcpy(key->text, text, length);
	found = tfind(key, &s->by_text, by_text);
	if (!found && s->texts_n < TEXTS) {
		found = tsearch(key, &s->by_text, by_text);
		if (!found)
			die("out of memory");
		if (!(s->texts_n & (s->texts_n - 1)))
			s->texts = doubled(s->texts, s->texts_n, sizeof(*s->texts));
		s->texts[s->texts_n++] = key;
	}
	if (found)
		(*found)->n++;
	else
		s->others++;
	if (!found || *found != key)
		free(key);
}

/*
 * Returns the full name of an event, such as "request_done", "Provider:Event" or
 * "sched:sched_switch". The name includes the provider, because several providers may have events
 * with the same name.
 */
static char *whole_name(const struct event *event, const struct about *about)
{
	bool plain = system_is_user(event->system) && !event->eventheader;

	return text("%.*s%s%.*s", plain ? 0 : (int)about->category_length, about->category,
		    plain ? "" : ":", (int)about->name_length, about->name);
}

static struct series *series_of(struct hist *h, const struct event *event,
				const struct about *about)
{
	char *name = whole_name(event, about);
	struct series *s = h->series;

	while (s < h->series + h->n && strcmp(s->name, name) != 0)
		s++;
	if (s == h->series + h->n && h->n < EVENTS) {
		*s = (struct series){ .name = name, .numbers = histogram_new() };
		h->n++;
		return s;
	}
	free(name);
	return s < h->series + EVENTS ? s : NULL;
}

static void add_value(struct series *s, const struct field *value)
{
	switch (value->type) {
	case FIELD_UNSIGNED:
	case FIELD_HEX:
		histogram_add(s->numbers, (long double)value->u, true);
		break;
	case FIELD_SIGNED:
		histogram_add(s->numbers, (long double)value->i, true);
		break;
	case FIELD_FLOAT:
		histogram_add(s->numbers, value->d, false);
		break;
	default:
		add_text(s, value->text, value->length);
	}
}

static int by_count(const void *a, const void *b)
{
	const struct count *x = *(const struct count *const *)a;
	const struct count *y = *(const struct count *const *)b;

	if (x->n != y->n)
		return x->n < y->n ? 1 : -1;
	return strcmp(x->text, y->text);
}

/* Prints the most frequent strings, and the total count of all others. */
static void put_texts(FILE *out, unsigned int columns, const struct series *s)
{
	uint64_t rest = s->others;
	size_t width = 0, shown = s->texts_n < TEXTS_SHOWN ? s->texts_n : TEXTS_SHOWN, i;

	qsort(s->texts, s->texts_n, sizeof(*s->texts), by_count);
	for (i = 0; i < s->texts_n; i++) {
		if (i >= shown)
			rest += s->texts[i]->n;
		else if (strlen(s->texts[i]->text) > width)
			width = strlen(s->texts[i]->text);
	}
	if (width > columns / 2)
		width = columns / 2;
	for (i = 0; i < shown; i++)
		bars_row(out, columns, s->texts[i]->text, width, s->texts[i]->n, s->texts[0]->n);
	if (rest)
		bars_row(out, columns, "(others)", width < 8 ? 8 : width, rest, s->texts[0]->n);
}

/* The sink */

static void put_series(FILE *out, unsigned int columns, const struct hist *h,
		       const struct series *s)
{
	char *name = text("%s.%s", s->name, h->field);
	bool numbers = s->numbers->count != 0, fits = bars_fit(columns, name);

	if ((numbers && !fits) || (!numbers && s->texts_n)) {
		put_clean(out, name, strnlen(name, columns));
		putc_unlocked('\n', out);
	}
	if (numbers) {
		bars_head(out, columns, "");
		bars_summary(out, columns, fits ? name : "", s->numbers, UNIT_NONE);
		bars_rows(out, columns, s->numbers, UNIT_NONE);
	}
	if (s->texts_n)
		put_texts(out, columns, s);
	free(name);
}

static void put_all(void *context, FILE *out, unsigned int columns)
{
	const struct hist *h = context;
	size_t i;

	for (i = 0; i < h->n; i++) {
		if (i)
			putc_unlocked('\n', out);
		put_series(out, columns, h, &h->series[i]);
	}
}

static void hist_event(struct sink *sink, struct event *event, const struct record *record)
{
	struct hist *h = (struct hist *)sink;
	struct series *s;
	struct field value;
	struct about about;

	about_read(event, record, &about);
	if (!about_matches(&about, h->event))
		return;
	s = series_of(h, event, &about);
	if (!s)
		h->others++;
	else if (field_find(event, record, h->field, &value))
		add_value(s, &value);
	else if (s->missing++ < LOOKED_AT)
		selection_note_fields(event, record);
	live_draw(&h->live, h->out, record->time, put_all, h);
}

static void hist_end(struct sink *sink)
{
	struct hist *h = (struct hist *)sink;
	bool found = false;
	size_t i;

	live_end(&h->live, h->out, put_all, h);
	for (i = 0; i < h->n; i++) {
		const struct series *s = &h->series[i];

		found = found || s->numbers->count || s->texts_n;
		if (s->missing)
			warning("%llu %s events have no value for the field %s",
				(unsigned long long)s->missing, s->name, h->field);
		if (s->others)
			warning("%s.%s: only the first %d distinct strings are counted "
				"separately; %llu other values are shown as (others)",
				s->name, h->field, TEXTS, (unsigned long long)s->others);
	}
	sink->failed = h->n && !found;
	selection_report_fields();
	if (h->others)
		warning("%llu events are not shown, because more than %d event names match %s",
			(unsigned long long)h->others, EVENTS, h->event);
}

static void hist_free(struct sink *sink)
{
	struct hist *h = (struct hist *)sink;
	size_t i;

	for (i = 0; i < h->n; i++) {
		free(h->series[i].name);
		histogram_free(h->series[i].numbers);
		tdestroy(h->series[i].by_text, free);
		free(h->series[i].texts);
	}
	free(h);
}

struct sink *hist_new(const struct hist_settings *settings, FILE *out, bool live)
{
	struct hist *h = allocate(sizeof(*h));

	h->sink = (struct sink){ .event = hist_event, .end = hist_end, .free = hist_free };
	h->out = out;
	h->live.on = live;
	h->event = settings->event;
	h->field = settings->field;
	return &h->sink;
}
