/* SPDX-License-Identifier: MIT */
/*
 * Matches patterns against the names of tracepoints, and against the names of events in an event
 * set, which share a tracepoint. Also collects existing names, so that the message about an
 * unmatched pattern can suggest similar names.
 */
#include "select/select.h"
#include "event/event.h"
#include "fields/fields.h"
#include "util/util.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOTED_MAX 1000 /* maximum number of names in each list of collected names */

/* Like fnmatch(), but for strings that are not terminated. */
static bool matches_n(const char *pattern, size_t n, const char *name, size_t length)
{
	char *p = text("%.*s", (int)n, pattern), *s = text("%.*s", (int)length, name);
	bool result = fnmatch(p, s, 0) == 0;

	free(p);
	free(s);
	return result;
}

/*
 * Returns true if PATTERN or SYSTEM:PATTERN matches the tracepoint. A pattern without a system
 * matches only user events.
 */
static bool is_tracepoint(const char *pattern, const char *system, const char *name)
{
	const char *colon = strchr(pattern, ':');

	if (colon)
		return matches_n(pattern, (size_t)(colon - pattern), system, strlen(system)) &&
		       fnmatch(colon + 1, name, 0) == 0;
	if (!system_is_user(system))
		return false;
	return matches_n(pattern, strlen(pattern), name, user_name_length(system, name));
}

/* Returns true if a pattern may match an event in the event set with this name. */
static bool may_be_in_set(const char *pattern, const char *system, const char *name)
{
	const char *colon = strchr(pattern, ':'), *end = strrchr(name, '_');
	unsigned long long keyword;
	unsigned int level;

	if (!system_is_user(system) || !set_name(name, &level, &keyword))
		return false;
	if (colon)
		return matches_n(pattern, (size_t)(colon - pattern), name, (size_t)(end - name));
	return !set_name(pattern, &level, &keyword); /* a set name is not an event name */
}

/* Patterns that matched an event, and patterns that would match a declared event. */
static char **matched, **expected;

void selection_mark_matched(const char *pattern)
{
	if (!list_has(matched, pattern))
		add(&matched, pattern);
}

bool selection_has_unmatched(char **patterns)
{
	for (; patterns && *patterns; patterns++) {
		if (**patterns && !list_has(matched, *patterns))
			return true;
	}
	return false;
}

enum selection event_selected(char **patterns, const char *system, const char *name)
{
	enum selection selection = SELECT_NONE;
	char **p;

	if (!patterns)
		return is_tracepoint("*", system, name) ? SELECT_ALL : SELECT_NONE;
	for (p = patterns; *p; p++) {
		if (is_tracepoint(*p, system, name)) {
			selection = SELECT_ALL;
			selection_mark_matched(*p);
		} else if (selection == SELECT_NONE && may_be_in_set(*p, system, name)) {
			selection = SELECT_NAMES;
		}
	}
	return selection;
}

bool event_matches(char **patterns, const char *system, const char *name)
{
	return event_selected(patterns, system, name) != SELECT_NONE;
}

/* Returns true if PATTERN or PROVIDER:PATTERN matches an event in an event set. */
static bool names_event(const char *pattern, const char *provider, size_t provider_length,
			const char *name, size_t length)
{
	const char *colon = strchr(pattern, ':'), *rest = colon ? colon + 1 : pattern;

	return (!colon ||
		matches_n(pattern, (size_t)(colon - pattern), provider, provider_length)) &&
	       matches_n(rest, strlen(rest), name, length);
}

bool name_selected(char **patterns, const struct ue_decode_event *e)
{
	for (; *patterns; patterns++) {
		if (names_event(*patterns, e->provider_length ? e->provider : "",
				e->provider_length, e->name_length ? e->name : "", e->name_length))
			return true;
	}
	return false;
}

