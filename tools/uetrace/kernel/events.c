/* SPDX-License-Identifier: MIT */
/*
 * Finds the events that match the patterns, reads their formats and enables them. The directories
 * are scanned repeatedly, because programs register events when they start.
 */
#include "kernel/kernel.h"
#include "binary/binary.h"
#include "event/event.h"
#include "select/select.h"
#include "util/util.h"

#include <dirent.h>
#include <errno.h>
#include <event-parse.h>
#include <fnmatch.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

#define NOTED_MAX 1000	      /* maximum number of records used to collect field names */
#define IDS 65536	      /* number of possible values of common_type, which has 16 bits */
#define OTHERS_NS 1000000000u /* interval between searches for other user_events systems, in ns */

struct events {
	struct tracefs_instance *instance;
	const struct choice *choice;
	bool user_events, probes; /* as in struct events_settings */
	struct tep_handle *tep;
	struct event **by_id;
	void *by_name; /* tsearch() tree of struct event */
	struct event **list;
	size_t n;
	char **systems;
	bool others;	      /* true to search for other user_events systems */
	uint64_t next_others; /* time of the next search for other systems, in ns */
	char *rejection;      /* the kernel's reason for rejecting the filter, or NULL */
	/* the filter as parsed by uetrace, or NULL if uetrace cannot evaluate it */
	struct match *match;
	bool accepted;
	bool undecided;	   /* true if the filter may use fields that the kernel does not support */
	bool report;	   /* true to report the next rejection of the filter */
	size_t mismatches; /* number of records that did not match the filter */
	bool matched;
};

static int compare(const void *a, const void *b)
{
	const struct event *x = a, *y = b;
	int order = strcmp(x->system, y->system);

	if (x->by_uprobes != y->by_uprobes)
		return x->by_uprobes ? 1 : -1;
	order = order ? order : strcmp(x->name, y->name);
	return order ? order : event_compare_types(x, y);
}

static struct tep_handle *tep_new(void)
{
	struct tep_handle *tep = tep_alloc();
	char *page = tracefs_instance_file_read(NULL, "events/header_page", NULL);

	if (!tep)
		die("out of memory");
	tep_set_file_bigendian(tep,
			       tep_is_local_bigendian(tep) ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	if (page)
		tep_parse_header_page(tep, page, strlen(page), sizeof(long));
	free(page);
	return tep;
}

/*
 * Collects the names of the directories in events/ to scan. Wildcards in the names are expanded
 * during each scan.
 */
static void find_systems(struct events *events)
{
	char **p = events->choice->patterns, **names = tracing_names("events");
	bool user = !p;

	for (; p && *p; p++) {
		size_t n = strcspn(*p, ":");
		char *system = text("%.*s", (int)n, *p);

		/* the text before the colon may be a provider instead of a system */
		if (!(*p)[n] || !list_has(names, system))
			user = true;
		if ((*p)[n])
			add(&events->systems, system);
		free(system);
	}
	list_free(names);
	if (user && events->user_events) {
		/* the kernel creates these directories when the first event is registered */
		add(&events->systems, USER_SYSTEM);
		add(&events->systems, MULTI_SYSTEM);
		events->others = true;
	}
	if (events->probes)
		add(&events->systems, instance_group());
}

struct events *events_new(struct tracefs_instance *instance, const struct events_settings *settings)
{
	struct events *events = allocate(sizeof(*events));

