/* SPDX-License-Identifier: MIT */
/*
 * Reads recordings and returns their records in order of time.
 *
 *	recording.c	the kind of a recording
 *	perf.c		records of perf.data; perf_file.c reads the headers
 *	trace_dat.c	trace.dat, with libtracecmd
 *	recorder.c	files of user_events_recorder.h
 *	input.c		the bytes of a file or a pipe
 *	queue.c		records that wait for earlier ones
 *	tracepoints.c	the events and threads of a recording
 */
#ifndef UETRACE_READ_H
#define UETRACE_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event;
struct record;

/* input.c: a file, of which the caller reads name, fd, seekable, offset and size */
struct input {
	const char *name;
	int fd;
	bool seekable;
	uint64_t offset; /* of buffer[begin] in the file */
	uint64_t size;	 /* of the file, UINT64_MAX if it is not known */
	uint8_t *buffer;
	size_t begin, end;
};
struct input *input_open(const char *name); /* "-": standard input; NULL and errno */
void input_close(struct input *in);
bool input_seek(struct input *in, uint64_t offset);
/* Points to the next up to n bytes, n <= 256 KiB, and reads no more. Valid until the next call. */
size_t input_peek(struct input *in, const uint8_t **bytes, size_t n);
size_t input_read(struct input *in, void *to, size_t n);
bool input_skip(struct input *in, uint64_t n);
/* Reads n bytes; the caller frees them and the NUL behind. NULL: there are fewer, or n > most. */
char *input_text(struct input *in, uint64_t n, uint64_t most);
/* Copies a pipe to a temporary file, and reads that from its beginning. */
void input_spool(struct input *in);

/* A recording that show reads: perf.data, trace.dat, a recorder's file. */
struct source {
	const char *file;
	/*
	 * Sets the next event in order of time and its record, which are valid until the next
	 * call. Returns 1, or 0 at the end. Reports what is wrong with the file.
	 */
	int (*next)(struct source *source, struct event **event, struct record *record);
	void (*close)(struct source *source);
	int clock; /* clockid_t of the times; -1: no other source has it */
	uint64_t lost;
	uint64_t overwritten; /* events that a flight recorder has overwritten, */
	uint64_t complete;    /* all of them before this time; 0: not known */
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
enum recording_kind recording_kind(struct input *in);
/* Owns the input. */
struct source *recording_open(struct input *in, enum recording_kind kind, bool follow);
/* Is it a regular file that begins as a recording? */
bool is_recording(const char *path);

/* recorder.c: owns the input. follow: wait for more until interrupted. */
bool is_recorder(const uint8_t *magic, size_t n);
struct source *recorder_open(struct input *in, bool follow);

/* perf.c, trace_dat.c: own the input. */
struct source *perf_open(struct input *in);
struct source *trace_dat_open(struct input *in);

#endif
