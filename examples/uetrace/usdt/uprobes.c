/* SPDX-License-Identifier: MIT */
/*
 * Records events by uprobes, on kernels without user_events, and USDT probes of other programs.
 * Each site of a probe gets a uprobe in dynamic_events, in a group that kernel/instance.c removes
 * together with the trace instance. The reference counter of the uprobe is the probe's semaphore.
 * record.c makes records of the event from those of the uprobe.
 */
#include "usdt/usdt.h"
#include "event/event.h"
#include "kernel/kernel.h"
#include "select/select.h"
#include "util/util.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <tracefs.h>
#include <unistd.h>

#include <user_events_decode.h>

#define IDS 65536 /* common_type has 16 bits */
#define PLACES_MAX 30000
#define NAME_MAX_KERNEL 60 /* of an event */
#define SECOND 1000000000u

/* A pattern "usdt:FILE:PROVIDER:NAME"; FILE "" is any. */
struct wanted {
	char *copy; /* the others are parts of it */
	const char *file, *provider, *name;
};

/* A file, or what a process ran when its files were read. */
struct known {
	pid_t pid; /* 0: a file */
	dev_t dev;
	ino_t ino;
	bool shared; /* an untraced process runs it, too */
};

struct place {
	struct usdt_shape *shape;
	struct event *event;
	const struct known *file;
	char *uprobe;
	uint64_t hits, records; /* counted since the uprobe was defined */
	bool chosen;		/* the user named the probe */
	bool profiled;		/* hits was read; 0: another tracer's uprobe has the same name */
	bool told;		/* it was reported that the records are incomplete */
};

struct usdt {
	struct tracefs_instance *instance;
	struct events *events;
	const struct options *o;
	struct wanted *wanted;
	size_t n_wanted;
	struct place **places, **by_id;
	size_t n;
	void *known;	      /* tree of struct known */
	uint64_t next_full;   /* time of the next scan for libraries loaded later */
	uint64_t next_others; /* time of the next search for untraced processes */
	bool told;	      /* a uprobe that the kernel refused was reported */
	bool begun;	      /* the first scan is done */
	char **late;	      /* files with probes that were found later */
};

bool usdt_pattern(const char *pattern)
{
	return strncmp(pattern, "usdt:", 5) == 0;
}

/* Splits at the last two colons: a file's name may have some. */
static void want(struct usdt *u, const char *pattern)
{
	struct wanted *w = &u->wanted[u->n_wanted++];
	char *name, *provider;

	w->copy = text("%s", pattern + strlen("usdt:"));
	name = strrchr(w->copy, ':');
	if (name)
		*name++ = '\0';
	provider = strrchr(w->copy, ':');
	if (provider)
		*provider++ = '\0';
	w->file = provider ? w->copy : "";
	w->provider = provider ? provider : w->copy;
	w->name = name;
	if (!name || !*w->provider || !*name)
		die_usage("%s is no USDT probe: usdt:FILE:PROVIDER:NAME, with wildcards", pattern);
}

