/* SPDX-License-Identifier: MIT */
/* The types that programs declared for the fields of their events. */
#include "binary/binary.h"
#include "util/util.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#define TYPES_MAX 32768 /* fields */

struct type {
	char *name; /* "EVENT FIELD"; the first binary that has it counts */
	uint32_t type;
};

static void *types; /* of tsearch() */
static size_t n_types;

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct type *)a)->name, ((const struct type *)b)->name);
}

uint32_t types_find(const char *event, const char *field, size_t length)
{
	char *name = text("%s %.*s", event, (int)length, field);
	struct type key = { .name = name }, **found = tfind(&key, &types, by_name);

	free(name);
	return found ? (*found)->type : 0;
}

size_t types_known(void)
{
	return n_types;
}

void types_keep(const char *event, const struct note_field *fields, size_t n)
{
	struct type *one;
	size_t i;

	for (i = 0; i < n && n_types < TYPES_MAX; i++) {
		if (!fields[i].type || types_find(event, fields[i].name, strlen(fields[i].name)))
			continue;
		one = allocate(sizeof(*one));
		*one = (struct type){ .name = text("%s %s", event, fields[i].name),
				      .type = fields[i].type };
		if (!tsearch(one, &types, by_name))
			die("out of memory");
		n_types++;
	}
}
