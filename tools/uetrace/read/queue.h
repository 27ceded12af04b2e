/* SPDX-License-Identifier: MIT */
/* queue.c: sorts records that are only slightly out of order. */
#ifndef UETRACE_QUEUE_H
#define UETRACE_QUEUE_H

#include "event/event.h"

struct queued {
	struct record record;
	struct event *event;
	uint64_t offset; /* file offset of the record; used by perf.c */
	uint32_t type;	 /* record type if event is NULL; used by perf.c */
	uint8_t data[] __attribute__((aligned(8)));
};

struct queue {
	/*
	 * Binary heap. Each slot contains a copy of the sort keys, so that comparisons need not
	 * access the record.
	 */
	struct queue_slot {
		uint64_t time;
		uint64_t number; /* sequence number of the queue_add() call */
		struct queued *queued;
	} * heap;
	size_t n, room;	      /* number of records, and capacity of the heap */
	size_t bytes;	      /* approximate memory use of the queued records */
	uint64_t numbers;     /* number of queue_add() calls so far */
	struct queued *taken; /* last result of queue_take(); the next call frees it */
};

/* Adds a copy of a record and its data. Returns the copy. */
struct queued *queue_add(struct queue *queue, const struct record *record);
/* Returns the earliest record, or NULL if the queue is empty. */
const struct queued *queue_first(const struct queue *queue);
/* Removes and returns the earliest record. It is valid until the next queue_take() call. */
const struct queued *queue_take(struct queue *queue);
void queue_free(struct queue *queue);

#endif
