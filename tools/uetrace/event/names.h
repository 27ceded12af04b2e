/* SPDX-License-Identifier: MIT */
/*
 * names.c: counts the names of members, so that a format can give each member of a struct a name of
 * its own. The cost of a name does not depend on the number of names.
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
	size_t used, size; /* slots in use, slots: a power of two */
	uint64_t scope;	   /* the newest scope */
	uint64_t first;	   /* scopes before this one are forgotten */
};

/* Forgets all names. */
void names_clear(struct names *names);
/* Returns a new scope, for the members of one struct. */
uint64_t names_scope(struct names *names);
/*
 * Returns the count of a name, which is 0 for a name that is new in this scope. The caller changes
 * it; the pointer is valid until the next call. key: a hash of the name.
 */
uint32_t *names_count(struct names *names, uint64_t scope, uint64_t key);
void names_free(struct names *names);

#endif
