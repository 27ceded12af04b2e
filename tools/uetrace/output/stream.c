/* SPDX-License-Identifier: MIT */
/*
 * Writes the output file in a separate thread, so that the caller never blocks. A stalled reader, a
 * slow disk and a full disk are handled in the same way: lines are queued until stream_full()
 * returns true, and then the caller queues events instead.
 */
#include "output/stream.h"
#include "util/util.h"
#include "output/live.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINES_MAX (1u << 20) /* number of bytes queued before stream_full() returns true */
#define RETRY_NS 1000000000u /* time between attempts to write to a full disk or to reopen a file */

/* A text buffer. The thread receives only whole lines. */
struct lines {
	char *s;
	size_t n, room;
};

struct stream {
	FILE *file;
	const char *name;
	bool append, last, shared;
	int fd;
	int work, done; /* eventfds: work wakes the thread, done reports that it has finished */
	bool started, busy;
	bool reopen;	    /* true if the file must be closed and opened again by name */
	bool reopen_failed; /* true if a failed attempt to reopen was reported */
	uint64_t reopen_at;
	struct lines next, lines;
	size_t written; /* number of bytes of lines.s written so far */
	int result;	/* errno reported by the thread */
	int full;	/* errno of the last write if the disk is full, or 0 */
	uint64_t retry; /* time of the next attempt, ns */
	int error;	/* errno of the final failure; later lines are only counted */
	uint64_t unwritten;
};

/* Writer thread */

/* Truncates an incomplete last line, so that the file contains only whole lines. */
static void remove_partial_line(struct stream *s)
{
	const char *newline = memrchr(s->lines.s, '\n', s->written);
	size_t whole = newline ? (size_t)(newline + 1 - s->lines.s) : 0;
	off_t end = lseek(s->fd, 0, SEEK_CUR);
	off_t cut = end - (off_t)(s->written - whole);
	struct stat st;

	if (whole == s->written || fstat(s->fd, &st) != 0 || !S_ISREG(st.st_mode) ||
	    st.st_size != end)
		return;
	if (ftruncate(s->fd, cut) == 0 && lseek(s->fd, cut, SEEK_SET) == cut)
		s->written = whole;
}

/*
 * Writes the lines. If the pipe is full, polls it, because another program may have made it
 * non-blocking.
 */
static int write_lines(struct stream *s)
{
	struct pollfd writable = { .fd = s->fd, .events = POLLOUT };

	if (s->shared && !s->written)
		fresh_line(s->fd);
	while (s->written < s->lines.n) {
		ssize_t n = write(s->fd, s->lines.s + s->written, s->lines.n - s->written);

		if (n >= 0)
			s->written += (size_t)n;
		else if (errno == EAGAIN)
			poll(&writable, 1, -1);
		else if (errno != EINTR)
			return errno;
	}
	return 0;
}

static void *write_always(void *context)
{
	struct stream *s = context;
	uint64_t n;

	while (read(s->work, &n, sizeof(n)) == sizeof(n)) {
		s->result = write_lines(s);
		if (s->result)
			remove_partial_line(s);
		n = 1;
		if (write(s->done, &n, sizeof(n)) != sizeof(n))
			break;
	}
	return NULL;
}

static void wake(struct stream *s)
{
	const uint64_t one = 1;
	pthread_t thread;
	int error = s->started ? 0 : pthread_create(&thread, NULL, write_always, s);

	if (error)
		die("cannot start the output thread: %s", strerror(error));
	s->started = s->busy = true;
	if (write(s->work, &one, sizeof(one)) != sizeof(one))
		die("cannot wake the output thread: %s", strerror(errno));
}

/* Caller's thread */

static uint64_t count_lines(const char *s, size_t n)
{
	const char *end = s + n;
	uint64_t lines = 0;

	while (n && (s = memchr(s, '\n', (size_t)(end - s)))) {
		lines++;
		s++;
	}
	return lines;
}

static ssize_t take(void *cookie, const char *data, size_t size)
{
	struct stream *s = cookie;
	struct lines *next = &s->next;

	if (s->error) {
		s->unwritten += count_lines(data, size);
		return (ssize_t)size;
	}
	if (next->n + size > next->room) {
		next->room = 2 * (next->n + size);
		next->s = realloc(next->s, next->room);
		if (!next->s)
			die("out of memory");
	}
	memcpy(next->s + next->n, data, size);
	next->n += size;
	return (ssize_t)size;
}

/*
 * Stops writing after an error. Lines that were passed to the thread but not written count as
 * unwritten.
 */
static void fail(struct stream *s, int error)
{
	s->error = error;
	s->unwritten += count_lines(s->lines.s + s->written, s->lines.n - s->written);
	s->unwritten += count_lines(s->next.s, s->next.n);
	s->next.n = 0;
}

