/* SPDX-License-Identifier: MIT */
/* Records that wait for earlier ones. */
#ifndef UETRACE_QUEUE_H
#define UETRACE_QUEUE_H

#include "event/event.h"

struct queued {
	struct record record;
	struct event *event;
	uint64_t offset; /* perf: in the file; */
	uint32_t type;	 /* of the record, if there is no event */
	uint8_t data[] __attribute__((aligned(8)));
};

struct queue {
	/* With what they are sorted by: records are anywhere in memory. */
	struct queue_slot {
		uint64_t time;
		uint64_t number; /* in the order of queue_add() */
		struct queued *queued;
	} *heap;
	size_t n, room;
	size_t bytes;
	uint64_t numbers;
	struct queued *taken;
};

/* Adds a copy of a record and its data. */
struct queued *queue_add(struct queue *queue, const struct record *record);
const struct queued *queue_first(const struct queue *queue); /* NULL: it is empty */
/* Takes the first one out. It is valid until the next call. */
const struct queued *queue_take(struct queue *queue);
void queue_free(struct queue *queue);

#endif
