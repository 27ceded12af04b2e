/* SPDX-License-Identifier: MIT */
/* A growing buffer of bytes. If memory runs out, the program ends with a message. */
#ifndef UETRACE_BUFFER_H
#define UETRACE_BUFFER_H

#include <stddef.h>

struct buffer {
	char *data; /* NULL at first; freed by the owner */
	size_t size, room;
};

/* Appends zeros and returns their address. */
char *buffer_extend(struct buffer *b, size_t size);
void buffer_put(struct buffer *b, const void *data, size_t size);
void buffer_print(struct buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
