/* SPDX-License-Identifier: MIT */
/* Implements the list command for registered and declared events. list_file.c handles files. */
#include "command/command.h"
#include "command/declared_fields.h"
#include "event/event.h"
#include "kernel/kernel.h"
#include "read/read.h"
#include "command/options.h"
#include "select/select.h"
#include "usdt/usdt.h"
#include "util/util.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <tracefs.h>

/* The patterns given on the command line. */
struct wanted {
	char **patterns; /* NULL selects all user events */
	bool *met;	 /* for each pattern: true if the pattern matched an event */
};

static bool is_wanted(const struct wanted *w, const char *system, const char *name)
{
	enum selection selection;
	bool any = false;
	size_t i;

	if (!w->patterns)
		return event_matches(NULL, system, name);
	for (i = 0; w->patterns[i]; i++) {
		char *one[] = { w->patterns[i], NULL };

		selection = event_selected(one, system, name);
		/*
		 * The kernel cannot list the events in a set, so a pattern could match an event of
		 * any set. If the pattern contains a provider, list the sets of that provider.
		 * Otherwise, list no set, because every set might match.
		 */
		if (selection == SELECT_ALL || (selection == SELECT_NAMES && strchr(one[0], ':')))
			any = w->met[i] = true;
	}
	return any;
}

/* Tracers that have enabled an event */

/* Compares lines by their first word. */
static int by_first_word(const void *a, const void *b)
{
	const char *x = a, *y = b;
	size_t n = strcspn(x, " "), m = strcspn(y, " ");

	return n != m ? (n < m ? -1 : 1) : memcmp(x, y, n);
}

/* Reads the lines of user_events_status into a search tree, because there may be 32768 lines. */
static void *read_status(void)
{
	char *rest = tracefs_instance_file_read(NULL, "user_events_status", NULL), *line;
	void *lines = NULL;

	while (rest && *(line = strsep(&rest, "\n"))) {
		if (!tsearch(line, &lines, by_first_word))
			die("out of memory");
	}
	return lines;
}

/* Parses the listeners from a line "name # Used by ftrace perf". */
static void add_listeners(struct listed *listed, void *const *status)
{
	static const char mark[] = "# Used by ";
	char **found = tfind(listed->name, status, by_first_word);
	char *line = found ? strstr(*found, mark) : NULL, *copy, *rest, *by;

	if (!line)
		return;
	rest = copy = text("%s", line + strlen(mark));
	while ((by = strsep(&rest, " ")))
		add(&listed->listeners, by);
	free(copy);
}

/*
 * Lists the events that running programs declare. Used for --usdt and on kernels without
 * user_events.
 */
static void list_running(const struct wanted *w, bool json)
{
	char **specs = NULL, **p;

	usdt_running(&specs, NULL);
	if (!specs && !w->patterns)
		warning("%sno running program declares events; to list the events of a program "
			"that is not running: uetrace list ./PROGRAM",
			kernel_has_user_events() ? "" : "this kernel has no user_events, and ");
	for (p = specs; p && *p; p++) {
		struct listed listed = listed_specified(USER_SYSTEM, *p);

		if (is_wanted(w, USER_SYSTEM, listed.name))
			listed_put(&listed, json, false);
		listed_free(&listed);
	}
	list_free(specs);
}

static void list_event(const char *system, const char *name, void *const *status, bool json)
{
	char *format = tracefs_event_file_read(NULL, system, name, "format", NULL);
	struct listed listed = listed_formatted(system, name, format ? format : "");

	add_listeners(&listed, status);
	if (listed.listeners)
		instances_using(system, name, &listed.instances);
	listed_put(&listed, json, true);
	listed_free(&listed);
	free(format);
}

static void sort(char **list)
{
	size_t n = 0;

	while (list && list[n])
		n++;
	if (n)
		qsort(list, n, sizeof(*list), compare_strings);
}

static void list_system(const char *system, const struct wanted *w, void *const *status, bool json)
{
	char *directory = text("events/%s", system);
	char **names = tracing_names(directory), **p;

	sort(names);
	for (p = names; p && *p; p++) {
		/* skip the other files in the directory */
		if (tracefs_event_file_exists(NULL, system, *p, "format") &&
		    is_wanted(w, system, *p))
			list_event(system, *p, status, json);
	}
	list_free(names);
	free(directory);
}

/* If a pattern contains a system name, lists the matching kernel events. */
static void list_kernel(const struct wanted *w, bool json)
{
	char **systems = tracefs_event_systems(NULL), **p, **pattern;
	bool named = false;
	void *status = NULL; /* empty, because user_events_status lists only user events */

	for (pattern = w->patterns; pattern && *pattern; pattern++)
		named = named || strchr(*pattern, ':');
	for (p = systems; named && p && *p; p++) {
		if (!system_is_user(*p))
			list_system(*p, w, &status, json);
	}
	tracefs_list_free(systems);
}

static void list_registered(const struct wanted *w, bool json)
{
	char **systems = NULL, **p;
	void *status = read_status();

	systems_find(&systems);
	sort(systems);
	for (p = systems; p && *p; p++)
		list_system(*p, w, &status, json);
	list_free(systems);
	list_kernel(w, json);
}

static void list_events(const struct wanted *w, bool json, bool usdt)
{
	if (usdt || !kernel_has_user_events())
		list_running(w, json);
	else
		list_registered(w, json);
}

/*
 * Handles patterns that matched no event. If the current directory contains a program with the name
 * in the pattern, lists the events of the program. Otherwise, reports that no event matches.
 */
static int list_others(const struct wanted *w, const char *problem, bool json)
{
	int status = EXIT_SUCCESS, one;
	char *path;
	size_t i;

	for (i = 0; w->patterns && w->patterns[i]; i++) {
		one = EXIT_FAILURE;
		if (w->met[i])
			continue;
		if (binary_here(w->patterns[i])) {
			path = text("./%s", w->patterns[i]);
			warning("%s is not an event; listing the events of %s", w->patterns[i],
				path);
			one = list_file(path, json);
			free(path);
		} else if (problem) {
			die("%s", problem);
		} else {
			warning("no event matches %s", w->patterns[i]);
		}
		status = one ? one : status;
	}
	return status;
}

int cmd_list(struct options *o)
{
	struct wanted w = { .patterns = NULL };
	int status = EXIT_SUCCESS, one;
	char **p, *problem;

	for (p = o->words; p && *p; p++) {
		if (strchr(*p, '/') || is_recording(*p)) {
			one = list_file(*p, o->json);
			status = one ? one : status;
		} else {
			add(&w.patterns, *p);
		}
	}
	if (o->words && !w.patterns)
		return status;
	w.met = allocate(list_length(w.patterns) * sizeof(*w.met));
	problem = instance_problem();
	if (problem && !w.patterns)
		die("%s", problem);
	if (!problem)
		list_events(&w, o->json, o->usdt);
	one = list_others(&w, problem, o->json);
	free(problem);
	free(w.met);
	list_free(w.patterns);
	return one ? one : status;
}
