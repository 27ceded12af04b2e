/* SPDX-License-Identifier: MIT */
/* Implements the probe command, which manages kernel, user, return and event probes. */
#include "command/command.h"
#include "kernel/kernel.h"
#include "command/options.h"
#include "select/select.h"
#include "util/util.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>

/* uetrace runs a single probe command and exits, so these functions do not free all memory. */

/* State of "probe add". If the kernel rejects a definition, no probe is added. */
static struct {
	struct probes before; /* probes that existed before the command */
	char **typed;	      /* definitions that the kernel has accepted so far */
	bool complete;
} added;

/* Returns true if a probe existed before the command. */
static bool existed(const struct probe *probe)
{
	size_t i;

	for (i = 0; i < added.before.n; i++) {
		if (strcmp(added.before.list[i].whole, probe->whole) == 0)
			return true;
	}
	return false;
}

/*
 * Returns true if the definition may have created this probe. The definition contains either the
 * probe's name, or no name, so that the kernel chose one.
 */
static bool defines(const char *typed, const struct probe *probe)
{
	const char *name = typed + strcspn(typed, ": \t");
	size_t n;

	if (*name != ':')
		return true;
	name++;
	n = strcspn(name, " \t");
	if (strncmp(probe->whole, name, n) == 0 && !probe->whole[n])
		return true;
	return strncmp(probe->name, name, n) == 0 && !probe->name[n];
}

/* If the kernel rejected a definition, removes the probes that the command has already added. */
static void remove_added(void)
{
	struct probes now;
	char **typed;
	size_t i;

	if (added.complete || !added.typed)
		return;
	now = probes_read("*/*");
	for (i = now.n; i-- > 0;) {
		for (typed = added.typed; *typed && !defines(*typed, &now.list[i]); typed++)
			;
		if (*typed && !existed(&now.list[i]))
			probe_remove(&now.list[i]);
	}
	warning("no probe was added, because one of the definitions is invalid");
}

static int cmd_add(char **words)
{
	added.before = probes_read("*/*");
	atexit(remove_added);
	for (; *words; words++) {
		probe_add(*words);
		add(&added.typed, *words);
	}
	added.complete = true;
	return EXIT_SUCCESS;
}

/*
 * Finds the next line for this probe in a profile file. Lines have the form "NAME HITS MISSES" for
 * kprobes and "FILE NAME HITS" for uprobes, and the same order as in dynamic_events.
 */
static void next_profile(char **rest, const char *format, const char *name, char hits[32],
			 char misses[32])
{
	char found[256], *line;

	while ((line = strsep(rest, "\n"))) {
		if (sscanf(line, format, found, hits, misses) >= 2 && strcmp(found, name) == 0)
			return;
	}
	/* the probe was added after the profile was read */
	strcpy(hits, "-");
	strcpy(misses, "-");
}

static char *read_file(const struct probe *probe, const char *file)
{
	return tracefs_event_file_read(NULL, probe->group, probe->name, file, NULL);
}

/* Returns the first line of one of the probe's files. */
static char *read_line(const struct probe *probe, const char *file)
{
	char *content = read_file(probe, file);

	if (content)
		content[strcspn(content, "\n")] = '\0';
	return content;
}

static bool is_enabled(const struct probe *probe)
{
	char *enabled = read_line(probe, "enable");

	return enabled && enabled[0] == '1';
}

/* Returns the next line of a "trigger" file, or NULL. */
static char *next_trigger(char **rest)
{
	char *line;

	while ((line = strsep(rest, "\n"))) {
		if (*line && *line != '#')
			break;
	}
	return line;
}

