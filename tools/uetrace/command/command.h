/* SPDX-License-Identifier: MIT */
/*
 * Parses the command line and runs the commands.
 *
 *	main.c			the command line, as options.h has it
 *	outputs.c		the output format and the sinks that the options select
 *	run.c			run and watch; session.h lists the other files of their session
 *	unregistered.c		reports processes that have not registered their events
 *	show.c			show
 *	list.c			list; list_file.c lists files, declared_fields.c one event
 *	register.c		register, with and delete
 *	probe.c			probe
 */
#ifndef UETRACE_COMMAND_H
#define UETRACE_COMMAND_H

#include <stdbool.h>

struct options;

/* Each returns the exit status. */
int cmd_run(struct options *o);
int cmd_watch(struct options *o);
int cmd_list(struct options *o);
int cmd_register(struct options *o);
int cmd_with(struct options *o);
int cmd_delete(struct options *o);
int cmd_probe(struct options *o);
int cmd_show(struct options *o);

/* register.c */
/* Does what notes_read() does, but ends uetrace if there are no events. */
void read_declared(const char *path, char ***specs, char ***files);

/* Follows "declares no events" in a message. */
#define REGISTERED_LATER                                                                        \
	". Events that it registers while it runs (ue_event_register(), include/compat) are "   \
	"shown from then on; to show their first occurrences, too: uetrace register --persist " \
	"'SPEC'"

/* list_file.c: lists the events of a file. Returns the exit status. */
int list_file(const char *path, bool json);

/* unregistered.c */
/*
 * Reports each of these processes, by name in /proc, that declares events which the patterns select
 * and has not registered them since the previous call. Call it every second or every few seconds.
 */
void report_unregistered(char **patterns, char **processes);

#endif
