/* SPDX-License-Identifier: MIT */
/*
 * Implements the list command for files. Lists the events that a binary declares or a recording
 * contains.
 */
#include "command/command.h"
#include "command/declared_fields.h"
#include "event/event.h"
#include "fields/dotnet.h"
#include "read/read.h"
#include "usdt/usdt.h"
#include "util/util.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include <user_events.h>

#define SEEN_MOST (16u << 20) /* memory limit for the events of a recording, in bytes */
#define EVENTS_MAX 32768

struct listing {
	struct listed *events;
	size_t n;
	void *names; /* tsearch() tree of struct place */
	void *seen;  /* tsearch() tree of struct seen */
	size_t seen_bytes;
};

static void listing_add(struct listing *l, struct listed event)
{
	if (!(l->n & (l->n - 1)))
		l->events = doubled(l->events, l->n, sizeof(*l->events));
	l->events[l->n++] = event;
}

static int by_name(const void *a, const void *b)
{
	const struct listed *x = a, *y = b;
	int order = strcmp(x->system, y->system);

	return order ? order : strcmp(x->name, y->name);
}

/*
 * Returns the sort key of an event: 0 if the event starts an activity, 2 if it stops one, otherwise
 * 1.
 */
static int order_of(const struct listed *log)
{
	return log->opcode == UE_OPCODE_ACTIVITY_START	? 0
	       : log->opcode == UE_OPCODE_ACTIVITY_STOP ? 2
							: 1;
}

/*
 * Compares events in a set, for sorting. Events that start an activity come first, and events that
 * stop an activity come last.
 */
static int by_order(const void *a, const void *b)
{
	const struct listed *x = *(struct listed *const *)a, *y = *(struct listed *const *)b;
	int order = order_of(x) - order_of(y);

	return order ? order : strcmp(x->name, y->name);
}

static void listing_put(struct listing *l, bool json)
{
	size_t i;

	for (i = 0; i < l->n; i++) {
		struct listed *event = &l->events[i];

		if (event->n_logs)
			qsort(event->logs, event->n_logs, sizeof(*event->logs), by_order);
		listed_put(event, json, false);
		listed_free(event);
	}
	tdestroy(l->names, free);
	tdestroy(l->seen, free);
	free(l->events);
}

/* Binaries */

/*
 * Index of an event in the listing. If several events have the same name, i is the index of the
 * first one.
 */
struct place {
	size_t i;
	const char *spec;
};

/* Compares the names at the start of two specs. */
static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	size_t n = strcspn(x->spec, " "), m = strcspn(y->spec, " ");

	return n != m ? (n < m ? -1 : 1) : memcmp(x->spec, y->spec, n);
}

/* Returns the first listed event that has the name in the spec, or NULL. */
static struct listed *find_event(struct listing *l, const char *spec)
{
	struct place key = { .spec = spec };
	struct place **found = tfind(&key, &l->names, by_place);

	return found ? &l->events[(*found)->i] : NULL;
}

/* Adds an event described by a spec. The spec must remain valid until the listing is printed. */
static void add_event(struct listing *l, const char *spec)
{
	struct listed event = listed_specified(USER_SYSTEM, spec), *other = find_event(l, spec);
	struct place *place;

	if (other) {
		other->disagrees = event.disagrees = true;
	} else {
		place = allocate(sizeof(*place));
		*place = (struct place){ l->n, spec };
		if (!tsearch(place, &l->names, by_place))
			die("out of memory");
	}
	listing_add(l, event);
}

/* Adds the event of a UE_LOG site to its event set, using the header and metadata in the binary. */
static void add_log(struct listing *l, const struct usdt_file *file, const struct usdt_probe *probe)
{
	const struct note_event *site = usdt_site_of(file, probe);
	const struct note_event *set = usdt_set_of(file, probe);
	struct listed *listed = site && set ? find_event(l, set->spec) : NULL;
	struct ue_decode_event event;
	char *name;

	if (!listed)
		return;
	ue_decode_parse(&event, listed->name, strlen(listed->name), site->meta, site->size);
	name = text("%s:%s", probe->provider, probe->name);
	listed_log(listed, &event, name);
	free(name);
}

