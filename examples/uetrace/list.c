/* SPDX-License-Identifier: MIT */
/* list: the events of the system, or of a binary. */
#include "uetrace.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <tracefs.h>

/* "name type field; type field" as "name  type field, type field" */
static void list_spec(const char *spec)
{
	size_t name = strcspn(spec, " ");

	printf("%.*s\n", (int)name, spec);
	for (spec += name; *spec;) {
		size_t n;

		spec += strspn(spec, "; ");
		n = strcspn(spec, ";");
		if (n)
			printf("    %.*s\n", (int)n, spec);
		spec += n;
	}
}

static int list_binary(const char *path)
{
	char **specs = NULL, **p;
	int error = notes_read(path, true, &specs);

	if (error == -ENOEXEC)
		die("%s is not an ELF binary", path);
	if (error)
		die("cannot read %s: %s", path, strerror(-error));
	if (!specs)
		die("%s declares no events", path);
	for (p = specs; *p; p++)
		list_spec(*p);
	list_free(specs);
	return EXIT_SUCCESS;
}

/* Which trace instances have it enabled, "" being the main one. */
static void put_instances(const char *system, const char *name)
{
	char *directory = tracefs_get_tracing_file("instances");
	DIR *instances = opendir(directory);
	struct dirent *entry;
	char *path, *state;

	while (instances && (entry = readdir(instances))) {
		if (entry->d_name[0] == '.')
			continue;
		path = text("%s/%s/events/%s/%s/enable", directory, entry->d_name, system, name);
		state = read_text(path);
		if (state && state[0] == '1')
			printf(" (instance %s)", entry->d_name);
		free(state);
		free(path);
	}
	if (instances)
		closedir(instances);
	tracefs_put_tracing_file(directory);
}

/* "name # Used by ftrace perf" of user_events_status, for the event's name. */
static const char *users(const char *status, const char *name, size_t *length)
{
	static const char mark[] = "# Used by ";
	size_t n = strlen(name);
	const char *line;

	for (line = status; line && *line; line = strchr(line, '\n'), line += line ? 1 : 0) {
		const char *end = line + strcspn(line, "\n"), *by;

		if (strncmp(line, name, n) != 0 || (line[n] != '\n' && line[n] != ' ' && line[n]))
			continue;
		by = strstr(line, mark);
		if (!by || by > end)
			break;
		by += strlen(mark);
		*length = (size_t)(end - by);
		return by;
	}
	*length = 0;
	return NULL;
}

/*
 * "	field:unsigned int status;	offset:8;	size:4;	signed:0;"
 * The kernel prints whatever was in memory as the length of a user event's array (6.12 does),
 * so it is told from the size.
 */
static void list_field(const char *field)
{
	size_t n = strcspn(field, ";"), bracket = strcspn(field, "[;");
	const char *size = strstr(field, "size:");

	if (bracket == n || !size)
		printf("    %.*s\n", (int)n, field);
	else if (strncmp(field, "__", 2) == 0)
		printf("    %.*s[]\n", (int)bracket, field);
	else
		printf("    %.*s[%d]\n", (int)bracket, field, atoi(size + strlen("size:")));
}

static void list_fields(const char *format)
{
	static const char mark[] = "\tfield:";
	const char *field = format;

	while ((field = strstr(field, mark))) {
		field += strlen(mark);
		if (!memmem(field, strcspn(field, ";"), " common_", 8))
			list_field(field);
	}
}

static void list_event(const char *system, const char *name, const char *status)
{
	char *format = tracefs_event_file_read(NULL, system, name, "format", NULL);
	const char *by;
	size_t length;

	by = users(status, name, &length);
	if (strcmp(system, "user_events") == 0)
		printf("%s", name);
	else
		printf("%s:%s", system, name);
	if (by) {
		printf("  # listened to by %.*s", (int)length, by);
		put_instances(system, name);
	}
	putchar('\n');
	if (format)
		list_fields(format);
	free(format);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int list_system(const char *system, char **patterns, const char *status)
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
		list_event(system, names[i], status);
		found++;
	}
	tracefs_list_free(names);
	return found;
}

int cmd_list(const char *pattern)
{
	char *patterns[] = { (char *)(uintptr_t)pattern, NULL };
	char *status;
	int found = 0;

	if (pattern && strchr(pattern, '/'))
		return list_binary(pattern);
	instance_find(true);
	status = tracefs_instance_file_read(NULL, "user_events_status", NULL);
	found += list_system("user_events", pattern ? patterns : NULL, status ? status : "");
	found += list_system("user_events_multi", pattern ? patterns : NULL, status ? status : "");
	free(status);
	if (pattern && !found)
		die("no event matches %s", pattern);
	return EXIT_SUCCESS;
}
