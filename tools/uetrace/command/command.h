/* SPDX-License-Identifier: MIT */
/*
 * Parses the command line and runs the commands.
 *
 *   main.c             command line, with the options of options.h
 *   outputs.c          output format and sinks that the options select
 *   run.c              run and watch; session.h lists the other files of a session
 *   unregistered.c     reports processes that could not register their events
 *   show.c             show
 *   list.c             list
 *   list_file.c        list for files
 *   declared_fields.c  description of one event, for list
 *   register.c         register, with and delete
 *   probe.c            probe
 */
#ifndef UETRACE_COMMAND_H
#define UETRACE_COMMAND_H

#include <stdbool.h>

struct options;

/* Commands. Each function returns the exit status. */
int cmd_run(struct options *o);
int cmd_watch(struct options *o);
int cmd_list(struct options *o);
int cmd_register(struct options *o);
int cmd_with(struct options *o);
int cmd_delete(struct options *o);
int cmd_probe(struct options *o);
int cmd_show(struct options *o);

/* register.c */
/* Reads the event declarations of a file. If the file declares no events, exits with a message. */
void read_declared(const char *path, char ***specs, char ***files);

/* text that follows "declares no events" in messages */
#define REGISTERED_LATER                                                                        \
	". Events that it registers while it runs (ue_event_register(), include/compat) are "   \
	"shown from then on; to show their first occurrences, too: uetrace register --persist " \
	"'SPEC'"

/* list_file.c: lists the events of a file. Returns the exit status. */
int list_file(const char *path, bool json);

/* unregistered.c */
/*
 * Reports processes whose programs declare an event selected by the patterns, but which have not
 * registered their events. processes contains the PIDs to check. A process is reported only if two
 * consecutive calls find it unregistered, because a new process may be about to register. Call this
 * every few seconds.
 */
void report_unregistered(char **patterns, char **processes);

#endif
