/* SPDX-License-Identifier: MIT */
/*
 * Gives the fields of kernel-typed events the types that the program declared. The kernel knows a
 * u8 where the program has a bool; the notes of the program's binary say so. With the binary,
 * fields of both kinds of events print alike.
 */
#include "event/event.h"
#include "binary/binary.h"

#include <user_events.h>

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

void event_apply_types(struct event *event)
{
	struct decoder *d = event->decoder;
	size_t i;

	if (event->types_known == types_known())
		return;
	event->types_known = types_known();
	for (i = d->own; i < d->format.field_count; i++) {
		struct ue_decode_field *field = &d->fields[i];
		uint32_t type = types_find(event->shown, field->name, field->name_length);

		if (type)
			apply(field, type);
	}
}
