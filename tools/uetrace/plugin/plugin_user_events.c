/* SPDX-License-Identifier: MIT */
/*
 * plugin_user_events.so - decodes EventHeader events in perf, trace-cmd and KernelShark.
 *
 * These tools print events with libtraceevent, which loads all plugins (*.so) in its own directory,
 * in $TRACEEVENT_PLUGIN_DIR and in ~/.local/lib/traceevent/plugins. This plugin prints EventHeader
 * events as uetrace does. It precedes the text of truncated kernel-typed events with
 * "(truncated)", and does not change the output of other events.
 *
 *   trace-cmd report -O user_events:json
 *       prints JSON instead of text
 *   trace-cmd report -O user_events:program=./server
 *       prints TRACE_EVENT events with the TP_printk strings of this binary
 *   USER_EVENTS_JSON=1 USER_EVENTS_PROGRAM=./server:./plugin.so perf script
 *       has the same effect in tools without plugin options
 *   USER_EVENTS_SYSTEMS=user_events_mine
 *       handles other systems besides user_events and user_events_multi
 *
 * In libtraceevent, a handler is registered for a single event, by name or ID. There are no
 * patterns, and plugins are loaded before any event is known. Therefore, this plugin registers a
 * handler for each possible event ID. Handlers that match no event must be unregistered, because up
 * to libtraceevent 1.8.4, a handler without a name crashes other plugins when they are unloaded.
 * Handlers are unregistered by ID, because this works in every tool: the private libtraceevent of
 * perf 6.1 exports few other functions to plugins.
 *
 * A plugin must not disturb the tool that loads it, so nothing here exits the process or prints
 * directly.
 */
#include <event-parse.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <trace-seq.h>

#include "event/event.h"
#include "fields/dotnet.h"
#include "fields/fields.h"
#include "plugin/printk.h"

/*
 * Marks exported symbols. The build hides all other symbols, because libtraceevent loads plugins
 * with RTLD_GLOBAL.
 */
#define PUBLIC __attribute__((visibility("default")))

/*
 * Number of IDs for which handlers are registered at startup. The kernel has about 3000 events of
 * its own, and assigns the lowest free ID to each new event. A larger number would make opening a
 * file slower, by 3 ns per handler and event.
 */
#define FIRST_NUMBERS 8192
#define ALL_NUMBERS 65536
#define SYSTEMS_MAX 8
#define BIG_ENDIAN_HOST (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

/* State for one libtraceevent handle. */
struct plugin {
	struct plugin *next;
	struct tep_handle *tep;
	bool all;		   /* true after reach_all_numbers() was called */
	bool reached[ALL_NUMBERS]; /* true for IDs from FIRST_NUMBERS on with a handler */
	struct plugin_texts *texts;
	struct dotnet_event converted;
	struct writer w;
};

static struct plugin *plugins;
/*
 * Event systems for which handlers are registered. Handlers are registered before a file is read,
 * so the user must list additional systems in USER_EVENTS_SYSTEMS.
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
		.description = "Print TRACE_EVENTs with the TP_printk strings of these binaries",
		.value = "",
	},
	{ .name = NULL },
};

static bool wants_json(void)
{
	const char *env = getenv("USER_EVENTS_JSON");

	return tep_plugin_options[0].set || (env && strcmp(env, "1") == 0);
}

/* Returns the list of binaries with TP_printk strings. */
static const char *programs(void)
{
	const char *env = getenv("USER_EVENTS_PROGRAM");

	return *tep_plugin_options[1].value || !env ? tep_plugin_options[1].value : env;
}

/* A field that all tracepoints of a kind have. offset is relative to the first field. */
struct expected_field {
	const char *name;
	int offset, size; /* in bytes */
};

/* Fields of EventHeader events, and of .NET runtime events. */
static const struct expected_field eventheader_fields[] = {
	{ "eventheader_flags", 0, 1 },
	{ "version", 1, 1 },
	{ "id", 2, 2 },
	{ "tag", 4, 2 },
	{ "opcode", 6, 1 },
	{ "level", 7, 1 },
	{ NULL, 0, 0 },
};
static const struct expected_field dotnet_fields[] = {
	{ "version", 0, 1 }, { "event_id", 1, 2 }, { "extension", 3, 4 },
	{ "payload", 7, 4 }, { NULL, 0, 0 },
};

/*
 * If the event has exactly the expected fields, returns the offset of the first one in a record,
 * otherwise 0.
 */
static size_t offset_of(const struct tep_event *event, const struct expected_field *expected)
{
	const struct tep_format_field *field = event->format.fields;
	int begin = field ? field->offset : 0;

	for (; expected->name; expected++, field = field->next) {
		if (!field || strcmp(field->name, expected->name) != 0 ||
		    field->offset != begin + expected->offset || field->size != expected->size)
			return 0;
	}
	return field || begin < 0 ? 0 : (size_t)begin;
}

/*
 * Returns true if the program truncated a kernel-typed event. perf's own copy of libtraceevent does
 * not export the byte order to plugins, so both byte orders are tried.
 */
