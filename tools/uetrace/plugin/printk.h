/* SPDX-License-Identifier: MIT */
/* printk.c: prints TRACE_EVENTs with the text of TP_printk in the plugin for libtraceevent. */
#ifndef UETRACE_PLUGIN_TEXTS_H
#define UETRACE_PLUGIN_TEXTS_H

#include <event-parse.h>
#include <stdbool.h>
#include <trace-seq.h>

struct plugin_texts;

/* binaries: paths separated by colons. Returns NULL if memory is short or there is no text. */
struct plugin_texts *plugin_texts_new(const char *binaries);
void plugin_texts_free(struct plugin_texts *texts);
/* Prints an event. Returns false if it has no text or libtraceevent cannot print it. */
bool plugin_texts_print(struct plugin_texts *texts, struct trace_seq *s,
			const struct tep_event *event, struct tep_record *record);

#endif
