/* SPDX-License-Identifier: MIT */
/*
 * Records events by uprobes, on kernels without user_events, and USDT probes of other programs.
 * Each site of a probe gets a uprobe in dynamic_events, in a group that kernel/instance.c removes
 * together with the trace instance. The reference counter of the uprobe is the probe's semaphore.
 * record.c makes records of the event from those of the uprobe.
 */
#include "usdt/usdt.h"
#include "command/options.h"
#include "event/event.h"
#include "kernel/kernel.h"
#include "select/select.h"
#include "util/util.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <tracefs.h>
#include <unistd.h>

#include <user_events_decode.h>

#define IDS 65536 /* common_type has 16 bits */
#define PLACES_MAX 30000
#define NAME_MAX_KERNEL 60 /* of an event */
#define SECOND 1000000000u
#define MEANWHILE_NS (SECOND / 50)
#define SHARE 4		 /* of the places that are left, a file or a user may take 1 in so many */
#define OTHERS_MAX 20000 /* files without probes that are remembered */
#define REPORTS_MAX 100	 /* reports on programs */
#define LOOK_NS (60ull * SECOND)
/* The looks at all processes take one part in so many of our time, or at once one in so many. */
#define LOOK_SHARE 1000
#define SOON_SHARE 50

/* A pattern "usdt:FILE:PROVIDER:NAME". An empty FILE matches all files. */
struct wanted {
	char *copy; /* text that the next three point into */
	const char *file, *provider, *name;
	bool here; /* the pattern matches the file that is being added */
};

/*
 * A file whose notes were read. A file with uprobes stays open with a lease, so its inode number is
 * not reused. A file without uprobes is read again if it changes.
 */
struct known {
	dev_t dev;
	ino_t ino;
	uid_t owner;
	struct timespec changed;
	int fd; /* -1 if the file has no uprobes */
	bool leased;
	size_t counted_elsewhere; /* number of such probes, see struct usdt_probe */
	bool shared;		  /* an untraced process runs it, too */
};

struct place {
	struct usdt_shape *shape;
	struct event *event;
	struct known *file;
	char *uprobe;
	uint64_t hits, records; /* numbers since the uprobe was defined */
	bool chosen;		/* the user named the probe */
	bool profiled;		/* hits was read; it is 0 if two uprobes have this name */
	bool reported;		/* truncated records were reported */
};

