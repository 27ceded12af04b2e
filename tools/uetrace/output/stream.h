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

/* Creates a stream. name is used in messages. Block signals before the first stream_flush(). */
struct stream *stream_new(int fd, const char *name);
/*
 * Opens a file, or exits with a message. If append is true, writes at the end of the file and
 * allows stream_reopen().
 */
struct stream *stream_open(const char *name, bool append);
/* Makes each write start on a new line, because the traced program writes to the same terminal. */
void stream_share(struct stream *s);
/* Returns the FILE to write to. Call stream_flush() only when the last line is complete. */
FILE *stream_file(const struct stream *s);
/* Starts writing if the previous write has finished. If the disk is full, retries every second. */
void stream_flush(struct stream *s);
/* Returns a descriptor that is readable when stream_flush() should be called. */
int stream_fd(const struct stream *s);
/* Returns true if at least 1 MiB is queued and the thread is still writing. */
bool stream_full(const struct stream *s);
/*
 * Makes the next flush reopen the file by name. A failed attempt is repeated every second. Returns
 * false if the file was not opened for appending.
 */
bool stream_reopen(struct stream *s);
/*
 * Marks the queued lines as the last ones. If the disk is full, writing is attempted only once
 * more.
 */
void stream_last(struct stream *s);
/*
 * Waits for the thread, or until fd is readable. Returns false if there is nothing left to write.
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
