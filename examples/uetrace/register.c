/* SPDX-License-Identifier: MIT */
/* register and delete: events by hand. */
#include "binary.h"
#include "systems.h"
#include "uetrace.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>

#include <user_events.h>

/* What a binary declares instead of its path. */
static char **specs_of(char **given)
{
	char **specs = NULL;
	int error;

	for (; *given; given++) {
		size_t name = strcspn(*given, " ");

		/* no event has a slash in its name */
		if (!memchr(*given, '/', name)) {
			if (binary_here(*given))
				warning("%s is registered as an event without fields; the program "
					"in this directory is ./%s",
					*given, *given);
			add(&specs, *given);
			continue;
		}
		error = notes_read(*given, true, &specs);
		if (error == -ENOEXEC)
			die("%s is not an ELF binary", *given);
		if (error)
			die("cannot read %s: %s", *given, strerror(-error));
		if (!specs)
			die("%s declares no events", *given);
	}
	return specs;
}

int cmd_register(char **given, bool persist)
{
	char **specs = specs_of(given);
	struct ue_event *events;
	struct ue_status status;
	sigset_t set;
	size_t n = 0, i;
	int error, number;

	while (specs[n])
		n++;
	events = allocate(n * sizeof(*events));
	instance_find(true);
	for (i = 0; i < n; i++) {
		error = ue_event_register(&events[i], specs[i], persist ? UE_PERSIST : 0);
		if (!error)
			continue;
		status = ue_status();
		die("%s", status.message[0] ? status.message : ue_strerror(error));
	}
	if (persist)
		return EXIT_SUCCESS; /* the process's end unregisters what need not be freed */

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	for (i = 0; i < n; i++)
		printf("registered %.*s\n", (int)strcspn(specs[i], " "), specs[i]);
	fflush(stdout);
	sigwait(&set, &number);
	ue_unregister_all();
	free(events);
	return EXIT_SUCCESS;
}

/*
 * A field without what one file says and the other does not: of arrays the length, of structs the size.
 * "char[16] comm", "struct point where 8"; "char comm[16]", "struct point where"
 */
static char *plain_field(const char *s, size_t n)
{
	char *plain = allocate(n + 2);
	size_t i, length = 0;
	bool bracket = false;

	for (i = 0; i < n; i++) {
		bracket = s[i] == '[' || (bracket && s[i] != ']');
		if (!bracket && s[i] != ']')
			plain[length++] = s[i];
	}
	while (length && strchr("0123456789", plain[length - 1]) && strncmp(s, "struct ", 7) == 0)
		length--;
	while (length && plain[length - 1] == ' ')
		length--;
	plain[length++] = ';';
	plain[length] = '\0';
	return plain;
}

static void append(char **all, char *more)
{
	char *longer = text("%s%s", *all, more);

	free(*all);
	free(more);
	*all = longer;
}

/* All of "name type field; type field", from behind the name on, or of a format file. */
static char *plain_fields(const char *s, bool format)
{
	char *all = text("%s", "");

	while (format && (s = strstr(s, "\tfield:"))) {
		s += strlen("\tfield:");
		if (!memmem(s, strcspn(s, ";"), " common_", 8))
			append(&all, plain_field(s, strcspn(s, ";")));
	}
	while (!format && *s && *s != '\n') {
		s += strspn(s, " ;");
		if (*s && *s != '\n')
			append(&all, plain_field(s, strcspn(s, ";\n")));
		s += strcspn(s, ";\n");
	}
	return all;
}

/* The format file of NAME.HEX. */
static char *format_of(const char *name)
{
	char **systems = NULL, **p, *format = NULL;

	systems_find(&systems);
	for (p = systems; p && *p && !format; p++)
		format = tracefs_event_file_read(NULL, *p, name, "format", NULL);
	list_free(systems);
	return format;
}

/* The definition "NAME FIELDS" that has the format of NAME.HEX; the kernel takes it for that format. */
static char *definition_of(const char *name)
{
	char *format = format_of(name);
	char *lines = tracefs_instance_file_read(NULL, "dynamic_events", NULL), *rest = lines;
	char *wanted = format ? plain_fields(format, true) : NULL, *line, *found = NULL;
	size_t n = (size_t)(strrchr(name, '.') - name);

	while (wanted && rest && !found && (line = strsep(&rest, "\n"))) {
		char *fields;

		if (strncmp(line, "u:", 2) != 0 || strncmp(line + 2, name, n) != 0 ||
		    (line[2 + n] != ' ' && line[2 + n]))
			continue;
		fields = plain_fields(line + 2 + n, false);
		if (strcmp(fields, wanted) == 0)
			found = text("%s", line + 2);
		free(fields);
	}
	free(format);
	free(lines);
	free(wanted);
	return found;
}

static int delete_format(const char *name)
{
	char *definition = definition_of(name);
	int error = definition ? ue_event_delete(definition) : -ENOENT;

	free(definition);
	return error;
}

static bool is_format(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && dot[1] && !dot[1 + strspn(dot + 1, "0123456789abcdefABCDEF")];
}

int cmd_delete(char **names)
{
	int error;

	instance_find(true);
	instance_clean();
	for (; *names; names++) {
		error = is_format(*names) ? delete_format(*names) : ue_event_delete(*names);
		if (error == -ENOENT)
			die("there is no event %s", *names);
		if (error == -EBUSY)
			die("the event %s is in use; 'uetrace list %.*s' shows by whom", *names,
			    (int)strcspn(*names, "."), *names);
		if (error)
			die("cannot delete %s: %s", *names, ue_strerror(error));
	}
	return EXIT_SUCCESS;
}
