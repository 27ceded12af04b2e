/* SPDX-License-Identifier: MIT */
/*
 * Events by uprobes: on kernels without user_events, and of other programs that have USDT probes.
 * Each place of a probe in a file is a uprobe, in a group of our own in dynamic_events, which
 * instance.c removes with our trace instance; its reference counter tells the program that somebody
 * listens. Its records become those of the event (usdt_record.c) before anybody sees them.
 */
#include "usdt.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <tracefs.h>
#include <unistd.h>

#define IDS 65536 /* common_type has 16 bits */
#define PLACES_MAX 30000
#define NAME_MAX_KERNEL 60 /* of an event */
#define SECOND 1000000000u

/* "usdt:FILE:PROVIDER:NAME"; FILE "" is any. */
struct wanted {
	char *file, *provider, *name;
};

struct place {
	struct usdt_shape *shape;
	struct event *event;
	char *uprobe;
	uint64_t hits, records; /* since it is there */
	bool chosen;		/* by its probe's name */
	bool profiled;		/* hits is known; 0: not whose they are */
	bool told;		/* that it shows less than there is */
};

/* A process whose files we know. */
struct process {
	pid_t pid;
	dev_t dev;
	ino_t exe;
};

struct usdt {
	struct tracefs_instance *instance;
	struct events *events;
	const struct options *o;
	struct wanted *wanted;
	size_t n_wanted;
	struct place **by_id;
	size_t n;		 /* places */
	void *files, *processes; /* of tsearch() */
	uint64_t next_full;	 /* scan, of libraries that were loaded since */
	bool told;		 /* of the first probe that the kernel refuses */
	bool begun;		 /* what was there at the begin is known */
	char **late;		 /* files with probes that came after it */
};

bool usdt_pattern(const char *pattern)
{
	return strncmp(pattern, "usdt:", 5) == 0;
}

/* Splits at the last two colons: a file's name may have some. */
static void want(struct usdt *u, const char *pattern)
{
	const char *file = pattern + strlen("usdt:"), *name = strrchr(file, ':'), *provider;
	struct wanted *w = &u->wanted[u->n_wanted++];

	if (!name)
		die_usage("%s is no USDT probe: usdt:FILE:PROVIDER:NAME, with wildcards", pattern);
	provider = memrchr(file, ':', (size_t)(name - file));
	w->file = provider ? text("%.*s", (int)(provider - file), file) : text("%s", "");
	provider = provider ? provider + 1 : file;
	w->provider = text("%.*s", (int)(name - provider), provider);
	w->name = text("%s", name + 1);
	if (!*w->provider || !*w->name)
		die_usage("%s is no USDT probe: usdt:FILE:PROVIDER:NAME, with wildcards", pattern);
}

static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static bool is_wanted(const struct usdt *u, const char *path, const struct usdt_probe *probe)
{
	size_t i;

	for (i = 0; i < u->n_wanted; i++) {
		const struct wanted *w = &u->wanted[i];

		if ((!*w->file || same_file(w->file, path)) &&
		    fnmatch(w->provider, probe->provider, 0) == 0 &&
		    fnmatch(w->name, probe->name, 0) == 0)
			return true;
	}
	return false;
}

/* Places */

/* A definition's words end at spaces: a path that has some goes by a descriptor. */
static char *path_for_kernel(const char *path, int *fd)
{
	*fd = -1;
	if (!strpbrk(path, " \t\n"))
		return realpath(path, NULL);
	*fd = open(path, O_PATH | O_CLOEXEC);
	return *fd < 0 ? NULL : text("/proc/self/fd/%d", *fd);
}

static char *uprobe_name(const struct usdt *u, const char *name)
{
	char *whole = text("%.*s_%zu", NAME_MAX_KERNEL - 8, name, u->n), *p;

	for (p = whole; *p; p++) {
		if (!isalnum((unsigned char)*p))
			*p = '_';
	}
	if (isdigit((unsigned char)*whole))
		*whole = '_';
	return whole;
}

static void tell_refused(struct usdt *u, const char *path, const struct usdt_probe *probe,
			 int error)
{
	char *log = tracefs_error_last(NULL);
	char *why = log ? strstr(log, "error: ") : NULL;

	if (!u->told)
		warning("the kernel refuses a uprobe on %s:%s of %s: %.*s", probe->provider,
			probe->name, path, why ? (int)strcspn(why + 7, "\n") : 255,
			why ? why + 7 : strerror(-error));
	u->told = true;
	free(log);
}

