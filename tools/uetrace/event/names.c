/* SPDX-License-Identifier: MIT */
/*
 * Hash table with linear probing. Scope numbers only increase, and slots with the number of an old
 * scope count as free, so removing all names takes constant time.
 */
#include "event/names.h"
#include "util/util.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#define SIZE_MIN 64

/*
 * Returns a random odd multiplier for the hash function. Without it, a recording could contain
 * names that were chosen to collide.
 */
static uint64_t secret(void)
{
	static uint64_t number;

	if (!number) {
		memcpy(&number, (const void *)getauxval(AT_RANDOM), sizeof(number));
		number |= 1;
	}
	return number;
}

void names_clear(struct names *names)
{
	names->first = names->scope + 1;
	names->used = 0;
}

uint64_t names_scope(struct names *names)
{
	return ++names->scope;
}

/*
 * Returns the slot of a name or, if the name is not in the table, the free slot where it belongs.
 */
static struct name_slot *find(const struct names *names, uint64_t scope, uint64_t key)
{
	size_t i = (size_t)(((key ^ scope << 32) * secret()) >> 32) & (names->size - 1);
	struct name_slot *slot;

	for (;; i = (i + 1) & (names->size - 1)) {
		slot = &names->slots[i];
		if (slot->scope < names->first || (slot->scope == scope && slot->key == key))
			return slot;
	}
}

static void grow(struct names *names)
{
	struct names larger = *names;
	const struct name_slot *slot;

	larger.size = names->size ? 2 * names->size : SIZE_MIN;
	larger.slots = allocate(larger.size * sizeof(*larger.slots));
	for (slot = names->slots; slot < names->slots + names->size; slot++) {
		if (slot->scope >= names->first)
			*find(&larger, slot->scope, slot->key) = *slot;
	}
	free(names->slots);
	*names = larger;
}

uint32_t *names_count(struct names *names, uint64_t scope, uint64_t key)
{
	struct name_slot *slot;

	if (2 * names->used >= names->size)
		grow(names);
	slot = find(names, scope, key);
	if (slot->scope < names->first) {
		*slot = (struct name_slot){ .scope = scope, .key = key };
		names->used++;
	}
	return &slot->count;
}

void names_free(struct names *names)
{
	free(names->slots);
}
