/* SPDX-License-Identifier: MIT */
/*
 * Records events with uprobes on kernels without user_events, and USDT probes of other programs on
 * any kernel.
 *
 * Each probe site has a uprobe in dynamic_events, with the probe's semaphore as its reference
 * counter. kernel/instance.c removes the group of these uprobes together with the trace instance.
 * record.c converts uprobe records to event records.
 */
#include "usdt/uprobes.h"
#include "event/event.h"
#include "kernel/kernel.h"
#include "select/select.h"
#include "util/util.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

bool usdt_record(struct usdt *u, unsigned int id, const struct record *in, struct record *out,
		 bool *chosen)
{
	struct probe_site *site = id < IDS ? u->sites.by_id[id] : NULL;
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

/* Raises the limit on open files, because files with uprobes remain open. */
static void raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* Adds the file named in a pattern. If the file cannot be read, exits with a message. */
static void add_named(struct usdt *u, const char *path, char *pattern)
{
	int error = look_add_file(u, path);

	if (error < 0)
		die("cannot read %s: %s", path,
		    error == -ENOEXEC ? "it is not an ELF binary" : strerror(-error));
	if (selection_has_unmatched((char *[]){ pattern, NULL }))
		warning("no probe matches %s", pattern);
}

struct usdt *usdt_new(struct tracefs_instance *instance, struct events *events,
		      const struct usdt_settings *settings)
{
	struct usdt *u = allocate(sizeof(*u));
	char self[32] = "", **p;
	size_t n = 0;

	raise_limit();
	u->instance = instance;
	u->events = events;
	u->settings = *settings;
	/*
	 * Read the PID from /proc, because /proc may belong to another PID namespace. readlink()
	 * does not append a NUL, but the buffer is zeroed.
	 */
	if (readlink("/proc/self", self, sizeof(self) - 1) < 0)
		die("/proc is not mounted: %s", strerror(errno));
	u->self = text("/proc/%s", self);
	u->look.mapped = mapped_new();
	u->sites.list = allocate(SITES_MAX * sizeof(*u->sites.list));
	u->sites.by_id = allocate(IDS * sizeof(*u->sites.by_id));
	leases_begin(u, mapped_fd(u->look.mapped));
	for (p = settings->patterns; p && *p; p++)
		n++;
	u->patterns.list = allocate(n * sizeof(*u->patterns.list));
	for (p = settings->patterns; p && *p; p++)
		patterns_add(&u->patterns, *p);
	for (n = 0; n < u->patterns.n; n++) {
		if (*u->patterns.list[n].file)
			add_named(u, u->patterns.list[n].file, settings->patterns[n]);
	}
	return u;
}

void usdt_free(struct usdt *u)
{
	size_t i;

	if (!u)
		return;
	leases_end(&u->leases);
	for (i = 0; i < u->sites.n; i++)
		site_free(u->sites.list[i]);
	patterns_free(&u->patterns);
	known_files_free(&u->files);
	mapped_free(u->look.mapped);
	list_free(u->look.late_files);
	free(u->look.followed);
	free(u->self);
	free(u->sites.list);
	free(u->sites.by_id);
	free(u);
}
