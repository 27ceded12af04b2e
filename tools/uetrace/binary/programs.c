/* SPDX-License-Identifier: MIT */
/*
 * Collects the binaries listed in a recording and reads their notes. The binaries are opened only
 * when an event is printed that one of them may declare. A binary is ignored if its build ID
 * differs from the recorded one.
 */
#include "binary/binary.h"
#include "util/util.h"

#include <limits.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#define PROGRAMS_MAX 4096
#define ID_MAX 20 /* maximum length in bytes of a recorded build ID */

struct program {
	char *path; /* must be first, for compare_strings() */
	uint8_t id[ID_MAX];
	size_t id_size; /* length of id in bytes; 0 if the build ID is unknown */
};

struct programs {
	struct program *list[PROGRAMS_MAX];
	size_t n, read;
	void *by_path; /* tsearch() tree of struct program */
};

static struct program *program_of(struct programs *p, const char *path)
{
	struct program key = { .path = (char *)(uintptr_t)path }, *one, **found;

	found = tfind(&key, &p->by_path, compare_strings);
	if (found)
		return *found;
	if (p->n == PROGRAMS_MAX)
		return NULL;
	one = allocate(sizeof(*one));
	one->path = text("%s", path);
	if (!tsearch(one, &p->by_path, compare_strings))
		die("out of memory");
	return p->list[p->n++] = one;
}

void programs_add(struct programs **programs, const char *path, const void *id, size_t id_size)
{
	struct program *one;

	/* skip "[vdso]", "//anon" and relative paths */
	if (path[0] != '/' || path[1] == '/' || strlen(path) >= PATH_MAX || id_size > ID_MAX)
		return;
	if (!*programs)
		*programs = allocate(sizeof(**programs));
	one = program_of(*programs, path);
	if (!one || !id_size)
		return;
	memcpy(one->id, id, id_size);
	one->id_size = id_size;
}

int program_read(const char *path, const void *id, size_t id_size)
{
	char **specs = NULL;
	int error = texts_read(path, id, id_size);

	if (!error)
		error = notes_read(path, &specs, NULL);
	list_free(specs);
	return error;
}

size_t programs_read(struct programs *p)
{
	const struct program *one;

	for (; p && p->read < p->n; p->read++) {
		one = p->list[p->read];
		program_read(one->path, one->id, one->id_size);
	}
	return p ? p->n : 0;
}

void programs_free(struct programs *p)
{
	size_t i;

	for (i = 0; p && i < p->n; i++) {
		tdelete(p->list[i], &p->by_path, compare_strings);
		free(p->list[i]->path);
		free(p->list[i]);
	}
	free(p);
}
