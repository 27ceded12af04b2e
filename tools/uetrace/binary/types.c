/* SPDX-License-Identifier: MIT */
/* Stores the types that programs declare for the fields of their events. */
#include "binary/binary.h"
#include "util/util.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include <user_events.h>

#define TYPES_MAX 32768 /* maximum number of stored fields */

struct type {
	char *name;	   /* "EVENT FIELD"; must be first, for compare_strings() */
	uint32_t declared; /* 0 if the sites disagree */
};

static void *types; /* tsearch() tree of struct type */
static size_t n_types;
static size_t n_changes;

static struct type *find(const char *event, const char *field, size_t length)
{
	char *name = text("%s %.*s", event, (int)length, field);
	struct type key = { .name = name }, **found = tfind(&key, &types, compare_strings);

	free(name);
	return found ? *found : NULL;
}

/* Returns the bits of a type that affect how a recorded value is displayed. */
static uint32_t shown_as(uint32_t type)
{
	return UE__F_RECORDED_KIND(type) |
	       (type & (UE__F_T_FORMATS | UE__F_T_CARRAY | UE__F_T_VARRAY | UE__F_T_POINTER));
}

uint32_t types_find(const char *event, const char *field, size_t length)
{
	const struct type *found = find(event, field, length);

	return found ? found->declared : 0;
}

size_t types_changes(void)
{
	return n_changes;
}

void types_keep(const char *event, const struct note_field *fields, size_t n)
{
	struct type *known, *one;
	size_t i;

	for (i = 0; i < n && n_types < TYPES_MAX; i++) {
		if (!fields[i].type)
			continue;
		known = find(event, fields[i].name, strlen(fields[i].name));
		if (known &&
		    (!known->declared || shown_as(known->declared) == shown_as(fields[i].type)))
			continue;
		n_changes++;
		if (known) {
			known->declared = 0;
			continue;
		}
		one = allocate(sizeof(*one));
		*one = (struct type){ .name = text("%s %s", event, fields[i].name),
				      .declared = fields[i].type };
		if (!tsearch(one, &types, compare_strings))
			die("out of memory");
		n_types++;
	}
}