static int by_semaphore(const void *a, const void *b)
{
	const struct usdt_probe *x = *(const struct usdt_probe *const *)a;
	const struct usdt_probe *y = *(const struct usdt_probe *const *)b;
	int order = strcmp(x->name, y->name);

	return order ? order : x->semaphore < y->semaphore ? -1 : x->semaphore > y->semaphore;
}

/*
 * Counts the USDT semaphores of each UE_TRACE event. Users need this number, because bpftrace sets
 * only one semaphore per event.
 */
static void count_sites(struct listing *l, const struct usdt_file *file)
{
	const struct usdt_probe **probes = allocate(file->n * sizeof(*probes));
	size_t n = 0, i, sites = 0;

	for (i = 0; i < file->n; i++) {
		if (usdt_event_of(file, &file->probes[i]))
			probes[n++] = &file->probes[i];
	}
	qsort(probes, n, sizeof(*probes), by_semaphore);
	for (i = 0; i < n; i++) {
		struct listed *listed = find_event(l, probes[i]->name);

		if (!i || strcmp(probes[i - 1]->name, probes[i]->name) != 0)
			sites = 1;
		else if (probes[i - 1]->semaphore != probes[i]->semaphore)
			sites++;
		if (listed && sites > listed->sites)
			listed->sites = sites;
	}
	free(probes);
}

/* Adds the field types declared by a site to the event of the site. */
static void add_types(struct listing *l, const struct note_event *site)
{
	struct listed *listed = site->kind == NOTE_EVENT ? find_event(l, site->spec) : NULL;

	if (listed && !listed->disagrees)
		listed_site(listed, site);
}

/* Adds details from USDT probe notes to the events of a file. */
static void add_sites(struct listing *l, const char *path)
{
	struct usdt_file file;
	size_t i;

	if (usdt_file_open(&file, path) != 0)
		return;
	for (i = 0; i < file.n; i++)
		add_log(l, &file, &file.probes[i]);
	for (i = 0; i < file.notes.n; i++)
		add_types(l, &file.notes.events[i]);
	count_sites(l, &file);
	usdt_file_free(&file);
}

/* Adds the USDT probes that do not belong to events of user_events.h. */
static void add_probes(struct listing *l, const char *path)
{
	char **providers = NULL, **probes = NULL, **p, **provider;

	usdt_list(path, &providers, &probes);
	for (p = probes, provider = providers; p && *p; p++, provider++) {
		char *system = text("usdt:%s", *provider);

		listing_add(l, listed_specified(system, *p));
		free(system);
	}
	list_free(probes);
	list_free(providers);
}

/*
 * Returns true for an object file. Its events cannot be listed, because the event descriptors have
 * no addresses before linking.
 */
static bool is_object_file(const char *path)
{
	struct binary b;
	bool found;

	if (binary_open(&b, path) != 0)
		return false;
	found = b.header.e_type == ET_REL;
	binary_close(&b);
	return found;
}

static int list_binary(const char *path, bool json)
{
	struct listing l = { .n = 0 };
	char **specs = NULL, **files = NULL, **p;
	int error = notes_read(path, &specs, &files);
	bool stripped = false;

	if (error == -ENOEXEC)
		die("cannot list %s: it is neither an ELF binary nor a recording", path);
	if (error)
		die("cannot read %s: %s", path, strerror(-error));
	for (p = specs; p && *p; p++)
		add_event(&l, *p);
	for (p = files; specs && *p; p++)
		add_sites(&l, *p);
	add_probes(&l, path);
	if (!l.n && is_object_file(path))
		die("cannot list the events of %s: it is an object file; list the linked "
		    "program instead",
		    path);
	for (p = files; p && *p; p++)
		stripped |= !usdt_check_file(*p);
	if (!l.n && stripped)
		exit(EXIT_FAILURE);
	if (!l.n)
		die("%s declares no events" REGISTERED_LATER, path);
	listing_put(&l, json);
	list_free(specs);
	list_free(files);
	return EXIT_SUCCESS;
}