bool record_selected(char **patterns, const struct event *event, const struct record *record)
{
	struct ue_decode_event e;
	bool selected = false;

	if (!event->eventheader)
		return false;
	event_header(event, record, &e);
	for (; *patterns; patterns++) {
		if (selected && list_has(matched, *patterns))
			continue;
		if (!names_event(*patterns, e.provider_length ? e.provider : "", e.provider_length,
				 e.name_length ? e.name : "", e.name_length))
			continue;
		selected = true;
		selection_mark_matched(*patterns);
	}
	return selected;
}

static char **without_level; /* names of events excluded by --level, because they have no level */

static void note(char ***seen, const char *name)
{
	if (list_length(*seen) < NOTED_MAX && !list_has(*seen, name))
		add(seen, name);
}

void report_without_level(void)
{
	size_t n = list_length(without_level);

	if (n)
		warning("--level excludes %s%s, which %s no level; to show all events: -e '*'",
			without_level[0], n > 1 ? " and others" : "", n > 1 ? "have" : "has");
}

bool level_matches(const struct choice *choice, const char *name)
{
	unsigned int level;
	unsigned long long keyword;

	/* show an event without a level only if the user specified patterns */
	if (!set_name(name, &level, &keyword)) {
		if (choice->level && !choice->patterns)
			note(&without_level, name);
		return !choice->level || choice->patterns;
	}
	if (choice->level && level > choice->level)
		return false;
	return !choice->keyword || !keyword || (keyword & choice->keyword);
}

/* Existing names, for messages about names that do not exist */

static char **noted_events, **noted_fields, **noted_processes;
static bool events_reported; /* true if existing events were reported at the start */

void selection_note_name(const struct ue_decode_event *e)
{
	char *name = text("%.*s:%.*s", (int)e->provider_length, e->provider, (int)e->name_length,
			  e->name);

	note(&noted_events, name);
	free(name);
}

void selection_note_event(const struct event *event, const struct record *record)
{
	struct ue_decode_event e = { .name_length = 0 };

	if (record && event->eventheader)
		event_header(event, record, &e);
	if (e.name_length)
		selection_note_name(&e);
	else
		note(&noted_events, event->shown);
}

void selection_note_declared(char **patterns, char **names)
{
	const char *colon;
	char **p;

	for (; names && *names; names++) {
		note(&noted_events, *names);
		colon = strchr(*names, ':');
		for (p = patterns; p && *p; p++) {
			if (colon ? names_event(*p, *names, (size_t)(colon - *names), colon + 1,
						strlen(colon + 1))
				  : is_tracepoint(*p, USER_SYSTEM, *names))
				note(&expected, *p);
		}
	}
}

bool selection_is_expected(const char *pattern)
{
	return !*pattern || list_has(matched, pattern) || list_has(expected, pattern);
}

struct nesting {
	char *within; /* prefix "STRUCT." for members of a top-level struct, otherwise NULL */
	unsigned int depth;
};

static void note_field(void *context, const struct field *field)
{
	struct nesting *n = context;
	char *name;

	switch (field->type) {
	case FIELD_STRUCT_END:
	case FIELD_ARRAY_END:
		n->depth--;
		return;
	case FIELD_STRUCT:
	case FIELD_ARRAY:
		if (n->depth++)
			return;
		free(n->within);
		n->within = NULL;
		if (field->type == FIELD_STRUCT && field->name)
			n->within = text("%.*s.", (int)field->name_length, field->name);
		return;
	default:
		break;
	}
	/* omit array elements and deeper fields, because there may be many */
	if (!field->name || n->depth > 1 ||
	    (n->depth && (!n->within || strcmp(n->within, "meta.") == 0)))
		return;
	name = text("%s%.*s", n->depth ? n->within : "", (int)field->name_length, field->name);
	note(&noted_fields, name);
	free(name);
}