static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static bool is_wanted(const struct usdt *u, const char *path, const struct usdt_probe *probe)
{
	bool wanted = false;
	size_t i;

	for (i = 0; i < u->n_wanted; i++) {
		const struct wanted *w = &u->wanted[i];

		if ((!*w->file || same_file(w->file, path)) &&
		    fnmatch(w->provider, probe->provider, 0) == 0 &&
		    fnmatch(w->name, probe->name, 0) == 0) {
			selection_meet(u->o->usdt_patterns[i]);
			wanted = true;
		}
	}
	return wanted;
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

/* The spec's first word, and the place's number. */
static char *uprobe_name(const struct usdt *u, const char *spec)
{
	char *whole = text("%.*s", (int)strcspn(spec, " "), spec), *p;
	char *name = text("%.*s_%zu", NAME_MAX_KERNEL - 8, whole, u->n);

	for (p = name; *p; p++) {
		if (!isalnum((unsigned char)*p))
			*p = '_';
	}
	if (isdigit((unsigned char)*name))
		*name = '_';
	free(whole);
	return name;
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

/* Defines the uprobe, and finds where its fields are. Returns its id, or 0. */
static unsigned int define(struct usdt *u, const struct usdt_file *file,
			   const struct usdt_probe *probe, const struct place *place)
{
	char *format = NULL, *line, *counter, *path;
	const char *id = NULL;
	int error = -EINVAL, fd;
	unsigned int number = 0;

	path = path_for_kernel(file->path, &fd);
	counter = probe->semaphore ? text("(0x%llx)", (unsigned long long)probe->counter) : NULL;
	line = text("p:%s/%s %s:0x%llx%s%s", usdt_group(), place->uprobe, path ? path : "",
		    (unsigned long long)probe->offset, counter ? counter : "",
		    usdt_shape_fetch(place->shape));
	if (path)
		error = probe_define(line);
	if (!error) {
		format = tracefs_event_file_read(u->instance, usdt_group(), place->uprobe, "format",
						 NULL);
		id = format ? strstr(format, "\nID: ") : NULL;
	}
	if (id && usdt_shape_format(place->shape, format))
		number = (unsigned int)strtoul(id + strlen("\nID: "), NULL, 10) % IDS;
	else
		tell_refused(u, file->path, probe, error);
	free(format);
	free(line);
	free(counter);
	free(path);
	if (fd >= 0)
		close(fd);
	return number;
}

static void place_free(struct place *place)
{
	usdt_shape_free(place->shape);
	free(place->uprobe);
	free(place);
}

static int add_place(struct usdt *u, const struct usdt_file *file, const struct known *known,
		     const struct usdt_probe *probe, const char *system, bool chosen)
{
	struct place *place = allocate(sizeof(*place));
	char *missing = NULL, *format, *name;
	const char *spec;
	unsigned int id = 0;
	bool fresh;

	place->file = known;
	place->chosen = chosen;
	place->shape = usdt_shape_new(file, probe, u->o->filter, &missing);
	spec = place->shape ? usdt_shape_spec(place->shape) : NULL;
	if (spec && u->n < PLACES_MAX) {
		place->uprobe = uprobe_name(u, spec);
		id = define(u, file, probe, place);
	}
	if (!id) {
		place_free(place);
		free(missing);
		return 0;
	}
	name = text("%.*s", (int)strcspn(spec, " "), spec);
	format = usdt_format_text(spec);
	place->event = events_add(u->events, system, name, format, chosen, &fresh);
	if (fresh && strcmp(system, USER_SYSTEM) == 0)
		events_print_as(u->events, place->event, id);
	if (missing && fresh)
		warning("%s is shown without %s: %s", place->event->shown, missing,
			probe->n >= USDT_ARGS_MAX - 1 ? "a USDT probe has twelve arguments"
						      : "no uprobe can read that");
	u->by_id[id] = u->places[u->n++] = place;
	events_enable_place(u->events, place->event, usdt_group(), place->uprobe, id);
	free(format);
	free(missing);
	free(name);
	return 1;
}

/* Files */

/*
 * Adds a site of an event that the program itself would write, or of a probe that the user named.
 */
static int add_probe(struct usdt *u, const struct usdt_file *file, const struct known *known,
		     const struct usdt_probe *probe)
{
	const struct note_event *event = usdt_event_of(file, probe);
	const struct note_event *set = usdt_site_of(file, probe) ? usdt_set_of(file, probe) : NULL;
	const char *spec = set ? set->spec : event ? event->spec : NULL;
	char *name;
	bool ours;

	if (is_wanted(u, file->path, probe))
		return add_place(u, file, known, probe, spec ? USER_SYSTEM : probe->provider, true);
	if (!spec || !u->o->usdt)
		return 0;
	name = text("%.*s", (int)strcspn(spec, " "), spec);
	ours = event_matches(u->o->patterns, USER_SYSTEM, name) && level_matches(u->o, name);
	free(name);
	return ours ? add_place(u, file, known, probe, USER_SYSTEM, false) : 0;
}

static int by_place(const void *a, const void *b)
{
	const struct known *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if (x->dev != y->dev)
		return x->dev < y->dev ? -1 : 1;
	return x->ino < y->ino ? -1 : x->ino > y->ino;
}

/* Adds a regular file, or what a process runs, to a tree. Returns NULL if the tree had it. */
static const struct known *know(void **tree, pid_t pid, const char *path)
{
	struct known *one, **known;
	struct stat st;

	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return NULL;
	one = allocate(sizeof(*one));
	*one = (struct known){ .pid = pid, .dev = st.st_dev, .ino = st.st_ino };
	known = tsearch(one, tree, by_place);
	if (!known)
		die("out of memory");
	if (*known == one)
		return one;
	free(one);
	return NULL;
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

/* Reports the events without a USDT probe, as of programs that define UE_NO_USDT. */
static void tell_without_probe(const struct usdt *u, const struct usdt_file *file)
{
	const char *first = NULL;
	size_t n = 0, i;

	for (i = 0; i < file->notes.n; i++) {
		const char *name = file->notes.events[i].name;

		if (!name || !event_matches(u->o->patterns, USER_SYSTEM, name) ||
		    has_probe(file, name))
			continue;
		first = first ? first : name;
		n++;
	}
	if (n)
		warning("%s of %s has no USDT probe%s, and is not seen here", first, file->path,
			n > 1 ? ", as others" : "");
}

/* Adds the probes of a file, once. Returns how many it added. */
static int add_file(struct usdt *u, const char *path)
{
	const struct known *known = know(&u->known, 0, path);
	struct usdt_file file;
	int found = 0;
	size_t i;

	if (!known || usdt_file_read(&file, path) != 0)
		return 0;
	for (i = 0; i < file.n; i++)
		found += add_probe(u, &file, known, &file.probes[i]);
	if (u->o->usdt)
		tell_without_probe(u, &file);
	usdt_file_free(&file);
	return found;
}

void usdt_add_files(struct usdt *u, char **files)
{
	for (; files && *files; files++)
		add_file(u, *files);
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
		if (!path || strncmp(line + strcspn(line, " "), " r-x", 4) != 0)
			continue;
		whole = same ? text("%s", path) : text("%s%s", root, path);
		fn(context, whole);
		free(whole);
	}
	free(maps);
	free(root);
	free(name);
}

/* Calls fn for each process but this one. */
static void for_each_process(void (*fn)(void *context, pid_t pid), void *context)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;

	while (proc && (entry = readdir(proc))) {
		if (isdigit((unsigned char)*entry->d_name) && atoi(entry->d_name) != getpid())
			fn(context, atoi(entry->d_name));
	}
	if (proc)
		closedir(proc);
}

/* Is it a process that was not there in the last scan, or that runs another program now? */
static bool process_is_new(struct usdt *u, pid_t pid)
{
	char *exe = text("/proc/%d/exe", pid);
	bool fresh = know(&u->known, pid, exe);

	free(exe);
	return fresh;
}

/* What to do in a scan. */
struct scan {
	struct usdt *u;
	const char *followed; /* set_event_pid */
	bool all;	      /* also of processes that are not new */
};

static void add_mapped(void *context, const char *path)
{
	struct usdt *u = context;
	int found = add_file(u, path);

	if (found && u->begun && u->o->command && !u->o->all)
		add(&u->late, path);
}

static void scan_process(void *context, pid_t pid)
{
	const struct scan *scan = context;

	if (process_is_new(scan->u, pid) || scan->all)
		for_each_mapped(pid, add_mapped, scan->u);
}

static void mark_shared(void *context, const char *path)
{
	struct usdt *u = context;
	struct known key = { .pid = 0 }, **known;
	struct stat st;

	if (stat(path, &st) != 0)
		return;
	key.dev = st.st_dev;
	key.ino = st.st_ino;
	known = tfind(&key, &u->known, by_place);
	if (known)
		(*known)->shared = true;
}

/* Is the process in the lines of set_event_pid? */
static bool is_followed(const char *lines, pid_t pid)
{
	for (; lines; lines = strchr(lines, '\n'), lines += lines ? 1 : 0) {
		if (atoi(lines) == pid)
			return true;
	}
	return false;
}

/* Marks the files that an untraced process runs. */
static void mark_process(void *context, pid_t pid)
{
	const struct scan *scan = context;

	if (!is_followed(scan->followed, pid) && (process_is_new(scan->u, pid) || scan->all))
		for_each_mapped(pid, mark_shared, scan->u);
}

/* Scans the traced processes, which the kernel knows with those that they forked, or all. */
void usdt_scan(struct usdt *u)
{
	char *followed = tracefs_instance_file_read(u->instance, "set_event_pid", NULL);
	char *rest = followed, *line;
	bool few = followed && isdigit((unsigned char)*followed);
	struct scan scan = { u, followed, false };

	if (few && u->n && now() >= u->next_others) {
		for_each_process(mark_process, &scan);
		u->next_others = now() + SECOND;
	}
	scan.all = now() >= u->next_full;
	if (scan.all)
		u->next_full = now() + (few ? SECOND / 10 : SECOND);
	if (few) {
		while ((line = strsep(&rest, "\n"))) {
			if (*line)
				scan_process(&scan, atoi(line));
		}
	} else if (!u->o->command || u->o->all) {
		for_each_process(scan_process, &scan);
	}
	free(followed);
	u->begun = true;
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

/*
 * The kernel drops a record that is longer than a page and does not count it, but it counts hits:
 * uprobe_profile has a line "  PATH NAME HITS" for each uprobe of every tracer, without its group.
 */
void usdt_read_hits(struct usdt *u)
{
	char *profile = tracefs_instance_file_read(NULL, "uprobe_profile", NULL), *rest = profile;
	char *line, *number, name[NAME_MAX_KERNEL + 1];
	unsigned long long hits;
	struct place *place;
	size_t i;

	while (rest && (line = strsep(&rest, "\n"))) {
		if (sscanf(line, "%*s %60s %llu", name, &hits) != 2)
			continue;
		number = strrchr(name, '_');
		i = number ? strtoul(number + 1, NULL, 10) : u->n;
		place = i < u->n ? u->places[i] : NULL;
		/* only records with strings can become too long */
		if (!place || strcmp(place->uprobe, name) != 0 ||
		    !strstr(usdt_shape_fetch(place->shape), ":string"))
			continue;
		place->hits = place->profiled ? 0 : hits;
		place->profiled = true;
	}
	free(profile);
}

/*
 * Counts the hits that left no record. A file that untraced processes run is left out, since the
 * kernel counts their hits, too.
 */
static uint64_t count_missing(const struct usdt *u, const struct place **first)
{
	uint64_t missing = 0;
	size_t i;

	*first = NULL;
	for (i = 0; i < u->n; i++) {
		const struct place *place = u->places[i];

		if (place->hits <= place->records || place->file->shared)
			continue;
		missing += place->hits - place->records;
		*first = *first ? *first : place;
	}
	return missing;
}

void usdt_tell_missing(struct usdt *u, uint64_t lost)
{
	bool few = u->o->pid || (u->o->command && !u->o->all);
	const struct place *first;
	uint64_t missing;
	struct scan scan = { u, NULL, true };
	char *followed;

	/* hits that the filter dropped are not missing, and lost ones are reported elsewhere */
	if (u->o->filter || count_missing(u, &first) <= lost)
		return;
	if (few) {
		followed = tracefs_instance_file_read(u->instance, "set_event_pid", NULL);
		scan.followed = followed;
		for_each_process(mark_process, &scan);
		free(followed);
	}
	missing = count_missing(u, &first);
	if (missing <= lost)
		return;
	missing -= lost;
	warning("%llu event%s of %s%s %s missing: by uprobes an event has some 4000 bytes, its "
		"strings together%s",
		(unsigned long long)missing, missing == 1 ? "" : "s", first->event->shown,
		missing > first->hits - first->records ? " and others" : "",
		missing == 1 ? "is" : "are",
		few ? "; or another process ran the same file for less than a second" : "");
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
	u->places = allocate(PLACES_MAX * sizeof(*u->places));
	u->by_id = allocate(IDS * sizeof(*u->by_id));
	for (p = o->usdt_patterns; p && *p; p++)
		n++;
	u->wanted = allocate(n * sizeof(*u->wanted));
	for (p = o->usdt_patterns; p && *p; p++)
		want(u, *p);
	for (n = 0; n < u->n_wanted; n++) {
		const char *file = u->wanted[n].file;
		struct binary b;
		int error;

		if (!*file)
			continue;
		error = binary_open(&b, file);
		if (error)
			die("cannot read %s: %s", file,
			    error == -ENOEXEC ? "it is not an ELF binary" : strerror(-error));
		binary_close(&b);
		add_file(u, file);
		if (selection_unmet((char *[]){ o->usdt_patterns[n], NULL }))
			warning("%s has no such probe", o->usdt_patterns[n]);
	}
	return u;
}

void usdt_free(struct usdt *u)
{
	size_t i;

	if (!u)
		return;
	for (i = 0; i < u->n; i++)
		place_free(u->places[i]);
	for (i = 0; i < u->n_wanted; i++)
		free(u->wanted[i].copy);
	tdestroy(u->known, free);
	list_free(u->late);
	free(u->wanted);
	free(u->places);
	free(u->by_id);
	free(u);
}

/* Lists */

int usdt_list(const char *path, char ***providers, char ***specs)
{
	struct usdt_file file;
	char **seen = NULL, *missing;
	int error = usdt_file_read(&file, path);
	size_t i;

	for (i = 0; !error && i < file.n; i++) {
		const struct usdt_probe *probe = &file.probes[i];
		char *key = text("%s:%s", probe->provider, probe->name);
		struct usdt_shape *shape = NULL;

		missing = NULL;
		if (!usdt_event_of(&file, probe) && !usdt_site_of(&file, probe) &&
		    !list_has(seen, key))
			shape = usdt_shape_new(&file, probe, false, &missing);
		if (shape) {
			add(&seen, key);
			add(providers, probe->provider);
			add(specs, usdt_shape_spec(shape));
		}
		usdt_shape_free(shape);
		free(missing);
		free(key);
	}
	if (!error)
		usdt_file_free(&file);
	list_free(seen);
	return error;
}

void usdt_events_of_sets(const char *path, char ***names)
{
	struct usdt_file file;
	size_t i;

	if (usdt_file_read(&file, path) != 0)
		return;
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
		if (!list_has(*names, name))
			add(names, name);
		free(name);
	}
	usdt_file_free(&file);
}

struct collecting {
	char ***specs, ***names;
	void *known;
};

static void collect_mapped(void *context, const char *path)
{
	struct collecting *c = context;

	if (!know(&c->known, 0, path))
		return;
	notes_read(path, c->specs, NULL);
	if (c->names)
		usdt_events_of_sets(path, c->names);
}

static void collect_process(void *context, pid_t pid)
{
	for_each_mapped(pid, collect_mapped, context);
}

void usdt_running(char ***specs, char ***names)
{
	struct collecting c = { specs, names, NULL };

	for_each_process(collect_process, &c);
	tdestroy(c.known, free);
}
