/* SPDX-License-Identifier: MIT */
/*
 * Sorts records by time with a binary heap. Records with equal times keep the order in which they
 * were added.
 */
#include "read/queue.h"
#include "util/util.h"

#include <stdlib.h>
#include <string.h>

static bool earlier(const struct queue_slot *a, const struct queue_slot *b)
{
	return a->time != b->time ? a->time < b->time : a->number < b->number;
}

/* Returns the approximate memory use of a record, including its heap slot. */
static size_t bytes_of(const struct queued *q)
{
	return sizeof(*q) + q->record.size + 4 * sizeof(void *);
}

struct queued *queue_add(struct queue *queue, const struct record *record)
{
	/* Append a NUL to the data, because libtraceevent expects terminated strings. */
	struct queued *q = allocate(sizeof(*q) + record->size + 1);
	struct queue_slot slot = { record->time, queue->numbers++, q };
	size_t i = queue->n++, parent;

	if (queue->n > queue->room) {
		queue->room = queue->room ? 2 * queue->room : 256;
		queue->heap = realloc(queue->heap, queue->room * sizeof(*queue->heap));
		if (!queue->heap)
			die("out of memory");
	}
	q->record = *record;
	q->record.data = memcpy(q->data, record->data, record->size);
	queue->bytes += bytes_of(q);
	for (; i && earlier(&slot, &queue->heap[(i - 1) / 2]); i = parent) {
		parent = (i - 1) / 2;
		queue->heap[i] = queue->heap[parent];
	}
	queue->heap[i] = slot;
	return q;
}

const struct queued *queue_first(const struct queue *queue)
{
	return queue->n ? queue->heap[0].queued : NULL;
}

const struct queued *queue_take(struct queue *queue)
{
	struct queued *first = queue->heap[0].queued;
	struct queue_slot last = queue->heap[--queue->n];
	size_t i = 0, child;

	queue->bytes -= bytes_of(first);
	for (; (child = 2 * i + 1) < queue->n; i = child) {
		if (child + 1 < queue->n && earlier(&queue->heap[child + 1], &queue->heap[child]))
			child++;
		if (!earlier(&queue->heap[child], &last))
			break;
		queue->heap[i] = queue->heap[child];
	}
	if (queue->n)
		queue->heap[i] = last;
	free(queue->taken);
	return queue->taken = first;
}

void queue_free(struct queue *queue)
{
	while (queue->n)
		free(queue->heap[--queue->n].queued);
	free(queue->heap);
	free(queue->taken);
}
