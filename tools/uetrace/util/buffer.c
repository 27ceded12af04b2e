/* SPDX-License-Identifier: MIT */
#include "util/buffer.h"
#include "util/util.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ensures space for size more bytes. Returns the address after the last used byte. */
static char *reserve(struct buffer *b, size_t size)
{
	if (!b->data || b->room - b->size < size) {
		b->room = 2 * b->room + size + 64;
		b->data = realloc(b->data, b->room);
		if (!b->data)
			die("out of memory");
	}
	return b->data + b->size;
}

char *buffer_extend(struct buffer *b, size_t size)
{
	char *begin = memset(reserve(b, size), 0, size);

	b->size += size;
	return begin;
}

void buffer_put(struct buffer *b, const void *data, size_t size)
{
	if (!size)
		return;
	memcpy(reserve(b, size), data, size);
	b->size += size;
}

void buffer_print(struct buffer *b, const char *format, ...)
{
	va_list arguments;
	char *s;
	int n;

	va_start(arguments, format);
	n = vasprintf(&s, format, arguments);
	va_end(arguments);
	if (n < 0)
		die("out of memory");
	buffer_put(b, s, (size_t)n);
	free(s);
}
