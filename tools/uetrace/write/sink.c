/* SPDX-License-Identifier: MIT */
/*
 * Where events go: counts, text, pictures. Each sink gets every event once, in order of time; what
 * reads events knows only sinks_event().
 */
#include "write/write.h"
#include "select/select.h"
#include "util/util.h"

#include <fnmatch.h>
#include <stdio.h>
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

enum output_format output_format(const struct options *o)
{
	static const struct {
		const char *pattern;
		enum output_format format;
	} rows[] = { { "?*.otlp.jsonl", OUTPUT_OTLP }, { "?*.jsonl", OUTPUT_JSON },
		     { "?*.json", OUTPUT_PICTURE },    { "?*.ctf", OUTPUT_CTF },
		     { "?*.txt", OUTPUT_TEXT },	       { "?*.log", OUTPUT_TEXT } };
	const char *slash = o->output ? strrchr(o->output, '/') : NULL;
	const char *name = slash && slash[1] ? slash + 1 : o->output;
	size_t i;

	if (o->json || o->otlp)
		return o->otlp ? OUTPUT_OTLP : OUTPUT_JSON;
	if (!name || !*name || !strchr(name + 1, '.'))
		return OUTPUT_TEXT;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		if (fnmatch(rows[i].pattern, name, 0) == 0)
			return rows[i].format;
	}
	return OUTPUT_UNKNOWN;
}

void sinks_open(struct sink **first, const struct options *o, FILE *out, bool colours)
{
	if (o->hist_event)
		sinks_add(first, hist_new(o, out, colours));
	else if (o->latency)
		sinks_add(first, latency_new(o, out, colours));
	else if (output_format(o) == OUTPUT_JSON)
		sinks_add(first, json_new(out, o));
	else if (output_format(o) == OUTPUT_OTLP)
		sinks_add(first, otlp_new(out, o));
	else if (output_format(o) == OUTPUT_CTF)
		sinks_add(first, ctf_new(o->output));
	else if (output_format(o) == OUTPUT_PICTURE)
		sinks_add(first, picture_new(out, o->counters));
	else
		sinks_add(first, printer_new(out, colours));
}
