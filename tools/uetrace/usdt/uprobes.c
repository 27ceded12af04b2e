/* SPDX-License-Identifier: MIT */
/*
 * Records events with uprobes on kernels without user_events, and USDT probes of other programs on
 * any kernel.
 *
 * Each site of a probe gets a uprobe in dynamic_events. The probe's semaphore is the reference
 * counter of the uprobe. kernel/instance.c removes the group of these uprobes together with the
 * trace instance. record.c converts the records of a uprobe to records of its event.
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

#define IDS 65536 /* number of values of common_type, which has 16 bits */
#define SITES_MAX 30000
#define NAME_MAX_KERNEL 60 /* maximum length of an event name in the kernel, bytes */
#define SECOND 1000000000u
#define TICK_NS (SECOND / 50)
#define SHARE 4		 /* one user, or one file of root, may use 1/SHARE of the free sites */
#define OTHERS_MAX 20000 /* limit on the number of remembered files without probes */
#define REPORTS_MAX 100	 /* limit on the number of reports about programs */
#define LOOK_NS (60ull * SECOND)
/*
 * Checking all processes takes at most 1/LOOK_SHARE of uetrace's time. If a check is needed soon,
 * the limit is 1/SOON_SHARE.
 */
#define LOOK_SHARE 1000
#define SOON_SHARE 50

/* A parsed pattern "usdt:FILE:PROVIDER:NAME". An empty FILE matches any file. */
struct probe_pattern {
	char *copy; /* string that the other pointers refer to */
	const char *file, *provider, *name;
	bool here; /* the pattern matches the file being added */
};

/*
 * A file whose notes were read. A file with uprobes remains open with a lease, so its inode number
 * is not reused. A file without uprobes is read again if it changes.
 */
struct known {
	dev_t dev;
	ino_t ino;
	uid_t owner;
	struct timespec changed;
	int fd; /* -1 if the file has no uprobes */
	bool leased;
	size_t counted_elsewhere; /* number of probes with this flag, see struct usdt_probe */
	bool shared;		  /* a process that is not traced also executes the file */
};

struct probe_site {
	struct usdt_shape *shape;
	struct event *event;
	struct known *file;
	char *uprobe;
	uint64_t hits, records; /* numbers of hits and of records since the uprobe was defined */
	bool chosen;		/* the user's patterns name the probe */
	bool profiled;		/* hits is valid; it is 0 if two uprobes have this name */
	bool reported;		/* a truncated record has been reported */
};

struct usdt {
	struct tracefs_instance *instance;
	struct events *events;
	void (*tick)(void *context); /* function to call during long operations, or NULL */
	void *context;
	uint64_t next_tick; /* time of the next call of tick, ns */
	const struct options *o;
	struct probe_pattern *patterns;
	size_t n_patterns;
	struct probe_site **sites, **by_id;
	size_t n;
	void *known, *others; /* tsearch() trees of struct known: files with and without uprobes */
	size_t n_others;
	size_t quota;		      /* number of sites that the current file may still use */
	size_t left_out, left_out_of; /* number of probes over quota and of their files */
	size_t rejected;	      /* number of uprobes rejected by the kernel */
	size_t counted_elsewhere;     /* number of probes with this flag, see struct usdt_probe */
	size_t reports;		      /* number of reports about programs so far */
	char *self;		      /* path of uetrace in /proc, "/proc/PID" */
	int writers;		      /* signalfd; readable if a process waits for a lease */
	pthread_t disabler;	      /* thread that runs disable() */
	int work[2];		      /* pipe that passes struct released_file to that thread */
	bool ending;		      /* tells the thread to drop the remaining work */
	bool selective;		      /* only some processes are traced */
	char *followed;		      /* list of traced threads, if selective */
	struct mapped *mapped;
	uint64_t next_look;   /* time of the next check of all processes, ns */
	uint64_t may_look;    /* earliest time of that check if mapping reports were lost, ns */
	bool looked_once;     /* all processes have been checked once */
	pid_t program;	      /* first traced process: the program of run */
	size_t n_seen_events; /* number of events at the last scan */
	bool has_new_sites;   /* sites were added since the last check of all processes */
	char **late_files;    /* files with events that the program opened after its start */
};