static void tell_missing(const char *shown, char **missing, int args)
{
	char *names = text("%s", missing[0]), *more;
	size_t i;

	for (i = 1; missing[i]; i++) {
		more = text("%s, %s", names, missing[i]);
		free(names);
		names = more;
	}
	warning("%s is shown without %s: %s", shown, names,
		args >= USDT_ARGS_MAX - 1 ? "a USDT probe has twelve arguments"
					  : "no uprobe can read that");
	free(names);
}

/* Defines the uprobe, and finds where its fields are. Returns its id, or 0. */
static unsigned int define(struct usdt *u, const struct usdt_file *file,
			   const struct usdt_probe *probe, struct usdt_shape *shape,
			   const char *uprobe)
{
	char *format = NULL, *line, *counter = NULL, *path;
	const char *id = NULL;
	int error = -EINVAL, fd;

	path = path_for_kernel(file->path, &fd);
	if (probe->semaphore)
		counter = text("(0x%llx)", (unsigned long long)probe->counter);
	line = text("p:%s/%s %s:0x%llx%s%s", usdt_group(), uprobe, path ? path : file->path,
		    (unsigned long long)probe->offset, counter ? counter : "",
		    usdt_shape_fetch(shape));
	if (path)
		error = probe_define(line);
	if (!error) {
		format = tracefs_event_file_read(u->instance, usdt_group(), uprobe, "format", NULL);
		id = format ? strstr(format, "\nID: ") : NULL;
	}
	if (error || !id || !usdt_shape_format(shape, format))
		tell_refused(u, file->path, probe, error);
	else
		error = (int)strtoul(id + strlen("\nID: "), NULL, 10) % IDS;
	free(format);
	free(line);
	free(counter);
	free(path);
	if (fd >= 0)
		close(fd);
	return error > 0 ? (unsigned int)error : 0;
}

static int add_place(struct usdt *u, const struct usdt_file *file, const struct usdt_probe *probe,
		     const char *system, bool chosen)
{
	char **missing = NULL, *format, *uprobe, *name;
	struct usdt_shape *shape = usdt_shape_new(file, probe, u->o->filter, &missing);
	struct event *event;
	struct place *place;
	unsigned int id;
	bool fresh;

	if (!shape || u->n == PLACES_MAX) {
		list_free(missing);
		usdt_shape_free(shape);
		return 0;
	}
	name = text("%.*s", (int)strcspn(usdt_shape_spec(shape), " "), usdt_shape_spec(shape));
	uprobe = uprobe_name(u, name);
	id = define(u, file, probe, shape, uprobe);
	if (id) {
		format = usdt_format_text(usdt_shape_spec(shape));
		event = events_add(u->events, system, name, format, chosen, &fresh);
		if (fresh && strcmp(system, "user_events") == 0)
			events_print_as(u->events, event, id);
		if (missing && fresh)
			tell_missing(event->shown, missing, probe->n);
		place = allocate(sizeof(*place));
		place->shape = shape;
		place->event = event;
		place->chosen = chosen;
		place->uprobe = text("%s", uprobe);
		u->by_id[id] = place;
		u->n++;
		events_enable_place(u->events, event, usdt_group(), uprobe, id);
		free(format);
	} else {
		usdt_shape_free(shape);
	}
	list_free(missing);
	free(uprobe);
	free(name);
	return id != 0;
}

/* Files */

/* The events that the program itself would write, and other probes that were asked for by name. */
static int add_probe(struct usdt *u, const struct usdt_file *file, const struct usdt_probe *probe)
{
	const struct note_event *event = usdt_event_of(file, probe);
	const struct note_set *set = usdt_site_of(file, probe) ? usdt_set_of(file, probe) : NULL;
	const char *spec = set ? set->spec : event ? event->spec : NULL;
	char *name;
	bool ours;

	if (is_wanted(u, file->path, probe))
		return add_place(u, file, probe, spec ? "user_events" : probe->provider, true);
	if (!spec || !u->o->usdt)
		return 0;
	name = text("%.*s", (int)strcspn(spec, " "), spec);
	ours = event_matches(u->o->patterns, "user_events", name) && level_matches(u->o, name);
	free(name);
	return ours ? add_place(u, file, probe, "user_events", false) : 0;
}

