/* SPDX-License-Identifier: MIT */
/*
 * Writes each event in an output format. Each constructor returns a sink for output/sink.h.
 *
 *	print.c		lines of text
 *	json.c		lines of JSON
 *	picture.c	timelines of slices, instants and flows on tracks
 *	chrome.c	the Chrome JSON of a timeline
 *	ctf.c		a directory in the Common Trace Format
 *	otlp.c		OpenTelemetry logs and spans
 */
#ifndef UETRACE_FORMAT_H
#define UETRACE_FORMAT_H

#include "output/sink.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct machine;

/* Settings of --json and --otlp. */
struct line_settings {
	size_t max_line; /* bytes, at least 1024; 0: no limit */
	bool origin;	 /* JSON: adds the names of host, boot and thread */
	/* live: this machine; NULL: each record names its machine */
	const struct machine *machine;
};

struct sink *printer_new(FILE *out, bool colours);
struct sink *json_new(FILE *out, const struct line_settings *settings);
/* Returns a sink that writes OpenTelemetry requests, one per line. */
struct sink *otlp_new(FILE *out, const struct line_settings *settings);
/* Returns a sink that writes a trace in the Common Trace Format to a directory that it creates. */
struct sink *ctf_new(const char *directory);
/* Returns a sink that writes a timeline. counters: the fields to plot, as "event.field". */
struct sink *picture_new(FILE *out, char **counters);

#endif
