/* SPDX-License-Identifier: MIT */
/*
 * plugin_user_events.so - perf, trace-cmd and KernelShark print EventHeader events decoded.
 *
 * They print events with libtraceevent, which loads plugins: all files *.so of its own folder, of
 * $TRACEEVENT_PLUGIN_DIR, and of ~/.local/lib/traceevent/plugins. This one prints what programs
 * write to tracepoints of EventHeader events, as uetrace does. All other events are printed as
 * without it.
 *
 *	trace-cmd report -O user_events:json	JSON instead of text
 *	trace-cmd report -O user_events:program=./server
 *					TRACE_EVENTs of this binary with the text of TP_printk
 *	USER_EVENTS_JSON=1 USER_EVENTS_PROGRAM=./server:./plugin.so perf script
 *						the same where a tool has no options for plugins
 *	USER_EVENTS_SYSTEMS=user_events_mine	systems beside user_events and user_events_multi
 *
 * libtraceevent knows no patterns: a handler is for one event, named by what events are called or
 * by their number, and a plugin is loaded before any event is known. So there is a handler for
 * each number that an event of this kernel or another may have. It is by the number, too, that
 * handlers that met no event can be taken back in every tool: perf 6.1 has a libtraceevent of its
 * own, which lets plugins call little else. They must be taken back: up to libtraceevent 1.8.4 a
 * handler without a name crashes other plugins when they are unloaded.
 *
 * A tool must not suffer from its plugin: nothing here ends the process or prints on its own.
 */
#include <event-parse.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <trace-seq.h>

#include "event/event.h"
#include "fields/fields.h"
#include "plugin/printk.h"

/* All else is hidden: libtraceevent loads plugins into the names of the whole program. */
#define PUBLIC __attribute__((visibility("default")))

/*
 * The kernel gives events the lowest free number. Its own are some 3000. Each handler costs every
 * other event of a file 3 ns when the file is opened.
 */
#define FIRST_NUMBERS 8192
#define ALL_NUMBERS 65536
#define SYSTEMS_MAX 8

/* The state for printing; one for each of libtraceevent's handles. */
struct plugin {
	struct plugin *next;
	struct tep_handle *tep;
	bool all;		   /* reach_all_numbers() was here, */
	bool reached[ALL_NUMBERS]; /* and met these events */
	struct plugin_texts *texts;
	struct writer w;
};

static struct plugin *plugins;
/*
 * Handlers are registered for systems before any file is read, so others must be named
 * beforehand.
 */
static const char *systems[SYSTEMS_MAX] = { USER_SYSTEM, MULTI_SYSTEM };
static size_t systems_n = 2;

PUBLIC extern const char tep_plugin_alias[];
PUBLIC extern struct tep_plugin_option tep_plugin_options[];

const char tep_plugin_alias[] = "user_events";
struct tep_plugin_option tep_plugin_options[] = {
	{
		.name = "json",
		.plugin_alias = "user_events",
		.description = "Print EventHeader events as JSON",
	},
	{
		.name = "program",
		.plugin_alias = "user_events",
		.description = "Print TRACE_EVENTs of these binaries with the text of TP_printk",
		.value = "",
	},
	{ .name = NULL },
};

static bool wants_json(void)
{
	const char *env = getenv("USER_EVENTS_JSON");

	return tep_plugin_options[0].set || (env && strcmp(env, "1") == 0);
}

/* The binaries with texts. */
static const char *programs(void)
{
	const char *env = getenv("USER_EVENTS_PROGRAM");

	return *tep_plugin_options[1].value || !env ? tep_plugin_options[1].value : env;
}

/* Returns where an EventHeader event begins in its record; 0 for events of kernel-typed fields. */
static size_t eventheader_offset(const struct tep_event *event)
{
	static const struct {
		char name[18];
		int offset, size;
	} six[] = {
		{ "eventheader_flags", 0, 1 },
		{ "version", 1, 1 },
		{ "id", 2, 2 },
		{ "tag", 4, 2 },
		{ "opcode", 6, 1 },
		{ "level", 7, 1 },
	};
	const struct tep_format_field *field = event->format.fields;
	int begin = field ? field->offset : 0;
	size_t i;

	for (i = 0; i < sizeof(six) / sizeof(*six); i++, field = field->next) {
		if (!field || strcmp(field->name, six[i].name) != 0 ||
		    field->offset != begin + six[i].offset || field->size != six[i].size)
			return 0;
	}
	return field || begin < 0 ? 0 : (size_t)begin;
}

