/* SPDX-License-Identifier: MIT */
/* Records that wait for earlier ones: a heap, the earliest first, of equal ones the one that came first. */
#include "uetrace.h"

#include <stdlib.h>
#include <string.h>

static bool earlier(const struct queue_slot *a, const struct queue_slot *b)
{
	return a->time != b->time ? a->time < b->time : a->number < b->number;
}

void queue_add(struct queue *queue, struct queued *record)
{
	struct queue_slot slot = { record->time, queue->numbers++, record };
	size_t i = queue->n++, parent;

	if (queue->n > queue->room) {
		queue->room = queue->room ? 2 * queue->room : 256;
		queue->heap = realloc(queue->heap, queue->room * sizeof(*queue->heap));
		if (!queue->heap)
			die("out of memory");
	}
	queue->bytes += record->size;
	for (; i && earlier(&slot, &queue->heap[(i - 1) / 2]); i = parent) {
		parent = (i - 1) / 2;
		queue->heap[i] = queue->heap[parent];
	}
	queue->heap[i] = slot;
}

const struct queued *queue_first(const struct queue *queue)
{
	return queue->n ? queue->heap[0].record : NULL;
}

struct queued *queue_take(struct queue *queue)
{
	struct queued *first = queue->heap[0].record;
	struct queue_slot last = queue->heap[--queue->n];
	size_t i = 0, child;

	queue->bytes -= first->size;
	for (; (child = 2 * i + 1) < queue->n; i = child) {
		if (child + 1 < queue->n && earlier(&queue->heap[child + 1], &queue->heap[child]))
			child++;
		if (!earlier(&queue->heap[child], &last))
			break;
		queue->heap[i] = queue->heap[child];
	}
	if (queue->n)
		queue->heap[i] = last;
	return first;
}

void queue_free(struct queue *queue)
{
	while (queue->n)
		free(queue->heap[--queue->n].record);
	free(queue->heap);
}
