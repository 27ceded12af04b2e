/* SPDX-License-Identifier: MIT */
/* Defines kernel, user, return and event probes in dynamic_events, in the kernel's own syntax. */
#include "kernel/kernel.h"
#include "binary/binary.h"
#include "util/util.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

#define KINDS "preft" /* first letters of probe definitions in dynamic_events */

static void add_probe(struct probes *probes, struct probe probe)
{
	if (!(probes->n & (probes->n - 1)))
		probes->list = doubled(probes->list, probes->n, sizeof(probe));
	probes->list[probes->n++] = probe;
}

void probe_permission(int error)
{
	if (error == -EACCES || error == -EPERM || error == -EROFS)
		die("cannot change probes: no permission; %s", permission_remedy(error));
	if (error == -ENOENT && access("/sys/kernel/tracing/dynamic_events", F_OK) != 0)
		die("this kernel has no dynamic events");
}

/*
 * Exits with a message if the definition is a kprobe and the kernel does not support kprobes. The
 * kernel would only return EINVAL.
 */
static void require_kprobes(const char *definition)
{
	const char *place = definition + strcspn(definition, " \t");

	place += strspn(place, " \t");
	if (strchr("pr", *definition) && !memchr(place, '/', strcspn(place, " \t")) &&
	    !tracefs_file_exists(NULL, "kprobe_events"))
		die("cannot add %s: this kernel has no kprobes (CONFIG_KPROBE_EVENTS); a probe "
		    "in a program, such as 'p:NAME ./PROGRAM:FUNCTION', works without them",
		    definition);
}

void probe_rejected(const char *what, const char *command, const char *typed, int error)
{
	char *log, *why;

	probe_permission(error);
	require_kprobes(typed);
	log = tracefs_error_last(NULL);
	why = log ? caret(log, command, typed) : NULL;
	warning("the kernel rejected %s", what);
	lines(why ? why : text("  %s\n%s", typed, strerror(-error)));
	exit(EXIT_FAILURE);
}

/* Opens dynamic_events for appending, because O_TRUNC would remove the events of all users. */
int probe_define(const char *line)
{
	return tracefs_instance_file_append(NULL, "dynamic_events", line) < 0 ? -errno : 0;
}

/* Warns if a module is not loaded. The kernel accepts "p MODULE:SYMBOL" for any module name. */
static void warn_absent_module(const char *typed)
{
	const char *place = typed + strcspn(typed, " \t");
	char *module, *path;
	size_t n;

	place += strspn(place, " \t");
	n = strcspn(place, ": \t");
	if (!strchr("pr", *typed) || place[n] != ':' || memchr(place, '/', strcspn(place, " \t")))
		return;
	module = text("%.*s", (int)n, place);
	path = text("/sys/module/%s/initstate", module);
	if (strcmp(module, "vmlinux") == 0)
		warning("this probe is never hit, because vmlinux is not a module; for a "
			"function of the kernel, use %.*s",
			(int)strcspn(place + n + 1, " \t"), place + n + 1);
	else if (access(path, F_OK) != 0)
		warning("this probe is not hit until the module %s is loaded", module);
	free(module);
	free(path);
}

static void define(const char *command, const char *typed)
{
	int error;

	if (strncmp(command, "-:", 2) == 0)
		die("cannot add \"%s\": it removes a probe; write: uetrace probe remove %s", typed,
		    typed + 2);
	if (!*command || !strchr(KINDS, *command))
		die("cannot add \"%s\": a probe definition begins with p, r or e, as in "
		    "'p:open do_sys_openat2 file=+0($arg2):ustring'",
		    typed);
	/*
	 * the kernel would truncate the path at this character and place the probe in another file
	 */
	if (strpbrk(command, "#\n"))
		die("cannot add \"%s\": the kernel ignores everything after # or a newline; "
		    "rename the file",
		    typed);
	error = probe_define(command);
	if (error)
		probe_rejected("the probe", command, typed, error);
	warn_absent_module(typed);
}

/*
 * Probes given with --probe, with the groups that the user typed. In tracefs, all these probes are
 * in a single group.
 */
static struct probes given;

const char *probe_group(const char *name)
{
	size_t i;

	for (i = 0; i < given.n; i++) {
		if (strcmp(given.list[i].name, name) == 0)
			return given.list[i].group;
	}
	return "probe"; /* the kernel generated the name */
}

static void note_given(char *group, char *name)
{
	size_t i;

	/* In tracefs, two probes with the same name would become one event with two probe sites. */
	for (i = 0; i < given.n; i++) {
		if (strcmp(given.list[i].name, name) == 0 &&
		    strcmp(given.list[i].group, group) != 0)
			die_usage("cannot use two probes with the name %s, %s/%s and %s/%s; "
				  "rename one",
				  name, group, name, given.list[i].group, name);
	}
	add_probe(&given, (struct probe){ .group = group, .name = name });
}

