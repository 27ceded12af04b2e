/* SPDX-License-Identifier: MIT */
/* spans.c: keeps the spans that have begun and not ended, in bounded memory. */
#ifndef UETRACE_SPANS_H
#define UETRACE_SPANS_H

#include "event/event.h"

#define SPANS_MAX 65536
#define SPANS_BYTES (64u << 20)
#define RELATED_MAX 32 /* length of a chain of related activities */
#define SPAN_LINKS 16  /* flows from a span to others */

struct span {
	struct span_key key;
	uint64_t serial; /* from 1 on, never reused */
	uint64_t begin;
	struct event *event;
	struct record record; /* a copy, with its data and names */
	uint8_t trace[16];    /* used by otlp.c */
	/* used by picture.c */
	struct row *row;
	pid_t tid;	    /* thread of its last event */
	struct span *below; /* next outer span in its lane */
	int lane;	    /* -1: not chosen yet */
	bool flows;	    /* other threads continued it */
	bool linked;	    /* a span of another thread is its parent */
	unsigned int links;
	uint64_t link[SPAN_LINKS]; /* serials of its children in other threads */
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
 * Returns a table for a maximum number of spans and bytes. The function dropped is called before a
 * span is freed because there are more, the oldest first, or because the same span begins again.
 */
struct spans *spans_new(size_t most, size_t bytes, span_fn dropped, void *context);
void spans_free(struct spans *spans);
struct span *spans_open(struct spans *spans, const struct span_key *key, uint64_t time,
			struct event *event, const struct record *record);
struct span *spans_find(struct spans *spans, const struct span_key *key);
/* Returns the open activity with this id, or NULL. */
struct span *spans_activity(struct spans *spans, const uint8_t *id);
void spans_close(struct spans *spans, struct span *span);

#endif