static int cmd_list_probes(char **words)
{
	char *kprobes = tracefs_instance_file_read(NULL, "kprobe_profile", NULL);
	char *uprobes = tracefs_instance_file_read(NULL, "uprobe_profile", NULL);
	struct probes probes = probes_read("*/*");
	size_t i;

	(void)words;
	if (probes.n)
		printf("%-28s %-3s %10s %10s  %s\n", "PROBE", "ON", "HITS", "MISSES", "DEFINITION");
	for (i = 0; i < probes.n; i++) {
		const struct probe *probe = &probes.list[i];
		const char *place = probe->definition + strcspn(probe->definition, " ");
		char hits[32] = "-", misses[32] = "-", *filter = read_line(probe, "filter");
		char *triggers = read_file(probe, "trigger"), *trigger;

		/*
		 * Definitions of uprobes and kprobes begin with the same letters, p and r. The
		 * probe site of a uprobe is in a file, whose path contains a slash.
		 */
		place += strspn(place, " ");
		if (memchr(place, '/', strcspn(place, " ")))
			next_profile(&uprobes, " %*s %255s %31s", probe->name, hits, misses);
		else if (*probe->definition == 'p' || *probe->definition == 'r')
			next_profile(&kprobes, " %255s %31s %31s", probe->name, hits, misses);
		printf("%-28s %-3s %10s %10s  %s\n", probe->whole, is_enabled(probe) ? "yes" : "no",
		       hits, misses, probe->definition);
		if (filter && strcmp(filter, "none") != 0)
			printf("    filter: %s\n", filter);
		while ((trigger = next_trigger(&triggers)))
			printf("    trigger: %s\n", trigger);
	}
	return EXIT_SUCCESS;
}

/* Finds the probes that match NAME, GROUP/NAME or GROUP:NAME. The words may contain wildcards. */
static struct probes find_all(const char *word, bool several)
{
	size_t group = strcspn(word, "/:");
	char *pattern = word[group] ? text("%.*s/%s", (int)group, word, word + group + 1)
				    : text("*/%s", word);
	struct probes probes = probes_read(pattern);

	if (!probes.n)
		die("cannot find the probe %s; 'uetrace probe list' lists the probes", word);
	if (probes.n > 1 && !several)
		die("several probes are called %s; name one of them, such as %s or %s", word,
		    probes.list[0].whole, probes.list[1].whole);
	return probes;
}

static const struct probe *find(const char *name)
{
	return find_all(name, false).list;
}

/* Writes to one of the probe's files. */
static int write_file(const struct probe *probe, const char *file, const char *value)
{
	int written = tracefs_event_file_append(NULL, probe->group, probe->name, file, value);

	return written < 0 ? -errno : 0;
}

static void must_write(const struct probe *probe, const char *file, const char *value)
{
	int error = write_file(probe, file, value);
	char *what = text("this %s", file);

	if (error)
		probe_rejected(what, value, value, error);
	free(what);
}

static int cmd_enable(char **words)
{
	for (; *words; words++)
		must_write(find(*words), "enable", "1");
	return EXIT_SUCCESS;
}

static int cmd_disable(char **words)
{
	for (; *words; words++)
		must_write(find(*words), "enable", "0");
	return EXIT_SUCCESS;
}

static void show(const struct probe *probe, const char *file)
{
	char *content = read_file(probe, file);

	if (content)
		fputs(content, stdout);
}

static int cmd_filter(char **words)
{
	const struct probe *probe = find(words[0]);
	const char *filter = words[1];
	char *before;
	int error;

	if (!filter) {
		show(probe, "filter");
		return EXIT_SUCCESS;
	}
	before = read_line(probe, "filter");
	error = write_file(probe, "filter", *filter ? filter : "0");
	if (error) {
		/* Restore the old filter, because the kernel drops it when it rejects a new one. */
		write_file(probe, "filter", before && strcmp(before, "none") ? before : "0");
		probe_rejected("this filter", filter, filter, error);
	}
	return EXIT_SUCCESS;
}

static int cmd_trigger(char **words)
{
	const struct probe *probe = find(words[0]);

	if (words[1]) {
		must_write(probe, "trigger", words[1]);
	} else {
		show(probe, "trigger");
		show(probe, "hist");
	}
	return EXIT_SUCCESS;
}

