/* SPDX-License-Identifier: MIT */
/*
 * Output formats: sinks that write each event.
 *
 *	print.c		lines of text
 *	json.c		lines of JSON
 *	picture.c	slices, instants, flows and tracks, which chrome.c writes as Chrome JSON
 *	ctf.c		a directory in the Common Trace Format
 *	otlp.c		OpenTelemetry logs and spans
 */
#ifndef UETRACE_FORMAT_H
#define UETRACE_FORMAT_H

#include "output/sink.h"

#include <stdio.h>

struct options;

struct sink *printer_new(FILE *out, bool colours);
struct sink *json_new(FILE *out, const struct options *o);
/* Returns a sink that writes OpenTelemetry requests, one per line. */
struct sink *otlp_new(FILE *out, const struct options *options);
/* Returns a sink that creates this directory and writes a CTF trace to it. */
struct sink *ctf_new(const char *folder);
/* Returns a sink that writes a timeline. counters: the fields to plot, as "event.field". */
struct sink *picture_new(FILE *out, char **counters);

#endif
