/* SPDX-License-Identifier: MIT */
/*
 * Reports processes that run a program with events but have not registered these events. Such a
 * process has no permission to write user_events_data, or it closed all descriptors and dropped
 * root privileges. Only uprobes can record its events.
 */
#include "command/command.h"
#include "binary/binary.h"
#include "event/event.h"
#include "select/select.h"
#include "util/util.h"

#include <ctype.h>
#include <dirent.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIST_MAX 4096 /* maximum number of entries per list */
/*
 * maximum number of reports, because a user could trigger reports endlessly by starting processes
 */
#define REPORTS_MAX 100

static char **read_programs;   /* programs whose notes were read */
static char **chosen_programs; /* programs that declare a selected event */
static char **candidates;      /* processes that were unregistered at the previous check */
static char **reported;	       /* processes that were reported */

/*
 * Reads the notes of a program. Opens the program through the link in /proc, because the path of a
 * program in a container may refer to another file.
 */
static void read_program(const char *program, const char *link, char **patterns)
{
	char **specs = NULL, **spec, *name;
	bool found = false;

	add(&read_programs, program);
	notes_read(link, &specs, NULL);
	for (spec = specs; spec && *spec && !found; spec++) {
		name = text("%.*s", (int)strcspn(*spec, " "), *spec);
		found = event_selected(patterns, USER_SYSTEM, name) != SELECT_NONE;
		free(name);
	}
	if (found)
		add(&chosen_programs, program);
	list_free(specs);
}

/* Returns true if a process has user_events_data open, or if this cannot be determined. */
static bool has_registered(const char *process)
{
	static const char data[] = "/user_events_data";
	char *path = text("/proc/%s/fd", process), target[4096];
	DIR *directory = opendir(path);
	bool found = !directory;
	struct dirent *entry;
	ssize_t n;

	free(path);
	while (!found && (entry = readdir(directory))) {
		n = readlinkat(dirfd(directory), entry->d_name, target, sizeof(target));
		found = n >= (ssize_t)strlen(data) &&
			memcmp(target + n - strlen(data), data, strlen(data)) == 0;
	}
	if (directory)
		closedir(directory);
	return found;
}

static void report(const char *process, const char *program, uid_t uid)
{
	const struct passwd *user = getpwuid(uid);

	add(&reported, process);
	warning("process %s (%s, user %s) has not registered its events: it has no permission "
		"to write user_events_data, or it closed all descriptors and dropped root "
		"privileges; use --usdt to show the events, or call ue_register_all() in the "
		"program after it has closed the descriptors",
		process, program, user ? user->pw_name : "unknown");
}

static void check_process(const char *process, char **patterns)
{
	char *path = text("/proc/%s/exe", process), program[4096] = "";
	struct stat st;

	if (readlink(path, program, sizeof(program) - 1) > 0 && !list_has(read_programs, program))
		read_program(program, path, patterns);
	path[strlen(path) - strlen("/exe")] = '\0';
	if (list_has(chosen_programs, program) && !list_has(reported, process) &&
	    list_length(reported) < REPORTS_MAX && stat(path, &st) == 0 &&
	    !has_registered(process)) {
		/*
		 * report only on the second check, because a new process may be about to register
		 */
		if (list_has(candidates, process))
			report(process, program, st.st_uid);
		else
			add(&candidates, process);
	}
	free(path);
}

static void clear(char ***list)
{
	list_free(*list);
	*list = NULL;
}

void report_unregistered(char **patterns, char **processes)
{
	char **p;

	if (list_length(reported) == REPORTS_MAX)
		return;
	if (list_length(read_programs) > LIST_MAX) {
		clear(&read_programs);
		clear(&chosen_programs);
	}
	if (list_length(candidates) > LIST_MAX)
		clear(&candidates);
	for (p = processes; p && *p; p++) {
		if (isdigit((unsigned char)**p))
			check_process(*p, patterns);
	}
}