bool usdt_pattern(const char *pattern)
{
	return strncmp(pattern, "usdt:", 5) == 0;
}

/* Adds a pattern. Splits it at the last two colons, because a file name may contain colons. */
static void add_pattern(struct usdt *u, const char *pattern)
{
	struct probe_pattern *w = &u->patterns[u->n_patterns++];
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
		die_usage("invalid USDT pattern %s; use usdt:FILE:PROVIDER:NAME, with wildcards",
			  pattern);
}

static struct known identity(const struct stat *st)
{
	return (struct known){ .dev = st->st_dev,
			       .ino = st->st_ino,
			       .owner = st->st_uid,
			       .changed = st->st_ctim,
			       .fd = -1 };
}

/* Marks the patterns that match this file. Returns true if one of them names it explicitly. */
static bool mark_matching(struct usdt *u, const struct known *file)
{
	bool named = false;
	struct stat st;
	size_t i;

	for (i = 0; i < u->n_patterns; i++) {
		struct probe_pattern *w = &u->patterns[i];

		w->here = *w->file && stat(w->file, &st) == 0 && st.st_dev == file->dev &&
			  st.st_ino == file->ino;
		named |= w->here;
		w->here |= !*w->file;
	}
	return named;
}

static bool is_named(const struct usdt *u, const struct usdt_probe *probe)
{
	bool matched = false;
	size_t i;

	for (i = 0; i < u->n_patterns; i++) {
		const struct probe_pattern *w = &u->patterns[i];

		if (w->here && fnmatch(w->provider, probe->provider, 0) == 0 &&
		    fnmatch(w->name, probe->name, 0) == 0) {
			selection_mark_matched(u->o->usdt_patterns[i]);
			matched = true;
		}
	}
	return matched;
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

/* Probe sites */

/*
 * Returns the name of a uprobe: the event's name from the spec, followed by the number of the site.
 */
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
 * Defines the uprobe of a site and reads its field offsets. Returns its ID, or 0 on failure.
 *
 * The kernel receives the path /proc/PID/fd/N instead of the file name. This path contains no text
 * chosen by a user and refers to exactly the file whose notes were read. The kernel resolves it
 * immediately. The uprobe then holds a reference to the file (since Linux 4.18) or to its inode
 * (earlier kernels).
 */
static unsigned int define(struct usdt *u, const struct usdt_probe *probe,
			   const struct probe_site *site)
{
	char *format = NULL, *line, *counter;
	const char *id = NULL;
	unsigned int number = 0;
	int error;

	counter = probe->semaphore ? text("(0x%llx)", (unsigned long long)probe->counter) : NULL;
	line = text("p:%s/%s %s/fd/%d:0x%llx%s%s", usdt_group(), site->uprobe, u->self,
		    site->file->fd, (unsigned long long)probe->offset, counter ? counter : "",
		    usdt_shape_fetch(site->shape));
	error = probe_define(line);
	if (!error) {
		format = tracefs_event_file_read(u->instance, usdt_group(), site->uprobe, "format",
						 NULL);
		id = format ? strstr(format, "\nID: ") : NULL;
	}
	if (id && usdt_shape_format(site->shape, format))
		number = (unsigned int)strtoul(id + strlen("\nID: "), NULL, 10) % IDS;
	else
		report_rejected(u, site->file, probe, error ? error : -EINVAL);
	free(format);
	free(line);
	free(counter);
	return number;
}

static void site_free(struct probe_site *site)
{
	usdt_shape_free(site->shape);
	free(site->uprobe);
	free(site);
}

static void add_site(struct usdt *u, const struct usdt_file *file, struct known *known,
		     const struct usdt_probe *probe, const char *system, bool chosen)
{
	struct probe_site *site = allocate(sizeof(*site));
	char *missing = NULL, *format, *name;
	const char *spec;
	unsigned int id = 0;
	bool fresh;

	site->file = known;
	site->chosen = chosen;
	site->shape = usdt_shape_new(file, probe, u->o->choice.filter, &missing);
	spec = site->shape ? usdt_shape_spec(site->shape) : NULL;
	if (spec && !u->quota) {
		u->left_out++;
	} else if (spec) {
		site->uprobe = uprobe_name(u, spec);
		id = define(u, probe, site);
	}
	if (!id) {
		site_free(site);
		free(missing);
		return;
	}
	name = text("%.*s", (int)strcspn(spec, " "), spec);
	format = usdt_format_text(spec);
	site->event = events_add(u->events, system, name, format, usdt_shape_types(site->shape),
				 chosen, &fresh);
	if (fresh && strcmp(system, USER_SYSTEM) == 0)
		events_print_as(u->events, site->event, id);
	if (missing && fresh && may_report(u))
		warning("%s is shown without %s: %s", site->event->shown, missing,
			probe->n >= USDT_ARGS_MAX - 1 ? "a USDT probe has at most twelve arguments"
						      : "uprobes cannot read it");
	u->by_id[id] = u->sites[u->n++] = site;
	known->counted_elsewhere += probe->counted_elsewhere;
	u->counted_elsewhere += probe->counted_elsewhere;
	u->quota--;
	u->has_new_sites = true;
	events_enable_uprobe(u->events, site->event, usdt_group(), site->uprobe, id);
	free(format);
	free(missing);
	free(name);
}

/* Files */

/* Returns true if the options select an event. site is an event of a set, or NULL. */
static bool is_ours(const struct usdt *u, const char *spec, const struct note_event *site)
{
	char *name = text("%.*s", (int)strcspn(spec, " "), spec);
	enum selection selection = event_selected(u->o->choice.patterns, USER_SYSTEM, name);
	struct ue_decode_event e;
	bool ours = selection == SELECT_ALL;

	if (selection == SELECT_NAMES && site) {
		/*
		 * -EBADMSG is expected, because there is no payload. Until the program writes the
		 * event, only the name of the set tells its level.
		 */
		ue_decode_parse(&e, name, strlen(name), site->meta, site->size);
		ours = name_selected(u->o->choice.patterns, &e);
		if (!ours)
			selection_note_name(&e);
	}
	ours = ours && level_matches(&u->o->choice, name);
	free(name);
	return ours;
}

/* Adds a probe as a site if it belongs to a selected event or if the user named the probe. */
static void add_probe(struct usdt *u, const struct usdt_file *file, struct known *known,
		      const struct usdt_probe *probe)
{
	const struct note_event *event = usdt_event_of(file, probe), *site, *set;
	const char *spec;

	site = usdt_site_of(file, probe);
	set = site ? usdt_set_of(file, probe) : NULL;
	spec = set ? set->spec : event ? event->spec : NULL;
	if (is_named(u, probe))
		add_site(u, file, known, probe, spec ? USER_SYSTEM : probe->provider, true);
	else if (spec && u->o->usdt && is_ours(u, spec, set ? site : NULL))
		add_site(u, file, known, probe, USER_SYSTEM, false);
}

static int by_inode(const void *a, const void *b)
{
	const struct known *x = a, *y = b;

	if (x->dev != y->dev)
		return x->dev < y->dev ? -1 : 1;
	return x->ino < y->ino ? -1 : x->ino > y->ino;
}

/* Returns true if the file has not changed since its notes were read. */
static bool is_known(const struct usdt *u, const struct known *file)
{
	struct known **other;

	if (tfind(file, &u->known, by_inode))
		return true;
	other = tfind(file, &u->others, by_inode);
	return other && memcmp(&(*other)->changed, &file->changed, sizeof(file->changed)) == 0;
}

/* Records a file as one without probes. Returns its entry. */
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

/* Reports events that have no USDT probe, for example because the program defines UE_NO_USDT. */
static void report_without_probe(struct usdt *u, const struct usdt_file *file, int fd)
{
	const char *first = NULL, **names = allocate(file->n * sizeof(*names));
	const struct note_event *event;
	size_t n = 0, i;
	char *path;

	/* The probe of an event may have a different name, for example with DTrace or LTTng. */
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
		warning("cannot record %s%s of %s with uprobes: no USDT probe; "
			"build it without UE_NO_USDT",
			first, n > 1 ? " and other events" : "", path);
		free(path);
	}
	free(names);
}