void selection_note_fields(const struct event *event, const struct record *record)
{
	struct nesting n = { .within = NULL };
	const struct decoder *d = event->decoder;
	size_t i;

	if (record)
		fields_each(event, record, note_field, &n);
	for (i = d->own; !record && !event->eventheader && i < d->format.field_count; i++) {
		char *name = text("%.*s", (int)d->fields[i].name_length, d->fields[i].name);

		note(&noted_fields, name);
		free(name);
	}
	free(n.within);
}

void selection_note_process(const struct record *record)
{
	const struct thread *thread = thread_of(record);
	char *name = text("%d (%s)", thread->pid == -1 ? thread->tid : thread->pid, thread->name);

	note(&noted_processes, name);
	free(name);
}

#define NEAREST 10 /* maximum number of names to report */
#define LETTERS 64 /* maximum number of characters to compare */

/* Returns the edit distance between a pattern and a name. */
static unsigned int distance(const char *pattern, const char *name)
{
	const char *colon = strchr(pattern, ':') ? NULL : strchr(name, ':');
	unsigned int row[LETTERS + 1], i, j, diagonal, above;
	size_t n;

	name = colon ? colon + 1 : name;
	n = strnlen(name, LETTERS);
	for (j = 0; j <= n; j++)
		row[j] = j;
	for (i = 1; i <= LETTERS && *pattern; pattern++) {
		if (*pattern == '*')
			continue;
		diagonal = row[0];
		row[0] = i++;
		for (j = 1; j <= n; j++) {
			above = row[j];
			row[j] = diagonal + (*pattern != name[j - 1]);
			row[j] = above + 1 < row[j] ? above + 1 : row[j];
			row[j] = row[j - 1] + 1 < row[j] ? row[j - 1] + 1 : row[j];
			diagonal = above;
		}
	}
	return row[n];
}

struct near {
	const char *name;
	unsigned int distance;
};

static int by_distance(const void *a, const void *b)
{
	const struct near *x = a, *y = b;

	if (x->distance != y->distance)
		return x->distance < y->distance ? -1 : 1;
	return strcmp(x->name, y->name);
}

/*
 * Reports the collected names and empties the list. If patterns are given, the names that are most
 * similar to an unmatched pattern come first.
 */
static void report_names(char ***seen, char **patterns)
{
	size_t n = list_length(*seen), shown = patterns && n > NEAREST ? NEAREST : n, i;
	struct near *names = allocate(n * sizeof(*names));
	char **p, *known = NULL;
	size_t size;
	FILE *line;

	for (i = 0; i < n; i++) {
		names[i].name = (*seen)[i];
		names[i].distance = patterns ? ~0u : 0;
		for (p = patterns; p && *p; p++) {
			unsigned int d = selection_is_expected(*p) ? ~0u : distance(*p, (*seen)[i]);

			names[i].distance = d < names[i].distance ? d : names[i].distance;
		}
	}
	qsort(names, n, sizeof(*names), by_distance);
	line = n ? open_memstream(&known, &size) : NULL;
	for (i = 0; line && i < shown; i++) {
		fputs(i ? ", " : "", line);
		put_clean(line, names[i].name, strlen(names[i].name));
	}
	if (line && shown < n)
		fprintf(line, ", and %zu others", n - shown);
	if (line && fclose(line) == 0)
		warning("available: %s", known);
	free(known);
	free(names);
	list_free(*seen);
	*seen = NULL;
}

void selection_report_events(char **patterns)
{
	events_reported = true;
	report_names(&noted_events, patterns);
}

bool selection_report_unmatched(char **patterns, const char *program)
{
	bool unmatched = selection_has_unmatched(patterns);

	for (; unmatched && *patterns; patterns++) {
		if (**patterns && !list_has(matched, *patterns))
			warning("no event%s%s matches %s", *program ? " of " : "", program,
				*patterns);
	}
	if (unmatched && !events_reported)
		report_names(&noted_events, patterns);
	return unmatched;
}

void selection_report_fields(void)
{
	report_names(&noted_fields, NULL);
}

void selection_report_processes(void)
{
	report_names(&noted_processes, NULL);
}
