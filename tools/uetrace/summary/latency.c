/* SPDX-License-Identifier: MIT */
/*
 * The time between START and STOP of activities, or between two named events of the same field's
 * value or thread: a histogram for each name.
 */
#include "command/options.h"
#include "summary/summary.h"
#include "fields/fields.h"
#include "select/select.h"
#include "util/util.h"
#include "summary/bars.h"
#include "output/live.h"
#include "summary/spans.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMES 256 /* that have histograms */
#define NAME 200

struct series {
	char *name;
	struct histogram *times;
};

struct latency {
	struct sink sink;
	FILE *out;
	struct live live;
	const char *from, *to; /* NULL: activities */
	const char *given;     /* as --by */
	char *by, *by_to;      /* the field, and what it is called in the second event */
	struct spans *spans;
	struct series series[NAMES];
	size_t n;
	uint64_t others;  /* of more names */
	uint64_t ends;	  /* without a begin */
	uint64_t lacking; /* events without the field */
	bool found;	  /* an event with it */
	bool begun;
	int64_t realtime_offset;
};

static void add_time(struct latency *l, const char *name, size_t length, uint64_t ns)
{
	struct series *s = l->series;

	if (length > NAME)
		length = NAME;
	while (s < l->series + l->n &&
	       (strlen(s->name) != length || memcmp(s->name, name, length) != 0))
		s++;
	if (s == l->series + NAMES) {
		l->others++;
		return;
	}
	if (s == l->series + l->n) {
		*s = (struct series){ text("%.*s", (int)length, name), histogram_new() };
		l->n++;
	}
	histogram_add(s->times, ns, true);
}

static void stop(struct latency *l, struct span *span, uint64_t time, const char *name,
		 size_t length)
{
	add_time(l, name, length, time > span->begin ? time - span->begin : 0);
	spans_close(l->spans, span);
}

static void activity(struct latency *l, struct event *event, const struct record *record,
		     const struct about *about, uint64_t time)
{
	struct about start;
	struct span *span;

	if (about->starts) {
		spans_open(l->spans, &about->key, time, event, record);
		return;
	}
	span = about->stops ? spans_find(l->spans, &about->key) : NULL;
	if (!span) {
		l->ends += about->stops;
		return;
	}
	about_read(span->event, &span->record, &start);
	span_name(&start, about);
	stop(l, span, time, start.name, start.name_length);
}

/* Makes the key that links the two events, of the value of a field or of the thread. */
static bool common_key(struct latency *l, const struct event *event, const struct record *record,
		       const char *by, struct span_key *key)
{
	const unsigned __int128 prime = ((unsigned __int128)1 << 88) + 0x13b;
	unsigned __int128 hash = prime;
	struct field value;
	size_t i;

	*key = (struct span_key){ .kind = SPAN_NAMED };
	if (!by) {
		memcpy(key->bytes, &thread_of(record)->tid, sizeof(pid_t));
		return true;
	}
	if (!field_find(event, record, by, &value)) {
		l->lacking++;
		return false;
	}
	l->found = true;
	/* 128 bits of hash (FNV-1a) are as good as the text itself */
	for (i = 0; i < value.length; i++)
		hash = (hash ^ (unsigned char)value.text[i]) * prime;
	memcpy(key->bytes, &hash, sizeof(hash));
	return true;
}

static void named(struct latency *l, struct event *event, const struct record *record,
		  const struct about *about, uint64_t time)
{
	bool to = about_matches(about, l->to), from = about_matches(about, l->from);
	struct span_key key;
	struct span *span;
	char *name;

	/* if FROM and TO are one event, it ends a time and begins the next */
	if (to && common_key(l, event, record, l->by_to, &key)) {
		span = spans_find(l->spans, &key);
		if (span) {
			name = text("%s to %s", l->from, l->to);
			stop(l, span, time, name, strlen(name));
			free(name);
		} else if (!from) {
			l->ends++;
		}
	}
	if (from && common_key(l, event, record, l->by, &key))
		spans_open(l->spans, &key, time, event, record);
}

/* The sink */

static int by_count(const void *a, const void *b)
{
	const struct series *x = a, *y = b;
	uint64_t n = x->times->count, m = y->times->count;

	if (n != m)
		return n < m ? 1 : -1;
	return strcmp(x->name, y->name);
}

static void put_all(void *context, FILE *out, unsigned int columns)
{
	struct latency *l = context;
	size_t i;

	if (!l->n)
		return;
	qsort(l->series, l->n, sizeof(*l->series), by_count);
	bars_head(out, columns, "LATENCY");
	for (i = 0; i < l->n; i++)
		bars_summary(out, columns, l->series[i].name, l->series[i].times, UNIT_NS);
	for (i = 0; i < l->n; i++) {
		putc_unlocked('\n', out);
		if (l->n > 1) {
			bars_name(out, columns, columns, l->series[i].name);
			putc_unlocked('\n', out);
		}
		bars_rows(out, columns, l->series[i].times, UNIT_NS);
	}
}

static void latency_event(struct sink *sink, struct event *event, const struct record *record)
{
	struct latency *l = (struct latency *)sink;
	struct about about;
	uint64_t time;

	if (!l->begun)
		l->realtime_offset = record->realtime_offset;
	l->begun = true;
	time = record->time + (uint64_t)record->realtime_offset - (uint64_t)l->realtime_offset;
	about_read(event, record, &about);
	if (about.span && !l->from)
		add_time(l, about.label, about.label_length, about.took);
	else if (l->from)
		named(l, event, record, &about, time);
	else
		activity(l, event, record, &about, time);
	live_draw(&l->live, l->out, time, put_all, l);
}

static void latency_end(struct sink *sink)
{
	struct latency *l = (struct latency *)sink;
	size_t open = l->spans->n;

	live_end(&l->live, l->out, put_all, l);
	if (!l->n)
		warning("no %s", l->from ? "such events followed each other"
					 : "activity started and stopped");
	if (open || l->ends || l->spans->dropped)
		warning("%zu did not end, %llu ended without a begin, %llu began again or were too "
			"many at once",
			open, (unsigned long long)l->ends, (unsigned long long)l->spans->dropped);
	sink->failed = l->lacking && !l->found;
	if (l->lacking)
		warning("%llu events have no value of %s", (unsigned long long)l->lacking,
			l->given);
	if (l->others)
		warning("%llu have names beyond the first %d", (unsigned long long)l->others,
			NAMES);
}

static void latency_free(struct sink *sink)
{
	struct latency *l = (struct latency *)sink;
	size_t i;

	for (i = 0; i < l->n; i++) {
		free(l->series[i].name);
		histogram_free(l->series[i].times);
	}
	spans_free(l->spans);
	free(l->by);
	free(l);
}

struct sink *latency_new(const struct options *o, FILE *out, bool live)
{
	struct latency *l = allocate(sizeof(*l));

	l->sink = (struct sink){ .event = latency_event, .end = latency_end, .free = latency_free };
	l->out = out;
	l->live.on = live;
	l->from = o->from;
	l->to = o->to;
	l->given = o->by;
	l->by = l->by_to = o->by ? text("%s", o->by) : NULL;
	if (l->by && strchr(l->by, ',')) {
		l->by_to = strchr(l->by, ',') + 1;
		l->by_to[-1] = '\0';
	}
	l->spans = spans_new(4 * SPANS_MAX, 4 * SPANS_BYTES, NULL, NULL);
	return &l->sink;
}