static bool is_truncated(const struct tep_event *event, const struct tep_record *record)
{
	struct ue_decode_field fields[128]; /* more than a 511-byte definition can contain */
	struct ue_decode_format format = { .fields = fields, .fields_max = 128 };
	const struct tep_format_field *field = event->format.fields;

	for (; field; field = field->next) {
		if (format.field_count == format.fields_max)
			return false;
		fields[format.field_count++] = (struct ue_decode_field){
			.offset = (uint32_t)field->offset,
			.size = (uint32_t)field->size,
			.loc = !(field->flags & TEP_FIELD_IS_DYNAMIC) ? 0
			       : field->flags & TEP_FIELD_IS_RELATIVE ? UE_DECODE_REL_LOC
								      : UE_DECODE_DATA_LOC,
		};
	}
	for (; format.big_endian < 2; format.big_endian++) {
		if (ue_decode_format_truncated(&format, record->data, (size_t)record->size))
			return true;
	}
	return false;
}

static int print_event(struct trace_seq *s, struct tep_record *record, struct tep_event *event,
		       void *context);

/* Registers handlers for an ID. Returns true if an event with this ID exists. */
static bool register_id(struct plugin *p, int id)
{
	bool found = false;
	size_t i;

	for (i = 0; i < systems_n; i++)
		found |= tep_register_event_handler(p->tep, id, systems[i], NULL, print_event, p) ==
			 TEP_REGISTER_SUCCESS_OVERWRITE;
	return found;
}

static void unregister_id(struct plugin *p, int id)
{
	size_t i;

	/* Start with the last system, because its handler comes first in libtraceevent's list. */
	for (i = systems_n; i-- > 0;)
		tep_unregister_event_handler(p->tep, id, systems[i], NULL, print_event, p);
}

/*
 * Registers handlers for IDs from FIRST_NUMBERS on, and unregisters handlers that match no event.
 * Called when the first event of a file is printed, because by then all events are known.
 */
static void reach_all_numbers(struct plugin *p)
{
	int id;

	p->all = true;
	if (*programs())
		p->texts = plugin_texts_new(programs());
	for (id = FIRST_NUMBERS; id < ALL_NUMBERS; id++) {
		p->reached[id] = register_id(p, id);
		if (!p->reached[id])
			unregister_id(p, id);
	}
}

/* Prints an event and returns 0. Returns 1 if libtraceevent must print the event instead. */
static int print_event(struct trace_seq *s, struct tep_record *record, struct tep_event *event,
		       void *context)
{
	struct plugin *p = context;
	size_t offset = offset_of(event, eventheader_fields);
	size_t dotnet = offset ? 0 : offset_of(event, dotnet_fields);
	const char *name = event->name, *data;
	struct ue_decode_event e;
	size_t size;

	if (!p->all)
		reach_all_numbers(p);
	if (!offset && !dotnet && plugin_texts_print(p->texts, s, event, record))
		return 0;
	if (!offset && !dotnet) {
		if (record->size >= 0 && is_truncated(event, record))
			trace_seq_puts(s, "(truncated) ");
		return 1;
	}
	if (record->size < 0 || offset + dotnet > (size_t)record->size)
		return 1;
	data = (const char *)record->data + offset + dotnet;
	size = (size_t)record->size - offset - dotnet;
	if (dotnet) {
		/*
		 * Pass -1, because libtraceevent provides the thread ID, but not the PID. perf's
		 * own copy of libtraceevent does not export the byte order to plugins, so try both.
		 * A record is invalid in the wrong byte order.
		 */
		if (!dotnet_read(&p->converted, name, -1, data, size, BIG_ENDIAN_HOST) &&
		    !dotnet_read(&p->converted, name, -1, data, size, !BIG_ENDIAN_HOST))
			return 1;
		name = p->converted.tracepoint;
		data = p->converted.data;
		size = p->converted.size;
	}
	p->w.n = 0;
	if (wants_json()) {
		ue_decode_parse(&e, name, strlen(name), data, size);
		ue_decode_json_to(&e, NULL, UE_DECODE_SPACED, put_json, &p->w);
	} else {
		put_eventheader(&p->w, name, data, size);
	}
	put_char(&p->w, '\0');
	if (!p->w.n || p->w.line[p->w.n - 1])
		return 1; /* out of memory */
	trace_seq_puts(s, p->w.line);
	return 0;
}

PUBLIC int tep_plugin_loader(struct tep_handle *tep);
PUBLIC void tep_plugin_unloader(struct tep_handle *tep);

/*
 * Parses USER_EVENTS_SYSTEMS, such as "user_events_a:user_events_b". Only the first call has an
 * effect.
 */
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

/*
 * Returns the address of the list link to the plugin of a handle. If the handle has no plugin,
 * returns the address of the last link.
 */
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

	/* The plugin may have been loaded from two directories. */
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
		register_id(p, id);
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
			unregister_id(p, id);
	plugin_texts_free(p->texts);
	free(p->w.line);
	free(p->converted.buffer);
	free(p);
	if (!plugins)
		dotnet_forget();
}