static int cmd_format(char **words)
{
	show(find(words[0]), "format");
	return EXIT_SUCCESS;
}

/*
 * Removes all triggers of a probe, because a probe with a trigger is in use and cannot be removed.
 * Lines in the trigger file have the form "TRIGGER [active]".
 */
static void clear_triggers(const struct probe *probe)
{
	char *rest = read_file(probe, "trigger"), *trigger;

	while ((trigger = next_trigger(&rest))) {
		trigger[strcspn(trigger, "[")] = '\0';
		write_file(probe, "trigger", text("!%s", trigger));
	}
}

/*
 * Removes a probe. Returns true on success. On failure, prints a message with the name named, and
 * restores the enabled state of the probe.
 */
static bool remove_probe(const struct probe *probe, const char *named)
{
	bool enabled = is_enabled(probe);
	char **elsewhere = NULL;
	int error;

	instances_using(probe->group, probe->name, &elsewhere);
	if (elsewhere) {
		warning("cannot remove the probe %s: the trace instance %s uses it", named,
			elsewhere[0]);
		return false;
	}
	must_write(probe, "enable", "0");
	clear_triggers(probe);
	error = probe_remove(probe);
	if (!error)
		return true;
	if (enabled)
		write_file(probe, "enable", "1");
	probe_permission(error);
	if (error == -EBUSY) /* perf uses the probe; the kernel does not list such users */
		warning("cannot remove the probe %s: a tracer is using it", named);
	else
		warning("cannot remove the probe %s: %s", named, strerror(-error));
	return false;
}

static int cmd_remove(char **words)
{
	int status = EXIT_SUCCESS;

	for (; *words; words++) {
		bool all = strcmp(*words, "--all") == 0, patterns = strpbrk(*words, "*?[");
		struct probes probes = all ? probes_read("*/*") : find_all(*words, patterns);
		size_t i;

		/*
		 * An event probe refers to the event to which it is attached, so remove newer
		 * probes first.
		 */
		for (i = probes.n; i-- > 0;) {
			const struct probe *probe = &probes.list[i];

			/* skip probes of a running uetrace, which removes them itself */
			if (all && strncmp(probe->group, "uetrace_", strlen("uetrace_")) == 0)
				continue;
			if (!remove_probe(probe, all || patterns ? probe->whole : *words))
				status = EXIT_FAILURE;
		}
	}
	return status;
}

int cmd_probe(struct options *o)
{
	static const struct {
		const char *name;
		int (*run)(char **words);
		int least, most;
		const char *usage;
	} commands[] = {
		{ "add", cmd_add, 1, 1000, "'DEFINITION'..." },
		{ "list", cmd_list_probes, 0, 0, "" },
		{ "enable", cmd_enable, 1, 1000, "NAME..." },
		{ "disable", cmd_disable, 1, 1000, "NAME..." },
		{ "filter", cmd_filter, 1, 2, "NAME ['FILTER']" },
		{ "trigger", cmd_trigger, 1, 2, "NAME ['TRIGGER']" },
		{ "format", cmd_format, 1, 1, "NAME" },
		{ "remove", cmd_remove, 1, 1000, "{NAME | PATTERN}... | --all" },
	};
	char **words = o->words;
	size_t i;
	int n = 0;

	while (words[n])
		n++;
	for (i = 0; n && i < ARRAY_SIZE(commands); i++) {
		if (strcmp(words[0], commands[i].name) != 0)
			continue;
		if (n - 1 < commands[i].least || n - 1 > commands[i].most)
			die_usage("usage: uetrace probe %s %s", commands[i].name,
				  commands[i].usage);
		instance_find(false);
		return commands[i].run(words + 1);
	}
	die_usage("usage: uetrace probe add|list|enable|disable|filter|trigger|format|remove ...");
}
