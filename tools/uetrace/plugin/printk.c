/* SPDX-License-Identifier: MIT */
/*
 * Prints TRACE_EVENT events with their TP_printk strings. A separate handle parses the event format
 * again, with the TP_printk string as the print format.
 *
 * perf 6.1 exports too few functions of its own libtraceevent for this. In that case, the system's
 * libtraceevent is loaded with RTLD_DEEPBIND, so that its internal calls are not resolved to perf's
 * functions with the same names.
 */
#include "binary/binary.h"
#include "plugin/printk.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* The libtraceevent functions that this file uses. */
#define FUNCTIONS(F)              \
	F(tep_alloc)              \
	F(tep_free)               \
	F(tep_parse_format)       \
	F(tep_print_event)        \
	F(tep_set_file_bigendian) \
	F(tep_set_long_size)      \
	F(trace_seq_init)         \
	F(trace_seq_reset)        \
	F(trace_seq_destroy)

/*
 * Pointers to the functions above. Functions that every tool exports to plugins are called
 * directly.
 */
static struct library {
#define POINTER(name) __typeof__(name) *name;
	FUNCTIONS(POINTER)
#undef POINTER
} lib;

struct shown {
	struct shown *next;
	int id;
	struct tep_handle *tep; /* NULL if there is no TP_printk string for the event */
};

struct plugin_texts {
	struct shown *shown;
	struct trace_seq seq;
};

static bool load(void)
{
	static const char name[] = "libtraceevent.so.1";
	/* the tool's own libtraceevent, if it is dynamically linked */
	void *handle = dlopen(name, RTLD_NOW | RTLD_NOLOAD);
	bool all;

	if (!handle) /* the tool is linked with a private copy */
		handle = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
	all = handle != NULL;
#define LOADED(name) all = all && (lib.name = (__typeof__(name) *)dlsym(handle, #name)) != NULL;
	FUNCTIONS(LOADED)
#undef LOADED
	return all;
}

struct plugin_texts *plugin_texts_new(const char *binaries)
{
	struct plugin_texts *texts;
	char *copy = strdup(binaries), *rest = copy, *one;
	bool found = false;

	while (copy && (one = strsep(&rest, ":")))
		found = (*one && texts_read(one, NULL, 0) == 0) || found;
	free(copy);
	texts = found && load() ? calloc(1, sizeof(*texts)) : NULL;
	if (texts)
		lib.trace_seq_init(&texts->seq);
	return texts;
}

void plugin_texts_free(struct plugin_texts *texts)
{
	struct shown *shown;

	if (!texts)
		return;
	while ((shown = texts->shown)) {
		texts->shown = shown->next;
		if (shown->tep)
			lib.tep_free(shown->tep);
		free(shown);
	}
	lib.trace_seq_destroy(&texts->seq);
	free(texts);
}

/* Returns a handle that contains only this event, with its TP_printk string. */
static struct tep_handle *parse(const struct tep_event *event)
{
	static const uint8_t one[2] = { 1, 0 };
	bool big = tep_read_number(event->tep, one, 2) != 1;
	const char *dot = strchr(event->name, '.');
	char *name = strndup(event->name, dot ? (size_t)(dot - event->name) : strlen(event->name));
	char *fields = texts_fields(event);
	char *format = name && fields ? texts_format(name, fields) : NULL;
	struct tep_handle *tep = format ? lib.tep_alloc() : NULL;
	struct tep_event *parsed = NULL;

	if (tep) {
		lib.tep_set_file_bigendian(tep, big ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
		lib.tep_set_long_size(tep, (int)sizeof(long));
		if (lib.tep_parse_format(tep, &parsed, format, strlen(format), event->system) !=
			    0 ||
		    !parsed || (unsigned int)parsed->flags & TEP_EVENT_FL_FAILED) {
			lib.tep_free(tep);
			tep = NULL;
		}
	}
	free(format);
	free(fields);
	free(name);
	return tep;
}

static struct shown *shown_of(struct plugin_texts *texts, const struct tep_event *event)
{
	struct shown *shown = texts->shown;

	while (shown && shown->id != event->id)
		shown = shown->next;
	if (shown)
		return shown;
	shown = calloc(1, sizeof(*shown));
	if (!shown)
		return NULL;
	shown->id = event->id;
	shown->tep = parse(event);
	shown->next = texts->shown;
	return texts->shown = shown;
}

bool plugin_texts_print(struct plugin_texts *texts, struct trace_seq *s,
			const struct tep_event *event, struct tep_record *record)
{
	struct shown *shown = texts ? shown_of(texts, event) : NULL;

	if (!shown || !shown->tep)
		return false;
	lib.trace_seq_reset(&texts->seq);
	lib.tep_print_event(shown->tep, &texts->seq, record, "%s", TEP_PRINT_INFO);
	if (texts->seq.len >= texts->seq.buffer_size)
		return false;
	texts->seq.buffer[texts->seq.len] = '\0';
	trace_seq_puts(s, texts->seq.buffer);
	return true;
}
