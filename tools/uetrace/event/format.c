/* SPDX-License-Identifier: MIT */
/* Parses an event's format file and prepares its decoder. */
#include "event/event.h"
#include "util/util.h"

#include <event-parse.h>
#include <stdlib.h>
#include <string.h>

char *event_shown(const char *system, const char *name)
{
	if (strcmp(system, USER_SYSTEM) == 0 || strcmp(system, MULTI_SYSTEM) == 0)
		return text("%.*s", (int)user_name_length(system, name), name);
	return text("%s:%s", system, name);
}

/*
 * Returns the number of address fields of a kprobe or uprobe. User events are excluded by their
 * system, because their fields may have the same names.
 */
static size_t places(const struct event *event, const struct decoder *d)
{
	const char *name = d->own < d->format.field_count ? d->fields[d->own].name : "";
	bool user = system_is_user(event->system);

	if (!user && strncmp(name, "__probe_ip;", strlen("__probe_ip;")) == 0)
		return 1;
	if (!user && strncmp(name, "__probe_func;", strlen("__probe_func;")) == 0 &&
	    d->own + 1 < d->format.field_count)
		return 2;
	return 0;
}

void event_decode(struct event *event)
{
	struct decoder *d = allocate(sizeof(*d));

	d->format.system = event->system;
	if (event->group)
		d->format.system = event->group;
	if (!event->ours && strcmp(d->format.system, OWN_SYSTEM) == 0)
		d->format.system = NOT_OWN_SYSTEM;
	d->format.system_length = strlen(d->format.system);
	d->format.fields = d->fields;
	d->format.fields_max = FIELDS_MAX;
	d->format.big_endian = event->swapped != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	d->format.long_size = event->long_size ? event->long_size : (uint8_t)sizeof(long);
	ue_decode_format_parse(&d->format, event->format_text, strlen(event->format_text));
	if (d->format.field_count > FIELDS_MAX)
		d->format.field_count = FIELDS_MAX;
	while (d->own < d->format.field_count && d->fields[d->own].common)
		d->own++;
	d->places = places(event, d);
	/* recognise EventHeader events by their fields, not by the system name */
	event->eventheader = d->format.eventheader != 0;
	event->decoder = d;
}

void event_forget(struct event *event)
{
	tep_free(event->own);
	event->own = NULL;
	free(event->decoder);
}

void event_free(void *p)
{
	struct event *event = p;

	if (!event)
		return;
	while (event->sets_n)
		event_free(event->sets[--event->sets_n]);
	free(event->sets);
	event_forget(event);
	free(event->types);
	free(event->system);
	free(event->name);
	free(event->shown);
	free(event->probed);
	free(event->format_text);
	free(event);
}

const struct ue_decode_format *event_format(const struct event *event)
{
	return &event->decoder->format;
}

bool event_whole(const struct event *event, const struct record *record)
{
	const struct ue_decode_format *format = &event->decoder->format;
	struct ue_decode_item item;
	size_t i;

	if (format->field_count >= FIELDS_MAX)
		return false;
	for (i = 0; i < format->field_count; i++) {
		if (ue_decode_format_item(format, &format->fields[i], record->data, record->size,
					  &item) != 0)
			return false;
	}
	return true;
}

bool event_truncated(const struct event *event, const struct record *record)
{
	struct ue_decode_event e;

	if (!event->eventheader)
		return ue_decode_format_truncated(event_format(event), record->data, record->size);
	event_header(event, record, &e);
	return ue_decode_truncated(&e);
}
