/* SPDX-License-Identifier: MIT */
/*
 * Measures durations: from START to STOP of each activity, or between two named events of the same
 * thread or with the same field value. Prints a histogram of the durations for each name.
 */
#include "command/options.h"
#include "summary/summary.h"
#include "event/event.h"
#include "fields/fields.h"
#include "util/util.h"
#include "summary/bars.h"
#include "output/live.h"
#include "summary/spans.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMES 256 /* maximum number of names with a histogram */
#define NAME 200  /* maximum length of a name in bytes */

struct series {
	char *name;
	struct histogram *times;
};

/* A duration that is printed under "SLOWEST". */
struct slow {
	uint64_t ns;
	char *lines; /* printed text: time, thread and events */
};

struct latency {
	struct sink sink;
	FILE *out;
	struct live live;
	const char *from, *to; /* names of the two events; NULL for activities */
	const char *given;     /* argument of --by */
	char *by, *by_to;      /* field to match in the first and in the second event */
	struct spans *spans;
	struct series series[NAMES];
	size_t n;
	uint64_t others;   /* number of durations not counted, because NAMES was exceeded */
	uint64_t ends;	   /* number of end events without a start event */
	uint64_t lacking;  /* number of events that lack the field */
	bool found;	   /* true if an event had the field */
	struct slow *slow; /* longest durations, longest first */
	size_t slow_n, slow_max;
	struct writer w;
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

/* Appends an event and its fields on a separate line. */
static void put_event(struct writer *w, struct event *event, const struct record *record)
{
	size_t offset;

	put_text(w, "    ");
	if (event->eventheader) {
		offset = header_offset(event, record);
		put_eventheader(w, event->shown, (const char *)record->data + offset,
				record->size - offset);
	} else {
		if (system_is_user(event->system))
			event_apply_types(event);
		put_event_name(w, event->shown);
		put_plain_fields(w, &event->decoder->format, record->data, record->size);
	}
	put_char(w, '\n');
}

/*
 * Stores a duration if it is one of the longest. span is the open span that event ends, or NULL if
 * event itself contains the duration.
 */
static void keep_slow(struct latency *l, uint64_t ns, const struct span *span, struct event *event,
		      const struct record *record)
{
	const struct record *first = span ? &span->record : record;
	const struct thread *thread;
	struct slow *at = l->slow + l->slow_n;
	char took[16];

	if (l->slow_n == l->slow_max && (!l->slow_max || at[-1].ns >= ns))
		return;
	thread = thread_of(first);
	put_format(&l->w, "%s  ", duration(took, (double)ns));
	put_clock(&l->w, first->time + (uint64_t)first->realtime_offset, first->dated);
	put_char(&l->w, ' ');
	put_shown(&l->w, thread->name, strlen(thread->name));
	put_format(&l->w, "-%d\n", (int)thread->tid);
	if (span)
		put_event(&l->w, span->event, &span->record);
	put_event(&l->w, event, record);
	if (l->slow_n < l->slow_max)
		l->slow_n++;
	else
		free((--at)->lines);
	for (; at > l->slow && at[-1].ns < ns; at--)
		*at = at[-1];
	*at = (struct slow){ ns, text("%.*s", (int)l->w.n, l->w.line) };
	l->w.n = 0;
}

static void stop(struct latency *l, struct span *span, uint64_t time, const char *name,
		 size_t length, struct event *event, const struct record *record)
{
	uint64_t ns = time > span->begin ? time - span->begin : 0;

	add_time(l, name, length, ns);
	keep_slow(l, ns, span, event, record);
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
	stop(l, span, time, start.name, start.name_length, event, record);
}

/*
 * Sets the key by which the two events of a duration are matched. The key is the hash of a field
 * value or, if by is NULL, the thread ID. Returns false if the record lacks the field.
 */
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
	/* the key is a 128-bit FNV-1a hash of the text */
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

	/* if FROM and TO match the same event, it ends one duration and starts the next one */
	if (to && common_key(l, event, record, l->by_to, &key)) {
		span = spans_find(l->spans, &key);
		if (span) {
			name = text("%s to %s", l->from, l->to);
			stop(l, span, time, name, strlen(name), event, record);
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
	if (about.span && !l->from) {
		add_time(l, about.label, about.label_length, about.took);
		keep_slow(l, about.took, NULL, event, record);
	} else if (l->from) {
		named(l, event, record, &about, time);
	} else {
		activity(l, event, record, &about, time);
	}
	live_draw(&l->live, l->out, time, put_all, l);
}

/* Reports start and end events without a counterpart. */
static void report_unmatched(const struct latency *l)
{
	const struct {
		uint64_t n;
		const char *what;
	} rows[] = { { l->spans->n, "did not end" },
		     { l->ends, "ended without a start" },
		     { l->spans->dropped, "started again or exceeded the limit of open "
					  "activities" } };
	char *all = NULL, *more;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		if (!rows[i].n)
			continue;
		more = text("%s%s%llu %s", all ? all : "", all ? ", " : "",
			    (unsigned long long)rows[i].n, rows[i].what);
		free(all);
		all = more;
	}
	if (all)
		warning("%s", all);
	free(all);
}

static void latency_end(struct sink *sink)
{
	struct latency *l = (struct latency *)sink;
	size_t i;

	live_end(&l->live, l->out, put_all, l);
	if (l->slow_n)
		fputs("\nSLOWEST\n", l->out);
	for (i = 0; i < l->slow_n; i++)
		fputs(l->slow[i].lines, l->out);
	if (!l->n)
		warning("no %s", l->from ? "pair of such events was found"
					 : "activity with a start and a stop was found");
	report_unmatched(l);
	sink->failed = l->lacking && !l->found;
	if (l->lacking)
		warning("%llu events have no value for --by %s", (unsigned long long)l->lacking,
			l->given);
	if (l->others)
		warning("%llu durations are not shown, because there are more than %d "
			"names",
			(unsigned long long)l->others, NAMES);
}

static void latency_free(struct sink *sink)
{
	struct latency *l = (struct latency *)sink;
	size_t i;

	for (i = 0; i < l->n; i++) {
		free(l->series[i].name);
		histogram_free(l->series[i].times);
	}
	for (i = 0; i < l->slow_n; i++)
		free(l->slow[i].lines);
	free(l->slow);
	free(l->w.line);
	spans_free(l->spans);
	free(l->by);
	free(l);
}

struct sink *latency_new(const struct latency_settings *settings, FILE *out, bool live)
{
	struct latency *l = allocate(sizeof(*l));

	l->sink = (struct sink){ .event = latency_event, .end = latency_end, .free = latency_free };
	l->out = out;
	l->live.on = live;
	l->from = settings->from;
	l->to = settings->to;
	l->given = settings->by;
	l->by = l->by_to = settings->by ? text("%s", settings->by) : NULL;
	if (l->by && strchr(l->by, ',')) {
		l->by_to = strchr(l->by, ',') + 1;
		l->by_to[-1] = '\0';
	}
	l->slow_max = settings->slowest;
	l->slow = allocate(l->slow_max * sizeof(*l->slow));
	l->spans = spans_new(4 * SPANS_MAX, 4 * SPANS_BYTES, NULL, NULL);
	return &l->sink;
}