/* Reports the first file with probes over quota. usdt_report_missing() reports the totals. */
static void report_left_out(struct usdt *u, const struct known *file, size_t n)
{
	char *name;

	if (!n || u->left_out_of++)
		return;
	name = name_of(file->fd);
	warning("cannot record %zu probes of %s: the files of a user together, and each file of "
		"root, get a quarter of the free ones of %u uprobes; to record them, add the "
		"pattern 'usdt:%s:*:*'",
		n, name, SITES_MAX, name);
	free(name);
}

/*
 * Reports probes that stay disabled in processes that map the file from now on. uetrace cannot
 * write the semaphores itself: it would have to run the program under ptrace() up to its entry
 * point. The program could notice this, and libraries opened later would still be missed.
 */
static void report_counted_elsewhere(struct usdt *u, const struct known *file)
{
	char *name;

	if (!file->counted_elsewhere || !may_report(u))
		return;
	name = name_of(file->fd);
	warning("uprobes do not see %zu of the USDT probes of %s in processes that start from now "
		"on; compile it with a newer user_events.h or link it with "
		"-Wl,-z,separate-loadable-segments",
		file->counted_elsewhere, name);
	free(name);
}

/*
 * Returns true if a signal should end the scan. While the program of run is running, signals do not
 * end the scan, because uetrace waits for the program. Also calls tick, which reads the events
 * written to the kernel's buffers so far. Call this often, because a user's program may have any
 * number of probes and files.
 */
