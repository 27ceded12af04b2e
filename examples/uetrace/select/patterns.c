/* SPDX-License-Identifier: MIT */
/*
 * Matches patterns with the names of tracepoints, and with those of the events of a set, which
 * share one tracepoint.
 */
#include "select/select.h"
#include "event/event.h"
#include "fields/fields.h"
#include "util/util.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEEN_MAX 1000 /* names that are remembered for a report */

static bool like(const char *pattern, size_t n, const char *name, size_t length)
{
	char *p = text("%.*s", (int)n, pattern), *s = text("%.*s", (int)length, name);
	bool result = fnmatch(p, s, 0) == 0;

	free(p);
	free(s);
	return result;
}

/*
 * Does PATTERN or SYSTEM:PATTERN name the tracepoint? Without a system, it names user events
 * only.
 */
static bool is_tracepoint(const char *pattern, const char *system, const char *name)
{
	const char *colon = strchr(pattern, ':');

	if (colon)
		return like(pattern, (size_t)(colon - pattern), system, strlen(system)) &&
		       fnmatch(colon + 1, name, 0) == 0;
	if (!system_is_user(system))
		return false;
	return like(pattern, strlen(pattern), name, user_name_length(system, name));
}

/* May a pattern name events of this set? */
static bool may_be_in_set(const char *pattern, const char *system, const char *name)
{
	const char *colon = strchr(pattern, ':'), *end = strrchr(name, '_');
	unsigned long long keyword;
	unsigned int level;

	if (!system_is_user(system) || !set_name(name, &level, &keyword))
		return false;
	if (colon)
		return like(pattern, (size_t)(colon - pattern), name, (size_t)(end - name));
	return !set_name(pattern, &level, &keyword); /* that would be another tracepoint */
}

/* The patterns that some event matched. */
static char **met;

static bool has(char **list, const char *string)
{
	for (; list && *list; list++) {
		if (strcmp(*list, string) == 0)
			return true;
	}
	return false;
}

void selection_meet(const char *pattern)
{
	if (!has(met, pattern))
		add(&met, pattern);
}

bool selection_unmet(char **patterns)
{
	for (; patterns && *patterns; patterns++) {
		if (**patterns && !has(met, *patterns))
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
			selection_meet(*p);
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

bool record_selected(char **patterns, const struct event *event, const struct record *record)
{
	struct ue_decode_event e;
	bool selected = false;

	if (!event->eventheader)
		return false;
	event_header(event, record, &e);
	for (; *patterns; patterns++) {
		const char *colon = strchr(*patterns, ':');
		const char *pattern = colon ? colon + 1 : *patterns;

		if (selected && has(met, *patterns))
			continue;
		if (colon && !like(*patterns, (size_t)(colon - *patterns),
				   e.provider_length ? e.provider : "", e.provider_length))
			continue;
		if (!like(pattern, strlen(pattern), e.name_length ? e.name : "", e.name_length))
			continue;
		selected = true;
		selection_meet(*patterns);
	}
	return selected;
}

bool level_matches(const struct options *o, const char *name)
{
	unsigned int level;
	unsigned long long keyword;

	/* an event without a level is shown if it is asked for by name */
	if (!set_name(name, &level, &keyword))
		return !o->level || o->patterns;
	if (o->level && level > o->level)
		return false;
	return !o->keyword || !keyword || (keyword & o->keyword);
}

/* Names that exist, for a user who asked for others */

static char **events_seen, **fields_seen, **processes_seen;

static void note(char ***seen, const char *name)
{
	if (list_length(*seen) < SEEN_MAX && !has(*seen, name))
		add(seen, name);
}

void selection_seen(const struct event *event, const struct record *record)
{
	struct ue_decode_event e = { .name_length = 0 };
	char *name;

	if (record && event->eventheader)
		event_header(event, record, &e);
	if (e.name_length)
		name = text("%.*s:%.*s", (int)e.provider_length, e.provider, (int)e.name_length,
			    e.name);
	else
		name = text("%s", event->shown);
	note(&events_seen, name);
	free(name);
}

struct nesting {
	char *within; /* "struct.", if that is the outermost one; else NULL */
	unsigned int depth;
};

static void see_field(void *context, const struct field *field)
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
	/* deeper fields and elements of arrays would be too many */
	if (!field->name || n->depth > 1 ||
	    (n->depth && (!n->within || strcmp(n->within, "meta.") == 0)))
		return;
	name = text("%s%.*s", n->depth ? n->within : "", (int)field->name_length, field->name);
	note(&fields_seen, name);
	free(name);
}

void selection_seen_fields(const struct event *event, const struct record *record)
{
	struct nesting n = { .within = NULL };
	const struct decoder *d = event->decoder;
	size_t i;

	if (record)
		fields_each(event, record, see_field, &n);
	for (i = d->own; !record && !event->eventheader && i < d->format.field_count; i++) {
		char *name = text("%.*s", (int)d->fields[i].name_length, d->fields[i].name);

		note(&fields_seen, name);
		free(name);
	}
	free(n.within);
}

void selection_seen_process(const struct record *record)
{
	const struct thread *thread = thread_of(record);
	char *name = text("%d (%s)", thread->pid == -1 ? thread->tid : thread->pid, thread->name);

	note(&processes_seen, name);
	free(name);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void tell(char ***seen)
{
	char **names = *seen;
	size_t n = list_length(names), i;

	if (!n)
		return;
	qsort(names, n, sizeof(*names), by_name);
	fputs("there is", stderr);
	for (i = 0; i < n; i++) {
		fputs(i ? ", " : " ", stderr);
		put_clean(stderr, names[i], strlen(names[i]));
	}
	fputc('\n', stderr);
	list_free(names);
	*seen = NULL;
}

bool selection_tell_unmet(char **patterns, const char *of)
{
	bool unmet = selection_unmet(patterns);

	for (; unmet && *patterns; patterns++) {
		if (**patterns && !has(met, *patterns))
			warning("no event%s%s matches %s", *of ? " of " : "", of, *patterns);
	}
	if (unmet)
		tell(&events_seen);
	return unmet;
}

void selection_tell_fields(void)
{
	tell(&fields_seen);
}

void selection_tell_processes(void)
{
	tell(&processes_seen);
}
