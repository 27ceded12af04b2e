/* SPDX-License-Identifier: MIT */
/* Kernel, user, return and event probes: dynamic_events in the kernel's own syntax. */
#include "binary.h"
#include "uetrace.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

#define KINDS "preft" /* of definitions in dynamic_events */

struct probe {
	char *group;
	char *name;
	char *definition; /* the whole line */
};

/* Not with O_TRUNC, which would remove all events of all users. */
static int append_file(const char *file, const char *line)
{
	char *path = tracefs_get_tracing_file(file);
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_APPEND), error = 0;

	tracefs_put_tracing_file(path);
	if (fd < 0)
		return -errno;
	if (write(fd, line, strlen(line)) < 0)
		error = -errno;
	close(fd);
	return error;
}

/* The kernel's sentence with its caret, or the error's own. */
static char *explain(const char *command, const char *typed, int error)
{
	char *log = tracefs_error_last(NULL);
	char *why = log ? caret(log, command, typed) : NULL;

	free(log);
	return why ? why : text("  %s\n%s", typed, strerror(-error));
}

static void permission(int error)
{
	if (error == -EACCES || error == -EPERM)
		die("no permission to change probes; run uetrace as root");
	if (error == -ENOENT && access("/sys/kernel/tracing/dynamic_events", F_OK) != 0)
		die("this kernel has no dynamic events");
}

int probe_define(const char *line)
{
	return append_file("dynamic_events", line);
}

static void define(const char *command, const char *typed)
{
	int error;

	if (!*command || !strchr(KINDS, *command))
		die("not a probe definition: \"%s\"; it begins with p, r or e, as in "
		    "'p:open do_sys_openat2 file=+0($arg2):ustring'",
		    typed);
	error = append_file("dynamic_events", command);
	if (!error)
		return;
	permission(error);
	die("the kernel refuses the probe\n%s", explain(command, typed, error));
}

/*
 * The probes of --probe. In the kernel all are in instance_group(); here they have the typed
 * groups.
 */
static struct probe *given;
static size_t given_n;

const char *probe_group(const char *name)
{
	size_t i;

	for (i = 0; i < given_n; i++) {
		if (strcmp(given[i].name, name) == 0)
			return given[i].group;
	}
	return "probe"; /* the kernel made up the name */
}

static void give(const char *name, size_t name_length, const char *group, size_t group_length)
{
	struct probe probe = { .name = text("%.*s", (int)name_length, name),
			       .group = group_length ? text("%.*s", (int)group_length, group)
						     : text("probe") };
	size_t i;

	/* two probes of one group and name are one event with two places */
	for (i = 0; i < given_n; i++) {
		if (strcmp(given[i].name, probe.name) == 0 &&
		    strcmp(given[i].group, probe.group) != 0)
			die_usage("--probe takes no %s/%s beside %s/%s: call one of them otherwise",
				  probe.group, probe.name, given[i].group, given[i].name);
	}
	if (!(given_n & (given_n - 1)))
		given = doubled(given, given_n, sizeof(*given));
	given[given_n++] = probe;
}

/*
 * Replaces the group of "p:open place" or "p:mine/open place", which it remembers for
 * probe_group().
 */
static char *regroup(const char *typed, const char *group)
{
	size_t head = strcspn(typed, " \t"), kind = strcspn(typed, ": \t");
	const char *event = typed + kind, *end = typed + head, *own, *slash;

	if (*event == ':')
		event++;
	own = event;
	slash = memchr(event, '/', (size_t)(end - event));
	if (!slash)
		slash = memchr(event, '.', (size_t)(end - event));
	if (slash)
		event = slash + 1;
	if (event < end)
		give(event, (size_t)(end - event), own, slash ? (size_t)(slash - own) : 0);
	return text("%.*s:%s/%s", (int)kind, typed, group, event);
}

/* The place in the file where a symbol's code is. */
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
		die("%s has no symbol %s, or was stripped of it; 'nm -C %s' shows what there is",
		    file, symbol, file);
	if (!loaded)
		die("the symbol %s of %s is no code", symbol, file);
	return offset;
}

/*
 * "p:put ./kvd:store_put" to "p:put ./kvd:0x1139": the kernel knows places of a file by their
 * offsets only. All else as it is.
 */
