/* SPDX-License-Identifier: MIT */
#ifndef UETRACE_MATCH_H
#define UETRACE_MATCH_H

#include "uetrace.h"

/*
 * A filter of recordings, and of what the kernel cannot see. One that is wrong ends the program with a
 * sentence if it is read strictly, else NULL is returned: the kernel may understand it.
 */
struct match;
struct match *match_new(const char *filter, bool strict);
void match_free(struct match *match);
/* Returns 1 or 0, and -1 for an event that lacks a field of the filter. */
int match(const struct match *match, const struct event *event, const struct record *record);
/* Tells whether it names a field of EventHeader's header. An event may have its own of that name. */
bool match_asks_header(const struct match *match);

#endif
