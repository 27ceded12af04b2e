/* SPDX-License-Identifier: MIT */
/*
 * Converts records of the .NET runtime to EventHeader events. The runtime writes an event's
 * metadata only with the first record of the event, so the metadata is stored for later records.
 */
#include "fields/dotnet.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#define KEPT_MAX ((size_t)16 << 20) /* byte limit, because any program can write metadata */

/* Metadata of an event. */
struct metadata {
	const char *tracepoint;
	pid_t process;
	uint16_t id;
	bool ambiguous; /* true if the process wrote different metadata for this ID */
	size_t length;
	uint8_t *bytes;
};

static void *kept; /* tsearch() tree of struct metadata */
static size_t kept_size;

static int compare(const void *a, const void *b)
{
	const struct metadata *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return strcmp(x->tracepoint, y->tracepoint);
}

static struct metadata *find(const struct metadata *key)
{
	struct metadata **found = tfind(key, &kept, compare);

	return found ? *found : NULL;
}

/* Stores a copy of the metadata in one allocation. Ignores metadata that would exceed KEPT_MAX. */
static void keep(const struct metadata *key)
{
	size_t name = strlen(key->tracepoint) + 1;
	size_t size = sizeof(*key) + name + key->length;
	struct metadata *copy;
	char *tracepoint;

	if (size > KEPT_MAX - kept_size)
		return;
	copy = malloc(size);
	if (!copy)
		return;
	*copy = *key;
	tracepoint = (char *)(copy + 1);
	memcpy(tracepoint, key->tracepoint, name);
	copy->tracepoint = tracepoint;
	copy->bytes = (uint8_t *)tracepoint + name;
	memcpy(copy->bytes, key->bytes, key->length);
	if (tsearch(copy, &kept, compare))
		kept_size += size;
	else
		free(copy);
}

/*
 * If the record contains metadata, stores the metadata. Otherwise, completes the record with the
 * metadata of an earlier record.
 */
static void complete(struct ue_decode_dotnet *event, const char *tracepoint, pid_t process)
{
	struct metadata key = { .tracepoint = tracepoint, .process = process, .id = event->id };
	struct metadata *known = find(&key);

	if (event->metadata) {
		key.bytes = (uint8_t *)(uintptr_t)event->metadata;
		key.length = event->metadata_length;
		if (!known)
			keep(&key);
		else if (known->length != key.length ||
			 memcmp(known->bytes, key.bytes, key.length) != 0)
			known->ambiguous = true;
	} else if (known && !known->ambiguous) {
		event->metadata = known->bytes;
		event->metadata_length = known->length;
	}
}

void dotnet_forget(void)
{
	tdestroy(kept, free);
	kept = NULL;
	kept_size = 0;
}

bool dotnet_read(struct dotnet_event *out, const char *tracepoint, pid_t process, const void *data,
		 size_t size, bool big_endian)
{
	struct ue_decode_dotnet event;
	size_t n, room;
	char *buffer;

	if (ue_decode_dotnet_parse(&event, data, size, big_endian) != 0)
		return false;
	complete(&event, tracepoint, process);
	for (;;) {
		room = out->room > DOTNET_SPACE ? out->room - DOTNET_SPACE : 0;
		n = ue_decode_dotnet_convert(&event, tracepoint, strlen(tracepoint), event.metadata,
					     event.metadata_length,
					     room ? out->buffer + DOTNET_SPACE : NULL, room);
		if (n <= room)
			break;
		buffer = realloc(out->buffer, DOTNET_SPACE + n);
		if (!buffer)
			return false;
		out->buffer = buffer;
		out->room = DOTNET_SPACE + n;
	}
	out->tracepoint = out->buffer + DOTNET_SPACE;
	out->data = out->buffer + DOTNET_SPACE + strlen(out->tracepoint) + 1;
	out->size = n - strlen(out->tracepoint) - 1;
	return true;
}
