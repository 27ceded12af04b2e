/* SPDX-License-Identifier: MIT */
/* Lists the probes and events that files and running programs declare. */
#include "usdt/uprobes.h"
#include "util/util.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include <user_events_decode.h>

/* Adds a probe unless the list already contains one with the same provider and name. */
static void list_probe(const struct usdt_file *file, const struct usdt_probe *probe, void **seen,
		       char ***providers, char ***specs)
{
	char *key = text("%s:%s", probe->provider, probe->name), *missing = NULL, **known;
	struct usdt_shape *shape;

	known = tsearch(key, seen, compare_text);
	if (!known)
		die("out of memory");
	if (*known != key) {
		free(key);
		return;
	}
	shape = usdt_shape_new(file, probe, false, &missing);
	if (shape) {
		add(providers, probe->provider);
		add(specs, usdt_shape_spec(shape));
	}
	usdt_shape_free(shape);
	free(missing);
}

int usdt_list(const char *path, char ***providers, char ***specs)
{
	struct usdt_file file;
	int error = usdt_file_open(&file, path);
	void *seen = NULL;
	size_t i;

	if (error)
		return error;
	for (i = 0; i < file.n; i++) {
		if (!usdt_event_of(&file, &file.probes[i]) && !usdt_site_of(&file, &file.probes[i]))
			list_probe(&file, &file.probes[i], &seen, providers, specs);
	}
	usdt_file_free(&file);
	tdestroy(seen, free);
	return 0;
}

static void keep(void *name)
{
	(void)name;
}

void usdt_events_of_sets(const char *path, char ***names)
{
	struct usdt_file file;
	void *seen = NULL;
	char **p;
	size_t i;

	if (usdt_file_open(&file, path) != 0)
		return;
	for (p = *names; p && *p; p++)
		tsearch(*p, &seen, compare_text);
	for (i = 0; i < file.n; i++) {
		const struct note_event *site = usdt_site_of(&file, &file.probes[i]);
		const struct note_event *set = usdt_set_of(&file, &file.probes[i]);
		struct ue_decode_event e;
		char *name;

		if (!site || !set)
			continue;
		ue_decode_parse(&e, set->spec, strcspn(set->spec, " "), site->meta, site->size);
		name = text("%.*s:%.*s", (int)e.provider_length, e.provider, (int)e.name_length,
			    e.name);
		if (!tfind(name, &seen, compare_text))
			tsearch(add(names, name), &seen, compare_text);
		free(name);
	}
	tdestroy(seen, keep);
	usdt_file_free(&file);
}

struct collecting {
	struct known_files read; /* files whose notes were read */
	char ***specs, ***names;
};

static int collect_mapped(void *context, pid_t tid, const char *path)
{
	struct collecting *c = context;
	struct known file;
	struct stat st;

	(void)tid;
	if (signal_waits())
		return -EINTR;
	if (stat(path, &st) != 0)
		return -errno;
	file = known_of(&st);
	if (known_files_has(&c->read, &file))
		return 0;
	known_files_add(&c->read, &file);
	if (c->names)
		usdt_events_of_sets(path, c->names);
	return notes_read(path, c->specs, NULL);
}

static void collect_process(void *context, pid_t pid)
{
	mapped_each(pid, collect_mapped, context, false);
}

void usdt_running(char ***specs, char ***names)
{
	struct collecting c = { .specs = specs, .names = names };

	processes_each(collect_process, &c);
	known_files_free(&c.read);
}