static char *resolve(const char *typed)
{
	size_t head = strcspn(typed, " \t"), space = strspn(typed + head, " \t");
	const char *place = typed + head + space;
	size_t n = strcspn(place, " \t");
	const char *colon = memrchr(place, ':', n), *symbol = colon ? colon + 1 : NULL;
	char *file, *name, *resolved;
	size_t length;
	uint64_t more;

	if (!strchr("pr", *typed) || !memchr(place, '/', n) || !colon ||
	    (*symbol >= '0' && *symbol <= '9'))
		return text("%s", typed);
	length = strcspn(symbol, " \t+%");
	file = text("%.*s", (int)(colon - place), place);
	name = text("%.*s", (int)length, symbol);
	more = symbol[length] == '+' ? strtoull(symbol + length + 1, NULL, 0) : 0;
	while (symbol[length] == '+' || (symbol[length] && !strchr(" \t%", symbol[length])))
		length++;
	resolved = text("%.*s%s:0x%llx%s", (int)(head + space), typed, file,
			(unsigned long long)(offset_of(file, name) + more), symbol + length);
	free(file);
	free(name);
	return resolved;
}

void probes_add(char **definitions)
{
	char *command, *resolved;

	for (; definitions && *definitions; definitions++) {
		resolved = resolve(*definitions + strspn(*definitions, " \t"));
		command = regroup(resolved, instance_group());
		define(command, resolved);
		free(command);
		free(resolved);
	}
}

/* "p:GROUP/NAME ...", "r8:GROUP/NAME ..." */
static bool parse_line(const char *line, struct probe *probe)
{
	const char *colon = strchr(line, ':'), *slash = colon ? strchr(colon, '/') : NULL;

	if (!slash || !strchr(KINDS, line[0]) || strcspn(line, " ") < (size_t)(slash - line))
		return false;
	probe->group = text("%.*s", (int)(slash - colon - 1), colon + 1);
	probe->name = text("%.*s", (int)strcspn(slash + 1, " \n"), slash + 1);
	probe->definition = text("%.*s", (int)strcspn(line, "\n"), line);
	return true;
}

static void probe_free(struct probe *probe)
{
	free(probe->group);
	free(probe->name);
	free(probe->definition);
}

/* Calls fn for each probe; until it returns something else than 0, which is returned. */
static int for_each(int (*fn)(const struct probe *probe, void *context), void *context)
{
	char *lines = (errno = 0, tracefs_instance_file_read(NULL, "dynamic_events", NULL));
	char *rest = lines, *line;
	struct probe probe;
	int result = 0;

	if (!lines) /* or there are none */
		permission(-errno);
	while (rest && !result && (line = strsep(&rest, "\n"))) {
		if (!parse_line(line, &probe))
			continue;
		result = fn(&probe, context);
		probe_free(&probe);
	}
	free(lines);
	return result;
}

static int remove_one(const struct probe *probe)
{
	char *line = text("-:%s/%s", probe->group, probe->name);
	int error = append_file("dynamic_events", line);

	free(line);
	return error;
}

static int remove_if_in_group(const struct probe *probe, void *group)
{
	if (strcmp(probe->group, group) == 0)
		remove_one(probe);
	return 0;
}

void probes_remove(const char *group)
{
	char *path = text("events/%s", group);

	if (*group && tracefs_dir_exists(NULL, path))
		for_each(remove_if_in_group, (void *)(uintptr_t)group);
	free(path);
}

/* uetrace probe ... */

static int cmd_add(char **words)
{
	for (; *words; words++) {
		char *resolved = resolve(*words);

		define(resolved, resolved);
		free(resolved);
	}
	return EXIT_SUCCESS;
}

/* Lines of "NAME HITS MISSES" or "FILE NAME HITS", in dynamic_events' order. */
struct profile {
	char *kprobes;
	const char *kprobes_rest;
	char *uprobes;
	const char *uprobes_rest;
	bool head;
};

/* A probe that has come since the profile was read leaves it as it is. */
static bool next_profile(const char **rest, const char *format, const char *name, char hits[32],
			 char misses[32])
{
	const char *line, *end;
	char found[256];

	for (line = *rest; line && *line; line = *end ? end + 1 : end) {
		char *one;
		int n;

		end = line + strcspn(line, "\n");
		one = text("%.*s", (int)(end - line), line);
		strcpy(misses, "-");
		n = sscanf(one, format, found, hits, misses);
		free(one);
		if (n >= 2 && strcmp(found, name) == 0) {
			*rest = end;
			return true;
		}
	}
	return false;
}

static char *event_file(const struct probe *probe, const char *file)
{
	char *content = tracefs_event_file_read(NULL, probe->group, probe->name, file, NULL);

	if (content)
		content[strcspn(content, "\n")] = '\0';
	return content;
}

static void list_extra(const struct probe *probe)
{
	char *filter = event_file(probe, "filter");
	char *triggers = tracefs_event_file_read(NULL, probe->group, probe->name, "trigger", NULL);
	char *rest = triggers, *line;

	if (filter && strcmp(filter, "none") != 0)
		printf("    filter: %s\n", filter);
	while (rest && (line = strsep(&rest, "\n"))) {
		if (*line && *line != '#')
			printf("    trigger: %s\n", line);
	}
	free(filter);
	free(triggers);
}