struct known_file {
	dev_t dev;
	ino_t ino;
};

static int by_file(const void *a, const void *b)
{
	const struct known_file *x = a, *y = b;

	if (x->dev != y->dev)
		return x->dev < y->dev ? -1 : 1;
	return x->ino < y->ino ? -1 : x->ino > y->ino;
}

/* Is it a file that we have not read? From now on we have. */
static bool is_new(void **files, const char *path)
{
	struct known_file *file, **known;
	struct stat st;

	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	file = allocate(sizeof(*file));
	file->dev = st.st_dev;
	file->ino = st.st_ino;
	known = tsearch(file, files, by_file);
	if (!known)
		die("out of memory");
	if (*known == file)
		return true;
	free(file);
	return false;
}

static bool has_probe(const struct usdt_file *file, const char *name)
{
	size_t i;

	for (i = 0; i < file->n; i++) {
		if (strcmp(file->probes[i].name, name) == 0)
			return true;
	}
	return false;
}

/* UE_NO_USDT compiles them out. */
static void tell_without_probe(const struct usdt *u, const struct usdt_file *file)
{
	const char *first = NULL;
	size_t n = 0, i;

	for (i = 0; i < file->notes.n_events; i++) {
		const char *name = file->notes.events[i].name;

		if (!event_matches(u->o->patterns, "user_events", name) || has_probe(file, name))
			continue;
		first = first ? first : name;
		n++;
	}
	if (n)
		warning("%s of %s has no USDT probe%s, and is not seen here", first, file->path,
			n > 1 ? ", as others" : "");
}

int usdt_add_file(struct usdt *u, const char *path)
{
	struct usdt_file file;
	int found = 0;
	size_t i;

	if (!is_new(&u->files, path) || usdt_file_read(&file, path) != 0)
		return 0;
	for (i = 0; i < file.n; i++)
		found += add_probe(u, &file, &file.probes[i]);
	if (u->o->usdt)
		tell_without_probe(u, &file);
	usdt_file_free(&file);
	return found;
}

void usdt_add_files(struct usdt *u, char **files)
{
	for (; files && *files; files++)
		usdt_add_file(u, *files);
}

/* Programs that run */

/* Calls fn for each file that a process has mapped to run it. */
static void for_each_mapped(pid_t pid, void (*fn)(void *context, const char *path), void *context)
{
	char *name = text("/proc/%d/maps", pid), *maps = read_text(name), *rest = maps, *line;
	char *root = text("/proc/%d/root", pid);
	bool same = same_file(root, "/");

	while (rest && (line = strsep(&rest, "\n"))) {
		char *path = strchr(line, '/'), *whole;

		/* START-END r-xp ... */
		if (!path || !strstr(line, "x") ||
		    strncmp(line + strcspn(line, " "), " r-x", 4) != 0)
			continue;
		whole = same ? text("%s", path) : text("%s%s", root, path);
		fn(context, whole);
		free(whole);
	}
	free(maps);
	free(root);
	free(name);
}

static int by_pid(const void *a, const void *b)
{
	const struct process *x = a, *y = b;

	return x->pid < y->pid ? -1 : x->pid > y->pid;
}

/* Is this a process that we have not seen, or one that has run another program since? */
static bool process_is_new(struct usdt *u, pid_t pid)
{
	char *exe = text("/proc/%d/exe", pid);
	struct process key = { .pid = pid }, *process, **known = tfind(&key, &u->processes, by_pid);
	bool fresh = false;
	struct stat st;

	if (stat(exe, &st) == 0) {
		if (!known) {
			process = allocate(sizeof(*process));
			process->pid = pid;
			known = tsearch(process, &u->processes, by_pid);
		}
		if (!known)
			die("out of memory");
		process = *known;
		fresh = process->dev != st.st_dev || process->exe != st.st_ino;
		process->dev = st.st_dev;
		process->exe = st.st_ino;
	}
	free(exe);
	return fresh;
}

struct adding {
	struct usdt *u;
	int found;
};