struct usdt {
	struct tracefs_instance *instance;
	struct events *events;
	void (*meanwhile)(void *context); /* called during long work, or NULL */
	void *context;
	uint64_t next_meanwhile; /* time of the next call, ns */
	const struct options *o;
	struct wanted *wanted;
	size_t n_wanted;
	struct place **places, **by_id;
	size_t n;
	void *known, *others; /* trees of struct known: with uprobes, and without */
	size_t n_others;
	size_t quota;		      /* number of places left for the current file */
	size_t left_out, left_out_of; /* number of probes over quota, and of their files */
	size_t rejected;	      /* number of uprobes that the kernel rejected */
	size_t counted_elsewhere;     /* number of such uprobes, see struct usdt_probe */
	size_t reports;		      /* number of reports about programs */
	char *self;		      /* "/proc/PID" of uetrace */
	int writers;		      /* signalfd, readable if a process waits for a lease */
	pthread_t disabler;	      /* thread that runs disable() */
	int work[2];		      /* pipe of struct released_file to the thread */
	bool ending;		      /* the thread drops the remaining work */
	bool selective;		      /* only some processes are traced */
	char *followed;		      /* list of the traced threads, if selective */
	struct mapped *mapped;
	uint64_t next_look;   /* time of the next look at all processes, */
	uint64_t may_look;    /* and at the earliest, if some mappings were lost */
	bool looked_once;     /* the first look at processes is done */
	pid_t program;	      /* the first of those that are followed */
	size_t n_seen_events; /* number of events at the last scan */
	bool has_new_places;  /* since the last look at processes */
	char **late_files;    /* files with events that the program opened later */
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

static struct known identity(const struct stat *st)
{
	return (struct known){ .dev = st->st_dev,
			       .ino = st->st_ino,
			       .owner = st->st_uid,
			       .changed = st->st_ctim,
			       .fd = -1 };
}

/* Marks the patterns that match this file. Returns whether one of them names it. */
static bool find_wanted(struct usdt *u, const struct known *file)
{
	bool named = false;
	struct stat st;
	size_t i;

	for (i = 0; i < u->n_wanted; i++) {
		struct wanted *w = &u->wanted[i];

		w->here = *w->file && stat(w->file, &st) == 0 && st.st_dev == file->dev &&
			  st.st_ino == file->ino;
		named |= w->here;
		w->here |= !*w->file;
	}
	return named;
}

static bool is_wanted(const struct usdt *u, const struct usdt_probe *probe)
{
	bool wanted = false;
	size_t i;

	for (i = 0; i < u->n_wanted; i++) {
		const struct wanted *w = &u->wanted[i];

		if (w->here && fnmatch(w->provider, probe->provider, 0) == 0 &&
		    fnmatch(w->name, probe->name, 0) == 0) {
			selection_mark_matched(u->o->usdt_patterns[i]);
			wanted = true;
		}
	}
	return wanted;
}

/* Rate-limits reports about programs, which a user could trigger endlessly. */
static bool may_report(struct usdt *u)
{
	if (u->reports == REPORTS_MAX)
		warning("no more reports about incomplete events follow");
	return u->reports++ < REPORTS_MAX;
}

/* Returns the path of an open file, for messages. The caller frees it. */
static char *name_of(int fd)
{
	char *link = text("/proc/self/fd/%d", fd), name[PATH_MAX] = "a file";
	ssize_t n = readlink(link, name, sizeof(name) - 1);

	if (n >= 0)
		name[n] = '\0';
	free(link);
	return text("%s", name);
}

/* Places */

/* Returns the name of a uprobe: the first word of the spec and the place's number. */
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

static void report_rejected(struct usdt *u, const struct known *file,
			    const struct usdt_probe *probe, int error)
{
	char *log, *why, *name;

	if (u->rejected++)
		return;
	log = tracefs_error_last(NULL);
	why = log ? strstr(log, "error: ") : NULL;
	name = name_of(file->fd);
	warning("the kernel rejects a uprobe on %s:%s of %s: %.*s", probe->provider, probe->name,
		name, why ? (int)strcspn(why + 7, "\n") : 255, why ? why + 7 : strerror(-error));
	free(name);
	free(log);
}

/*
 * Defines the uprobe, and finds where its fields are. Returns its id, or 0. The file's place in
 * /proc is no user's text, and leads to the file that the notes came from: the kernel follows it at
 * once, and the uprobe holds the file that it found (since Linux 4.18; before, its inode).
 */
static unsigned int define(struct usdt *u, const struct usdt_probe *probe,
			   const struct place *place)
{
	char *format = NULL, *line, *counter;
	const char *id = NULL;
	unsigned int number = 0;
	int error;

	counter = probe->semaphore ? text("(0x%llx)", (unsigned long long)probe->counter) : NULL;
	line = text("p:%s/%s %s/fd/%d:0x%llx%s%s", usdt_group(), place->uprobe, u->self,
		    place->file->fd, (unsigned long long)probe->offset, counter ? counter : "",
		    usdt_shape_fetch(place->shape));
	error = probe_define(line);
	if (!error) {
		format = tracefs_event_file_read(u->instance, usdt_group(), place->uprobe, "format",
						 NULL);
		id = format ? strstr(format, "\nID: ") : NULL;
	}
	if (id && usdt_shape_format(place->shape, format))
		number = (unsigned int)strtoul(id + strlen("\nID: "), NULL, 10) % IDS;
	else
		report_rejected(u, place->file, probe, error ? error : -EINVAL);
	free(format);
	free(line);
	free(counter);
	return number;
}

static void place_free(struct place *place)
{
	usdt_shape_free(place->shape);
	free(place->uprobe);
	free(place);
}

static void add_place(struct usdt *u, const struct usdt_file *file, struct known *known,
		      const struct usdt_probe *probe, const char *system, bool chosen)
{
	struct place *place = allocate(sizeof(*place));
	char *missing = NULL, *format, *name;
	const char *spec;
	unsigned int id = 0;
	bool fresh;

	place->file = known;
	place->chosen = chosen;
	place->shape = usdt_shape_new(file, probe, u->o->choice.filter, &missing);
	spec = place->shape ? usdt_shape_spec(place->shape) : NULL;
	if (spec && !u->quota) {
		u->left_out++;
	} else if (spec) {
		place->uprobe = uprobe_name(u, spec);
		id = define(u, probe, place);
	}
	if (!id) {
		place_free(place);
		free(missing);
		return;
	}
	name = text("%.*s", (int)strcspn(spec, " "), spec);
	format = usdt_format_text(spec);
	place->event = events_add(u->events, system, name, format, usdt_shape_types(place->shape),
				  chosen, &fresh);
	if (fresh && strcmp(system, USER_SYSTEM) == 0)
		events_print_as(u->events, place->event, id);
	if (missing && fresh && may_report(u))
		warning("%s is shown without %s: %s", place->event->shown, missing,
			probe->n >= USDT_ARGS_MAX - 1 ? "a USDT probe has twelve arguments"
						      : "no uprobe can read that");
	u->by_id[id] = u->places[u->n++] = place;
	known->counted_elsewhere += probe->counted_elsewhere;
	u->counted_elsewhere += probe->counted_elsewhere;
	u->quota--;
	u->has_new_places = true;
	events_enable_uprobe(u->events, place->event, usdt_group(), place->uprobe, id);
	free(format);
	free(missing);
	free(name);
}

/* Files */

/* Tells whether the options select an event or, with its site, this event of a set. */
static bool is_ours(const struct usdt *u, const char *spec, const struct note_event *site)
{
	char *name = text("%.*s", (int)strcspn(spec, " "), spec);
	enum selection selection = event_selected(u->o->choice.patterns, USER_SYSTEM, name);
	struct ue_decode_event e;
	bool ours = selection == SELECT_ALL;

	if (selection == SELECT_NAMES && site) {
		/* -EBADMSG at best: the level is in its name alone, until the program writes it */
		ue_decode_parse(&e, name, strlen(name), site->meta, site->size);
		ours = name_selected(u->o->choice.patterns, &e);
		if (!ours)
			selection_note_name(&e);
	}
	ours = ours && level_matches(&u->o->choice, name);
	free(name);
	return ours;
}

/*
 * Adds a site of an event that the program itself would write, or of a probe that the user named.
 */
static void add_probe(struct usdt *u, const struct usdt_file *file, struct known *known,
		      const struct usdt_probe *probe)
{
	const struct note_event *event = usdt_event_of(file, probe), *site, *set;
	const char *spec;

	site = usdt_site_of(file, probe);
	set = site ? usdt_set_of(file, probe) : NULL;
	spec = set ? set->spec : event ? event->spec : NULL;
	if (is_wanted(u, probe))
		add_place(u, file, known, probe, spec ? USER_SYSTEM : probe->provider, true);
	else if (spec && u->o->usdt && is_ours(u, spec, set ? site : NULL))
		add_place(u, file, known, probe, USER_SYSTEM, false);
}

static int by_inode(const void *a, const void *b)
{
	const struct known *x = a, *y = b;

	if (x->dev != y->dev)
		return x->dev < y->dev ? -1 : 1;
	return x->ino < y->ino ? -1 : x->ino > y->ino;
}

/* Tells whether the notes of the file were read since it changed. */
static bool is_known(const struct usdt *u, const struct known *file)
{
	struct known **other;

	if (tfind(file, &u->known, by_inode))
		return true;
	other = tfind(file, &u->others, by_inode);
	return other && memcmp(&(*other)->changed, &file->changed, sizeof(file->changed)) == 0;
}

/* Adds a file to the others. */
static struct known *know(struct usdt *u, const struct known *file)
{
	struct known *one, **other;

