/* SPDX-License-Identifier: MIT */
/* Selects the output format and creates the sinks that the options request. */
#ifndef UETRACE_OUTPUTS_H
#define UETRACE_OUTPUTS_H

#include "output/sink.h"

#include <stdio.h>

struct options;

/* Output format, determined by --json, --otlp or the suffix of the output file. */
enum output_format {
	OUTPUT_TEXT,
	OUTPUT_JSON,
	OUTPUT_OTLP,
	OUTPUT_PICTURE,
	OUTPUT_CTF,
	OUTPUT_UNKNOWN,
};
enum output_format output_format(const struct options *o);
/* Creates and adds the sink that the options request. */
void sinks_open(struct sink **first, const struct options *o, FILE *out, bool colours);

#endif
