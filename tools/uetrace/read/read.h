/* SPDX-License-Identifier: MIT */
/*
 * Reads recordings and returns their records in time order.
 *
 *   recording.c    detects the type of a recording
 *   perf.c         reads records of perf.data; perf_file.c reads its header
 *   trace_dat.c    reads trace.dat with libtracecmd
 *   recorder.c     reads files of user_events_recorder.h
 *   input.c        reads bytes from a file or pipe
 *   queue.c        sorts records by time
 *   tracepoints.c  stores the events and thread names of a recording
 */
#ifndef UETRACE_READ_H
#define UETRACE_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event;
struct record;

/*
 * input.c: an open file or pipe. Callers may read the members name, fd, seekable, offset and size.
 */
struct input {
	const char *name;
	int fd;
	bool seekable;
	uint64_t offset; /* file offset of buffer[begin] */
	uint64_t size;	 /* file size, in bytes; UINT64_MAX if unknown */
	uint8_t *buffer;
	size_t begin, end;
};
/* Opens a file, or standard input if the name is "-". Returns NULL and sets errno on failure. */
struct input *input_open(const char *name);
void input_close(struct input *in);
bool input_seek(struct input *in, uint64_t offset);
/*
 * Sets *bytes to the next n bytes without consuming them. Returns n, or a smaller number at the end
 * of the file. n is at most 256 KiB. The bytes are valid until the next call for this input.
 */
size_t input_peek(struct input *in, const uint8_t **bytes, size_t n);
size_t input_read(struct input *in, void *to, size_t n);
bool input_skip(struct input *in, uint64_t n);
/*
 * Reads n bytes into allocated memory and appends a NUL. Returns NULL if the file has fewer bytes
 * or if n exceeds most. The caller frees the result.
 */
char *input_text(struct input *in, uint64_t n, uint64_t most);
/*
 * Copies the rest of a pipe to a temporary file, and makes the input read that file from the start.
 */
void input_spool(struct input *in);

/* A recording, as read by the show command: perf.data, trace.dat or a recorder file. */
struct source {
	const char *file;
	/*
	 * Sets *event and *record to the next event in time order, valid until the next call.
	 * Returns 1, or 0 at the end. If the file is damaged, prints a message on standard error.
	 */
	int (*next)(struct source *source, struct event **event, struct record *record);
	void (*close)(struct source *source);
	int clock;	      /* clock of the record times (clockid_t), or -1 if not comparable */
	uint64_t lost;	      /* number of lost events */
	uint64_t overwritten; /* number of events overwritten by a flight recorder */
	uint64_t complete;    /* time from which the recording is complete, in ns; 0 if unknown */
	bool failed;
};

/* recording.c */
enum recording_kind {
	RECORDING_EMPTY,
	RECORDING_NONE,
	RECORDING_RECORDER,
	RECORDING_PERF,
	RECORDING_TRACE_DAT,
};
/* Detects the type of a file from its first bytes, without consuming them. */
enum recording_kind recording_kind(struct input *in);
/* Opens a recording of the given type. Takes ownership of the input. */
struct source *recording_open(struct input *in, enum recording_kind kind, bool follow);
/* Returns true if the path is a regular file that begins with the magic number of a recording. */
bool is_recording(const char *path);

/* recorder.c */
/* Returns true if the first n bytes of a file are the magic number of a recorder file. */
bool is_recorder(const uint8_t *magic, size_t n);
/*
 * Opens a recorder file and takes ownership of the input. If follow is true, the source waits for
 * more events at the end of the file, until interrupted.
 */
struct source *recorder_open(struct input *in, bool follow);

/* perf.c, trace_dat.c: open a recording and take ownership of the input. */
struct source *perf_open(struct input *in);
struct source *trace_dat_open(struct input *in);

#endif
