/* SPDX-License-Identifier: MIT */
/*
 * Determines PIDs in the initial PID namespace.
 *
 * Records contain PIDs of the initial namespace, and the kernel compares set_event_pid with them.
 * In another PID namespace, such as a container, getpid() and /proc use other PIDs, and no file
 * translates between the namespaces. To determine its PID in the initial namespace, a process
 * writes a mark to trace_marker. The record of the mark contains this PID.
 */
#include "kernel/kernel.h"
#include "util/util.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

#define MARK "uetrace_pid_of_"
#define NAME_COLUMNS 16 /* width of the name in "trace", whose lines begin with "%16s-%-7d" */

int pid_mark(struct tracefs_instance *instance)
{
	char *mark = text(MARK "%d\n", getpid());
	int error = instance_write(instance, "trace_marker", mark);

	free(mark);
	return error;
}

pid_t pid_of_mark(struct tracefs_instance *instance, pid_t pid)
{
	char *trace = tracefs_instance_file_read(instance, "trace", NULL), *rest = trace, *line;
	char *mark = text(": " MARK "%d", pid), *found;
	pid_t global = -1;

	while (rest && (line = strsep(&rest, "\n"))) {
		found = strstr(line, mark);
		if (found && !found[strlen(mark)] && line[NAME_COLUMNS] == '-')
			global = atoi(line + NAME_COLUMNS + 1);
	}
	tracefs_instance_file_clear(instance, "trace");
	free(mark);
	free(trace);
	return global > 0 ? global : -1;
}

bool proc_has_global_pids(pid_t global)
{
	char self[32] = ""; /* PID in the namespace in which /proc was mounted */

	return readlink("/proc/self", self, sizeof(self) - 1) > 0 && atoi(self) == global;
}

/*
 * PID that /proc shows for the program of `uetrace run`, or 0 if /proc and records use the same
 * PIDs.
 */
static pid_t program;

void pids_translate(pid_t in_proc)
{
	program = in_proc;
}

/* Returns the PID of a process's parent, or 0 if the parent is unknown. */
static pid_t parent_of(const char *process)
{
	char *path = text("/proc/%s/stat", process), *stat = read_text(path);
	/* the process name, in parentheses, may itself contain parentheses */
	char *end = stat ? strrchr(stat, ')') : NULL;
	pid_t parent = 0;

	if (end && sscanf(end, ") %*c %d", &parent) != 1)
		parent = 0;
	free(stat);
	free(path);
	return parent;
}

/* Writes the thread IDs of a process, one per line. */
static void put_threads(FILE *out, const char *process)
{
	char *path = text("/proc/%s/task", process), **threads = names_in(path), **p;

	for (p = threads; p && *p; p++)
		fprintf(out, "%s\n", *p);
	list_free(threads);
	free(path);
}

char **pids_descendants(pid_t ancestor)
{
	char **processes = names_in("/proc"), **p, **found = NULL, *number;
	size_t n;

	number = text("%d", ancestor);
	add(&found, number);
	free(number);
	do { /* repeat until a pass finds no new process */
		n = list_length(found);
		for (p = processes; p && *p; p++) {
			number = isdigit((unsigned char)**p) && !list_has(found, *p)
					 ? text("%d", parent_of(*p))
					 : NULL;
			if (number && list_has(found, number))
				add(&found, *p);
			free(number);
		}
	} while (list_length(found) > n);
	list_free(processes);
	return found;
}

/* Returns the thread IDs of the program and its descendants, one per line. */
static char *program_threads(void)
{
	char **processes = pids_descendants(program), **p, *lines = NULL;
	size_t size;
	FILE *out = open_memstream(&lines, &size);

	if (!out)
		die("out of memory");
	for (p = processes; *p; p++)
		put_threads(out, *p);
	fclose(out);
	list_free(processes);
	return lines;
}

char *pids_followed(struct tracefs_instance *instance)
{
	return program ? program_threads()
		       : tracefs_instance_file_read(instance, "set_event_pid", NULL);
}
