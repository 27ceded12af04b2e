/* SPDX-License-Identifier: MIT */
/* list: the events of the system, or of a binary. */
#include "uetrace.h"

#include "fields.h"
#include "parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <tracefs.h>

#include <user_events_decode.h>

#define FIELDS_MAX 256 /* of an event, that are shown */

/* What there is to tell about an event. */
struct listed {
	const char *system;
	const char *name;
	char **types;
	char **fields; /* their names */
	char **listeners;
	char **instances; /* where it is enabled, the main one left out */
};

static void listed_free(struct listed *listed)
{
	list_free(listed->types);
	list_free(listed->fields);
	list_free(listed->listeners);
	list_free(listed->instances);
}

/* Fields */

static void add_field(struct listed *listed, char *type, const char *name, size_t length)
{
	char *copy = text("%.*s", (int)length, name);

	add(&listed->types, type);
	add(&listed->fields, copy);
	free(copy);
	free(type);
}

/* "name type field; type field", from behind the name on */
static void add_specified(struct listed *listed, const char *spec)
{
	for (; *spec; spec += *spec == ';') {
		struct ue__field_words f;
		size_t length;

		spec = ue__split_field(spec, &f);
		if (f.name == 0)
			continue;
		length = (size_t)(f.word[f.name - 1] - f.word[0]) + f.length[f.name - 1];
		add_field(listed, text("%.*s", (int)length, f.word[0]), f.word[f.name],
			  f.length[f.name]);
	}
}

/*
 * "	field:char comm[16];	offset:8;	size:16;	signed:0;": the kernel prints whatever
 * was in memory as the length of a user event's array there (6.12 does), so the size tells it.
 */
static void add_formatted(struct listed *listed, const char *file)
{
	struct ue_decode_field fields[FIELDS_MAX], *f;
	struct ue_decode_format format = { .fields = fields, .fields_max = FIELDS_MAX };

	ue_decode_format_parse(&format, file, strlen(file));
	for (f = fields; f < fields + format.field_count && f < fields + FIELDS_MAX; f++) {
		const char *type = f->name, *end, *bracket;
		char *array;

		/* of the kernel's own, neither what all have nor what only fills gaps */
		if (f->common || strncmp(f->name, "__pad_", 6) == 0)
			continue;
		while (type[-1] != ':')
			type--;
		bracket = memchr(type, '[', strcspn(type, ";"));
		end = bracket && bracket < f->name ? bracket : f->name;
		while (end > type && end[-1] == ' ')
			end--;
		array = !bracket ? text("%s", "") : f->loc ? text("[]") : text("[%u]", f->size);
		add_field(listed, text("%.*s%s", (int)(end - type), type, array), f->name,
			  f->name_length);
		free(array);
	}
}

/* Listeners */

/* "name # Used by ftrace perf" of user_events_status. */
static void add_listeners(struct listed *listed, const char *status)
{
	static const char mark[] = "# Used by ";
	const char *name = listed->name;
	size_t n = strlen(name);
	const char *line;

	for (line = status; line && *line; line = strchr(line, '\n'), line += line ? 1 : 0) {
		const char *end = line + strcspn(line, "\n"), *by;

		if (strncmp(line, name, n) != 0 || (line[n] != '\n' && line[n] != ' ' && line[n]))
			continue;
		by = strstr(line, mark);
		if (!by || by > end)
			break;
		for (by += strlen(mark); by < end; by += strcspn(by, " \n") + (by < end)) {
			char *one = text("%.*s", (int)strcspn(by, " \n"), by);

			add(&listed->listeners, one);
			free(one);
		}
		break;
	}
}

/* What stands in the name of an event set; all its events have the same seven fields. */
struct set {
	struct ue_decode_event event; /* provider and group */
	unsigned long long keyword;
	unsigned int level;
};

static bool is_set(const struct listed *listed, struct set *set)
{
	if (!listed->fields || strcmp(listed->fields[0], "eventheader_flags") != 0 ||
	    !set_name(listed->name, &set->level, &set->keyword))
		return false;
	ue_decode_parse(&set->event, listed->name, strlen(listed->name), NULL, 0);
	return true;
}