static int list_one(const struct probe *probe, void *context)
{
	struct profile *profile = context;
	char hits[32] = "-", misses[32] = "-";
	char *whole = text("%s/%s", probe->group, probe->name);
	char *enabled = event_file(probe, "enable");
	bool found = false;

	/* uprobes and kprobes are both p and r; the place of a uprobe is a file with a slash */
	if (strchr("pr", probe->definition[0])) {
		const char *place = strchr(probe->definition, ' ');

		if (place && memchr(place + 1, '/', strcspn(place + 1, " ")))
			found = next_profile(&profile->uprobes_rest, " %*s %255s %31s", probe->name,
					     hits, misses);
		else
			found = next_profile(&profile->kprobes_rest, " %255s %31s %31s",
					     probe->name, hits, misses);
	}
	if (!found)
		strcpy(hits, "-");
	if (!profile->head)
		printf("%-28s %-3s %10s %10s  %s\n", "PROBE", "ON", "HITS", "MISSES", "DEFINITION");
	profile->head = true;
	printf("%-28s %-3s %10s %10s  %s\n", whole, enabled && enabled[0] == '1' ? "yes" : "no",
	       hits, misses, probe->definition);
	list_extra(probe);
	free(enabled);
	free(whole);
	return 0;
}

static int cmd_list_probes(char **words)
{
	struct profile profile = {
		.kprobes = tracefs_instance_file_read(NULL, "kprobe_profile", NULL),
		.uprobes = tracefs_instance_file_read(NULL, "uprobe_profile", NULL),
	};

	(void)words;
	profile.kprobes_rest = profile.kprobes;
	profile.uprobes_rest = profile.uprobes;
	for_each(list_one, &profile);
	free(profile.kprobes);
	free(profile.uprobes);
	return EXIT_SUCCESS;
}

/* NAME, GROUP/NAME, GROUP:NAME, also with wildcards where several are meant. */
struct wanted {
	const char *name;
	bool all;
	bool patterns;
	struct probe *probes;
	size_t n;
};

static bool is_named(const struct wanted *wanted, const struct probe *probe)
{
	size_t group = wanted->all ? 0 : strcspn(wanted->name, "/:");
	const char *name;
	char *pattern;
	bool match;

	if (wanted->all) /* those of a tracer that runs end with it */
		return strncmp(probe->group, "uetrace_", strlen("uetrace_")) != 0;
	pattern = text("%.*s", wanted->name[group] ? (int)group : 0, wanted->name);
	name = wanted->name[group] ? wanted->name + group + 1 : wanted->name;
	if (wanted->patterns)
		match = fnmatch(*pattern ? pattern : "*", probe->group, 0) == 0 &&
			fnmatch(name, probe->name, 0) == 0;
	else
		match = (!*pattern || strcmp(pattern, probe->group) == 0) &&
			strcmp(name, probe->name) == 0;
	free(pattern);
	return match;
}

static int find_one(const struct probe *probe, void *context)
{
	struct wanted *wanted = context;

	if (!is_named(wanted, probe))
		return 0;
	if (!(wanted->n & (wanted->n - 1)))
		wanted->probes = doubled(wanted->probes, wanted->n, sizeof(*wanted->probes));
	wanted->probes[wanted->n++] = (struct probe){ .group = text("%s", probe->group),
						      .name = text("%s", probe->name) };
	return 0;
}

static void find_all(struct wanted *wanted)
{
	for_each(find_one, wanted);
	if (!wanted->n && !wanted->all)
		die("there is no probe %s; 'uetrace probe list' shows what there is", wanted->name);
	if (wanted->n > 1 && !wanted->all && !wanted->patterns)
		die("there are several probes %s: say %s/%s or %s/%s", wanted->name,
		    wanted->probes[0].group, wanted->probes[0].name, wanted->probes[1].group,
		    wanted->probes[1].name);
}

static struct probe find(const char *name)
{
	struct wanted wanted = { .name = name };
	struct probe probe;

	find_all(&wanted);
	probe = wanted.probes[0];
	free(wanted.probes);
	return probe;
}

static int write_quietly(const struct probe *probe, const char *file, const char *value)
{
	char *path = tracefs_event_get_file(NULL, probe->group, probe->name, file);
	int fd = open(path, O_WRONLY | O_CLOEXEC), error = 0;

	if (fd < 0 || write(fd, value, strlen(value)) < 0)
		error = -errno;
	if (fd >= 0)
		close(fd);
	tracefs_put_tracing_file(path);
	return error;
}

