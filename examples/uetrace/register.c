/* SPDX-License-Identifier: MIT */
/* register, with and delete: events by hand. */
#include "binary.h"
#include "systems.h"
#include "uetrace.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <tracefs.h>
#include <unistd.h>

#include <user_events.h>

/* What a binary declares instead of its path. */
static char **specs_of(char **given)
{
	char **specs = NULL, **files = NULL;
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
		error = notes_read(*given, &specs, &files);
		if (error == -ENOEXEC)
			die("%s is not an ELF binary", *given);
		if (error)
			die("cannot read %s: %s", *given, strerror(-error));
		if (!specs)
			die("%s declares no events" REGISTERED_LATER, *given);
	}
	list_free(files);
	return specs;
}

/* Registers them until the process ends, the kernel then unregisters those that are not persistent. */
static char **register_events(char **given, unsigned int flags)
{
	char **specs = specs_of(given);
	struct ue_event *events;
	struct ue_status status;
	size_t n = 0, i;
	int error;

	while (specs[n])
		n++;
	events = allocate(n * sizeof(*events)); /* for good: the kernel writes to it */
	for (i = 0; i < n; i++) {
		error = ue_event_register(&events[i], specs[i], flags);
		if (!error)
			continue;
		status = ue_status();
		die("%s", status.message[0] ? status.message : ue_strerror(error));
	}
	return specs;
}

/* Blocks the signals that sigwait() is to get. */
static sigset_t block_signals(sigset_t *old)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGQUIT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, old);
	return set;
}

int cmd_register(struct options *o)
{
	char **spec = register_events(o->words, o->persist ? UE_PERSIST : 0);
	sigset_t set;
	int number;

	if (o->persist)
		return EXIT_SUCCESS;
	set = block_signals(NULL);
	for (; *spec; spec++)
		printf("registered %.*s\n", (int)strcspn(*spec, " "), *spec);
	fflush(stdout);
	warning("waiting: the events stay until Ctrl-C, with --persist until 'uetrace delete'");
	do {
		sigwait(&set, &number);
	} while (number == SIGCHLD);
	return EXIT_SUCCESS;
}

/* perf names all causes that it knows of; this is the one that holds. */
static void tell_paranoid(const char *recorder)
{
	const unsigned long long may = 1ull << 38 | 1ull << 21; /* CAP_PERFMON, CAP_SYS_ADMIN */
	char *level = read_text("/proc/sys/kernel/perf_event_paranoid");
	char *status = read_text("/proc/self/status");
	const char *capabilities = status ? strstr(status, "\nCapEff:") : NULL;

	if (strcmp(basename(recorder), "perf") == 0 && level && atoi(level) > -1 && capabilities &&
	    !(strtoull(capabilities + strlen("\nCapEff:"), NULL, 16) & may))
		warning("perf_event_paranoid is %d: perf records events as root or with CAP_PERFMON only; "
			"sysctl kernel.perf_event_paranoid=-1 lets all users",
			atoi(level));
	free(level);
	free(status);
}

int cmd_with(struct options *o)
{
	char **command = o->words;
	int status, number, error;
	sigset_t set, old;
	pid_t recorder;

	while (*command && strcmp(*command, "--") != 0)
		command++;
	if (command == o->words || !*command || !command[1])
		die_usage("usage: uetrace with {'SPEC' | ./PROGRAM}... -- COMMAND [ARG...]");
	*command++ = NULL;
	register_events(o->words, 0);

	set = block_signals(&old);
	signal(SIGCHLD, SIG_DFL); /* inherited as ignored, it would not report the command's end */
	fflush(NULL);
	recorder = fork();
	if (recorder < 0)
		die("cannot fork: %s", strerror(errno));
	if (recorder == 0) {
		sigprocmask(SIG_SETMASK, &old, NULL);
		execvp(*command, command);
		error = errno;
		warning("cannot run %s: %s", *command, strerror(error));
		_exit(error == ENOENT ? 127 : 126);
	}
	do {
		sigwait(&set, &number);
		if (number == SIGTERM || number == SIGHUP)
			kill(recorder, number);
		/* SIGINT and SIGQUIT of a terminal reach the command, too, which decides */
	} while (number != SIGCHLD || waitpid(recorder, &status, WNOHANG) != recorder);
	if (status)
		tell_paranoid(*command);
	return exit_as(status);
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
	char *line = definition ? text("-:user_events/%s", definition) : NULL;
	int error = line ? probe_define(line) : -ENOENT;

	free(definition);
	free(line);
	return error;
}

static bool is_format(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && dot[1] && !dot[1 + strspn(dot + 1, "0123456789abcdefABCDEF")];
}

int cmd_delete(struct options *o)
{
	char **names;
	int error;

	instance_find(true);
	instance_clean();
	for (names = o->words; *names; names++) {
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
