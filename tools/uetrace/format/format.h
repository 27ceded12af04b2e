/* SPDX-License-Identifier: MIT */
/*
 * Writes events in various output formats. Each constructor returns a sink for output/sink.h.
 *
 *   print.c    lines of text
 *   json.c     lines of JSON
 *   picture.c  timelines of slices, instants and flows on tracks
 *   chrome.c   Chrome JSON for timelines
 *   ctf.c      directory in the Common Trace Format
 *   otlp.c     OpenTelemetry logs and spans
 */
#ifndef UETRACE_FORMAT_H
#define UETRACE_FORMAT_H

#include "output/sink.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct machine;

/* Settings for --json and --otlp. */
struct line_settings {
	size_t max_line; /* maximum line length in bytes, at least 1024; 0 for no limit */
	bool origin;	 /* JSON: add host name, boot ID and thread name */
	/* live: this machine; NULL if each record names its machine */
	const struct machine *machine;
};

struct sink *printer_new(FILE *out, bool colours);
struct sink *json_new(FILE *out, const struct line_settings *settings);
/* Returns a sink that writes one OpenTelemetry request per line. */
struct sink *otlp_new(FILE *out, const struct line_settings *settings);
/* Returns a sink that creates a directory and writes a trace in the Common Trace Format to it. */
struct sink *ctf_new(const char *directory);
/*
 * Returns a sink that writes a timeline. counters lists the fields to plot, each as "event.field".
 * row is the argument of --row, or NULL.
 */
struct sink *picture_new(FILE *out, char **counters, const char *row);

#endif