static bool stopped(struct usdt *u)
{
	if (u->tick && now() >= u->next_tick) {
		u->tick(u->context);
		u->next_tick = now() + TICK_NS;
	}
	return !(u->o->command && u->looked_once) && signal_waits();
}

/*
 * Returns the number of sites that a file may use. A single file of root, or all files of another
 * user together, must not use up all sites: that would hide everyone else's programs. There is no
 * common limit for the files of root.
 */
static size_t share(const struct usdt *u, const struct known *file)
{
	size_t own = 0, most, i;

	for (i = 0; file->owner && i < u->n; i++)
		own += u->sites[i]->file->owner == file->owner;
	most = (SITES_MAX - (u->n - own)) / SHARE;
	return most > own ? most - own : 0;
}

static void add_probes(struct usdt *u, struct known *known, const struct usdt_file *file)
{
	size_t before = u->n, left_out = u->left_out, i;

	u->quota = mark_matching(u, known) ? SITES_MAX - u->n : share(u, known);
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

/* Returns true if the file declares a selected event that was unknown when the file was mapped. */
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

/* Returns true if files that the program of run opens after its start are to be reported. */
static bool reports_late_files(const struct usdt *u)
{
	return u->looked_once && u->o->command && !u->o->all;
}

static void add_late(struct usdt *u, const char *name)
{
	if (reports_late_files(u) && !list_has(u->late_files, name))
		add(&u->late_files, name);
}

/* Files that other processes want to write to */

/*
 * Takes a read lease on a file. A uprobe stays at its file offset even if the file is overwritten
 * with a new program, so its breakpoint would end up in an unrelated instruction. With a lease, the
 * kernel sends SIGIO when a process opens the file for writing, and makes that process wait for up
 * to 45 s.
 *
 * Returns -ETXTBSY if a process already has the file open for writing. Otherwise returns 0, even if
 * the file system does not support leases.
 */
static int lease(int fd, bool *leased)
{
	*leased = fcntl(fd, F_SETLEASE, F_RDLCK) == 0;
	return !*leased && errno == EAGAIN ? -ETXTBSY : 0;
}

/* A job for the disabler thread: disable all uprobes of a file. */
struct released_file {
	struct known *file;
	size_t sites; /* number of sites at the time the job was created */
};

/*
 * Disables the uprobes of released files. This runs in a separate thread, because the kernel takes
 * up to 50 ms per uprobe. The thread is created at startup, because creating it later could fail.
 * When the thread closes a file, a process waiting to write to it continues.
 */
static void *disable(void *context)
{
	struct usdt *u = context;
	const struct probe_site *site;
	struct released_file next;
	size_t i;

	while (read(u->work[0], &next, sizeof(next)) == sizeof(next)) {
		for (i = 0; i < next.sites && !__atomic_load_n(&u->ending, __ATOMIC_RELAXED); i++) {
			site = u->sites[i];
			if (site->file == next.file)
				tracefs_event_file_write(u->instance, usdt_group(), site->uprobe,
							 "enable", "0");
		}
		/* Otherwise instance_end() disables the rest, and exit() closes the file. */
		if (i == next.sites)
			close(next.file->fd);
	}
	return NULL;
}

static void start_disabling(struct usdt *u)
{
	int error = pipe2(u->work, O_CLOEXEC) ? errno : 0;

	/* Enlarge the pipe so that writing to it never blocks. */
	fcntl(u->work[1], F_SETPIPE_SZ, SITES_MAX * sizeof(struct released_file));
	error = error ? error : pthread_create(&u->disabler, NULL, disable, u);
	if (error)
		die("cannot start the thread that disables uprobes: %s", strerror(error));
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
		die("cannot write to the thread that disables uprobes: %s", strerror(errno));
}

/*
 * Releases the files that processes are waiting to write to. Their notes are read again when they
 * are mapped again.
 */
static void release_leases(struct usdt *u)
{
	struct known *last = NULL, *file;
	struct signalfd_siginfo info;
	size_t i;

	if (read(u->writers, &info, sizeof(info)) <= 0)
		return;
	for (i = 0; i < u->n; i++, last = file) {
		file = u->sites[i]->file;
		if (file == last || !file->leased || fcntl(file->fd, F_GETLEASE) == F_RDLCK)
			continue;
		release_file(u, file);
		/* Keep the struct, because the file's sites still refer to it. */
		tdelete(file, &u->known, by_inode);
	}
}

void usdt_stop(struct usdt *u)
{
	struct known *file;
	size_t i;

	u->tick = NULL;
	for (i = 0; i < u->n; i++) {
		file = u->sites[i]->file;
		if (file->leased)
			release_file(u, file);
	}
}

/* Adds the probes of a file unless it is known. Returns 0, or -errno if the file cannot be read. */
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
	/*
	 * The path may refer to another file since stat(), so use the identity of the opened file.
	 */
	now = fstat(fd, &st) == 0 ? identity(&st) : now;
	now.leased = leased;
	if (!error)
		error = is_known(u, &now) ? -EEXIST : usdt_file_read(&file, fd);
	if (!error || error == -ENOEXEC)
		known = know(u, &now);
	if (!error) {
		known->fd = fd;
		if (u->selective) /* the user chose the program, so trust its strings */
			texts_read(path, NULL, 0);
		add_probes(u, known, &file);
		name = name_of(fd);
		/* Events that are recorded with user_events need no probe. */
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

/* Running programs */

/* Returns true if the thread is listed in lines, which have the format of set_event_pid. */
static bool is_followed(const char *lines, pid_t tid)
{
	for (; lines && *lines; lines += *lines == '\n') {
		if (atoi(lines) == tid)
			return true;
		lines += strcspn(lines, "\n");
	}
	return false;
}

/* Marks a file as executed by a process that is not traced. */
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

	/*
	 * Release leases between files: checking all processes may take longer than the 45 s for
	 * which the kernel makes writers wait.
	 */
	release_leases(u);
	if (u->selective && !is_followed(u->followed, tid))
		return mark_shared(u, tid, path);
	return stopped(u) ? -EINTR : add_file(u, path);
}

/* Reports a plug-in that the program closed before uetrace could examine it. */
static void on_named(void *context, pid_t pid, pid_t tid, const char *name)
{
	struct usdt *u = context;
	struct usdt_file file;
	struct known now;
	struct stat st;
	char *path;

	/* A program that has exited is no longer listed and has no /proc/PID/root. */
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

/* Reads the traced processes from the kernel, which adds their child processes to the list. */
static void read_followed(struct usdt *u)
{
	free(u->followed);
	u->followed = u->selective ? pids_followed(u->instance) : NULL;
	if (!u->program && u->followed)
		u->program = atoi(u->followed);
}

/*
 * Checks the files that all processes execute. Later mappings are reported, but the check is
 * repeated: reports may be unavailable or lost, and a CPU may be added.
 */
static void look_at_all(struct usdt *u)
{
	uint64_t began = now(), took, pause = u->selective ? SECOND / 10 : SECOND;
	const char *line;

	u->has_new_sites = false;
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
	if ((!whole || (u->selective && u->has_new_sites)) && u->may_look < u->next_look)
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

void usdt_request_scan(struct usdt *u)
{
	if (!mapped_works(u->mapped))
		u->next_look = 0;
}

void usdt_set_tick(struct usdt *u, void (*fn)(void *context), void *context)
{
	u->tick = fn;
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

/* Reports that records are truncated, once for all sites of an event. */
static void report_truncated(struct usdt *u, const struct event *event)
{
	size_t i;

	for (i = 0; i < u->n; i++)
		u->sites[i]->reported |= u->sites[i]->event == event;
	if (may_report(u))
		warning("values of %s are truncated: uprobes read only the first part of fields "
			"of variable length",
			event->shown);
}

bool usdt_record(struct usdt *u, unsigned int id, const struct record *in, struct record *out,
		 bool *chosen)
{
	struct probe_site *site = id < IDS ? u->by_id[id] : NULL;
	bool cut;

	if (!site)
		return false;
	site->records++;
	*chosen = site->chosen;
	if (!usdt_shape_record(site->shape, in, site->event->printed_id, out, &cut))
		return false;
	if (cut && !site->reported)
		report_truncated(u, site->event);
	return true;
}

/* Missing events */

/*
 * Reads the hit counts of all uprobes. The kernel drops records longer than a page without counting
 * them. uprobe_profile contains a line " PATH NAME HITS" for each uprobe of every tracer, without
 * the group.
 */
void usdt_read_hits(struct usdt *u)
{
	char *profile = tracefs_instance_file_read(NULL, "uprobe_profile", NULL), *rest = profile;
	char *line, *number, name[NAME_MAX_KERNEL + 1];
	unsigned long long hits;
	struct probe_site *site;
	size_t i;

	while (rest && (line = strsep(&rest, "\n"))) {
		if (sscanf(line, "%*s %60s %llu", name, &hits) != 2)
			continue;
		number = strrchr(name, '_');
		i = number ? strtoul(number + 1, NULL, 10) : u->n;
		site = i < u->n ? u->sites[i] : NULL;
		/* Only records that contain strings can become too long. */
		if (!site || strcmp(site->uprobe, name) != 0 ||
		    !strstr(usdt_shape_fetch(site->shape), ":string"))
			continue;
		site->hits = site->profiled ? 0 : hits;
		site->profiled = true;
	}
	free(profile);
}

/*
 * Returns the number of hits without a record, and the first site that has any. Ignores files that
 * are also executed by processes that are not traced, because their hits are counted, too.
 */
static uint64_t count_missing(const struct usdt *u, const struct probe_site **first)
{
	uint64_t missing = 0;
	size_t i;

	*first = NULL;
	for (i = 0; i < u->n; i++) {
		const struct probe_site *site = u->sites[i];

		if (site->hits <= site->records || site->file->shared)
			continue;
		missing += site->hits - site->records;
		*first = *first ? *first : site;
	}
	return missing;
}

bool usdt_loses_uncounted(const struct usdt *u)
{
	return u->counted_elsewhere != 0;
}

void usdt_report_missing(struct usdt *u, uint64_t lost)
{
	const struct probe_site *first;
	uint64_t missing;

	if (u->counted_elsewhere)
		warning("the number of lost events is unknown, because processes that started "
			"after uetrace do not see %zu of the USDT probes",
			u->counted_elsewhere);
	if (u->left_out_of > 1)
		warning("%zu probes of %zu files were not recorded: quota exceeded", u->left_out,
			u->left_out_of);
	/* A filter drops records on purpose. Events lost by the buffer are reported elsewhere. */
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
	warning("%llu event%s of %s%s %s missing: with uprobes, an event and its strings have at "
		"most about 4000 bytes%s",
		(unsigned long long)missing, missing == 1 ? "" : "s", first->event->shown,
		missing > first->hits - first->records ? " and others" : "",
		missing == 1 ? "is" : "are",
		u->selective ? "; or another process ran the same file for less than a second"
			     : "");
}

/* Start and end */

/* Raises the limit on open files, because every file with uprobes remains open. */
static void raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* Returns a signalfd for SIGIO and adds it to the epoll descriptor. */
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
		die("cannot create a signalfd for SIGIO: %s", strerror(errno));
	return fd;
}

/* Adds the file named in a pattern. If it cannot be read, exits with a message. */
static void add_named(struct usdt *u, const char *path, char *pattern)
{
	int error = add_file(u, path);

	if (error < 0)
		die("cannot read %s: %s", path,
		    error == -ENOEXEC ? "it is not an ELF binary" : strerror(-error));
	if (selection_has_unmatched((char *[]){ pattern, NULL }))
		warning("no probe matches %s", pattern);
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
	/*
	 * Use the PID in this /proc, which may belong to another PID namespace. The buffer is
	 * zeroed.
	 */
	if (readlink("/proc/self", self, sizeof(self) - 1) < 0)
		die("/proc is not mounted: %s", strerror(errno));
	u->self = text("/proc/%s", self);
	u->mapped = mapped_new();
	u->writers = open_writers(mapped_fd(u->mapped));
	u->sites = allocate(SITES_MAX * sizeof(*u->sites));
	u->by_id = allocate(IDS * sizeof(*u->by_id));
	start_disabling(u);
	for (p = o->usdt_patterns; p && *p; p++)
		n++;
	u->patterns = allocate(n * sizeof(*u->patterns));
	for (p = o->usdt_patterns; p && *p; p++)
		add_pattern(u, *p);
	for (n = 0; n < u->n_patterns; n++) {
		if (*u->patterns[n].file)
			add_named(u, u->patterns[n].file, o->usdt_patterns[n]);
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
		site_free(u->sites[i]);
	for (i = 0; i < u->n_patterns; i++)
		free(u->patterns[i].copy);
	tdestroy(u->known, free);
	tdestroy(u->others, free);
	mapped_free(u->mapped);
	close(u->writers);
	list_free(u->late_files);
	free(u->followed);
	free(u->self);
	free(u->patterns);
	free(u->sites);
	free(u->by_id);
	free(u);
}

/* Listing */

/* Adds a probe unless one with the same provider and name has been added. */
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
	struct usdt known; /* only its trees of known files are used */
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
