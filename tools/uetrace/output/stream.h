/* SPDX-License-Identifier: MIT */
/*
 * Writes a file in a separate thread, so that a slow reader or disk does not stop the caller.
 * Queued lines are kept until stream_give_up() or an error. The caller stops adding lines while
 * stream_full() is true.
 */
#ifndef UETRACE_STREAM_H
#define UETRACE_STREAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct stream;

/* Returns a stream. name: for messages. Block signals before the first stream_flush(). */
struct stream *stream_new(int fd, const char *name);
/* Opens a file, or ends the program. append: writes at its end and allows stream_reopen(). */
struct stream *stream_open(const char *name, bool append);
/* Starts each write on a new line, because a traced program writes to the same terminal. */
void stream_share(struct stream *s);
/* Returns the FILE to write to. Call stream_flush() after whole lines only. */
FILE *stream_file(const struct stream *s);
/* Starts writing if the previous write has ended. Retries a full disk every second. */
void stream_flush(struct stream *s);
/* Returns an fd that becomes readable when stream_flush() should be called. */
int stream_fd(const struct stream *s);
/* Returns whether 1 MiB is queued while the thread writes. */
bool stream_full(const struct stream *s);
/*
 * Reopens an appended file by its name at the next flush, and retries every second if that fails.
 * Returns whether the file is appended to.
 */
bool stream_reopen(struct stream *s);
/* Marks the queued lines as the last ones. A full disk is tried once more. */
void stream_last(struct stream *s);
/* Waits for the thread or for fd. Returns false if nothing is left to write. */
bool stream_wait(struct stream *s, int fd);
/* Stops waiting for the reader or the disk. The error becomes EINTR. */
void stream_give_up(struct stream *s);
/* Closes the stream. Only the next two functions may be called afterwards. */
void stream_close(struct stream *s);
/* Returns the errno of the failure that ended writing, or 0. */
int stream_error(const struct stream *s);
/* Returns the number of lines that were not written. */
uint64_t stream_unwritten(const struct stream *s);

#endif
