/* SPDX-License-Identifier: MIT */
/* Determines the output format and creates the sink that the options request. */
#include "command/outputs.h"
#include "event/event.h"
#include "format/format.h"
#include "command/options.h"
#include "select/select.h"
#include "summary/summary.h"
#include "util/util.h"

#include <fnmatch.h>
#include <string.h>

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
	const struct line_settings lines = {
		.max_line = o->max_line,
		.origin = o->origin,
		.machine = o->recorded ? NULL : machine_here(),
	};
	const struct hist_settings hist = { o->hist_event, o->hist_field };
	const struct latency_settings latency = {
		.from = o->from, .to = o->to, .by = o->by, .slowest = o->slowest
	};

	if (o->hist_event)
		sinks_add(first, hist_new(&hist, out, colours));
	else if (o->latency)
		sinks_add(first, latency_new(&latency, out, colours));
	else if (output_format(o) == OUTPUT_JSON)
		sinks_add(first, json_new(out, &lines));
	else if (output_format(o) == OUTPUT_OTLP)
		sinks_add(first, otlp_new(out, &lines));
	else if (output_format(o) == OUTPUT_CTF)
		sinks_add(first, ctf_new(o->output));
	else if (output_format(o) == OUTPUT_PICTURE)
		sinks_add(first, picture_new(out, o->counters, o->row));
	else
		sinks_add(first, printer_new(out, colours));
}
