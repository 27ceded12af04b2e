/* SPDX-License-Identifier: MIT */
/*
 * names.c: counts member names, so that an output format can give each member of a struct a unique
 * name. The cost per name does not depend on the number of names.
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
	size_t used, size; /* number of slots in use, and of all slots, a power of two */
	uint64_t scope;	   /* number of the newest scope */
	uint64_t first;	   /* number of the first scope that is still valid */
};

/* Forgets all names. */
void names_clear(struct names *names);
/* Returns a new scope, for the members of one struct. */
uint64_t names_scope(struct names *names);
/*
 * Returns a pointer to the count of a name, which is initially 0. The caller updates the count. The
 * pointer is valid until the next call. key is a hash of the name.
 */
uint32_t *names_count(struct names *names, uint64_t scope, uint64_t key);
void names_free(struct names *names);

#endif