static void add_mapped(void *context, const char *path)
{
	struct adding *a = context;
	int found = usdt_add_file(a->u, path);

	a->found += found;
	if (found && a->u->begun && a->u->o->command && !a->u->o->all)
		add(&a->u->late, path);
}

static int scan_process(struct usdt *u, pid_t pid, bool all)
{
	struct adding a = { u, 0 };

	if (pid != getpid() && (process_is_new(u, pid) || all))
		for_each_mapped(pid, add_mapped, &a);
	return a.found;
}

/* Those that are traced, as the kernel knows them with what they forked, or all. */
int usdt_scan(struct usdt *u)
{
	char *followed = tracefs_instance_file_read(u->instance, "set_event_pid", NULL);
	char *rest = followed, *line;
	bool few = followed && isdigit((unsigned char)*followed), all = now() >= u->next_full;
	int found = 0;
	struct dirent *entry;
	DIR *proc;

	if (all)
		u->next_full = now() + (few ? SECOND / 10 : SECOND);
	if (few) {
		while ((line = strsep(&rest, "\n"))) {
			if (*line)
				found += scan_process(u, atoi(line), all);
		}
	} else if (!u->o->command || u->o->all) {
		proc = opendir("/proc");
		while (proc && (entry = readdir(proc))) {
			if (isdigit((unsigned char)entry->d_name[0]))
				found += scan_process(u, atoi(entry->d_name), all);
		}
		if (proc)
			closedir(proc);
	}
	free(followed);
	u->begun = true;
	return found;
}

char **usdt_late(const struct usdt *u)
{
	return u->late;
}

/* Records */

bool usdt_record(struct usdt *u, unsigned int id, const struct record *in, struct record *out,
		 bool *chosen)
{
	struct place *place = id < IDS ? u->by_id[id] : NULL;
	bool cut;

	if (!place)
		return false;
	place->records++;
	*chosen = place->chosen;
	if (!usdt_shape_record(place->shape, in, place->event->printed_id, out, &cut))
		return false;
	if (cut && !place->told)
		warning("%s has more than is shown: of what has a variable length, uprobes read a "
			"part",
			place->event->shown);
	place->told |= cut;
	return true;
}

/* Missing events */

static int by_uprobe(const void *a, const void *b)
{
	const struct place *x = *(struct place *const *)a, *y = *(struct place *const *)b;

	return strcmp(x->uprobe, y->uprobe);
}

/* Only strings make a record as long as that. */
static struct place **places_with_strings(const struct usdt *u, size_t *n)
{
	struct place **list = allocate((u->n + 1) * sizeof(*list));
	size_t i;

	*n = 0;
	for (i = 0; i < IDS; i++) {
		if (u->by_id[i] && strstr(usdt_shape_fetch(u->by_id[i]->shape), ":string"))
			list[(*n)++] = u->by_id[i];
	}
	if (*n)
		qsort(list, *n, sizeof(*list), by_uprobe);
	return list;
}

/*
 * The kernel drops a record that is longer than a page, and counts it nowhere. But it counts hits, in
 * lines as "  PATH NAME HITS", of all groups: another tracer's uprobe may have the same name.
 */
void usdt_read_hits(struct usdt *u)
{
	char *profile = tracefs_instance_file_read(NULL, "uprobe_profile", NULL), *rest = profile;
	struct place **list, **found, *place, *key, name;
	char *line, *word;
	size_t n;

	list = places_with_strings(u, &n);
	while (rest && (line = strsep(&rest, "\n"))) {
		word = strtok(line, " ");
		name.uprobe = word ? strtok(NULL, " ") : NULL;
		word = name.uprobe ? strtok(NULL, " ") : NULL;
		if (!word)
			continue;
		key = &name;
		found = bsearch(&key, list, n, sizeof(*list), by_uprobe);
		if (!found)
			continue;
		place = *found;
		place->hits = place->profiled ? 0 : strtoull(word, NULL, 10);
		place->profiled = true;
	}
	free(list);
	free(profile);
}

