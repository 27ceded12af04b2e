/* SPDX-License-Identifier: MIT */
/*
 * Converts events of the .NET runtime to EventHeader events, so that the rest of uetrace needs no
 * special case for .NET.
 */
#include "event/event.h"
#include "fields/dotnet.h"
#include "util/util.h"

#include <stdlib.h>
#include <string.h>

/* Maximum number of event sets per tracepoint; limited because programs choose the set names. */
#define SETS_MAX 1024

/* Returns a format file for an EventHeader tracepoint whose header starts at this offset. */
static char *format_of(const char *name, unsigned int id, size_t offset)
{
	return text("name: %s\nID: %u\nformat:\n"
		    "\tfield:u8 eventheader_flags;\toffset:%zu;\tsize:1;\tsigned:0;\n"
		    "\tfield:u8 version;\toffset:%zu;\tsize:1;\tsigned:0;\n"
		    "\tfield:u16 id;\toffset:%zu;\tsize:2;\tsigned:0;\n"
		    "\tfield:u16 tag;\toffset:%zu;\tsize:2;\tsigned:0;\n"
		    "\tfield:u8 opcode;\toffset:%zu;\tsize:1;\tsigned:0;\n"
		    "\tfield:u8 level;\toffset:%zu;\tsize:1;\tsigned:0;\n",
		    name, id, offset, offset + 1, offset + 2, offset + 4, offset + 6, offset + 7);
}

/*
 * Returns the event set NAME of a .NET tracepoint, and adds it if necessary. Returns NULL if the
 * tracepoint already has SETS_MAX sets.
 */
static struct event *set_of(struct event *tracepoint, const char *name)
{
	struct event *set;
	size_t i;

	for (i = 0; i < tracepoint->sets_n; i++) {
		if (strcmp(tracepoint->sets[i]->name, name) == 0)
			return tracepoint->sets[i];
	}
	if (i == SETS_MAX)
		return NULL;
	if (!(i & (i - 1))) /* the array is full if i is 0 or a power of two */
		tracepoint->sets = doubled(tracepoint->sets, i, sizeof(struct event *));
	set = tracepoint->sets[tracepoint->sets_n++] = allocate(sizeof(*set));
	set->system = text("%s", tracepoint->system);
	set->name = text("%s", name);
	set->shown = event_shown(set->system, set->name);
	set->format_text = format_of(name, tracepoint->id, event_format(tracepoint)->dotnet);
	set->tracepoint = tracepoint;
	set->handle = tracepoint->handle;
	set->native = tracepoint->native;
	set->long_size = tracepoint->long_size;
	set->swapped = tracepoint->swapped;
	set->live = tracepoint->live;
	set->id = tracepoint->id;
	event_decode(set);
	return set;
}

void event_convert(struct event **event, struct record *record, struct dotnet_event *buffer)
{
	struct event *tracepoint = *event, *set;
	const struct ue_decode_format *format = event_format(tracepoint);
	size_t offset = format->dotnet;

	if (!offset || offset > record->size || offset > DOTNET_SPACE ||
	    !dotnet_read(buffer, tracepoint->shown, thread_of(record)->pid,
			 (const char *)record->data + offset, record->size - offset,
			 format->big_endian))
		return;
	set = set_of(tracepoint, buffer->tracepoint);
	if (!set)
		return;
	/*
	 * copying may overwrite the end of the set's name in the buffer, but the set has its own
	 * copy
	 */
	memcpy(buffer->data - offset, record->data, offset);
	record->data = buffer->data - offset;
	record->size = offset + buffer->size;
	set->by_match = tracepoint->by_match;
	*event = set;
}
