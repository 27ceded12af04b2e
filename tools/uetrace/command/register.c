/* SPDX-License-Identifier: MIT */
/* Implements the commands register, with and delete, which register and delete user events. */
#include "command/command.h"
#include "binary/binary.h"
#include "kernel/kernel.h"
#include "command/options.h"
#include "select/select.h"
#include "util/util.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <tracefs.h>
#include <unistd.h>

#include <user_events.h>

void read_declared(const char *path, char ***specs, char ***files)
{
	int error = notes_read(path, specs, files);

	if (error == -ENOEXEC)
		die("cannot read %s: it is not an ELF binary", path);
	if (error)
		die("cannot read %s: %s", path, strerror(-error));
	if (!*specs)
		die("%s declares no events" REGISTERED_LATER, path);
}

/*
 * Returns a list of specs. Replaces each path of a binary with the specs that the binary declares.
 */
static char **specs_of(char **given)
{
	char **specs = NULL, **files = NULL;

	for (; *given; given++) {
		/* a word with a slash is a path, because event names contain no slash */
		if (memchr(*given, '/', strcspn(*given, " "))) {
			read_declared(*given, &specs, &files);
			continue;
		}
		if (binary_here(*given))
			warning("%s is registered as an event without fields; the program "
				"in this directory is ./%s",
				*given, *given);
		add(&specs, *given);
	}
	return specs;
}

/*
 * Registers events until the process exits. Persistent events remain registered. Returns the specs.
 */
static char **register_events(char **given, unsigned int flags)
{
	char **specs = specs_of(given), **spec;
	struct ue_status status;
	char *problem = tracefs_problem();
	int error;

	if (problem)
		die("%s", problem);
	for (spec = specs; *spec; spec++) {
		/* never freed, because the kernel writes to the enable word */
		error = ue_event_register(allocate(sizeof(struct ue_event)), *spec, flags);
		if (!error)
			continue;
		status = ue_status();
		die("%s", status.message[0] ? status.message : ue_strerror(error));
	}
	return specs;
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
	warning("the events stay registered until Ctrl-C; to keep them until 'uetrace delete', "
		"use --persist");
	do {
		sigwait(&set, &number);
	} while (number == SIGCHLD);
	return EXIT_SUCCESS;
}

/*
 * If perf failed because of perf_event_paranoid, prints the value of this setting and how to change
 * it.
 */
static void report_paranoid(const char *recorder)
{
	char *level = read_text("/proc/sys/kernel/perf_event_paranoid");

	if (strcmp(basename(recorder), "perf") == 0 && level && atoi(level) > -1 &&
	    !has_capability(CAP_PERFMON) && !has_capability(CAP_SYS_ADMIN))
		warning("perf records events only as root or with CAP_PERFMON, because "
			"perf_event_paranoid is %d; to permit all users: sysctl "
			"kernel.perf_event_paranoid=-1",
			atoi(level));
	free(level);
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
	/* If SIGCHLD was inherited as ignored, it would not report the exit of the command. */
	signal(SIGCHLD, SIG_DFL);
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
		/*
		 * A terminal also sends SIGINT and SIGQUIT to the command, so let the command
		 * decide whether to exit.
		 */
	} while (number != SIGCHLD || waitpid(recorder, &status, WNOHANG) != recorder);
	if (status)
		report_paranoid(*command);
	return exit_as(status, *command);
}

/*
 * Writes a field without array lengths and struct sizes, because dynamic_events and the format file
 * print these parts differently: "char[16] comm" and "struct point where 8" in dynamic_events,
 * "char comm[16]" and "struct point where" in the format file.
 */
static void put_plain(FILE *out, const char *s)
{
	size_t n = strlen(s);
	bool bracket = false;

	while (n && strchr(strncmp(s, "struct ", 7) == 0 ? " 0123456789" : " ", s[n - 1]))
		n--;
	for (; n; n--, s++) {
		if (*s == '[' || *s == ']')
			bracket = *s == '[';
		else if (!bracket)
			fputc(*s, out);
	}
	fputc(';', out);
}

/*
 * Returns the fields of a definition or format file as written by put_plain(). prefix precedes each
 * field in s. Modifies s.
 */
static char *plain_fields(char *s, const char *prefix)
{
	char *plain, *piece;
	size_t size;
	FILE *out = open_memstream(&plain, &size);

	if (!out)
		die("out of memory");
	while ((piece = strsep(&s, ";\n"))) {
		if (strncmp(piece, prefix, strlen(prefix)) == 0 && !strstr(piece, " common_"))
			put_plain(out, piece + strlen(prefix));
	}
	fclose(out);
	return plain;
}

/* Returns the content of the format file of the event NAME.HEX, or NULL. */
static char *format_of(const char *name)
{
	char **systems = NULL, **p, *format = NULL;

	systems_find(&systems);
	for (p = systems; p && *p && !format; p++)
		format = tracefs_event_file_read(NULL, *p, name, "format", NULL);
	list_free(systems);
	return format;
}

/*
 * Deletes the event NAME.HEX. The kernel requires the definition of the event to be deleted, so
 * this function searches for a definition of NAME with the same fields. Returns 0 or -errno.
 */
static int delete_format(const char *name)
{
	char *format = format_of(name);
	char *lines = tracefs_instance_file_read(NULL, "dynamic_events", NULL), *rest = lines;
	char *wanted = format ? plain_fields(format, "\tfield:") : NULL, *line;
	size_t n = (size_t)(strrchr(name, '.') - name);
	int error = -ENOENT;

	while (wanted && error == -ENOENT && (line = strsep(&rest, "\n"))) {
		char *command, *fields;

		if (strncmp(line, "u:", 2) != 0 || strncmp(line + 2, name, n) != 0 ||
		    (line[2 + n] != ' ' && line[2 + n]))
			continue;
		command = text("-:user_events/%s", line + 2);
		fields = plain_fields(line + 2 + n, " ");
		/* the text before the # may be the definition of another event */
		if (strcmp(fields, wanted) == 0 && strchr(command, '#'))
			die("cannot delete %s alone: the kernel ignores everything after the # in "
			    "its definition",
			    name);
		if (strcmp(fields, wanted) == 0)
			error = probe_define(command);
		free(fields);
		free(command);
	}
	free(format);
	free(lines);
	free(wanted);
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
			die("cannot delete %s: there is no such event", *names);
		if (error == -EBUSY)
			die("cannot delete %s: it is in use; to list its tracers: uetrace list "
			    "%.*s",
			    *names, (int)strcspn(*names, "."), *names);
		if (error)
			die("cannot delete %s: %s", *names, ue_strerror(error));
	}
	return EXIT_SUCCESS;
}
