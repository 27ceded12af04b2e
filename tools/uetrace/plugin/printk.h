/* SPDX-License-Identifier: MIT */
/*
 * printk.c: prints TRACE_EVENT events with their TP_printk strings, for the libtraceevent plugin.
 */
#ifndef UETRACE_PLUGIN_TEXTS_H
#define UETRACE_PLUGIN_TEXTS_H

#include <event-parse.h>
#include <stdbool.h>
#include <trace-seq.h>

struct plugin_texts;

/*
 * Reads the TP_printk strings from binaries, a colon-separated list of paths. Returns NULL if there
 * are no strings, if libtraceevent cannot be loaded, or if memory runs out.
 */
struct plugin_texts *plugin_texts_new(const char *binaries);
void plugin_texts_free(struct plugin_texts *texts);
/*
 * Prints an event. Returns false if the event has no TP_printk string or if libtraceevent cannot
 * print it.
 */
bool plugin_texts_print(struct plugin_texts *texts, struct trace_seq *s,
			const struct tep_event *event, struct tep_record *record);

#endif
