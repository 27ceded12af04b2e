/* SPDX-License-Identifier: MIT */
/*
 * names.c: counts how often each member name occurs in a struct, so that output formats can make
 * duplicate names unique. A lookup takes constant time.
 */
#ifndef UETRACE_NAMES_H
#define UETRACE_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct names {
	struct name_slot {
		uint64_t scope, key;
		uint32_t count;
	} * slots;
	size_t used, size; /* used slots and total slots; size is a power of two */
	uint64_t scope;	   /* number of the newest scope */
	uint64_t first;	   /* number of the oldest valid scope */
};

/* Removes all names. */
void names_clear(struct names *names);
/* Returns a new scope for the members of one struct. */
uint64_t names_scope(struct names *names);
/*
 * Returns a pointer to the counter of a name in a scope. The counter starts at 0 and is updated by
 * the caller. The pointer is valid until the next call. key is a hash of the name.
 */
uint32_t *names_count(struct names *names, uint64_t scope, uint64_t key);
void names_free(struct names *names);

#endif
