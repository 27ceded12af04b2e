/* SPDX-License-Identifier: MIT */
/*
 * dotnet.c: converts events of the .NET runtime to EventHeader events, for uetrace and for the
 * plugin. Nothing here writes to standard output or exits the process.
 */
#ifndef UETRACE_DOTNET_H
#define UETRACE_DOTNET_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <user_events_decode.h>

#define DOTNET_SPACE 64 /* free bytes before an event, for the common fields of its record */

/* A converted event. The owner frees the buffer. */
struct dotnet_event {
	char *buffer;
	size_t room;		/* buffer size in bytes */
	const char *tracepoint; /* "PROVIDER_LxKy" */
	char *data;		/* the EventHeader event, for ue_decode_parse() */
	size_t size;		/* event size in bytes */
};

/*
 * Converts a record whose data begins at the field "version". process is the PID, or -1 if unknown.
 * Overwrites *out, which must be all zeros before the first call. Returns false if the record is
 * damaged or if memory runs out.
 *
 * If a record contains no metadata, the metadata of an earlier record is used. The earlier record
 * must have the same tracepoint, process and event ID. If the process has written different
 * metadata for this ID, none is used.
 */
bool dotnet_read(struct dotnet_event *out, const char *tracepoint, pid_t process, const void *data,
		 size_t size, bool big_endian);
/* Frees all metadata. */
void dotnet_forget(void);

#endif
