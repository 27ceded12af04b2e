/* SPDX-License-Identifier: MIT */
/*
 * Selects events by name, level, keyword and the values of their fields.
 *
 *   patterns.c       matches event names
 *   kernel_filter.c  adapts filters for the kernel
 *   record_filter.c  evaluates the same filter language on records
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

/* The events chosen by the user. */
struct choice {
	char **patterns;	    /* names with wildcards; NULL for all user events */
	unsigned long level;	    /* highest level number; 0 for any */
	unsigned long long keyword; /* keyword mask; 0 for any */
	const char *filter;	    /* filter expression in the kernel's syntax; NULL for none */
};

/* patterns.c */
/*
 * Result of matching patterns against a tracepoint. SELECT_NAMES means that the tracepoint is an
 * event set; call record_selected() for each of its events.
 */
enum selection { SELECT_NONE, SELECT_NAMES, SELECT_ALL };
/* Matches patterns against a tracepoint. If patterns is NULL, selects all user events. */
enum selection event_selected(char **patterns, const char *system, const char *name);
/* Returns true if event_selected() returns SELECT_NAMES or SELECT_ALL. */
bool event_matches(char **patterns, const char *system, const char *name);
/* Returns true if a pattern matches a recorded event in an event set. */
bool record_selected(char **patterns, const struct event *event, const struct record *record);
/* Like record_selected(), but does not mark the pattern as matched. */
bool name_selected(char **patterns, const struct ue_decode_event *e);
/* Returns true if the level and keyword in the name of an event set match the user's choice. */
bool level_matches(const struct choice *choice, const char *name);
/* Reports events that level_matches() excluded because they have no level. */
void report_without_level(void);
/* Marks a pattern as matched, like event_selected() and record_selected() do. */
void selection_mark_matched(const char *pattern);
/* Returns true if at least one pattern matched no event. Empty patterns are ignored. */
bool selection_has_unmatched(char **patterns);
/*
 * Collects the name of an event that no pattern selected, for selection_report_unmatched(). record
 * may be NULL.
 */
void selection_note_event(const struct event *event, const struct record *record);
/* Like selection_note_event(), but for an event in an event set. */
void selection_note_name(const struct ue_decode_event *e);
/*
 * Collects the names of events declared in binaries. The name of an event in an event set has the
 * form "PROVIDER:NAME".
 */
void selection_note_declared(char **patterns, char **names);
/* Returns true if an event matched the pattern, or if a declared event would match it. */
bool selection_is_expected(const char *pattern);
/*
 * Reports the names of the collected events. Names that are similar to an unmatched pattern come
 * first.
 */
void selection_report_events(char **patterns);
/*
 * Reports each pattern that matched no event, and the collected events. program is the name of the
 * program, or "". Returns true if any pattern was reported.
 */
bool selection_report_unmatched(char **patterns, const char *program);
/* Collects the field names of an event, for messages about filters with unknown fields. */
void selection_note_fields(const struct event *event, const struct record *record);
/* Reports the collected fields. */
void selection_report_fields(void);
/* Collects the process of a record, for messages about processes that have no events. */
void selection_note_process(const struct record *record);
/* Reports the collected processes. */
void selection_report_processes(void);

/* kernel_filter.c */
/*
 * Parses the level and keyword in the name of an event set, PROVIDER_LxKy. Returns false for other
 * names.
 */
bool set_name(const char *name, unsigned int *level, unsigned long long *keyword);
/*
 * Adapts a filter to the event set with this name, so that the kernel can evaluate it. The caller
 * frees the result.
 */
char *filter_for_set(const char *filter, const char *name);

/* record_filter.c */
struct match;
/*
 * Parses a filter. If the filter is malformed, exits with a message if strict is true, and
 * otherwise returns NULL, because the kernel may still accept the filter.
 */
struct match *match_new(const char *filter, bool strict);
void match_free(struct match *match);
/*
 * Returns 1 if the record matches, 0 if it does not, and -1 if the event lacks a field used in the
 * filter.
 */
int match(const struct match *match, const struct event *event, const struct record *record);
/* Returns true if the filter uses a field of struct eventheader, or the keyword. */
bool match_asks_header(const struct match *match);

#endif
