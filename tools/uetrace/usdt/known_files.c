/* SPDX-License-Identifier: MIT */
/* Table of the files whose ELF notes were read, by device and inode number. */
#include "usdt/uprobes.h"
#include "util/util.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#define OTHERS_MAX 20000 /* maximum number of remembered files without probes */

struct known known_of(const struct stat *st)
{
	return (struct known){ .dev = st->st_dev,
			       .ino = st->st_ino,
			       .owner = st->st_uid,
			       .changed = st->st_ctim,
			       .fd = -1 };
}

static int by_inode(const void *a, const void *b)
{
	const struct known *x = a, *y = b;

	if (x->dev != y->dev)
		return x->dev < y->dev ? -1 : 1;
	return x->ino < y->ino ? -1 : x->ino > y->ino;
}

struct known *known_files_find(const struct known_files *files, const struct known *file)
{
	struct known **found = tfind(file, &files->with_uprobes, by_inode);

	return found ? *found : NULL;
}

bool known_files_has(const struct known_files *files, const struct known *file)
{
	struct known **other;

	if (known_files_find(files, file))
		return true;
	other = tfind(file, &files->others, by_inode);
	return other && memcmp(&(*other)->changed, &file->changed, sizeof(file->changed)) == 0;
}

struct known *known_files_add(struct known_files *files, const struct known *file)
{
	struct known *one, **other;

	if (files->n_others >= OTHERS_MAX) {
		tdestroy(files->others, free);
		files->others = NULL;
		files->n_others = 0;
	}
	one = memcpy(allocate(sizeof(*one)), file, sizeof(*one));
	other = tsearch(one, &files->others, by_inode);
	if (!other)
		die("out of memory");
	files->n_others += *other == one;
	if (*other != one)
		free(one);
	return memcpy(*other, file, sizeof(*file));
}

void known_files_keep(struct known_files *files, struct known *file)
{
	tdelete(file, &files->others, by_inode);
	files->n_others--;
	if (!tsearch(file, &files->with_uprobes, by_inode))
		die("out of memory");
}

void known_files_remove(struct known_files *files, const struct known *file)
{
	tdelete(file, &files->with_uprobes, by_inode);
}

void known_files_free(struct known_files *files)
{
	tdestroy(files->with_uprobes, free);
	tdestroy(files->others, free);
}