	events->instance = instance;
	events->choice = settings->choice;
	events->user_events = settings->user_events;
	events->probes = settings->probes;
	events->by_id = allocate(IDS * sizeof(*events->by_id));
	events->tep = tep_new();
	find_systems(events);
	if (events->choice->filter)
		events->match = match_new(events->choice->filter, false);
	return events;
}

/*
 * Handles an event for which the kernel rejected the filter. For EventHeader events and events of
 * the .NET runtime, uetrace evaluates the filter, because the kernel cannot read their fields. The
 * records of the user's probes are shown unfiltered.
 */
static bool enable_unfiltered(struct events *events, struct event *event, const char *system,
			      const char *name)
{
	if (!event->group &&
	    (!(event->eventheader || event_format(event)->dotnet) || !events->match))
		return false;
	tracefs_event_file_write(events->instance, system, name, "filter", "0");
	event->by_match = !event->group;
	/* only the first records show whether the events have these fields */
	events->undecided = events->undecided || event->by_match;
	if (event->group)
		warning("the filter is not applied to the probe %s, which lacks one of the "
			"filter's fields",
			event->name);
	return true;
}

/*
 * Stores the kernel's reason for rejecting the filter. The reason is reported later, and only if
 * the kernel rejects the filter for every event, because an event that lacks a field of the filter
 * never matches.
 */
static void note_rejection(struct events *events, const char *kernels)
{
	const char *filter = events->choice->filter;
	char *log;

	if (events->rejection)
		return;
	log = tracefs_error_last(events->instance);
	events->rejection = log ? caret(log, kernels, kernels) : NULL;
	free(log);
	if (!events->rejection)
		events->rejection = text("  %s\n%s", filter, "Invalid argument");
	/*
	 * replace the adapted filter, after two spaces, with the user's filter of the same length
	 */
	memcpy(events->rejection + 2, filter, strlen(filter));
}

static bool set_filter(struct events *events, struct event *event, const char *system,
		       const char *name)
{
	const char *filter = events->choice->filter;
	char *kernels;
	int written;

	event->by_match = false;
	if (!filter)
		return true;
	kernels = event->eventheader ? filter_for_set(filter, event->name) : text("%s", filter);
	errno = 0;
	written = tracefs_event_file_write(events->instance, system, name, "filter", kernels);
	if (written >= 0)
		events->accepted = true;
	else if (!event->group)
		note_rejection(events, kernels);
	if (written < 0)
		selection_note_fields(event, NULL);
	free(kernels);
	/*
	 * The kernel compares the header field, but the event may have a field with the same name.
	 */
	if (written >= 0 &&
	    !(event->eventheader && system == event->system && match_asks_header(events->match)))
		return true;
	return enable_unfiltered(events, event, system, name);
}

/*
 * Returns "SYSTEM.EVENT" for an event probe, or NULL for other events. Only the print format of an
 * event probe does not start with a probe site.
 */
static char *probed_event(const struct event *event)
{
	struct tracefs_dynevent *probe;
	char *target = NULL;

	if (!strstr(event->format_text, "\nprint fmt: \" ") &&
	    !strstr(event->format_text, "\nprint fmt: \"\""))
		return NULL;
	probe = tracefs_dynevent_get(TRACEFS_DYNEVENT_EPROBE, event->system, event->name);
	if (probe)
		tracefs_dynevent_info(probe, NULL, NULL, NULL, &target, NULL);
	tracefs_dynevent_free(probe);
	return target;
}

/*
 * Makes libtraceevent print a TRACE_EVENT event with the print format from its binary, if
 * libtraceevent can parse this format.
 */
static void read_print_format(struct events *events, struct event *event, const char *fields)
{
	char *format = texts_format(event->shown, fields);

	if (format && (tep_parse_format(events->tep, &event->tep, format, strlen(format),
					event->system) != 0 ||
		       (event->tep && (unsigned int)event->tep->flags & TEP_EVENT_FL_FAILED)))
		event->tep = NULL;
	free(format);
}

/*
 * libtraceevent identifies an event by the ID at the start of a record. If several uprobes record
 * the same event, use the ID of the first one.
 */
void events_print_as(struct events *events, struct event *event, unsigned int id)
{
	char *rest = strstr(event->format_text, "\nformat:");
	char *format = rest ? text("name: %s\nID: %u%s", event->name, id, rest) : NULL;

	if (format && !event->eventheader)
		read_print_format(events, event, format);
	event->printed_id = id;
	free(format);
}

static void read_format(struct events *events, struct event *event)
{
	bool user = system_is_user(event->system);
	const char *id;

	event->format_text = tracefs_event_file_read(events->instance, event->system, event->name,
						     "format", NULL);
	id = event->format_text ? strstr(event->format_text, "\nID: ") : NULL;
	if (!id)
		return;
	event->id = (unsigned int)strtoul(id + strlen("\nID: "), NULL, 10) % IDS;
	event_decode(event);
	if (user) {
		if (!event->eventheader)
			read_print_format(events, event, event->format_text);
		return;
	}
	event->probed = probed_event(event);
	if (tep_parse_format(events->tep, &event->tep, event->format_text,
			     strlen(event->format_text), event->system) != 0)
		event->tep = NULL;
}

static void remember(struct events *events, struct event *event)
{
	if (!tsearch(event, &events->by_name, compare))
		die("out of memory");
	if (!(events->n & (events->n - 1)))
		events->list = doubled(events->list, events->n, sizeof(*events->list));
	events->list[events->n++] = event;
}

static int enable_as(struct events *events, struct event *event, const char *system,
		     const char *name)
{
	if (!set_filter(events, event, system, name))
		return 0;
	errno = 0;
	if (tracefs_event_file_write(events->instance, system, name, "enable", "1") < 0) {
		/* the program may have exited after the event was found */
		if (errno != ENOENT && errno != ENODEV)
			warning("cannot enable %s:%s: %s", system, name,
				errno ? strerror(errno) : "the kernel rejected it");
		return 0;
	}
	event->enabled = true;
	return 1;
}

/* Reads and enables an event, which may have been registered again with other fields. */
static int event_read(struct events *events, struct event *event, ino_t inode)
{
	if (events->by_id[event->id] == event)
		events->by_id[event->id] = NULL;
	event->id = 0;
	event->inode = inode;
	event_forget(event);
	event->decoder = NULL;
	free(event->probed);
	event->probed = NULL;
	free(event->format_text);
	read_format(events, event);
	if (!event->id || (event->by_name && !event->eventheader))
		return 0;
	events->by_id[event->id] = event;
	return enable_as(events, event, event->system, event->name);
}

static struct event *event_new(struct events *events, const char *system, const char *name)
{
	struct event *event = allocate(sizeof(*event));

