/* SPDX-License-Identifier: MIT */
/* The tracepoints of a recording, its threads and its programs. */
#ifndef UETRACE_TRACEPOINTS_H
#define UETRACE_TRACEPOINTS_H

#include "event/event.h"

struct formats;

struct formats *formats_new(struct tep_handle *tep); /* owns it */
void formats_free(struct formats *f);
void formats_machine(struct formats *f, bool big_endian, int long_size);
/* Adds the event of a format file. Returns NULL if it is none, or its ID is taken. */
struct event *formats_add(struct formats *f, const char *system, const char *format);
struct event *formats_find(struct formats *f, unsigned int id);
void formats_thread(struct formats *f, pid_t tid, pid_t pid, const char *name, pid_t parent);
/* Says that system calls have the numbers of this machine. */
void formats_native(struct formats *f);
/* Adds a binary that ran. id is its build ID; id_size 0: not known. */
void formats_program(struct formats *f, const char *path, const void *id, size_t id_size);
/* Sets *pid if it is -1 and the thread is known. */
const char *formats_thread_name(const struct formats *f, pid_t tid, pid_t *pid);

#endif
