/* SPDX-License-Identifier: MIT */
/*
 * Hash table of open spans. The table size is limited, because a program may never end a span and
 * the event that ends a span may be lost. Dropped spans are counted.
 */
#include "summary/spans.h"
#include "util/util.h"

#include <stdlib.h>
#include <string.h>

struct spans *spans_new(size_t most, size_t bytes, span_fn dropped, void *context)
{
	struct spans *spans = allocate(sizeof(*spans));

	*spans = (struct spans){
		.most = most, .bytes_most = bytes, .drop = dropped, .context = context
	};
	return spans;
}

static struct span **bucket(struct spans *spans, const struct span_key *key)
{
	return &spans->buckets[hash(key, sizeof(*key)) & (SPAN_BUCKETS - 1)];
}

struct span *spans_find(struct spans *spans, const struct span_key *key)
{
	struct span *span;

	for (span = *bucket(spans, key); span; span = span->next) {
		if (memcmp(&span->key, key, sizeof(*key)) == 0)
			return span;
	}
	return NULL;
}

struct span *spans_activity(struct spans *spans, const uint8_t *id)
{
	struct span_key key = { .kind = SPAN_ACTIVITY };

	if (!id)
		return NULL;
	memcpy(key.bytes, id, sizeof(key.bytes));
	return spans_find(spans, &key);
}

void spans_close(struct spans *spans, struct span *span)
{
	struct span **p = bucket(spans, &span->key);

	while (*p != span)
		p = &(*p)->next;
	*p = span->next;
	*(span->newer ? &span->newer->older : &spans->newest) = span->older;
	*(span->older ? &span->older->newer : &spans->oldest) = span->newer;
	spans->n--;
	spans->bytes -= span->size;
	free(span);
}

static void drop(struct spans *spans, struct span *span)
{
	spans->dropped++;
	if (spans->drop)
		spans->drop(spans->context, span);
	spans_close(spans, span);
}

struct span *spans_open(struct spans *spans, const struct span_key *key, uint64_t time,
			struct event *event, const struct record *record)
{
	size_t program = record->program ? strlen(record->program) + 1 : 0;
	size_t process = record->process ? strlen(record->process) + 1 : 0;
	size_t size = sizeof(struct span) + record->size + program + process;
	struct span *span = spans_find(spans, key), **p;
	char *copy;

	if (span)
		drop(spans, span);
	while (spans->oldest &&
	       (spans->n >= spans->most || spans->bytes + size > spans->bytes_most))
		drop(spans, spans->oldest);
	span = allocate(size);
	span->key = *key;
	span->serial = ++spans->serial;
	span->begin = time;
	span->event = event;
	span->record = *record;
	span->lane = -1;
	span->size = size;
	copy = (char *)(span + 1);
	span->record.data = memcpy(copy, record->data, record->size);
	if (record->program)
		span->record.program = memcpy(copy + record->size, record->program, program);
	if (record->process)
		span->record.process =
			memcpy(copy + record->size + program, record->process, process);
	p = bucket(spans, key);
	span->next = *p;
	*p = span;
	span->older = spans->newest;
	*(spans->newest ? &spans->newest->newer : &spans->oldest) = span;
	spans->newest = span;
	spans->n++;
	spans->bytes += size;
	return span;
}

void spans_free(struct spans *spans)
{
	while (spans->oldest)
		spans_close(spans, spans->oldest);
	free(spans);
}