/* Text */

static bool put_set(const struct listed *listed)
{
	static const char *const levels[] = { "",	    " (critical)",    " (error)",
					      " (warning)", " (information)", " (verbose)" };
	struct set set;

	if (!is_set(listed, &set))
		return false;
	fputs("    events of provider ", stdout);
	put_clean(stdout, set.event.provider, set.event.provider_length);
	printf(", level %u%s, keyword 0x%llx", set.level,
	       set.level < ARRAY_SIZE(levels) ? levels[set.level] : "", set.keyword);
	if (set.event.group_length) {
		fputs(", group ", stdout);
		put_clean(stdout, set.event.group, set.event.group_length);
	}
	putchar('\n');
	return true;
}

static void put_listed(const struct listed *listed)
{
	char **p, **type;

	if (strcmp(listed->system, "user_events") != 0)
		printf("%s:", listed->system);
	put_clean(stdout, listed->name, strlen(listed->name));
	for (p = listed->listeners; p && *p; p++)
		printf("%s%s", p == listed->listeners ? "  # listened to by " : " ", *p);
	for (p = listed->instances; p && *p; p++)
		printf(" (instance %s)", *p);
	putchar('\n');
	if (put_set(listed))
		return;
	for (p = listed->fields, type = listed->types; p && *p; p++, type++) {
		fputs("    ", stdout);
		put_clean(stdout, *type, strlen(*type));
		putchar(' ');
		put_clean(stdout, *p, strlen(*p));
		putchar('\n');
	}
}

/* JSON */

static void put_string(const char *s, size_t n)
{
	struct ue_decode_item item = {
		.value = (const uint8_t *)s,
		.size = n,
		.type = UE_DECODE_VALUE,
		.kind = UE_DECODE_KIND_STRING8,
	};
	size_t length = ue_decode_value(&item, UE_DECODE_JSON, NULL, 0);
	char *quoted = allocate(length + 1);

	ue_decode_value(&item, UE_DECODE_JSON, quoted, length + 1);
	fputs(quoted, stdout);
	free(quoted);
}

static void put_member(const char *name, const char *s, size_t n)
{
	printf(", \"%s\": ", name);
	put_string(s, n);
}

static void put_strings(const char *name, char **list)
{
	char **p;

	printf(", \"%s\": [", name);
	for (p = list; p && *p; p++) {
		fputs(p == list ? " " : ", ", stdout);
		put_string(*p, strlen(*p));
	}
	fputs(" ]", stdout);
}

static void put_set_members(const struct listed *listed)
{
	struct set set;

	if (!is_set(listed, &set))
		return;
	put_member("provider", set.event.provider, set.event.provider_length);
	printf(", \"level\": %u, \"keyword\": \"0x%llX\"", set.level, set.keyword);
	if (set.event.group_length)
		put_member("group", set.event.group, set.event.group_length);
}

static void put_listed_json(const struct listed *listed, bool registered)
{
	char **p, **type;

	fputs("{ \"system\": ", stdout);
	put_string(listed->system, strlen(listed->system));
	put_member("name", listed->name, strlen(listed->name));
	put_set_members(listed);
	fputs(", \"fields\": [", stdout);
	for (p = listed->fields, type = listed->types; p && *p; p++, type++) {
		fputs(p == listed->fields ? " { \"type\": " : ", { \"type\": ", stdout);
		put_string(*type, strlen(*type));
		put_member("name", *p, strlen(*p));
		fputs(" }", stdout);
	}
	fputs(" ]", stdout);
	if (registered) {
		put_strings("listeners", listed->listeners);
		put_strings("instances", listed->instances);
	}
	puts(" }");
}

/* Events */

static void list_spec(const char *system, const char *spec, bool json)
{
	char *name = text("%.*s", (int)strcspn(spec, " "), spec);
	struct listed listed = { .system = system, .name = name };

	add_specified(&listed, spec + strlen(name));
	if (json)
		put_listed_json(&listed, false);
	else
		put_listed(&listed);
	listed_free(&listed);
	free(name);
}

