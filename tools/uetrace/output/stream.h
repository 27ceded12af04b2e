/* SPDX-License-Identifier: MIT */
/*
 * Writes a file in a separate thread, so that a slow reader or disk does not block the caller.
 * Queued lines are kept until they are written, an error occurs, or stream_give_up() is called. The
 * caller must not add lines while stream_full() returns true.
 */
#ifndef UETRACE_STREAM_H
#define UETRACE_STREAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct stream;

/*
 * Creates a stream. name is used in messages. Signals must be blocked before the first
 * stream_flush().
 */
struct stream *stream_new(int fd, const char *name);
/*
 * Opens a file, or prints a message and exits. If append is true, writes at the end of the file and
 * permits stream_reopen().
 */
struct stream *stream_open(const char *name, bool append);
/* Makes each write start on a new line, for a terminal that the traced program also writes to. */
void stream_share(struct stream *s);
/* Returns the FILE to write to. Call stream_flush() only when the last line is complete. */
FILE *stream_file(const struct stream *s);
/*
 * Starts to write the queued lines, unless the previous write is still in progress. If the disk is
 * full, retries every second.
 */
void stream_flush(struct stream *s);
/* Returns a descriptor that is readable when stream_flush() should be called. */
int stream_fd(const struct stream *s);
/* Returns true if more than 1 MiB is queued because the thread is still writing. */
bool stream_full(const struct stream *s);
/*
 * Makes the next flush reopen the file by name. If this fails, it is retried every second. Returns
 * false if the file was not opened for appending.
 */
bool stream_reopen(struct stream *s);
/*
 * Marks the queued lines as the last ones. From then on, a full disk counts as an error if writing
 * fails once more.
 */
void stream_last(struct stream *s);
/*
 * Waits until the thread has finished writing or until fd is readable. Returns false if there is
 * nothing left to write.
 */
bool stream_wait(struct stream *s, int fd);
/* Stops waiting for the reader or disk. The stream's error becomes EINTR. */
void stream_give_up(struct stream *s);
/* Closes the stream. Afterwards, only the next two functions may be called. */
void stream_close(struct stream *s);
/* Returns the errno of the final failure, or 0. */
int stream_error(const struct stream *s);
/* Returns the number of lines that were not written. */
uint64_t stream_unwritten(const struct stream *s);

#endif