	if (u->n_others >= OTHERS_MAX) {
		tdestroy(u->others, free);
		u->others = NULL;
		u->n_others = 0;
	}
	one = memcpy(allocate(sizeof(*one)), file, sizeof(*one));
	other = tsearch(one, &u->others, by_inode);
	if (!other)
		die("out of memory");
	u->n_others += *other == one;
	if (*other != one)
		free(one);
	return memcpy(*other, file, sizeof(*file));
}

static int by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Reports the events without a USDT probe, as of programs that define UE_NO_USDT. */
static void report_without_probe(struct usdt *u, const struct usdt_file *file, int fd)
{
	const char *first = NULL, **names = allocate(file->n * sizeof(*names));
	const struct note_event *event;
	size_t n = 0, i;
	char *path;

	/* the probe of an event may have another name, as one of DTrace or LTTng has */
	for (i = 0; i < file->n; i++) {
		event = usdt_event_of(file, &file->probes[i]);
		names[i] = event ? event->name : file->probes[i].name;
	}
	qsort(names, file->n, sizeof(*names), by_text);
	for (i = 0; i < file->notes.n; i++) {
		const char *name = file->notes.events[i].name;

		if (!name || !event_matches(u->o->choice.patterns, USER_SYSTEM, name) ||
		    bsearch(&name, names, file->n, sizeof(*names), by_text))
			continue;
		first = first ? first : name;
		n++;
	}
	if (n && may_report(u)) {
		path = name_of(fd);
		warning("%s of %s has no USDT probe%s, so uprobes do not record it", first, path,
			n > 1 ? ", like other events of this file" : "");
		free(path);
	}
	free(names);
}

/* Reports the first file with probes over quota. usdt_report_missing() reports their number. */
static void report_left_out(struct usdt *u, const struct known *file, size_t n)
{
	char *name;

	if (!n || u->left_out_of++)
		return;
	name = name_of(file->fd);
	warning("%zu probes of %s are left out: uetrace has %u places, and all files of a user, "
		"or one of root's, get a quarter of those that are left; to name it, which has no "
		"such limit: 'usdt:FILE:*:*'",
		n, name, PLACES_MAX);
	free(name);
}

/*
 * Reports probes that processes do not see if they map the file from now on. uetrace does not write
 * the semaphores itself: for that it would have to trace the program with ptrace() up to its entry
 * point, which the program can notice, and libraries that it opens later would still be missing.
 */
static void report_counted_elsewhere(struct usdt *u, const struct known *file)
{
	char *name;

	if (!file->counted_elsewhere || !may_report(u))
		return;
	name = name_of(file->fd);
	warning("uprobes do not see %zu of the USDT probes of %s in processes that start from now "
		"on; compile it with a newer user_events.h, or link it with "
		"-Wl,-z,separate-loadable-segments",
		file->counted_elsewhere, name);
	free(name);
}

/*
 * May a signal end this? While the program of run is there, that one decides. Call it often, since
 * there are users' programs with many probes, and with many files: the events of others, which fill
 * the kernel's buffers meanwhile, are handed on here.
 */
static bool stopped(struct usdt *u)
{
	if (u->meanwhile && now() >= u->next_meanwhile) {
		u->meanwhile(u->context);
		u->next_meanwhile = now() + MEANWHILE_NS;
	}
	return !(u->o->command && u->looked_once) && signal_waits();
}

/*
 * No file takes all places, nor do those of a user: they could so hide the programs of all others.
 * What is root's has no limit together.
 */
static size_t share(const struct usdt *u, const struct known *file)
{
	size_t own = 0, most, i;

	for (i = 0; file->owner && i < u->n; i++)
		own += u->places[i]->file->owner == file->owner;
	most = (PLACES_MAX - (u->n - own)) / SHARE;
	return most > own ? most - own : 0;
}

static void add_probes(struct usdt *u, struct known *known, const struct usdt_file *file)
{
	size_t before = u->n, left_out = u->left_out, i;

	u->quota = find_wanted(u, known) ? PLACES_MAX - u->n : share(u, known);
	for (i = 0; i < file->n && !stopped(u); i++)
		add_probe(u, file, known, &file->probes[i]);
	report_left_out(u, known, u->left_out - left_out);
	report_counted_elsewhere(u, known);
	if (u->o->usdt)
		report_without_probe(u, file, known->fd);
	if (u->n == before)
		return;
	tdelete(known, &u->others, by_inode);
	u->n_others--;
	if (!tsearch(known, &u->known, by_inode))
		die("out of memory");
}

/* Tells whether the file declares a selected event that did not exist when it was mapped. */
static bool declares_new(const struct usdt *u, const struct usdt_file *file)
{
	struct event **list;
	size_t i, j;

	events_list(u->events, &list);
	for (i = 0; i < file->notes.n; i++) {
		const char *spec = file->notes.events[i].spec;
		char *name = spec ? text("%.*s", (int)strcspn(spec, " "), spec) : NULL;
		bool known = !name || !level_matches(&u->o->choice, name) ||
			     event_selected(u->o->choice.patterns, USER_SYSTEM, name) ==
				     SELECT_NONE;

		for (j = 0; j < u->n_seen_events && !known; j++)
			known = strcmp(list[j]->shown, name) == 0;
		free(name);
		if (!known)
			return true;
	}
	return false;
}

/* Tells whether to report the files that the program of run opens after its start. */
static bool reports_late_files(const struct usdt *u)
{
	return u->looked_once && u->o->command && !u->o->all;
}

static void add_late(struct usdt *u, const char *name)
{
	if (reports_late_files(u) && !list_has(u->late_files, name))
		add(&u->late_files, name);
}

/* Files that are written to */

/*
 * A uprobe is a place in a file, whatever is there by now: who copies a new program over an old one
 * would have a breakpoint in any of its instructions. With a lease, the kernel lets who opens the
 * file to write to it wait, 45 s at most, and sends SIGIO. Returns 0, or -ETXTBSY if somebody may
 * write to it already; some file systems have no leases.
 */
static int lease(int fd, bool *leased)
{
	*leased = fcntl(fd, F_SETLEASE, F_RDLCK) == 0;
	return !*leased && errno == EAGAIN ? -ETXTBSY : 0;
}

/* A job of the thread: disable the uprobes of a file among the first places. */
struct released_file {
	struct known *file;
	size_t places;
};

/*
 * A thread disables uprobes, since for each of them the kernel waits up to 50 ms. It begins with
 * us: later, the system may have no room for one. Whoever waits to write to a file goes on when it
 * closes the file.
 */
static void *disable(void *context)
{
	struct usdt *u = context;
	const struct place *place;
	struct released_file next;
	size_t i;

	while (read(u->work[0], &next, sizeof(next)) == sizeof(next)) {
		for (i = 0; i < next.places && !__atomic_load_n(&u->ending, __ATOMIC_RELAXED);
		     i++) {
			place = u->places[i];
			if (place->file == next.file)
				tracefs_event_file_write(u->instance, usdt_group(), place->uprobe,
							 "enable", "0");
		}
		/* else instance_end() disables the rest, and the file is open until we end */
		if (i == next.places)
			close(next.file->fd);
	}
	return NULL;
}

static void start_disabling(struct usdt *u)
{
	int error = pipe2(u->work, O_CLOEXEC) ? errno : 0;

	/* that nobody waits for the thread */
	fcntl(u->work[1], F_SETPIPE_SZ, PLACES_MAX * sizeof(struct released_file));
	error = error ? error : pthread_create(&u->disabler, NULL, disable, u);
	if (error)
		die("cannot start a thread: %s", strerror(error));
}

static void end_disabling(struct usdt *u)
{
	__atomic_store_n(&u->ending, true, __ATOMIC_RELAXED);
	close(u->work[1]);
	pthread_join(u->disabler, NULL);
	close(u->work[0]);
}

static void release_file(const struct usdt *u, struct known *file)
{
	struct released_file next = { file, u->n };

	file->leased = false;
	if (write(u->work[1], &next, sizeof(next)) != sizeof(next))
		die("cannot wake a thread: %s", strerror(errno));
}

/* Releases the files that processes wait to write to. They are read again when they are mapped. */
static void release_leases(struct usdt *u)
{
	struct known *last = NULL, *file;
	struct signalfd_siginfo info;
	size_t i;

	if (read(u->writers, &info, sizeof(info)) <= 0)
		return;
	for (i = 0; i < u->n; i++, last = file) {
		file = u->places[i]->file;
		if (file == last || !file->leased || fcntl(file->fd, F_GETLEASE) == F_RDLCK)
			continue;
		release_file(u, file);
		/* places need the rest of it */
		tdelete(file, &u->known, by_inode);
	}
}

void usdt_stop(struct usdt *u)
{
	struct known *file;
	size_t i;

	u->meanwhile = NULL;
	for (i = 0; i < u->n; i++) {
		file = u->places[i]->file;
		if (file->leased)
			release_file(u, file);
	}
}

/* Adds the probes of a file, once. Returns 0, or -errno if it cannot be read. */
static int add_file(struct usdt *u, const char *path)
{
	size_t before = u->n;
	struct usdt_file file;
	struct known now, *known;
	struct stat st;
	char *name;
	bool leased;
	int fd, error;

	if (stat(path, &st) != 0)
		return -errno;
	now = identity(&st);
	if (is_known(u, &now))
		return 0;
	fd = open_regular(path);
	if (fd < 0)
		return fd;
	error = lease(fd, &leased);
	/* the path may have changed: what was opened counts */
	now = fstat(fd, &st) == 0 ? identity(&st) : now;
	now.leased = leased;
	if (!error)
		error = is_known(u, &now) ? -EEXIST : usdt_file_read(&file, fd);
	if (!error || error == -ENOEXEC)
		known = know(u, &now);
	if (!error) {
		known->fd = fd;
		if (u->selective) /* of the program that the user chose */
			texts_read(path, NULL, 0);
		add_probes(u, known, &file);
		name = name_of(fd);
		/* those of user_events need no probe */
		if (reports_late_files(u) &&
		    (u->n > before || (!u->o->usdt && declares_new(u, &file))))
			add_late(u, name);
		free(name);
		usdt_file_free(&file);
		if (u->n > before)
			return 0;
		known->fd = -1;
	}
	close(fd);
	return error == -EEXIST ? 0 : error;
}

void usdt_add_files(struct usdt *u, char **files)
{
	for (; files && *files; files++)
		add_file(u, *files);
}

/* Programs that run */

/* Tells whether the thread is in the lines of set_event_pid. */
static bool is_followed(const char *lines, pid_t tid)
{
	for (; lines && *lines; lines += *lines == '\n') {
		if (atoi(lines) == tid)
			return true;
		lines += strcspn(lines, "\n");
	}
	return false;
}

/* Marks a file that an untraced process runs. */
static int mark_shared(void *context, pid_t tid, const char *path)
{
	struct usdt *u = context;
	struct known file, **known;
	struct stat st;

	(void)tid;
	if (stopped(u))
		return -EINTR;
	if (stat(path, &st) != 0)
		return -errno;
	file = identity(&st);
	known = tfind(&file, &u->known, by_inode);
	if (known)
		(*known)->shared = true;
	return 0;
}

static int on_mapped(void *context, pid_t tid, const char *path)
{
	struct usdt *u = context;

	/* between two files: a look at all processes may take longer than writers wait */
	release_leases(u);
	if (u->selective && !is_followed(u->followed, tid))
		return mark_shared(u, tid, path);
	return stopped(u) ? -EINTR : add_file(u, path);
}

/* Reports a plug-in that was closed before it was looked at. */
static void on_named(void *context, pid_t pid, pid_t tid, const char *name)
{
	struct usdt *u = context;
	struct usdt_file file;
	struct known now;
	struct stat st;
	char *path;

	/* a program that has ended is not followed any more, and has no root */
	if (!reports_late_files(u) || (pid != u->program && !is_followed(u->followed, tid)))
		return;
	path = text("/proc/%d/root%s", pid, name);
	if (stat(path, &st) == 0 || (pid == u->program && stat(name, &st) == 0)) {
		now = identity(&st);
		if (!is_known(u, &now) &&
		    (usdt_file_open(&file, path) == 0 || usdt_file_open(&file, name) == 0)) {
			if (declares_new(u, &file))
				add_late(u, name);
			usdt_file_free(&file);
		}
	}
	free(path);
}

static void look_at(void *context, pid_t pid)
{
	mapped_each(pid, on_mapped, context, true);
}

static void look_at_untraced(void *context, pid_t pid)
{
	struct usdt *u = context;

	if (!is_followed(u->followed, pid))
		mapped_each(pid, mark_shared, u, true);
}

/* The kernel knows the traced processes, with those that they forked. */
static void read_followed(struct usdt *u)
{
	free(u->followed);
	u->followed = u->selective ? pids_followed(u->instance) : NULL;
	if (!u->program && u->followed)
		u->program = atoi(u->followed);
}

/*
 * Looks at what processes run. What they map later is reported, unless there are no reports; some
 * get lost, and a CPU may be added.
 */
static void look_at_all(struct usdt *u)
{
	uint64_t began = now(), took, pause = u->selective ? SECOND / 10 : SECOND;
	const char *line;

	u->has_new_places = false;
	for (line = u->followed; line && *line; line += *line == '\n') {
		look_at(u, atoi(line));
		line += strcspn(line, "\n");
	}
	if (u->selective && u->n)
		processes_each(look_at_untraced, u);
	else if (!u->selective && (!u->o->command || u->o->all))
		processes_each(look_at, u);
	took = now() - began;
	if (mapped_works(u->mapped))
		pause = LOOK_NS;
	if (pause < LOOK_SHARE * took)
		pause = LOOK_SHARE * took;
	u->next_look = now() + pause;
	u->may_look = now() + SOON_SHARE * took;
	u->looked_once = true;
}

static void scan(struct usdt *u, bool ready)
{
	bool whole = true;

	read_followed(u);
	if (ready)
		whole = mapped_read(u->mapped, on_mapped, on_named, u);
	if ((!whole || (u->selective && u->has_new_places)) && u->may_look < u->next_look)
		u->next_look = u->may_look;
	if (now() >= u->next_look)
		look_at_all(u);
}

bool usdt_scan(struct usdt *u)
{
	bool ready = mapped_ready(u->mapped);
	struct event **list;

	release_leases(u);
	if (ready || now() >= u->next_look)
		scan(u, ready);
	u->n_seen_events = events_list(u->events, &list);
	return ready && mapped_ready(u->mapped);
}

void usdt_look(struct usdt *u)
{
	if (!mapped_works(u->mapped))
		u->next_look = 0;
}

void usdt_meanwhile(struct usdt *u, void (*fn)(void *context), void *context)
{
	u->meanwhile = fn;
	u->context = context;
}

int usdt_fd(const struct usdt *u)
{
	return mapped_fd(u->mapped);
}

char **usdt_late(const struct usdt *u)
{
	return u->late_files;
}

/* Records */

/* Reports truncated records, once for all places of an event. */
static void report_truncated(struct usdt *u, const struct event *event)
{
	size_t i;

	for (i = 0; i < u->n; i++)
		u->places[i]->reported |= u->places[i]->event == event;
	if (may_report(u))
		warning("values of %s are truncated: uprobes read only the first part of fields "
			"of variable length",
			event->shown);
}

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
	if (cut && !place->reported)
		report_truncated(u, place->event);
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

bool usdt_loses_uncounted(const struct usdt *u)
{
	return u->counted_elsewhere != 0;
}

void usdt_report_missing(struct usdt *u, uint64_t lost)
{
	const struct place *first;
	uint64_t missing;

	if (u->counted_elsewhere)
		warning("the number of lost events is unknown, because processes that started "
			"after uetrace do not see %zu of the USDT probes",
			u->counted_elsewhere);
	if (u->left_out_of > 1)
		warning("%zu probes of %zu files were left out", u->left_out, u->left_out_of);
	/* hits that the filter dropped are not missing, and lost ones are reported elsewhere */
	if (u->o->choice.filter || count_missing(u, &first) <= lost)
		return;
	if (u->selective) {
		read_followed(u);
		processes_each(look_at_untraced, u);
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
		u->selective ? "; or another process ran the same file for less than a second"
			     : "");
}

/* Begin and end */

/* A descriptor stays open for each file with uprobes. */
static void raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* Returns the signalfd of SIGIO, which makes the epoll readable. */
static int open_writers(int epoll)
{
	struct epoll_event event = { .events = EPOLLIN };
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGIO);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) != 0)
		die("cannot wait for SIGIO: %s", strerror(errno));
	return fd;
}