/* Recordings */

/* An event that is already listed: a tracepoint, or an event in a set. */
struct seen {
	const struct event *event;
	size_t place; /* index in the listing, for a tracepoint */
	size_t size;  /* length of bytes; 0 for a tracepoint */
	uint8_t opcode;
	uint8_t bytes[];
};

static int by_bytes(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;

	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	if (x->opcode != y->opcode)
		return x->opcode < y->opcode ? -1 : 1;
	return memcmp(x->bytes, y->bytes, x->size);
}

/*
 * Marks a tracepoint as seen or, if e is not NULL, an event in the set of this tracepoint. Sets
 * *fresh to true if the event was not seen before. Returns NULL if the limit on memory or events is
 * reached.
 */
static struct seen *see(struct listing *l, const struct event *event,
			const struct ue_decode_event *e, bool *fresh)
{
	/* The name and the field definitions are adjacent in memory. */
	const uint8_t *end = e ? e->definitions + e->definitions_length : NULL;
	size_t size = e ? (size_t)(end - (const uint8_t *)e->name) : 0;
	struct seen *key = allocate(sizeof(*key) + size), **found;

	key->event = event;
	key->size = size;
	if (e) {
		key->opcode = e->opcode;
		memcpy(key->bytes, e->name, size);
	}
	found = tfind(key, &l->seen, by_bytes);
	*fresh = !found;
	if (found || l->seen_bytes + size > SEEN_MOST || l->n == EVENTS_MAX) {
		free(key);
		return found ? *found : NULL;
	}
	l->seen_bytes += sizeof(*key) + size;
	if (!tsearch(key, &l->seen, by_bytes))
		die("out of memory");
	return key;
}

/*
 * Returns the index of a tracepoint in the listing. Adds the tracepoint if necessary. Formats with
 * the same name and fields share one entry, even if they are from machines with different byte
 * orders.
 */
static size_t place_of(struct listing *l, const struct event *event)
{
	struct listed listed = listed_formatted(event->system, event->name, event->format_text);
	size_t i;

	for (i = 0; i < l->n; i++) {
		if (by_name(&l->events[i], &listed) == 0 &&
		    listed_same_fields(&l->events[i], &listed)) {
			listed_free(&listed);
			return i;
		}
	}
	listing_add(l, listed);
	return i;
}

static void list_record(struct listing *l, const struct event *event, const struct record *record)
{
	struct ue_decode_event e;
	bool fresh;
	struct seen *tracepoint = see(l, event, NULL, &fresh);

	if (!tracepoint)
		return;
	if (fresh)
		tracepoint->place = place_of(l, event);
	if (!event->eventheader)
		return;
	event_header(event, record, &e);
	if (e.name_length && see(l, event, &e, &fresh) && fresh)
		listed_log(&l->events[tracepoint->place], &e, NULL);
}

static int list_recording(const char *path, bool json)
{
	struct input *in = input_open(path);
	struct listing l = { .n = 0 };
	struct source *source;
	struct record record;
	struct dotnet_event converted = { .room = 0 };
	struct event *event;
	bool failed;

	if (!in)
		die("cannot read %s: %s", path, strerror(errno));
	source = recording_open(in, recording_kind(in), false);
	while (source->next(source, &event, &record) > 0) {
		event_convert(&event, &record, &converted);
		list_record(&l, event, &record);
	}
	free(converted.buffer);
	failed = source->failed;
	if (!l.n)
		warning("%s has no events", path);
	if (l.n)
		qsort(l.events, l.n, sizeof(*l.events), by_name);
	listing_put(&l, json);
	source->close(source);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

int list_file(const char *path, bool json)
{
	return is_recording(path) ? list_recording(path, json) : list_binary(path, json);
}
