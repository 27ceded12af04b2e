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
 * Adds an event from the text of its format file. Returns NULL if the text is malformed or the
 * event ID is already in use.
 */
struct event *formats_add(struct formats *f, const char *system, const char *format);
struct event *formats_find(struct formats *f, unsigned int id);
/* Sets the PID and name of a thread. If name is NULL, copies the name of the parent thread. */
void formats_thread(struct formats *f, pid_t tid, pid_t pid, const char *name, pid_t parent);
/* Marks the recording as using this machine's system call numbers. */
void formats_native(struct formats *f);
/*
 * Adds a binary that was executed. id is its build ID, and id_size the length of the ID, or 0 if
 * the ID is unknown.
 */
void formats_program(struct formats *f, const char *path, const void *id, size_t id_size);
/*
 * Returns the name of a thread, "<idle>" for thread 0, or "<...>" if the name is unknown. If *pid
 * is -1 and the process of the thread is known, sets *pid to its PID.
 */
const char *formats_thread_name(const struct formats *f, pid_t tid, pid_t *pid);

#endif
