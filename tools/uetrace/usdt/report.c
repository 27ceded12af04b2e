/* SPDX-License-Identifier: MIT */
/* Prints warnings about events that uprobes do not record, or record only in part. */
#include "event/event.h"
#include "kernel/kernel.h"
#include "select/select.h"
#include "usdt/uprobes.h"
#include "util/util.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

#define REPORTS_MAX 100 /* limit on the number of reports about programs */

bool may_report(struct reports *reports)
{
	if (reports->programs == REPORTS_MAX)
		warning("further incomplete events are not reported");
	return reports->programs++ < REPORTS_MAX;
}

char *path_of(int fd)
{
	char *link = text("/proc/self/fd/%d", fd), name[PATH_MAX] = "a file";
	ssize_t n = readlink(link, name, sizeof(name) - 1);

	if (n >= 0)
		name[n] = '\0';
	free(link);
	return text("%s", name);
}

void report_rejected(struct reports *reports, const struct known *file,
		     const struct usdt_probe *probe, int error)
{
	char *log, *why, *name;

	if (reports->rejected++)
		return;
	log = tracefs_error_last(NULL);
	why = log ? strstr(log, "error: ") : NULL;
	name = path_of(file->fd);
	warning("the kernel rejected the uprobe for the USDT probe %s:%s of %s: %.*s",
		probe->provider, probe->name, name, why ? (int)strcspn(why + 7, "\n") : 255,
		why ? why + 7 : strerror(-error));
	free(name);
	free(log);
}

void report_without_probe(struct usdt *u, const struct usdt_file *file, int fd)
{
	const char *first = NULL, **names = allocate(file->n * sizeof(*names));
	const struct note_event *event;
	size_t n = 0, i;
	char *path;

	/*
	 * An event and its probe may have different names, for example in programs that use DTrace
	 * or LTTng macros.
	 */
	for (i = 0; i < file->n; i++) {
		event = usdt_event_of(file, &file->probes[i]);
		names[i] = event ? event->name : file->probes[i].name;
	}
	qsort(names, file->n, sizeof(*names), compare_strings);
	for (i = 0; i < file->notes.n; i++) {
		const char *name = file->notes.events[i].name;

		if (!name || !event_matches(u->settings.choice.patterns, USER_SYSTEM, name) ||
		    bsearch(&name, names, file->n, sizeof(*names), compare_strings))
			continue;
		first = first ? first : name;
		n++;
	}
	if (n && may_report(&u->reports)) {
		path = path_of(fd);
		warning("cannot record %s%s of %s with uprobes: no USDT probe; "
			"build it without UE_NO_USDT",
			first, n > 1 ? " and other events" : "", path);
		free(path);
	}
	free(names);
}

void report_left_out(struct reports *reports, const struct known *file, size_t n)
{
	char *name;

	if (!n || reports->left_out_of++)
		return;
	name = path_of(file->fd);
	warning("cannot record %zu probes of %s: the quota is a quarter of the free uprobes "
		"(of %u in total), for all files of a user or for each file of root; to record "
		"these probes, add the pattern 'usdt:%s:*:*'",
		n, name, SITES_MAX, name);
	free(name);
}

/*
 * uetrace does not write the semaphores itself, because it would have to run the program under
 * ptrace() up to its entry point. The program could notice this, and libraries opened later would
 * still be missed.
 */
void report_counted_elsewhere(struct reports *reports, const struct known *file)
{
	char *name;

	if (!file->counted_elsewhere || !may_report(reports))
		return;
	name = path_of(file->fd);
	warning("uprobes do not see %zu of the USDT probes of %s in processes that start from now "
		"on; compile it with a newer user_events.h or link it with "
		"-Wl,-z,separate-loadable-segments",
		file->counted_elsewhere, name);
	free(name);
}

void report_truncated(struct usdt *u, const struct event *event)
{
	size_t i;

	for (i = 0; i < u->sites.n; i++)
		u->sites.list[i]->reported |= u->sites.list[i]->event == event;
	if (may_report(&u->reports))
		warning("values of %s are truncated, because uprobes record only the beginning "
			"of variable-length fields",
			event->shown);
}

/*
 * Reads the hit counts of all uprobes, because the kernel drops records that are longer than a page
 * without counting them. uprobe_profile contains a line " PATH NAME HITS" for each uprobe of every
 * tracer. The line does not contain the group of the uprobe.
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
		i = number ? strtoul(number + 1, NULL, 10) : u->sites.n;
		site = i < u->sites.n ? u->sites.list[i] : NULL;
		/* Only records with strings can become too long. */
		if (!site || strcmp(site->uprobe, name) != 0 ||
		    !strstr(usdt_shape_fetch(site->shape), ":string"))
			continue;
		site->hits = site->profiled ? 0 : hits;
		site->profiled = true;
	}
	free(profile);
}

/*
 * Returns the number of hits without a record, and sets *first to the first site with such hits.
 * Ignores files that untraced processes also execute, because the hit counts include these
 * processes.
 */
static uint64_t count_missing(const struct usdt *u, const struct probe_site **first)
{
	uint64_t missing = 0;
	size_t i;

	*first = NULL;
	for (i = 0; i < u->sites.n; i++) {
		const struct probe_site *site = u->sites.list[i];

		if (site->hits <= site->records || site->file->shared)
			continue;
		missing += site->hits - site->records;
		*first = *first ? *first : site;
	}
	return missing;
}

bool usdt_loses_uncounted(const struct usdt *u)
{
	return u->reports.counted_elsewhere != 0;
}

void usdt_report_missing(struct usdt *u, uint64_t lost)
{
	const struct probe_site *first;
	uint64_t missing;

	mapped_report_denied();
	if (u->reports.counted_elsewhere)
		warning("the number of lost events is unknown, because %zu of the USDT probes "
			"have no effect in processes that started after uetrace",
			u->reports.counted_elsewhere);
	if (u->reports.left_out_of > 1)
		warning("%zu probes of %zu files were not recorded: quota exceeded",
			u->reports.left_out, u->reports.left_out_of);
	/*
	 * A filter drops records intentionally. Events lost in the buffer are reported separately.
	 */
	if (u->settings.choice.filter || count_missing(u, &first) <= lost)
		return;
	look_mark_shared(u);
	missing = count_missing(u, &first);
	if (missing <= lost)
		return;
	missing -= lost;
	warning("%llu event%s of %s%s %s missing: with uprobes, an event and its strings have at "
		"most about 4000 bytes%s",
		(unsigned long long)missing, missing == 1 ? "" : "s", first->event->shown,
		missing > first->hits - first->records ? " and others" : "",
		missing == 1 ? "is" : "are",
		u->settings.selective
			? "; or another process ran the same file for less than a second"
			: "");
}
