/* SPDX-License-Identifier: MIT */
/*
 * Stores the thread names and tracepoints of a recording. Each record begins with its tracepoint
 * ID. All data comes from the recording, not from this machine.
 */
#include "read/tracepoints.h"
#include "binary/binary.h"
#include "util/util.h"

#include <event-parse.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IDS 65536	     /* number of values of common_type, which has 16 bits */
#define NAMES_MAX (1u << 18) /* limit on the number of named threads */

struct name {
	pid_t tid, pid;
	char name[16];
};

struct formats {
	struct tep_handle *tep;
	struct event *by_id[IDS];
	void *names; /* tsearch() tree of struct name */
	size_t name_count;
	struct programs *programs;
	bool native;
};

struct formats *formats_new(struct tep_handle *tep)
{
	struct formats *f = allocate(sizeof(*f));

	if (!tep)
		die("out of memory");
	tep_set_loglevel(TEP_LOG_NONE);
	f->tep = tep;
	return f;
}

void formats_free(struct formats *f)
{
	size_t i;

	for (i = 0; i < IDS; i++)
		event_free(f->by_id[i]);
	tdestroy(f->names, free);
	programs_free(f->programs);
	tep_free(f->tep);
	free(f);
}

void formats_machine(struct formats *f, bool big_endian, int long_size)
{
	tep_set_file_bigendian(f->tep, big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(f->tep, long_size);
}

struct event *formats_add(struct formats *f, const char *system, const char *format)
{
	const bool host = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	const char *name = strncmp(format, "name: ", 6) == 0 ? format + 6 : "\n";
	const char *id_line = strstr(format, "\nID: ");
	unsigned long id = id_line ? strtoul(id_line + 5, NULL, 10) : IDS;
	struct event *event;

	if (*name == '\n' || id >= IDS || f->by_id[id])
		return NULL;
	event = f->by_id[id] = allocate(sizeof(*event));
	event->system = text("%s", system);
	event->name = text("%.*s", (int)strcspn(name, "\n"), name);
	event->shown = event_shown(event->system, event->name);
	event->format_text = text("%s", format);
	event->id = (unsigned int)id;
	event->handle = f->tep;
	event->programs = &f->programs;
	event->native = &f->native;
	event->long_size = (uint8_t)tep_get_long_size(f->tep);
	event->swapped = tep_is_file_bigendian(f->tep) != host;
	return event;
}

/*
 * Parses a format when its first record is read, because a recording may contain the formats of all
 * kernel tracepoints.
 */
struct event *formats_find(struct formats *f, unsigned int id)
{
	struct event *event = id < IDS ? f->by_id[id] : NULL;

	if (event && !event->decoder)
		event_decode(event);
	return event;
}

void formats_native(struct formats *f)
{
	f->native = true;
}

void formats_program(struct formats *f, const char *path, const void *id, size_t id_size)
{
	programs_add(&f->programs, path, id, id_size);
}

/* Threads */

static int compare(const void *a, const void *b)
{
	const struct name *x = a, *y = b;

	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

static struct name *name_of(const struct formats *f, pid_t tid)
{
	struct name key = { .tid = tid };
	struct name **found = tfind(&key, &f->names, compare);

	return found ? *found : NULL;
}

void formats_thread(struct formats *f, pid_t tid, pid_t pid, const char *name, pid_t parent)
{
	struct name *known = name_of(f, tid), *from = name ? NULL : name_of(f, parent);

	if (!known) {
		if (f->name_count >= NAMES_MAX)
			return;
		known = allocate(sizeof(*known));
		known->tid = tid;
		if (!tsearch(known, &f->names, compare))
			die("out of memory");
		f->name_count++;
	}
	known->pid = pid;
	if (!name && from)
		name = from->name;
	if (name && name != known->name)
		snprintf(known->name, sizeof(known->name), "%s", name);
}

const char *formats_thread_name(const struct formats *f, pid_t tid, pid_t *pid)
{
	const struct name *known = name_of(f, tid);

	if (known && *pid == -1)
		*pid = known->pid;
	if (known && *known->name)
		return known->name;
	return tid ? "<...>" : "<idle>";
}