/* Writes to one of the probe's files; what the user typed is shown if it is refused. */
static void write_file(const struct probe *probe, const char *file, const char *value)
{
	int error = write_quietly(probe, file, value);

	if (!error)
		return;
	permission(error);
	die("the kernel refuses this %s\n%s", file, explain(value, value, error));
}

static int set_enabled(char **words, const char *value)
{
	for (; *words; words++) {
		struct probe probe = find(*words);

		write_file(&probe, "enable", value);
		probe_free(&probe);
	}
	return EXIT_SUCCESS;
}

static int cmd_enable(char **words)
{
	return set_enabled(words, "1");
}

static int cmd_disable(char **words)
{
	return set_enabled(words, "0");
}

static void show(const struct probe *probe, const char *file)
{
	char *content = tracefs_event_file_read(NULL, probe->group, probe->name, file, NULL);

	if (content)
		fputs(content, stdout);
	free(content);
}

/* A filter that is refused takes the one before with it, so that one is put back. */
static void set_filter(const struct probe *probe, const char *filter)
{
	char *before = event_file(probe, "filter"), *why;
	int error = write_quietly(probe, "filter", filter);

	if (error) {
		permission(error);
		why = explain(filter, filter, error);
		write_quietly(probe, "filter", before && strcmp(before, "none") ? before : "0");
		die("the kernel refuses this filter\n%s", why);
	}
	free(before);
}

static int cmd_filter(char **words)
{
	struct probe probe = find(words[0]);

	if (words[1])
		set_filter(&probe, *words[1] ? words[1] : "0");
	else
		show(&probe, "filter");
	probe_free(&probe);
	return EXIT_SUCCESS;
}

static int cmd_trigger(char **words)
{
	struct probe probe = find(words[0]);

	if (words[1]) {
		write_file(&probe, "trigger", words[1]);
	} else {
		show(&probe, "trigger");
		show(&probe, "hist");
	}
	probe_free(&probe);
	return EXIT_SUCCESS;
}

static int cmd_format(char **words)
{
	struct probe probe = find(words[0]);

	show(&probe, "format");
	probe_free(&probe);
	return EXIT_SUCCESS;
}

/* "TRIGGER [active]" a line; with one of them, a probe is in use. */
static void clear_triggers(const struct probe *probe)
{
	char *lines = tracefs_event_file_read(NULL, probe->group, probe->name, "trigger", NULL);
	char *rest = lines, *line, *clear;

	while (rest && (line = strsep(&rest, "\n"))) {
		if (!*line || *line == '#')
			continue;
		line[strcspn(line, "[")] = '\0';
		clear = text("!%s", line);
		write_quietly(probe, "trigger", clear);
		free(clear);
	}
	free(lines);
}

/* Returns NULL, or why not. */
static char *remove_probe(const struct probe *probe, const char *named)
{
	char *enabled = event_file(probe, "enable"), **elsewhere = NULL, *why = NULL;
	int error;

	instances_using(probe->group, probe->name, &elsewhere);
	if (elsewhere) {
		why = text("the probe %s is in use by the trace instance %s", named, elsewhere[0]);
		list_free(elsewhere);
		free(enabled);
		return why;
	}
	write_file(probe, "enable", "0");
	clear_triggers(probe);
	error = remove_one(probe);
	if (error && enabled && enabled[0] == '1')
		write_quietly(probe, "enable", "1");
	free(enabled);
	if (error == -EBUSY) /* perf's, of which the kernel does not tell */
		return text("the probe %s is in use", named);
	permission(error);
	if (error)
		why = text("cannot remove the probe %s: %s", named, strerror(-error));
	return why;
}

/* Event probes are on others, which they keep: the later ones first. */
static int remove_all(const struct wanted *wanted)
{
	int status = EXIT_SUCCESS;
	size_t i;

	for (i = wanted->n; i-- > 0;) {
		const struct probe *probe = &wanted->probes[i];
		char *whole = text("%s/%s", probe->group, probe->name);
		char *why = remove_probe(probe, wanted->n > 1 ? whole : wanted->name);

		if (why) {
			warning("%s", why);
			status = EXIT_FAILURE;
		}
		free(why);
		free(whole);
		probe_free(&wanted->probes[i]);
	}
	free(wanted->probes);
	return status;
}

static int cmd_remove(char **words)
{
	int status = EXIT_SUCCESS;

	for (; *words; words++) {
		struct wanted wanted = { .name = *words,
					 .all = strcmp(*words, "--all") == 0,
					 .patterns = strpbrk(*words, "*?[") };

		find_all(&wanted);
		if (remove_all(&wanted) != EXIT_SUCCESS)
			status = EXIT_FAILURE;
	}
	return status;
}

int cmd_probe(char **words)
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
