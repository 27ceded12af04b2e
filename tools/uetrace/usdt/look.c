/* SPDX-License-Identifier: MIT */
/* Finds the files that processes execute, and adds their probes. */
#include "event/event.h"
#include "kernel/kernel.h"
#include "select/select.h"
#include "usdt/uprobes.h"
#include "util/util.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TICK_NS (SECOND / 50)
#define LOOK_NS (60ull * SECOND)
/*
 * Limits on the time for checking all processes: at most 1/LOOK_SHARE of the elapsed time, or
 * 1/SOON_SHARE if the next check is urgent.
 */
#define LOOK_SHARE 1000
#define SOON_SHARE 50

bool look_stopped(struct usdt *u)
{
	if (u->look.tick && now() >= u->look.next_tick) {
		u->look.tick(u->look.context);
		u->look.next_tick = now() + TICK_NS;
	}
	return !(u->settings.runs_program && u->look.complete) && signal_waits();
}

/*
 * Returns true if the file declares a selected event that was not known when the file was mapped.
 */
static bool declares_new(const struct usdt *u, const struct usdt_file *file)
{
	struct event **list;
	size_t i, j;

	events_list(u->events, &list);
	for (i = 0; i < file->notes.n; i++) {
		const char *spec = file->notes.events[i].spec;
		char *name = spec ? text("%.*s", (int)strcspn(spec, " "), spec) : NULL;
		bool known = !name || !level_matches(&u->settings.choice, name) ||
			     event_selected(u->settings.choice.patterns, USER_SYSTEM, name) ==
				     SELECT_NONE;

		for (j = 0; j < u->look.n_seen_events && !known; j++)
			known = strcmp(list[j]->shown, name) == 0;
		free(name);
		if (!known)
			return true;
	}
	return false;
}

/* Returns true if usdt_late() must return the files that are mapped from now on. */
static bool reports_late_files(const struct usdt *u)
{
	return u->look.complete && u->settings.only_program;
}

static void add_late(struct usdt *u, const char *name)
{
	if (reports_late_files(u) && !list_has(u->look.late_files, name))
		add(&u->look.late_files, name);
}

int look_add_file(struct usdt *u, const char *path)
{
	size_t before = u->sites.n;
	struct usdt_file file;
	struct known now, *known;
	struct stat st;
	char *name;
	bool leased;
	int fd, error;

	if (stat(path, &st) != 0)
		return -errno;
	now = known_of(&st);
	if (known_files_has(&u->files, &now))
		return 0;
	fd = open_regular(path);
	if (fd < 0)
		return fd;
	error = lease_take(fd, &leased);
	/*
	 * Use the identity of the opened file, because the path may refer to another file than
	 * during stat().
	 */
	now = fstat(fd, &st) == 0 ? known_of(&st) : now;
	now.leased = leased;
	if (!error)
		error = known_files_has(&u->files, &now) ? -EEXIST : usdt_file_read(&file, fd);
	if (!error || error == -ENOEXEC)
		known = known_files_add(&u->files, &now);
	if (!error) {
		known->fd = fd;
		/* Read the TP_printk strings of this file, because the user chose the program. */
		if (u->settings.selective)
			texts_read(path, NULL, 0);
		add_probes(u, known, &file);
		name = path_of(fd);
		/*
		 * If user_events records the events, no probes are added, so check for new
		 * declarations.
		 */
		if (reports_late_files(u) &&
		    (u->sites.n > before || (!u->settings.events && declares_new(u, &file))))
			add_late(u, name);
		free(name);
		usdt_file_free(&file);
		if (u->sites.n > before)
			return 0;
		known->fd = -1;
	}
	close(fd);
	return error == -EEXIST ? 0 : error;
}

void usdt_add_files(struct usdt *u, char **files)
{
	for (; files && *files; files++)
		look_add_file(u, *files);
}

/* Returns true if the thread ID is in lines, the content of set_event_pid. */
static bool is_followed(const char *lines, pid_t tid)
{
	for (; lines && *lines; lines += *lines == '\n') {
		if (atoi(lines) == tid)
			return true;
		lines += strcspn(lines, "\n");
	}
	return false;
}

