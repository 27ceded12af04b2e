/* SPDX-License-Identifier: MIT */
/*
 * What the user asked for.
 *
 *	patterns.c	names of events
 *	kernel_filter.c	a filter as the kernel understands it
 *	record_filter.c	the same language, for records that no kernel sees
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
/* What patterns select of a tracepoint; SELECT_NAMES: some events of a set (record_selected()). */
enum selection { SELECT_NONE, SELECT_NAMES, SELECT_ALL };
/* patterns NULL: all user events. */
enum selection event_selected(char **patterns, const char *system, const char *name);
/* Does event_selected() return something else than SELECT_NONE? */
bool event_matches(char **patterns, const char *system, const char *name);
bool record_selected(char **patterns, const struct event *event, const struct record *record);
/* Does a pattern name this event of a set? Unlike record_selected(), it does not remember that. */
bool name_selected(char **patterns, const struct ue_decode_event *e);
/* Returns whether the choice includes the level and keyword in the name of an event set. */
bool level_matches(const struct choice *choice, const char *name);
/* Reports the events that level_matches() rejected because they have no level. */
void report_without_level(void);
/* Remembers that an event matched a pattern, as event_selected() and record_selected() do, too. */
void selection_mark_matched(const char *pattern);
/* Is there a pattern, the empty one aside, that no event matched? */
bool selection_has_unmatched(char **patterns);
/* Remembers an event that no pattern selects, for selection_report_unmatched(). record: or NULL. */
void selection_note_event(const struct event *event, const struct record *record);
/* Likewise of an event of a set. */
void selection_note_name(const struct ue_decode_event *e);
/* Remembers names of events that binaries declare, "PROVIDER:NAME" for those of sets. */
void selection_note_declared(char **patterns, char **names);
/* Did an event match the pattern, or is one declared that will if it happens? */
bool selection_is_expected(const char *pattern);
/* Reports the events that there are, those first whose names are near a pattern that none has. */
void selection_report_events(char **patterns);
/*
 * Reports each pattern that no event matched, and the events that there are instead. of: the
 * program's name, or "". Returns whether there was such a pattern.
 */
bool selection_report_unmatched(char **patterns, const char *of);
/* Remember and report the fields of events, for a user who asked for others; record may be NULL. */
void selection_note_fields(const struct event *event, const struct record *record);
void selection_report_fields(void);
/* Likewise the processes. */
void selection_note_process(const struct record *record);
void selection_report_processes(void);

/* kernel_filter.c */
/* Reads level and keyword of an event set's name, PROVIDER_LxKy. Returns false if it is none. */
bool set_name(const char *name, unsigned int *level, unsigned long long *keyword);
/* Returns the filter for the kernel, for the event set of this name. The caller frees it. */
char *filter_for_set(const char *filter, const char *name);

/* record_filter.c */

/*
 * A filter of recordings, and of what the kernel cannot see. One that is wrong ends the program
 * with a sentence if it is read strictly, else NULL is returned: the kernel may understand it.
 */
struct match;
struct match *match_new(const char *filter, bool strict);
void match_free(struct match *match);
/* Returns 1 or 0, and -1 for an event that lacks a field of the filter. */
int match(const struct match *match, const struct event *event, const struct record *record);
/*
 * Tells whether it names a field of EventHeader's header. An event may have its own of that name.
 */
bool match_asks_header(const struct match *match);

#endif