static int list_binary(const char *path, bool json)
{
	char **specs = NULL, **providers = NULL, **probes = NULL, **p, **provider;
	int error = notes_read(path, true, &specs);

	if (error == -ENOEXEC)
		die("%s is not an ELF binary", path);
	if (error)
		die("cannot read %s: %s", path, strerror(-error));
	usdt_list(path, &providers, &probes);
	if (!specs && !probes)
		die("%s declares no events", path);
	for (p = specs; p && *p; p++)
		list_spec("user_events", *p, json);
	for (p = probes, provider = providers; p && *p; p++, provider++) {
		char *system = text("usdt:%s", *provider);

		list_spec(system, *p, json);
		free(system);
	}
	list_free(specs);
	list_free(probes);
	list_free(providers);
	return EXIT_SUCCESS;
}

/* What running programs declare, where the kernel does not know of it. */
static int list_running(char **patterns, bool json)
{
	char **specs = NULL, **p, *name;
	int found = 0;

	usdt_running(&specs);
	for (p = specs; p && *p; p++) {
		name = text("%.*s", (int)strcspn(*p, " "), *p);
		if (event_matches(patterns, "user_events", name)) {
			list_spec("user_events", *p, json);
			found++;
		}
		free(name);
	}
	list_free(specs);
	return found;
}

static void list_event(const char *system, const char *name, const char *status, bool json)
{
	char *format = tracefs_event_file_read(NULL, system, name, "format", NULL);
	struct listed listed = { .system = system, .name = name };

	if (format)
		add_formatted(&listed, format);
	add_listeners(&listed, status);
	if (listed.listeners)
		instances_using(system, name, &listed.instances);
	if (json)
		put_listed_json(&listed, true);
	else
		put_listed(&listed);
	listed_free(&listed);
	free(format);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int list_system(const char *system, char **patterns, const char *status, bool json)
{
	char **names = tracefs_system_events(NULL, system);
	int found = 0, n = 0, i;

	while (names && names[n])
		n++;
	if (n)
		qsort(names, (size_t)n, sizeof(*names), by_name);
	for (i = 0; i < n; i++) {
		if (!event_matches(patterns, system, names[i]))
			continue;
		list_event(system, names[i], status, json);
		found++;
	}
	tracefs_list_free(names);
	return found;
}

static bool is_user(const char *system)
{
	return strcmp(system, "user_events") == 0 || strcmp(system, "user_events_multi") == 0;
}

/* Of the kernel's own, which patterns with a system name. */
static int list_kernel(char **patterns, bool json)
{
	char **systems = tracefs_event_systems(NULL), **p, **pattern;
	int found = 0;

	for (p = systems; p && *p; p++) {
		bool named = false;

		for (pattern = patterns; pattern && *pattern; pattern++)
			named = named || strchr(*pattern, ':');
		if (named && !is_user(*p))
			found += list_system(*p, patterns, "", json);
	}
	tracefs_list_free(systems);
	return found;
}

static int list_registered(char **patterns, bool json)
{
	static const char *const systems[] = { "user_events", "user_events_multi" };
	char *status = tracefs_instance_file_read(NULL, "user_events_status", NULL);
	int found = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(systems); i++)
		found += list_system(systems[i], patterns, status ? status : "", json);
	free(status);
	return found + list_kernel(patterns, json);
}

int cmd_list(char **given, bool json, bool usdt)
{
	char **patterns = NULL, **p;
	int found = 0;

	for (p = given; p && *p; p++) {
		if (strchr(*p, '/'))
			list_binary(*p, json);
		else
			add(&patterns, *p);
	}
	if (given && !patterns)
		return EXIT_SUCCESS;
	instance_find(false);
	if (usdt || !kernel_has_user_events())
		found = list_running(patterns, json);
	else
		found = list_registered(patterns, json);
	if (patterns && !found)
		die("no event matches %s%s", patterns[0], patterns[1] ? ", nor the others" : "");
	list_free(patterns);
	return EXIT_SUCCESS;
}
