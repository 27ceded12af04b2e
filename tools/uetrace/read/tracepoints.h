/* SPDX-License-Identifier: MIT */
/* tracepoints.c: stores the event formats, thread names and binaries of a recording. */
#ifndef UETRACE_TRACEPOINTS_H
#define UETRACE_TRACEPOINTS_H

#include "event/event.h"

struct formats;

/* Creates an empty set of formats. Takes ownership of the handle. */
struct formats *formats_new(struct tep_handle *tep);
void formats_free(struct formats *f);
void formats_machine(struct formats *f, bool big_endian, int long_size);
/*
 * Adds the event of a format file. Returns NULL if the text is malformed or the ID is already in
 * use.
 */
struct event *formats_add(struct formats *f, const char *system, const char *format);
struct event *formats_find(struct formats *f, unsigned int id);
/*
 * Sets the process and the name of a thread. If name is NULL, the thread inherits the name of the
 * thread parent.
 */
void formats_thread(struct formats *f, pid_t tid, pid_t pid, const char *name, pid_t parent);
/* Notes that the recording uses the system call numbers of this machine. */
void formats_native(struct formats *f);
/*
 * Adds a binary that was executed. id_size is the length of its build ID, or 0 if that is unknown.
 */
void formats_program(struct formats *f, const char *path, const void *id, size_t id_size);
/*
 * Returns the name of a thread, "<idle>" for thread 0, or "<...>" if it is unknown. If *pid is -1
 * and the process is known, sets *pid.
 */
const char *formats_thread_name(const struct formats *f, pid_t tid, pid_t *pid);

#endif
