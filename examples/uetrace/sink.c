/* SPDX-License-Identifier: MIT */
/*
 * Where events go: counts, text, pictures. Each sink gets every event once, in order of time; what
 * reads events knows only sinks_event().
 */
#include "histogram.h"

#include <stdlib.h>
#include <string.h>

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

/* Somebody may take text for a picture of some other kind. */
static void tell_text(const char *output)
{
	static const char *const kinds[] = { ".png",	  ".svg", ".html",
					     ".pdf",	  ".ctf", ".perfetto-trace",
					     ".perfetto", ".pb",  ".proto" };
	size_t n = strlen(output), i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (n > strlen(kinds[i]) && strcmp(output + n - strlen(kinds[i]), kinds[i]) == 0)
			warning("%s gets text; what ends in .json or .pftrace becomes a picture",
				output);
	}
}

void sinks_open(struct sink **first, const struct options *o, FILE *out, bool colours)
{
	if (o->hist_event)
		sinks_add(first, hist_new(o, out, colours));
	else if (o->latency)
		sinks_add(first, latency_new(o, out, colours));
	else if (o->output && !o->json && picture_name(o->output))
		sinks_add(first, picture_new(out, o->output, o->counters));
	else
		sinks_add(first, printer_new(out, o, colours));
	if (o->output && !o->json && !o->hist_event && !o->latency)
		tell_text(o->output);
}