	event->handle = events->tep;
	event->live = true;
	event->parsed = true;
	event->system = text("%s", system);
	event->name = text("%s", name);
	return event;
}

static int event_found(struct events *events, const char *system, const struct dirent *entry)
{
	struct event *event = event_new(events, system, entry->d_name);
	const char *shown_system;
	enum selection selection;

	if (strcmp(system, instance_group()) == 0)
		event->group = probe_group(event->name);
	shown_system = event->group ? event->group : system;
	selection = event_selected(events->choice->patterns, shown_system, event->name);
	event->by_name = !event->group && selection == SELECT_NAMES;
	event->wanted = event->group ||
			(selection != SELECT_NONE && level_matches(events->choice, event->name));
	event->shown = event_shown(shown_system, event->name);
	remember(events, event);
	if (!event->wanted) {
		selection_note_event(event, NULL);
		return 0;
	}
	if (!event->group && !event->by_name)
		events->matched = true;
	return event_read(events, event, entry->d_ino);
}

struct event *events_add(struct events *events, const char *system, const char *name,
			 const char *format, const struct note_field *types, bool chosen,
			 bool *fresh)
{
	struct event *event = event_new(events, system, name), **known;
	unsigned int i;

	event->by_uprobes = true;
	event_set_types(event, types);
	events->matched = events->matched || chosen;
	/* the first format uses the plain event name; further formats have a numeric suffix */
	for (i = 1; (known = tfind(event, &events->by_name, compare)); i++) {
		if ((*known)->format_text && strcmp((*known)->format_text, format) == 0) {
			*fresh = false;
			event_free(event);
			return *known;
		}
		free(event->name);
		event->name = text("%s.%x", name, i);
		if (strcmp(system, USER_SYSTEM) == 0) {
			free(event->system);
			event->system = text(MULTI_SYSTEM);
		}
	}
	*fresh = true;
	event->shown = event_shown(system, name);
	event->format_text = text("%s", format);
	event->wanted = true;
	event_decode(event);
	/*
	 * A probe of another library has no tracepoint whose format could differ from the declared
	 * types.
	 */
	if (!system_is_user(system))
		event_apply_types(event);
	event->by_name = event->eventheader &&
			 event_selected(events->choice->patterns, system, name) == SELECT_NAMES;
	remember(events, event);
	events->matched = events->matched || !event->by_name;
	return event;
}

void events_enable_uprobe(struct events *events, struct event *event, const char *group,
			  const char *uprobe, unsigned int id)
{
	events->by_id[id % IDS] = event;
	enable_as(events, event, group, uprobe);
}

static int scan_system(struct events *events, const char *system)
{
	char *path = tracefs_get_tracing_file("events");
	char *whole = text("%s/%s", path, system);
	DIR *directory = opendir(whole);
	struct event **known, *event;
	struct dirent *entry;
	int found = 0;

	/* check for signals, because enabling 32768 events takes about 3 s */
	while (directory && !signal_waits() && (entry = next_entry(directory))) {
		struct event key = { .system = (char *)(uintptr_t)system, .name = entry->d_name };

		if (entry->d_name[0] == '.' || entry->d_type == DT_REG)
			continue;
		known = tfind(&key, &events->by_name, compare);
		event = known ? *known : NULL;
		if (!event)
			found += event_found(events, system, entry);
		else if (event->wanted && !event->enabled && event->inode != entry->d_ino)
			found += event_read(events, event, entry->d_ino);
	}
	if (directory)
		closedir(directory);
	free(whole);
	tracefs_put_tracing_file(path);
	return found;
}

static int scan_systems(struct events *events, const char *pattern)
{
	char **names = tracing_names("events"), **p;
	int found = 0;

	for (p = names; p && *p; p++) {
		if (fnmatch(pattern, *p, 0) == 0)
			found += scan_system(events, *p);
	}
	list_free(names);
	return found;
}

void systems_find(char ***list)
{
	char **names = tracing_names("events"), **p;

	for (p = names; p && *p; p++) {
		if (system_is_user(*p) && !list_has(*list, *p))
			add(list, *p);
	}
	list_free(names);
}

int events_scan(struct events *events)
{
	int found = 0;
	char **p;

	if (events->others && now() >= events->next_others) {
		systems_find(&events->systems);
		events->next_others = now() + OTHERS_NS;
	}
	for (p = events->systems; p && *p; p++)
		found += strpbrk(*p, "*?[") ? scan_systems(events, *p) : scan_system(events, *p);
	if (events->report && events->rejection && !events->accepted && !events->undecided) {
		warning("the filter is not valid for any event found so far");
		lines(events->rejection);
		events->report = false;
	}
	return found;
}

bool events_may_appear(const struct events *events)
{
	return events->systems != NULL;
}

bool events_accepts(struct events *events, const struct event *event, const struct record *record,
		    bool chosen)
{
	bool unmatched = selection_has_unmatched(events->choice->patterns), named = false;

	if (event->by_name || (unmatched && event->eventheader))
		named = record_selected(events->choice->patterns, event, record);
	if (event->by_name && !chosen && !named) {
		if (unmatched)
			selection_note_event(event, record);
		return false;
	}
	if (event->by_match && match(events->match, event, record) <= 0) {
		if (!events->accepted && events->mismatches++ < NOTED_MAX)
			selection_note_fields(event, record);
		return false;
	}
	events->accepted = events->accepted || event->by_match;
	events->matched = events->matched || !event->group;
	return true;
}

bool events_matched(const struct events *events)
{
	return events->matched;
}

struct event *events_by_id(const struct events *events, unsigned int id)
{
	return id < IDS ? events->by_id[id] : NULL;
}

size_t events_list(const struct events *events, struct event ***list)
{
	*list = events->list;
	return events->n;
}

void events_check_filter(struct events *events)
{
	if (events->rejection && !events->accepted && !events->undecided) {
		warning("cannot use the filter for any event");
		lines(events->rejection);
		selection_report_fields();
		exit(EXIT_FAILURE);
	}
	events->report = true;
}

bool events_report_filter(const struct events *events)
{
	if (!events->rejection || events->accepted)
		return false;
	warning("could not use the filter for any event");
	lines(events->rejection);
	selection_report_fields();
	return true;
}