/*
 * Replaces the group in a definition such as "p:open place" or "p:mine/open place". Stores the
 * user's group for probe_group().
 */
static char *regroup(const char *typed, const char *group)
{
	size_t kind = strcspn(typed, ": \t"), length;
	const char *own = typed + kind + (typed[kind] == ':'), *event = own;

	length = strcspn(own, "/. \t");
	if (own[length] == '/' || own[length] == '.')
		event = own + length + 1;
	if (*event && !strchr(" \t", *event))
		note_given(event > own ? text("%.*s", (int)length, own) : text("probe"),
			   text("%.*s", (int)strcspn(event, " \t"), event));
	return text("%.*s:%s/%s", (int)kind, typed, group, event);
}

/* Returns the file offset of a function. If the symbol is not found, exits with a message. */
static uint64_t offset_of(const char *file, const char *symbol)
{
	struct binary b;
	uint64_t address, offset = 0;
	bool known, loaded;
	int error = binary_open(&b, file);

	if (error == -ENOEXEC)
		die("%s is not an ELF binary", file);
	if (error)
		die("cannot read %s: %s", file, strerror(-error));
	known = binary_symbol(&b, symbol, &address);
	loaded = known && binary_offset(&b, address, 1, PF_X, &offset);
	binary_close(&b);
	if (!known)
		die("cannot find the symbol %s in %s, which may be stripped; 'nm -C %s' lists "
		    "symbols",
		    symbol, file, file);
	if (!loaded)
		die("cannot probe the symbol %s of %s: it is not code", symbol, file);
	return offset;
}

/*
 * Converts "p:put ./kvd:store_put" to "p:put ./kvd:0x1139", because the kernel accepts only file
 * offsets. Returns other definitions unchanged.
 */
static char *resolve(const char *typed)
{
	const char *place = typed + strcspn(typed, " \t"), *colon, *rest;
	char *file, *symbol, *resolved;
	uint64_t offset;

	place += strspn(place, " \t");
	colon = memrchr(place, ':', strcspn(place, " \t"));
	if (!strchr("pr", *typed) || !colon || !memchr(place, '/', (size_t)(colon - place)) ||
	    isdigit((unsigned char)colon[1]))
		return text("%s", typed);
	file = text("%.*s", (int)(colon - place), place);
	symbol = text("%.*s", (int)strcspn(colon + 1, " \t+%"), colon + 1);
	rest = colon + 1 + strlen(symbol);
	offset = offset_of(file, symbol);
	if (*rest == '+')
		offset += strtoull(rest, (char **)&rest, 0);
	resolved = text("%.*s0x%llx%s", (int)(colon + 1 - typed), typed, (unsigned long long)offset,
			rest);
	free(file);
	free(symbol);
	return resolved;
}

void probe_add(const char *typed)
{
	char *resolved = resolve(typed);

	define(resolved, resolved);
	free(resolved);
}

void probes_add(char **definitions, const char *group)
{
	char *command, *resolved;

	for (; definitions && *definitions; definitions++) {
		resolved = resolve(*definitions + strspn(*definitions, " \t"));
		command = regroup(resolved, group);
		define(command, resolved);
		free(command);
		free(resolved);
	}
}

struct probes probes_read(const char *pattern)
{
	char *lines = (errno = 0, tracefs_instance_file_read(NULL, "dynamic_events", NULL));
	char *rest = lines, *line;
	struct probes probes = { .n = 0 };

	if (!lines) /* permission denied, or there are no probes */
		probe_permission(-errno);
	while ((line = strsep(&rest, "\n"))) {
		struct probe probe;
		size_t group;

		if (!strchr(KINDS, *line) || sscanf(line, "%*[^: ]:%ms", &probe.whole) != 1)
			continue;
		if (fnmatch(pattern, probe.whole, FNM_PATHNAME) != 0) {
			free(probe.whole);
			continue;
		}
		group = strcspn(probe.whole, "/");
		probe.group = text("%.*s", (int)group, probe.whole);
		probe.name = probe.whole + group + 1;
		probe.definition = text("%s", line);
		add_probe(&probes, probe);
	}
	free(lines);
	return probes;
}

static void probes_free(struct probes *probes)
{
	size_t i;

	for (i = 0; i < probes->n; i++) {
		free(probes->list[i].group);
		free(probes->list[i].whole);
		free(probes->list[i].definition);
	}
	free(probes->list);
}

int probe_remove(const struct probe *probe)
{
	char *line = text("-:%s", probe->whole);
	int error = probe_define(line);

	free(line);
	return error;
}

void probes_remove(const char *group)
{
	char *path = text("events/%s", group), *pattern = text("%s/*", group);
	struct probes probes = { .n = 0 };
	size_t i;

	if (*group && tracefs_dir_exists(NULL, path))
		probes = probes_read(pattern);
	for (i = 0; i < probes.n; i++)
		probe_remove(&probes.list[i]);
	probes_free(&probes);
	free(pattern);
	free(path);
}
