/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * <eventheader/eventheader-tracepoint.h> for programs written for LinuxTracepoints. It implements
 * EventHeader events on top of <tracepoint/tracepoint.h>, with the same rules. Each event is
 * registered separately.
 */
#ifndef UE_COMPAT_EVENTHEADER_TRACEPOINT_H
#define UE_COMPAT_EVENTHEADER_TRACEPOINT_H
#ifndef UE__I_NO_SYSTEM_HEADER
#pragma GCC system_header
#endif

#include "../tracepoint/tracepoint.h"
#include "eventheader.h"

typedef struct eventheader_tracepoint {
	tracepoint_state *state;
	eventheader_extension const *metadata; /* metadata, or NULL if it is one of the pieces */
	eventheader header;
	uint64_t keyword;
} eventheader_tracepoint;

typedef struct eventheader_provider {
	tracepoint_provider_state *state;
	char const *options; /* NULL, "", or "G" and a group */
	char const *name;
} eventheader_provider;

/*
 * Number of pieces that precede the caller's pieces: one for the library, one for the headers, and
 * one for the metadata.
 */
enum { EVENTHEADER_PREFIX_DATAVEC_COUNT_NO_METADATA = 2, EVENTHEADER_PREFIX_DATAVEC_COUNT = 3 };

UE__I_HEADER_BEGIN
UE__I_FN int eventheader_open_provider(eventheader_provider const *provider)
{
	return tracepoint_open_provider(provider->state);
}

UE__I_FN void eventheader_close_provider(eventheader_provider const *provider)
{
	tracepoint_close_provider(provider->state);
}

/*
 * Connects EVENT to PROVIDER, or disconnects it if PROVIDER is NULL. Returns E2BIG if the name is
 * too long.
 */
UE__I_FN __attribute__((__noinline__, __cold__))
int eventheader_connect(eventheader_tracepoint const *event,
				 eventheader_provider const *provider)
{
	char spec[EVENTHEADER_COMMAND_MAX];

	if (!provider)
		return tracepoint_connect(event->state, UE__I_NULL, "");
	if (EVENTHEADER_FORMAT_COMMAND(spec, sizeof(spec), provider->name, event->header.level,
				       event->keyword, provider->options) >= (int)sizeof(spec))
		return E2BIG;
	return tracepoint_connect(event->state, provider->state, spec);
}

UE__I_FN __attribute__((__noinline__, __cold__))
int eventheader_open_provider_with_events(eventheader_provider const *provider,
						   eventheader_tracepoint const **start,
						   eventheader_tracepoint const **stop)
{
	eventheader_open_provider(provider);
	for (; start < stop; start++)
		if (*start)
			eventheader_connect(*start, provider);
	return 0;
}

/*
 * Writes an event. ACTIVITY and RELATED point to 16 bytes each, or are NULL. The first pieces are
 * reserved for the library.
 */
UE__I_FN __attribute__((__noinline__, __cold__))
int eventheader_write(eventheader_tracepoint const *event, void const *activity,
			       void const *related, uint32_t count, struct iovec *pieces)
{
	struct {
		eventheader header;
		eventheader_extension extension;
		uint8_t ids[32];
	} head;
	bool more = event->metadata || event->header.flags & eventheader_flag_extension;

	head.header = event->header;
	if (activity || event->metadata)
		head.header.flags |= eventheader_flag_extension;
	head.extension.size = related ? 32 : 16;
	head.extension.kind = UE__I_CAST(uint16_t, eventheader_extension_kind_activity_id |
				      (more ? eventheader_extension_kind_chain_flag : 0));
	if (activity)
		memcpy(head.ids, activity, 16);
	if (related)
		memcpy(head.ids + 16, related, 16);
	pieces[1].iov_base = &head;
	pieces[1].iov_len =
		sizeof(head.header) + (activity ? sizeof(head.extension) + head.extension.size : 0);
	if (event->metadata) {
		pieces[2].iov_base = (void *)(uintptr_t)event->metadata;
		pieces[2].iov_len = sizeof(*event->metadata) + event->metadata->size;
	}
	return tracepoint_write(event->state, count, pieces);
}
UE__I_HEADER_END

#endif
