/* SPDX-License-Identifier: MIT */
/* What has started and not stopped yet. */
#ifndef UETRACE_SPANS_H
#define UETRACE_SPANS_H

#include "event/event.h"

#define SPANS_MAX 65536
#define SPANS_BYTES (64u << 20)
#define RELATED_MAX 32 /* activities that are related to one another */
#define SPAN_LINKS 16  /* flows that leave a span to others, of each */

struct span {
	struct span_key key;
	uint64_t serial; /* from 1 on, never used again */
	uint64_t begin;
	struct event *event;
	struct record record; /* a copy, with its data and names */
	uint8_t trace[16];    /* otlp.c's */
	/* picture.c's: */
	struct row *row;
	pid_t tid;	    /* that wrote its last event */
	struct span *below; /* in its lane */
	int lane;	    /* -1: not known yet */
	bool flows;	    /* other threads continued it */
	bool linked;	    /* a span of another thread is its parent */
	unsigned int links;
	uint64_t link[SPAN_LINKS]; /* serials of those that it is the parent of */
	/* spans.c's: */
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
 * As many spans and bytes of them as that may be open; dropped is called for the oldest when there
 * are more, and for one that is started again, before it is freed.
 */
struct spans *spans_new(size_t most, size_t bytes, span_fn dropped, void *context);
void spans_free(struct spans *spans);
struct span *spans_open(struct spans *spans, const struct span_key *key, uint64_t time,
			struct event *event, const struct record *record);
struct span *spans_find(struct spans *spans, const struct span_key *key);
/* Finds the activity of this id; NULL: none. */
struct span *spans_activity(struct spans *spans, const uint8_t *id);
void spans_close(struct spans *spans, struct span *span);

#endif
