/* SPDX-License-Identifier: MIT */
/*
 * Selects events: by name, level and keyword, and by the values of their fields.
 *
 *	patterns.c	names of events
 *	kernel_filter.c	a filter in the form that the kernel accepts
 *	record_filter.c	the same filter language, evaluated on records
 */
#ifndef UETRACE_SELECT_H
#define UETRACE_SELECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct event;
struct record;
struct ue_decode_event;

/* The user's choice of events. */
struct choice {
	char **patterns;	    /* names with wildcards; NULL: all user events */
	unsigned long level;	    /* the highest level; 0: any */
	unsigned long long keyword; /* mask of keywords; 0: any */
	const char *filter;	    /* in the kernel's filter language; NULL: none */
};

/* patterns.c */
/*
 * Result of matching patterns with a tracepoint. SELECT_NAMES: the tracepoint is an event set, and
 * record_selected() decides on each of its events.
 */
enum selection { SELECT_NONE, SELECT_NAMES, SELECT_ALL };
/* Matches patterns with a tracepoint. patterns NULL: all user events. */
enum selection event_selected(char **patterns, const char *system, const char *name);
/* Returns whether event_selected() returns something other than SELECT_NONE. */
bool event_matches(char **patterns, const char *system, const char *name);
/* Returns whether a pattern names this event of a set. */
bool record_selected(char **patterns, const struct event *event, const struct record *record);
/* Does the same as record_selected(), but does not mark the pattern as matched. */
bool name_selected(char **patterns, const struct ue_decode_event *e);
/* Returns whether the choice includes the level and keyword in the name of an event set. */
bool level_matches(const struct choice *choice, const char *name);
/* Reports the events that level_matches() rejected because they have no level. */
void report_without_level(void);
/* Marks a pattern as matched, as event_selected() and record_selected() do. */
void selection_mark_matched(const char *pattern);
/* Returns whether no event matched one of the patterns. Empty patterns do not count. */
bool selection_has_unmatched(char **patterns);
/* Remembers an event that no pattern selects, for selection_report_unmatched(). record: or NULL. */
void selection_note_event(const struct event *event, const struct record *record);
/* Does the same for an event of a set. */
void selection_note_name(const struct ue_decode_event *e);
/* Remembers the names of events that binaries declare; events of sets are "PROVIDER:NAME". */
void selection_note_declared(char **patterns, char **names);
/* Returns whether an event matched the pattern, or a declared event will match it. */
bool selection_is_expected(const char *pattern);
/* Reports the remembered events, those most similar to an unmatched pattern first. */
void selection_report_events(char **patterns);
/*
 * Reports each pattern that no event matched, and the remembered events. program: its name, or "".
 * Returns whether there was such a pattern.
 */
bool selection_report_unmatched(char **patterns, const char *program);
/* Remembers the fields of an event, for a user who named a field that does not exist. */
void selection_note_fields(const struct event *event, const struct record *record);
/* Reports the remembered fields. */
void selection_report_fields(void);
/* Remembers the process of a record, for a user who named a process that does not exist. */
void selection_note_process(const struct record *record);
/* Reports the remembered processes. */
void selection_report_processes(void);

/* kernel_filter.c */
/* Reads level and keyword from the name of an event set, PROVIDER_LxKy; else returns false. */
bool set_name(const char *name, unsigned int *level, unsigned long long *keyword);
/* Returns the filter as the kernel takes it for the event set of this name. The caller frees it. */
char *filter_for_set(const char *filter, const char *name);

/* record_filter.c */
struct match;
/*
 * Parses a filter. If it is wrong and strict is true, ends the program with a message; if strict is
 * false, returns NULL, because the kernel may understand the filter.
 */
struct match *match_new(const char *filter, bool strict);
void match_free(struct match *match);
/* Returns 1 if the record matches, 0 if not, and -1 if the event lacks a field of the filter. */
int match(const struct match *match, const struct event *event, const struct record *record);
/* Returns whether the filter names a field of the EventHeader header. */
bool match_asks_header(const struct match *match);

#endif