/* Adds the file that a pattern names, which must be there. */
static void add_named(struct usdt *u, const char *path, char *pattern)
{
	int error = add_file(u, path);

	if (error < 0)
		die("cannot read %s: %s", path,
		    error == -ENOEXEC ? "it is not an ELF binary" : strerror(-error));
	if (selection_has_unmatched((char *[]){ pattern, NULL }))
		warning("%s has no such probe", pattern);
}

struct usdt *usdt_new(struct tracefs_instance *instance, struct events *events,
		      const struct options *o)
{
	struct usdt *u = allocate(sizeof(*u));
	char self[32] = "", **p;
	size_t n = 0;

	raise_limit();
	u->instance = instance;
	u->events = events;
	u->o = o;
	u->selective = o->pid || (o->command && !o->all);
	/* in /proc, whose PID namespace may be another one; the end is zeros */
	if (readlink("/proc/self", self, sizeof(self) - 1) < 0)
		die("/proc is not mounted: %s", strerror(errno));
	u->self = text("/proc/%s", self);
	u->mapped = mapped_new();
	u->writers = open_writers(mapped_fd(u->mapped));
	u->places = allocate(PLACES_MAX * sizeof(*u->places));
	u->by_id = allocate(IDS * sizeof(*u->by_id));
	start_disabling(u);
	for (p = o->usdt_patterns; p && *p; p++)
		n++;
	u->wanted = allocate(n * sizeof(*u->wanted));
	for (p = o->usdt_patterns; p && *p; p++)
		want(u, *p);
	for (n = 0; n < u->n_wanted; n++) {
		if (*u->wanted[n].file)
			add_named(u, u->wanted[n].file, o->usdt_patterns[n]);
	}
	return u;
}

