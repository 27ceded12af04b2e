/* SPDX-License-Identifier: MIT */
/* A list of sinks. Each sink receives every event once, in time order. */
#include "output/sink.h"

#include <stddef.h>

void sinks_add(struct sink **first, struct sink *sink)
{
	while (*first)
		first = &(*first)->next;
	sink->next = NULL;
	*first = sink;
}

void sinks_event(struct sink *first, struct event *event, const struct record *record)
{
	struct sink *sink;

	for (sink = first; sink; sink = sink->next) {
		if (!sink->off)
			sink->event(sink, event, record);
	}
}

void sinks_lost(struct sink *first, uint64_t lost)
{
	struct sink *sink;

	for (sink = first; sink; sink = sink->next) {
		if (sink->lost && !sink->off)
			sink->lost(sink, lost);
	}
}

void sinks_complete(struct sink *first)
{
	struct sink *sink;

	for (sink = first; sink; sink = sink->next) {
		if (sink->complete && !sink->off)
			sink->complete(sink);
	}
}

void sinks_flush(struct sink *first)
{
	struct sink *sink;

	for (sink = first; sink; sink = sink->next) {
		if (sink->flush && !sink->off)
			sink->flush(sink);
	}
}

void sinks_end(struct sink *first)
{
	struct sink *sink;

	for (sink = first; sink; sink = sink->next) {
		if (sink->end && !sink->off)
			sink->end(sink);
	}
}

bool sinks_failed(const struct sink *first)
{
	for (; first; first = first->next) {
		if (first->failed)
			return true;
	}
	return false;
}

void sinks_free(struct sink *first)
{
	struct sink *next;

	for (; first; first = next) {
		next = first->next;
		if (first->free)
			first->free(first);
	}
}