static int print_event(struct trace_seq *s, struct tep_record *record, struct tep_event *event,
		       void *context);

/* Returns whether there is an event of this number. */
static bool give(struct plugin *p, int id)
{
	bool met = false;
	size_t i;

	for (i = 0; i < systems_n; i++)
		met |= tep_register_event_handler(p->tep, id, systems[i], NULL, print_event, p) ==
		       TEP_REGISTER_SUCCESS_OVERWRITE;
	return met;
}

static void take_back(struct plugin *p, int id)
{
	size_t i;

	/* from the last one: it stands first in libtraceevent's list */
	for (i = systems_n; i-- > 0;)
		tep_unregister_event_handler(p->tep, id, systems[i], NULL, print_event, p);
}

/*
 * Runs with the first printed event of a file, when all events of the file are known. Events of
 * higher numbers keep their handlers; handlers without an event are unregistered.
 */
static void reach_all_numbers(struct plugin *p)
{
	int id;

	p->all = true;
	if (*programs())
		p->texts = plugin_texts_new(programs());
	for (id = FIRST_NUMBERS; id < ALL_NUMBERS; id++) {
		p->reached[id] = give(p, id);
		if (!p->reached[id])
			take_back(p, id);
	}
}

/* Returns 0 if the event is printed, or 1 for libtraceevent to print it. */
static int print_event(struct trace_seq *s, struct tep_record *record, struct tep_event *event,
		       void *context)
{
	struct plugin *p = context;
	size_t offset = eventheader_offset(event);
	struct ue_decode_event e;
	const char *data;

	if (!p->all)
		reach_all_numbers(p);
	if (!offset)
		return !plugin_texts_print(p->texts, s, event, record);
	if (record->size < 0 || offset > (size_t)record->size)
		return 1;
	data = (const char *)record->data + offset;
	p->w.n = 0;
	if (wants_json()) {
		ue_decode_parse(&e, event->name, strlen(event->name), data,
				(size_t)record->size - offset);
		ue_decode_json_to(&e, NULL, UE_DECODE_SPACED, put_json, &p->w);
	} else {
		put_eventheader(&p->w, event->name, data, (size_t)record->size - offset);
	}
	put_char(&p->w, '\0');
	if (!p->w.n || p->w.line[p->w.n - 1])
		return 1; /* no memory */
	trace_seq_puts(s, p->w.line);
	return 0;
}

PUBLIC int tep_plugin_loader(struct tep_handle *tep);
PUBLIC void tep_plugin_unloader(struct tep_handle *tep);

/* Reads USER_EVENTS_SYSTEMS, "user_events_a:user_events_b", once. */
static void add_systems(void)
{
	static char *names;
	const char *env = getenv("USER_EVENTS_SYSTEMS");
	char *rest, *name;

	if (names || !env || !(names = strdup(env)))
		return;
	for (rest = names; systems_n < SYSTEMS_MAX && (name = strsep(&rest, ":"));) {
		if (*name)
			systems[systems_n++] = name;
	}
}

/* Returns where the list has the plugin of this handle, or ends. */
static struct plugin **find(const struct tep_handle *tep)
{
	struct plugin **link = &plugins;

	while (*link && (*link)->tep != tep)
		link = &(*link)->next;
	return link;
}

int tep_plugin_loader(struct tep_handle *tep)
{
	struct plugin *p;
	int id;

	/* the same file may be found in two folders */
	if (*find(tep))
		return 0;
	p = calloc(1, sizeof(*p));
	if (!p)
		return -1;
	add_systems();
	p->tep = tep;
	p->next = plugins;
	plugins = p;
	for (id = 0; id < FIRST_NUMBERS; id++)
		give(p, id);
	return 0;
}

void tep_plugin_unloader(struct tep_handle *tep)
{
	struct plugin **link = find(tep), *p = *link;
	int id;

	if (!p)
		return;
	*link = p->next;
	for (id = ALL_NUMBERS - 1; id >= 0; id--)
		if (id < FIRST_NUMBERS || p->reached[id])
			take_back(p, id);
	plugin_texts_free(p->texts);
	free(p->w.line);
	free(p);
}