void usdt_free(struct usdt *u)
{
	size_t i;

	if (!u)
		return;
	end_disabling(u);
	for (i = 0; i < u->n; i++)
		place_free(u->places[i]);
	for (i = 0; i < u->n_wanted; i++)
		free(u->wanted[i].copy);
	tdestroy(u->known, free);
	tdestroy(u->others, free);
	mapped_free(u->mapped);
	close(u->writers);
	list_free(u->late_files);
	free(u->followed);
	free(u->self);
	free(u->wanted);
	free(u->places);
	free(u->by_id);
	free(u);
}

/* Lists */

/* Adds a probe, unless one of its provider and name was added. */
static void list_probe(const struct usdt_file *file, const struct usdt_probe *probe, void **seen,
		       char ***providers, char ***specs)
{
	char *key = text("%s:%s", probe->provider, probe->name), *missing = NULL, **known;
	struct usdt_shape *shape;

	known = tsearch(key, seen, by_name);
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
		tsearch(*p, &seen, by_name);
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
		if (!tfind(name, &seen, by_name))
			tsearch(add(names, name), &seen, by_name);
		free(name);
	}
	tdestroy(seen, keep);
	usdt_file_free(&file);
}

struct collecting {
	struct usdt known; /* the files that were read */
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
	file = identity(&st);
	if (is_known(&c->known, &file))
		return 0;
	know(&c->known, &file);
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
	tdestroy(c.known.others, free);
}
