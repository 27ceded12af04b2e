/* SPDX-License-Identifier: MIT */
/* Selects the probes of a file and defines uprobes for them, up to the file's quota. */
#include "event/event.h"
#include "kernel/kernel.h"
#include "select/select.h"
#include "usdt/uprobes.h"
#include "util/util.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>

#include <user_events_decode.h>

#define SHARE 4 /* a user, or a single file of root, may use 1/SHARE of the free sites */

/* Returns a name for a uprobe, built from the event name in the spec and the site number. */
static char *uprobe_name(const struct usdt *u, const char *spec)
{
	char *whole = text("%.*s", (int)strcspn(spec, " "), spec), *p;
	char *name = text("%.*s_%zu", NAME_MAX_KERNEL - 8, whole, u->sites.n);

	for (p = name; *p; p++) {
		if (!isalnum((unsigned char)*p))
			*p = '_';
	}
	if (isdigit((unsigned char)*name))
		*name = '_';
	free(whole);
	return name;
}

/*
 * Defines the uprobe of a site and reads its field offsets. Returns the uprobe's ID, or 0 on
 * failure.
 *
 * The kernel receives the path /proc/PID/fd/N instead of the file name. This path contains no text
 * chosen by a user and refers to exactly the file whose notes were read. The kernel resolves it
 * immediately. From then on, the uprobe refers to the file (since Linux 4.18) or to its inode
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
		report_rejected(&u->reports, site->file, probe, error ? error : -EINVAL);
	free(format);
	free(line);
	free(counter);
	return number;
}

void site_free(struct probe_site *site)
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
	site->shape = usdt_shape_new(file, probe, u->settings.choice.filter, &missing);
	spec = site->shape ? usdt_shape_spec(site->shape) : NULL;
	if (spec && !u->sites.quota) {
		u->reports.left_out++;
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
	if (missing && fresh && may_report(&u->reports))
		warning("the event %s is shown without %s, because %s", site->event->shown, missing,
			probe->n >= USDT_ARGS_MAX - 1 ? "a USDT probe has at most twelve arguments"
						      : "uprobes cannot read these values");
	u->sites.by_id[id] = u->sites.list[u->sites.n++] = site;
	known->counted_elsewhere += probe->counted_elsewhere;
	u->reports.counted_elsewhere += probe->counted_elsewhere;
	u->sites.quota--;
	u->sites.added = true;
	events_enable_uprobe(u->events, site->event, usdt_group(), site->uprobe, id);
	free(format);
	free(missing);
	free(name);
}

/*
 * Returns true if the settings select an event. For a UE_LOG event, site is the note of its site,
 * and spec is the spec of its event set. For other events, site is NULL.
 */
static bool is_ours(const struct usdt *u, const char *spec, const struct note_event *site)
{
	char *name = text("%.*s", (int)strcspn(spec, " "), spec);
	enum selection selection = event_selected(u->settings.choice.patterns, USER_SYSTEM, name);
	struct ue_decode_event e;
	bool ours = selection == SELECT_ALL;

	if (selection == SELECT_NAMES && site) {
		/*
		 * Ignore the result -EBADMSG, which only means that there is no payload. Take the
		 * level from the name of the set, because the program has not written the event
		 * yet.
		 */
		ue_decode_parse(&e, name, strlen(name), site->meta, site->size);
		ours = name_selected(u->settings.choice.patterns, &e);
		if (!ours)
			selection_note_name(&e);
	}
	ours = ours && level_matches(&u->settings.choice, name);
	free(name);
	return ours;
}

/*
 * Adds a site for a probe that belongs to a selected event or matches one of the user's patterns.
 */
static void add_probe(struct usdt *u, const struct usdt_file *file, struct known *known,
		      const struct usdt_probe *probe)
{
	const struct note_event *event = usdt_event_of(file, probe), *site, *set;
	const char *spec;

	site = usdt_site_of(file, probe);
	set = site ? usdt_set_of(file, probe) : NULL;
	spec = set ? set->spec : event ? event->spec : NULL;
	if (patterns_match(&u->patterns, probe, u->settings.patterns))
		add_site(u, file, known, probe, spec ? USER_SYSTEM : probe->provider, true);
	else if (spec && u->settings.events && is_ours(u, spec, set ? site : NULL))
		add_site(u, file, known, probe, USER_SYSTEM, false);
}

/*
 * Returns the number of probe sites that a file may use. Without this limit, a user could use all
 * sites, so that the programs of other users could not be traced. The limit applies to all files of
 * a user together, but to each file of root separately.
 */
static size_t share(const struct usdt *u, const struct known *file)
{
	size_t own = 0, most, i;

	for (i = 0; file->owner && i < u->sites.n; i++)
		own += u->sites.list[i]->file->owner == file->owner;
	most = (SITES_MAX - (u->sites.n - own)) / SHARE;
	return most > own ? most - own : 0;
}

void add_probes(struct usdt *u, struct known *known, const struct usdt_file *file)
{
	size_t before = u->sites.n, left_out = u->reports.left_out, i;

	u->sites.quota = patterns_mark(&u->patterns, known) ? SITES_MAX - u->sites.n
							    : share(u, known);
	for (i = 0; i < file->n && !look_stopped(u); i++)
		add_probe(u, file, known, &file->probes[i]);
	report_left_out(&u->reports, known, u->reports.left_out - left_out);
	report_counted_elsewhere(&u->reports, known);
	if (u->settings.events)
		report_without_probe(u, file, known->fd);
	if (u->sites.n > before)
		known_files_keep(&u->files, known);
}