/* If the file is known, marks it as shared with an untraced process. */
static int mark_shared(void *context, pid_t tid, const char *path)
{
	struct usdt *u = context;
	struct known file, *known;
	struct stat st;

	(void)tid;
	if (look_stopped(u))
		return -EINTR;
	if (stat(path, &st) != 0)
		return -errno;
	file = known_of(&st);
	known = known_files_find(&u->files, &file);
	if (known)
		known->shared = true;
	return 0;
}

static int on_mapped(void *context, pid_t tid, const char *path)
{
	struct usdt *u = context;

	/*
	 * Release leases for each file, because checking all processes may take longer than 45 s,
	 * the time for which the kernel blocks writers.
	 */
	leases_release_waiting(u);
	if (u->settings.selective && !is_followed(u->look.followed, tid))
		return mark_shared(u, tid, path);
	return look_stopped(u) ? -EINTR : look_add_file(u, path);
}

/*
 * If the program closed a plug-in before uetrace could examine it, adds the plug-in to the result
 * of usdt_late().
 */
static void on_named(void *context, pid_t pid, pid_t tid, const char *name)
{
	struct usdt *u = context;
	struct usdt_file file;
	struct known now;
	struct stat st;
	char *path;

	/* After the program has exited, it is not in the list and has no /proc/PID/root. */
	if (!reports_late_files(u) ||
	    (pid != u->look.program && !is_followed(u->look.followed, tid)))
		return;
	path = text("/proc/%d/root%s", pid, name);
	if (stat(path, &st) == 0 || (pid == u->look.program && stat(name, &st) == 0)) {
		now = known_of(&st);
		if (!known_files_has(&u->files, &now) &&
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

	if (!is_followed(u->look.followed, pid))
		mapped_each(pid, mark_shared, u, true);
}

/* Reads the list of traced processes. The kernel adds child processes to the list. */
static void read_followed(struct usdt *u)
{
	free(u->look.followed);
	u->look.followed = u->settings.selective ? pids_followed(u->instance) : NULL;
	if (!u->look.program && u->look.followed)
		u->look.program = atoi(u->look.followed);
}

void look_mark_shared(struct usdt *u)
{
	if (!u->settings.selective)
		return;
	read_followed(u);
	processes_each(look_at_untraced, u);
}

/*
 * Checks the executable files of all processes. perf events report new mappings, but the check is
 * repeated nevertheless, because reports may be unavailable or lost, and a CPU may be added.
 */
static void look_at_all(struct usdt *u)
{
	uint64_t began = now(), took, pause = u->settings.selective ? SECOND / 10 : SECOND;
	const char *line;

	u->sites.added = false;
	for (line = u->look.followed; line && *line; line += *line == '\n') {
		look_at(u, atoi(line));
		line += strcspn(line, "\n");
	}
	if (u->settings.selective && u->sites.n)
		processes_each(look_at_untraced, u);
	else if (!u->settings.selective)
		processes_each(look_at, u);
	took = now() - began;
	if (mapped_works(u->look.mapped))
		pause = LOOK_NS;
	if (pause < LOOK_SHARE * took)
		pause = LOOK_SHARE * took;
	u->look.next = now() + pause;
	u->look.earliest = now() + SOON_SHARE * took;
	u->look.complete = true;
}

static void scan(struct usdt *u, bool ready)
{
	bool whole = true;

	read_followed(u);
	if (ready)
		whole = mapped_read(u->look.mapped, on_mapped, on_named, u);
	if ((!whole || (u->settings.selective && u->sites.added)) &&
	    u->look.earliest < u->look.next)
		u->look.next = u->look.earliest;
	if (now() >= u->look.next)
		look_at_all(u);
}

bool usdt_scan(struct usdt *u)
{
	bool ready = mapped_ready(u->look.mapped);
	struct event **list;

	leases_release_waiting(u);
	if (ready || now() >= u->look.next)
		scan(u, ready);
	u->look.n_seen_events = events_list(u->events, &list);
	return ready && mapped_ready(u->look.mapped);
}

void usdt_request_scan(struct usdt *u)
{
	if (!mapped_works(u->look.mapped))
		u->look.next = 0;
}

void usdt_set_tick(struct usdt *u, void (*fn)(void *context), void *context)
{
	u->look.tick = fn;
	u->look.context = context;
}

int usdt_fd(const struct usdt *u)
{
	return mapped_fd(u->look.mapped);
}

char **usdt_late(const struct usdt *u)
{
	return u->look.late_files;
}
