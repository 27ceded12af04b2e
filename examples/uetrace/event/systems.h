/* SPDX-License-Identifier: MIT */
/*
 * The tracefs systems that user events are in. Linux has two, but its document says that tools
 * must not rely on them, and that later kernels may give processes systems of their own. Each
 * system whose name begins like these two is taken for one of user events.
 */
#ifndef UETRACE_SYSTEMS_H
#define UETRACE_SYSTEMS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define USER_SYSTEM "user_events"
#define MULTI_SYSTEM "user_events_multi" /* of names with several formats, each as NAME.HEX */

static inline bool system_is_user(const char *system)
{
	return strncmp(system, USER_SYSTEM, strlen(USER_SYSTEM)) == 0;
}

/* The length of the name that a program gave a user event, without ".HEX". */
static inline size_t user_name_length(const char *system, const char *name)
{
	const char *dot = strstr(system, "_multi") ? strrchr(name, '.') : NULL;

	return dot ? (size_t)(dot - name) : strlen(name);
}

/* tracefs/events.c: adds to a list the systems of user events of tracefs that are not in it yet. */
void systems_find(char ***list);

#endif
