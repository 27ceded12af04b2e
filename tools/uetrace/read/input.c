/* SPDX-License-Identifier: MIT */
/* Reads files and pipes of any size sequentially through a 256 KiB buffer. */
#include "read/read.h"
#include "util/util.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK (1u << 18)

struct input *input_open(const char *name)
{
	struct input *in = allocate(sizeof(*in));
	struct stat st;

	in->name = strcmp(name, "-") ? name : "standard input";
	in->fd = strcmp(name, "-") ? open(name, O_RDONLY | O_CLOEXEC) : dup(STDIN_FILENO);
	if (in->fd < 0 || fstat(in->fd, &st) != 0 || (S_ISDIR(st.st_mode) && (errno = EISDIR))) {
		input_close(in);
		return NULL;
	}
	in->seekable = S_ISREG(st.st_mode);
	in->size = in->seekable ? (uint64_t)st.st_size : UINT64_MAX;
	in->buffer = allocate(CHUNK);
	/* Rewind, because the parent process may have read part of standard input. */
	if (in->seekable)
		lseek(in->fd, 0, SEEK_SET);
	return in;
}

void input_close(struct input *in)
{
	if (in->fd >= 0)
		close(in->fd);
	free(in->buffer);
	free(in);
}

/*
 * Reads until the buffer contains at least n bytes (n <= CHUNK) or the file ends. Returns the
 * number of buffered bytes.
 */
static size_t fill(struct input *in, size_t n)
{
	ssize_t got;

	if (in->end - in->begin >= n)
		return in->end - in->begin;
	memmove(in->buffer, in->buffer + in->begin, in->end - in->begin);
	in->end -= in->begin;
	in->begin = 0;
	while (in->end < n) {
		if (!in->seekable)
			output_flush(); /* show the output before read(), which may block */
		got = read(in->fd, in->buffer + in->end, CHUNK - in->end);
		if (got < 0 && errno == EINTR && !interrupted())
			continue;
		if (got < 0)
			warning("cannot read %s: %s", in->name, strerror(errno));
		if (got <= 0)
			break;
		in->end += (size_t)got;
	}
	return in->end - in->begin;
}

size_t input_peek(struct input *in, const uint8_t **bytes, size_t n)
{
	size_t there = fill(in, n);

	*bytes = in->buffer + in->begin;
	return there < n ? there : n;
}

size_t input_read(struct input *in, void *to, size_t n)
{
	size_t done = 0;

	while (done < n) {
		size_t there = fill(in, 1), part = there < n - done ? there : n - done;

		if (!there)
			break;
		if (to)
			memcpy((uint8_t *)to + done, in->buffer + in->begin, part);
		in->begin += part;
		in->offset += part;
		done += part;
	}
	return done;
}

bool input_skip(struct input *in, uint64_t n)
{
	while (n) {
		size_t part = n < CHUNK ? (size_t)n : CHUNK;

		if (input_read(in, NULL, part) != part)
			return false;
		n -= part;
	}
	return true;
}

bool input_seek(struct input *in, uint64_t offset)
{
	if (!in->seekable || offset > in->size)
		return false;
	in->offset = offset;
	in->begin = in->end = 0;
	return lseek(in->fd, (off_t)offset, SEEK_SET) >= 0;
}

/*
 * Reads up to n bytes. Allocates memory as data arrives, because n comes from the file and may be
 * far too large.
 */
static char *read_up_to(struct input *in, uint64_t n, size_t *size)
{
	char *bytes;
	FILE *memory = open_memstream(&bytes, size);
	size_t there;

	while (memory && n && (there = fill(in, 1)) > 0) {
		size_t part = there < n ? there : (size_t)n;

		fwrite(in->buffer + in->begin, 1, part, memory);
		in->begin += part;
		in->offset += part;
		n -= part;
	}
	if (!memory || ferror(memory) || fclose(memory) != 0)
		die("cannot read %s: out of memory", in->name);
	return bytes;
}

char *input_text(struct input *in, uint64_t n, uint64_t most)
{
	size_t size = 0;
	char *bytes = n <= most ? read_up_to(in, n, &size) : NULL;

	if (size == n)
		return bytes;
	free(bytes);
	return NULL;
}

void input_spool(struct input *in)
{
	FILE *file = tmpfile();
	size_t n;

	if (!file)
		die("cannot create a temporary file for %s: %s; save it to a file first", in->name,
		    strerror(errno));
	in->size = 0;
	while ((n = fill(in, 1)) > 0) {
		if (fwrite(in->buffer + in->begin, 1, n, file) != n)
			break;
		in->begin += n;
		in->size += n;
	}
	if (fflush(file) != 0 || ferror(file) || dup2(fileno(file), in->fd) < 0)
		die("cannot copy %s to a temporary file: %s; save it to a file first", in->name,
		    strerror(errno));
	fclose(file);
	in->seekable = true;
	input_seek(in, 0);
}