void usdt_tell_missing(const struct usdt *u, uint64_t lost)
{
	const struct place *first = NULL;
	uint64_t missing = 0;
	size_t i;

	for (i = 0; i < IDS; i++) {
		const struct place *place = u->by_id[i];

		if (!place || place->hits <= place->records)
			continue;
		missing += place->hits - place->records;
		first = first ? first : place;
	}
	/* what a filter or the buffer's end took is known */
	if (u->o->filter || missing <= lost)
		return;
	missing -= lost;
	fprintf(stderr,
		"uetrace: %llu event%s of %s%s %s missing: by uprobes an event has some 4000 bytes, its "
		"strings together%s\n",
		(unsigned long long)missing, missing == 1 ? "" : "s", first->event->shown,
		missing > first->hits - first->records ? " and others" : "",
		missing == 1 ? "is" : "are",
		u->o->pid || (u->o->command && !u->o->all)
			? "; or another process ran the same file"
			: "");
}

/* Begin and end */

struct usdt *usdt_new(struct tracefs_instance *instance, struct events *events,
		      const struct options *o)
{
	struct usdt *u = allocate(sizeof(*u));
	char **p;
	size_t n = 0;

	u->instance = instance;
	u->events = events;
	u->o = o;
	u->by_id = allocate(IDS * sizeof(*u->by_id));
	for (p = o->usdt_patterns; p && *p; p++)
		n++;
	u->wanted = allocate(n * sizeof(*u->wanted));
	for (p = o->usdt_patterns; p && *p; p++)
		want(u, *p);
	for (n = 0; n < u->n_wanted; n++) {
		struct usdt_file file;
		int error;

		if (!*u->wanted[n].file)
			continue;
		error = usdt_file_read(&file, u->wanted[n].file);
		if (error)
			die("cannot read %s: %s", u->wanted[n].file,
			    error == -ENOEXEC ? "it is not an ELF binary" : strerror(-error));
		usdt_file_free(&file);
		if (!usdt_add_file(u, u->wanted[n].file))
			warning("%s has no such probe", o->usdt_patterns[n]);
	}
	return u;
}

void usdt_free(struct usdt *u)
{
	size_t i;

	if (!u)
		return;
	for (i = 0; i < IDS; i++) {
		if (!u->by_id[i])
			continue;
		usdt_shape_free(u->by_id[i]->shape);
		free(u->by_id[i]->uprobe);
		free(u->by_id[i]);
	}
	for (i = 0; i < u->n_wanted; i++) {
		free(u->wanted[i].file);
		free(u->wanted[i].provider);
		free(u->wanted[i].name);
	}
	tdestroy(u->files, free);
	tdestroy(u->processes, free);
	list_free(u->late);
	free(u->wanted);
	free(u->by_id);
	free(u);
}

/* Lists */

static bool is_listed(char **list, const char *s)
{
	for (; list && *list; list++) {
		if (strcmp(*list, s) == 0)
			return true;
	}
	return false;
}

int usdt_list(const char *path, char ***providers, char ***specs)
{
	struct usdt_file file;
	char **seen = NULL, **missing;
	int error = usdt_file_read(&file, path);
	size_t i;

	for (i = 0; !error && i < file.n; i++) {
		const struct usdt_probe *probe = &file.probes[i];
		char *key = text("%s:%s", probe->provider, probe->name);
		struct usdt_shape *shape = NULL;

		missing = NULL;
		if (!usdt_event_of(&file, probe) && !usdt_site_of(&file, probe) &&
		    !is_listed(seen, key))
			shape = usdt_shape_new(&file, probe, false, &missing);
		if (shape) {
			add(&seen, key);
			add(providers, probe->provider);
			add(specs, usdt_shape_spec(shape));
		}
		usdt_shape_free(shape);
		list_free(missing);
		free(key);
	}
	if (!error)
		usdt_file_free(&file);
	list_free(seen);
	return error;
}

struct collecting {
	char ***specs;
	void *files;
};

static void collect_mapped(void *context, const char *path)
{
	struct collecting *c = context;

	if (is_new(&c->files, path))
		notes_read(path, false, c->specs);
}

void usdt_running(char ***specs)
{
	struct collecting c = { specs, NULL };
	DIR *proc = opendir("/proc");
	struct dirent *entry;

	while (proc && (entry = readdir(proc))) {
		if (isdigit((unsigned char)entry->d_name[0]))
			for_each_mapped(atoi(entry->d_name), collect_mapped, &c);
	}
	if (proc)
		closedir(proc);
	tdestroy(c.files, free);
}
