/* SPDX-License-Identifier: MIT */
/*
 * A file's bytes, in order: a part of it in memory at a time, however large it is. The fuzzer's
 * are in memory already.
 */
#include "uetrace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK (1u << 18)

struct input {
	const char *name;
	int fd; /* -1: all is in the buffer */
	bool seekable;
	uint64_t offset; /* of buffer[begin] in the file */
	uint64_t size;	 /* of the file, UINT64_MAX if it is not known */
	uint8_t *buffer;
	size_t begin, end;
};

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
	/* of a descriptor that we were given, from its beginning */
	if (in->seekable)
		lseek(in->fd, 0, SEEK_SET);
	return in;
}

struct input *input_memory(const char *name, const void *bytes, size_t size)
{
	struct input *in = allocate(sizeof(*in));

	in->name = name;
	in->fd = -1;
	in->seekable = true;
	in->size = size;
	in->buffer = allocate(size);
	memcpy(in->buffer, bytes, size);
	in->end = size;
	return in;
}

void input_close(struct input *in)
{
	if (!in)
		return;
	if (in->fd >= 0)
		close(in->fd);
	free(in->buffer);
	free(in);
}

const char *input_name(const struct input *in)
{
	return in->name;
}

uint64_t input_offset(const struct input *in)
{
	return in->offset;
}

uint64_t input_size(const struct input *in)
{
	return in->size;
}

bool input_seekable(const struct input *in)
{
	return in->seekable;
}

/* Reads n bytes, at most CHUNK, into the buffer, if the file has them. Returns the bytes there. */
static size_t fill(struct input *in, size_t n)
{
	ssize_t got;

	if (in->end - in->begin >= n || in->fd < 0)
		return in->end - in->begin;
	memmove(in->buffer, in->buffer + in->begin, in->end - in->begin);
	in->end -= in->begin;
	in->begin = 0;
	while (in->end < n) {
		if (!in->seekable)
			output_flush(); /* this may wait */
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
	if (in->fd < 0) {
		in->begin = (size_t)offset;
		return true;
	}
	in->begin = in->end = 0;
	return lseek(in->fd, (off_t)offset, SEEK_SET) >= 0;
}

char *input_text(struct input *in, uint64_t n, uint64_t most)
{
	size_t room = 0, size = 0;
	char *bytes = NULL;

	if (n > most)
		return NULL;
	/* memory for the bytes that exist, whatever size the file claims */
	while (size < n) {
		size_t part = n - size < CHUNK ? (size_t)n - size : CHUNK;

		if (size + part + 1 > room) {
			room = 2 * (size + part) + 1;
			bytes = realloc(bytes, room);
			if (!bytes)
				die("out of memory");
		}
		if (input_read(in, bytes + size, part) != part) {
			free(bytes);
			return NULL;
		}
		size += part;
	}
	if (!bytes)
		bytes = allocate(1);
	bytes[size] = '\0';
	return bytes;
}

char *input_rest(struct input *in, size_t *size)
{
	size_t room = CHUNK, n;
	char *bytes = malloc(room);

	for (*size = 0; bytes && (n = input_read(in, bytes + *size, room - *size)) > 0;) {
		*size += n;
		if (*size == room)
			bytes = realloc(bytes, room *= 2);
	}
	if (!bytes)
		die("%s is larger than the memory", in->name);
	return bytes;
}

/* Copies an input that cannot be read again, such as a pipe, into a file without a name. */
struct input *input_spool(struct input *in)
{
	struct input *spooled = allocate(sizeof(*spooled));
	FILE *file = tmpfile();
	size_t n;

	*spooled = (struct input){ .name = in->name, .fd = -1, .seekable = true };
	spooled->buffer = allocate(CHUNK);
	if (file)
		spooled->fd = dup(fileno(file));
	while (spooled->fd >= 0 && (n = fill(in, CHUNK)) > 0) {
		if (fwrite(in->buffer + in->begin, 1, n, file) != n || fflush(file) != 0)
			die("cannot keep %s in a temporary file: %s; give it as a file", in->name,
			    strerror(errno));
		in->begin += n;
		spooled->size += n;
	}
	if (spooled->fd < 0)
		die("cannot make a temporary file for %s: %s; give it as a file", in->name,
		    strerror(errno));
	fclose(file);
	lseek(spooled->fd, 0, SEEK_SET);
	input_close(in);
	return spooled;
}

int input_fd(const struct input *in)
{
	return in->fd;
}