/*
 * Opens a file for appending. If a crash left the last line incomplete, appends a newline. Rejects
 * a FIFO with ENXIO, because the file is also opened for reading, to check the last line: uetrace
 * itself would count as a reader of the FIFO, and would not notice that the other reader has
 * exited.
 */
static int append_to(const char *name)
{
	int fd = create_file(name, true), error = 0;
	struct stat st;
	char last = '\n';

	if (fd < 0 || fstat(fd, &st) != 0)
		return fd;
	if (!S_ISREG(st.st_mode))
		error = ENXIO;
	else if (st.st_size && (pread(fd, &last, 1, st.st_size - 1) != 1 ||
				(last != '\n' && write(fd, "\n", 1) != 1)))
		error = errno;
	if (!error)
		return fd;
	close(fd);
	errno = error;
	return -1;
}

static const char *why_not(void)
{
	return errno == ENXIO ? "--append needs a regular file" : strerror(errno);
}

/* Reopens the file. Until this succeeds, lines go to the old file. */
static void open_again(struct stream *s)
{
	int fd = append_to(s->name);

	if (fd < 0) {
		if (!s->reopen_failed)
			warning("cannot reopen %s: %s; writing continues to the old file", s->name,
				why_not());
		s->reopen_failed = true;
		s->reopen_at = now() + RETRY_NS;
		return;
	}
	if (s->reopen_failed)
		warning("reopened %s", s->name);
	close(s->fd);
	s->fd = fd;
	s->reopen = s->reopen_failed = false;
	s->retry = 0;
}

/* Handles the thread's result. */
static void end_work(struct stream *s)
{
	uint64_t n;

	if (!s->busy || read(s->done, &n, sizeof(n)) != sizeof(n))
		return;
	s->busy = false;
	if (!s->result) {
		if (s->full)
			warning("the disk of %s has free space again", s->name);
		s->full = 0;
		s->lines.n = s->written = 0;
	} else if (!s->last && (s->result == ENOSPC || s->result == EDQUOT)) {
		if (!s->full)
			warning("cannot write %s: %s; lines are queued in memory", s->name,
				strerror(s->result));
		s->full = s->result;
		s->retry = now() + RETRY_NS;
	} else if (!s->error) {
		fail(s, s->result);
	}
}

struct stream *stream_new(int fd, const char *name)
{
	struct stream *s = allocate(sizeof(*s));

	s->fd = fd;
	s->name = name;
	s->file = fopencookie(s, "w", (cookie_io_functions_t){ .write = take });
	s->work = eventfd(0, EFD_CLOEXEC);
	s->done = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (!s->file || s->work < 0 || s->done < 0)
		die("cannot create an output stream: %s", strerror(errno));
	setvbuf(s->file, NULL, _IOFBF, 1u << 16);
	return s;
}

struct stream *stream_open(const char *name, bool append)
{
	int fd = append ? append_to(name) : create_file(name, false);
	struct stream *s;

	if (fd < 0)
		die("cannot write %s: %s", name, append ? why_not() : strerror(errno));
	s = stream_new(fd, name);
	s->append = append;
	return s;
}

void stream_share(struct stream *s)
{
	s->shared = true;
}

FILE *stream_file(const struct stream *s)
{
	return s->file;
}

int stream_fd(const struct stream *s)
{
	return s->done;
}

bool stream_full(const struct stream *s)
{
	return s->next.n > LINES_MAX;
}

bool stream_reopen(struct stream *s)
{
	s->reopen = s->append;
	s->reopen_at = 0;
	return s->append;
}

void stream_flush(struct stream *s)
{
	struct lines empty;

	fflush(s->file);
	end_work(s);
	if (s->busy || s->error)
		return;
	if (s->reopen && now() >= s->reopen_at)
		open_again(s);
	if (!s->lines.n) {
		empty = s->lines;
		s->lines = s->next;
		s->next = empty;
	}
	if (s->lines.n && (!s->full || now() >= s->retry))
		wake(s);
}

void stream_last(struct stream *s)
{
	s->last = true;
	s->retry = 0;
}

bool stream_wait(struct stream *s, int fd)
{
	struct pollfd fds[] = { { .fd = s->done, .events = POLLIN },
				{ .fd = fd, .events = POLLIN } };

	stream_flush(s);
	if (!s->busy || s->error)
		return false;
	poll(fds, 2, -1);
	end_work(s);
	return true;
}

void stream_give_up(struct stream *s)
{
	if (s->busy && !s->error)
		fail(s, EINTR);
}

void stream_close(struct stream *s)
{
	fclose(s->file);
	if (!s->busy && s->fd != STDOUT_FILENO && close(s->fd) != 0 && !s->error)
		s->error = errno;
}

int stream_error(const struct stream *s)
{
	return s->error;
}

uint64_t stream_unwritten(const struct stream *s)
{
	return s->unwritten;
}
