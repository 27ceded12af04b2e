/* SPDX-License-Identifier: MIT */
/*
 * Processes that run a program with events and have not registered them, since they may not: nobody
 * but uprobes can see these events.
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

#define REMEMBERED_MAX 4096 /* of each list */
#define TOLD_MAX 100	    /* processes: a user's could go on without end */

static char **looked_at;    /* programs, */
static char **wanted;	    /* and those of them that declare events that are asked for */
static char **seen, **told; /* processes */

/* The path may lead to another file here, as of a container's program; the link does not. */
static void look_at(const char *program, const char *link, char **patterns)
{
	char **specs = NULL, **spec, *name;
	bool found = false;

	add(&looked_at, program);
	notes_read(link, &specs, NULL);
	for (spec = specs; spec && *spec && !found; spec++) {
		name = text("%.*s", (int)strcspn(*spec, " "), *spec);
		found = event_selected(patterns, USER_SYSTEM, name) != SELECT_NONE;
		free(name);
	}
	if (found)
		add(&wanted, program);
	list_free(specs);
}

/* Has it opened user_events_data? If that is not known, it counts as if it had. */
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

static void look_at_process(const char *process, char **patterns)
{
	char *path = text("/proc/%s/exe", process), program[4096] = "";
	const struct passwd *user;
	struct stat st;

	if (readlink(path, program, sizeof(program) - 1) > 0 && !list_has(looked_at, program))
		look_at(program, path, patterns);
	path[strlen(path) - strlen("/exe")] = '\0';
	/* one that began just now may be about to register */
	if (list_has(wanted, program) && !list_has(told, process) && list_length(told) < TOLD_MAX &&
	    stat(path, &st) == 0 && !has_registered(process)) {
		if (!list_has(seen, process)) {
			add(&seen, process);
		} else {
			add(&told, process);
			user = getpwuid(st.st_uid);
			warning("process %s (%s) runs %s and has not registered its events, which "
				"takes permission to write user_events_data; --usdt shows them",
				process, user ? user->pw_name : "an unknown user", program);
		}
	}
	free(path);
}

static void forget(char ***list)
{
	list_free(*list);
	*list = NULL;
}

void silent_tell(char **patterns)
{
	char **names, **p;

	if (list_length(told) == TOLD_MAX)
		return;
	if (list_length(looked_at) > REMEMBERED_MAX) {
		forget(&looked_at);
		forget(&wanted);
	}
	if (list_length(seen) > REMEMBERED_MAX)
		forget(&seen);
	names = names_in("/proc");

	for (p = names; p && *p; p++) {
		if (isdigit((unsigned char)**p))
			look_at_process(*p, patterns);
	}
	list_free(names);
}
