/* SPDX-License-Identifier: MIT */
/*
 * Displays the fields of kernel-typed events with the types that the program declared.
 *
 * The kernel's format file has fewer types than the library: a bool appears as a u8, and a port
 * number as a u16. The declared types are read from the ELF notes in the program's binary.
 */
#include "event/event.h"
#include "binary/binary.h"
#include "util/util.h"

#include <stdlib.h>

#include <user_events.h>

/*
 * Returns true if the kernel's field has the size, sign and layout of the declared type. Returns
 * false for NUL-terminated strings and for arrays of constant length, so that they keep the type in
 * the kernel's format file.
 */
static bool is_recorded_as(const struct ue_decode_field *field, uint32_t type)
{
	unsigned int unit = 1u << UE__F_LOG2_OF(type);
	bool loc = !UE__F_IS_FIXED(type);
	uint8_t format = UE__F_IS_CHARS(type)	 ? UE_DECODE_FORMAT_LATIN1
			 : UE__F_IS_SIGNED(type) ? UE_DECODE_FORMAT_SIGNED
						 : UE_DECODE_FORMAT_UNSIGNED;

	if ((type & UE__F_T_CARRAY) || field->kind == UE_DECODE_KIND_ZSTRING8 ||
	    loc != (field->loc != 0))
		return false;
	if (loc ? field->unit != unit : field->size != unit)
		return false;
	return field->format == format ||
	       (format == UE_DECODE_FORMAT_UNSIGNED && field->format == UE_DECODE_FORMAT_HEX);
}

static void apply(struct ue_decode_field *field, uint32_t type)
{
	if (!is_recorded_as(field, type))
		return;
	field->unit = (uint8_t)(1u << UE__F_LOG2_OF(type));
	/* strings are recorded without a terminating NUL */
	field->kind = (uint8_t)UE__F_RECORDED_KIND(type);
	field->format = (uint8_t)UE__F_FORMAT_OF(type);
	field->array = type & UE__F_T_VARRAY ? UE_DECODE_VARIABLE_ARRAY : 0;
}

static uint32_t own_type(const struct note_field *types, const struct ue_decode_field *field)
{
	for (; types->type; types++) {
		if (strlen(types->name) == field->name_length &&
		    memcmp(types->name, field->name, field->name_length) == 0)
			break;
	}
	return types->type;
}

void event_apply_types(struct event *event)
{
	struct decoder *d = event->decoder;
	size_t i;

	if (event->types_applied == types_changes() + 1)
		return;
	event->types_applied = types_changes() + 1;
	/*
	 * parse the format again, because newly found sites may contradict the types applied so far
	 */
	ue_decode_format_parse(&d->format, event->format_text, strlen(event->format_text));
	if (d->format.field_count > FIELDS_MAX)
		d->format.field_count = FIELDS_MAX;
	for (i = d->own; i < d->format.field_count; i++) {
		struct ue_decode_field *field = &d->fields[i];
		uint32_t type = event->types
					? own_type(event->types, field)
					: types_find(event->shown, field->name, field->name_length);

		if (type)
			apply(field, type);
	}
}

void event_set_types(struct event *event, const struct note_field *types)
{
	size_t n = 0, size = 0, i;
	char *names;

	free(event->types);
	event->types = NULL;
	if (!types)
		return;
	for (; types[n].type; n++)
		size += strlen(types[n].name) + 1;
	/* the names follow the array in the same allocation */
	event->types = allocate((n + 1) * sizeof(*types) + size);
	names = (char *)(event->types + n + 1);
	for (i = 0; i < n; i++) {
		event->types[i] = (struct note_field){ names, types[i].type };
		names = stpcpy(names, types[i].name) + 1;
	}
}

int event_compare_types(const struct event *a, const struct event *b)
{
	const struct note_field *x = a->types, *y = b->types;
	int order = 0;

	if (!x || !y)
		return (x != NULL) - (y != NULL);
	for (; !order && x->type && y->type; x++, y++) {
		order = strcmp(x->name, y->name);
		if (!order)
			order = (x->type > y->type) - (x->type < y->type);
	}
	return order ? order : (x->type != 0) - (y->type != 0);
}
