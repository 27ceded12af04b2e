/* SPDX-License-Identifier: MIT */
/* A growing byte buffer. If memory runs out, exits with a message. */
#ifndef UETRACE_BUFFER_H
#define UETRACE_BUFFER_H

#include <stddef.h>

struct buffer {
	char *data; /* initially NULL; the owner frees it */
	size_t size, room;
};

/* Appends size zero bytes and returns their address. */
char *buffer_extend(struct buffer *b, size_t size);
void buffer_put(struct buffer *b, const void *data, size_t size);
void buffer_print(struct buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
