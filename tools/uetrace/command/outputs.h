/* SPDX-License-Identifier: MIT */
/* The output format and the sink that the options ask for. */
#ifndef UETRACE_OUTPUTS_H
#define UETRACE_OUTPUTS_H

#include "output/sink.h"

#include <stdio.h>

struct options;

/* The output format, chosen by --json, --otlp or the suffix of the output file. */
enum output_format {
	OUTPUT_TEXT,
	OUTPUT_JSON,
	OUTPUT_OTLP,
	OUTPUT_PICTURE,
	OUTPUT_CTF,
	OUTPUT_UNKNOWN,
};
enum output_format output_format(const struct options *o);
/* Adds the sink that the options ask for. */
void sinks_open(struct sink **first, const struct options *o, FILE *out, bool colours);

#endif
