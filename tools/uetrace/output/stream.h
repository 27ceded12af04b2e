/* SPDX-License-Identifier: MIT */
/*
 * A file that is written by a thread of its own, so that its reader or its disk may take their
 * time. Nothing that waits is thrown away before stream_give_up() or an error; whoever fills the
 * stream asks stream_full(), and waits.
 */
#ifndef UETRACE_STREAM_H
#define UETRACE_STREAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct stream;

/* name: for messages. Signals have to be blocked before the first stream_flush(). */
struct stream *stream_new(int fd, const char *name);
/* Opens a file, or ends the program. append: at its end; stream_reopen() opens it again. */
struct stream *stream_open(const char *name, bool append);
/* A traced program writes to the same terminal: what we write at once begins a line of its own. */
void stream_share(struct stream *s);
/* What is written to this goes to the file after stream_flush(), which follows a whole line. */
FILE *stream_file(const struct stream *s);
/* Begins to write, as far as the last time has ended. A full disk is tried again each second. */
void stream_flush(struct stream *s);
/* Becomes readable when stream_flush() is to be called. */
int stream_fd(const struct stream *s);
/* Does 1 MiB wait for the thread, which has as much already? */
bool stream_full(const struct stream *s);
/*
 * The next flush opens a file by its name again, if it is appended to, and else tries again each
 * second. Returns whether it is appended to.
 */
bool stream_reopen(struct stream *s);
/* No more than this comes: a disk that is full is tried once. */
void stream_last(struct stream *s);
/* Waits for the thread, or for fd. Returns false if there is nothing to wait for any more. */
bool stream_wait(struct stream *s, int fd);
/* The reader or disk is not waited for: the error is EINTR. */
void stream_give_up(struct stream *s);
/* The stream is not to be used any more, but for these: */
void stream_close(struct stream *s);
/* Returns the errno since which nothing is written, or 0, */
int stream_error(const struct stream *s);
/* and how many lines were not. */
uint64_t stream_unwritten(const struct stream *s);

#endif
