/* SPDX-License-Identifier: MIT */
/*
 * Finds what the fields of kernel-typed events mean. The kernel knows a u8 where the program has a
 * bool; the notes of the program's binary say so. With the binary, fields of both kinds of events
 * print alike.
 */
#include "event/format.h"
#include "binary/notes.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include <user_events.h>

#define MEANINGS_MAX 32768 /* fields */

struct meaning {
	char *name; /* "EVENT FIELD"; the first binary that has it counts */
	uint32_t type;
};

static void *meanings; /* of tsearch() */
static size_t n_meanings;

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct meaning *)a)->name, ((const struct meaning *)b)->name);
}

static const struct meaning *meaning_of(const char *event, const char *field, size_t length)
{
	char *name = text("%s %.*s", event, (int)length, field);
	struct meaning key = { .name = name }, **found = tfind(&key, &meanings, by_name);

	free(name);
	return found ? *found : NULL;
}

void meanings_keep(const char *event, const struct note_field *fields, size_t n)
{
	struct meaning *one;
	size_t i;

	for (i = 0; i < n && n_meanings < MEANINGS_MAX; i++) {
		if (meaning_of(event, fields[i].name, strlen(fields[i].name)))
			continue;
		one = allocate(sizeof(*one));
		*one = (struct meaning){ .name = text("%s %s", event, fields[i].name),
					 .type = fields[i].type };
		if (!tsearch(one, &meanings, by_name))
			die("out of memory");
		n_meanings++;
	}
}

/* Strings of bytes and arrays of constant length keep the kernel's type. */
static void apply(struct ue_decode_field *field, uint32_t type)
{
	unsigned int unit = 1u << UE__LOG2_OF(type);
	bool loc = !UE__IS_FIXED(type);

	if ((type & UE__T_CARRAY) || field->kind == UE_DECODE_KIND_ZSTRING8 ||
	    loc != (field->loc != 0) || (!loc && field->size != unit))
		return;
	field->unit = (uint8_t)unit;
	field->kind = (uint8_t)UE__RECORDED_KIND(type); /* the record has no zero unit */
	field->format = (uint8_t)UE__FORMAT_OF(type);
	field->array = type & UE__T_VARRAY ? UE_DECODE_VARIABLE_ARRAY : 0;
}

void event_meanings(struct event *event)
{
	struct decoder *d = event->decoder;
	size_t i;

	if (event->meanings == n_meanings)
		return;
	event->meanings = n_meanings;
	for (i = d->own; i < d->format.field_count; i++) {
		const struct meaning *meaning =
			meaning_of(event->shown, d->fields[i].name, d->fields[i].name_length);

		if (meaning)
			apply(&d->fields[i], meaning->type);
	}
}
