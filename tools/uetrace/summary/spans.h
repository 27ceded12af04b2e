/* SPDX-License-Identifier: MIT */
/* spans.c: stores open spans in bounded memory. */
#ifndef UETRACE_SPANS_H
#define UETRACE_SPANS_H

#include "event/event.h"

#define SPANS_MAX 65536
#define SPANS_BYTES (64u << 20)
#define RELATED_MAX 32 /* maximum length of a chain of related activities */
#define SPAN_LINKS 16  /* maximum number of flows from one span to other spans */

struct span {
	struct span_key key;
	uint64_t serial; /* serial number, starting at 1 and never reused */
	uint64_t begin;	 /* start time, ns */
	struct event *event;
	struct record record; /* copy of the start record, including its data and names */
	uint8_t trace[16];    /* trace ID; used by otlp.c */
	/* used by picture.c */
	struct row *row;
	pid_t tid;		   /* thread that wrote the span's last event */
	struct span *below;	   /* enclosing span in the same lane, or NULL */
	int lane;		   /* lane number, or -1 if no lane has been chosen */
	bool flows;		   /* true if the activity has continued in another thread */
	bool linked;		   /* true if the parent is a span in another thread */
	unsigned int links;	   /* number of children in other threads */
	uint64_t link[SPAN_LINKS]; /* serial numbers of these children */
	/* used by spans.c */
	struct span *next, *newer, *older;
	size_t size;
};

typedef void (*span_fn)(void *context, struct span *span);
#define SPAN_BUCKETS 65536 /* a power of two */

struct spans {
	struct span *buckets[SPAN_BUCKETS];
	struct span *newest, *oldest;
	size_t n, most;
	size_t bytes, bytes_most;
	uint64_t serial;
	uint64_t dropped;
	span_fn drop;
	void *context;
};

/*
 * Creates a table for at most this number of spans and this number of bytes. If the table is full,
 * the oldest span is dropped. If a span is started while a span with the same key is open, the open
 * span is dropped. dropped() is called before a dropped span is freed.
 */
struct spans *spans_new(size_t most, size_t bytes, span_fn dropped, void *context);
void spans_free(struct spans *spans);
struct span *spans_open(struct spans *spans, const struct span_key *key, uint64_t time,
			struct event *event, const struct record *record);
struct span *spans_find(struct spans *spans, const struct span_key *key);
/* Returns the open activity with this ID, or NULL. */
struct span *spans_activity(struct spans *spans, const uint8_t *id);
void spans_close(struct spans *spans, struct span *span);

#endif
