/* SPDX-License-Identifier: MIT */
/*
 * Controls the tracing of the kernel through tracefs: instances, events, probes and ring buffers.
 *
 *	instance.c	the trace instance of this uetrace
 *	pids.c		PIDs of the initial PID namespace
 *	permission.c	what to do if tracefs denies access
 *	probes.c	kprobes, uprobes and eprobes in dynamic_events
 *	caret.c		messages of the kernel's error_log, under the text that the user typed
 *	events.c	finds events and enables them
 *	reader.c	the ring buffers, merged by time
 */
#ifndef UETRACE_KERNEL_H
#define UETRACE_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct choice;
struct event;
struct events;
struct note_field;
struct reader;
struct record;
struct tracefs_instance;

/* instance.c */
/*
 * Mounts tracefs if it is not mounted, for this process and its children only. Returns NULL, or a
 * message if it is not mounted and cannot be, which the caller frees.
 */
char *tracefs_problem(void);
/* Returns NULL, or a message if tracefs is not mounted or not readable. The caller frees it. */
char *instance_problem(void);
/* Returns whether uetrace mounted tracefs. Programs that ran before could not use it. */
bool instance_mounted(void);
/* Ends uetrace if instance_problem() has a message, or if user_events is set and missing. */
void instance_find(bool user_events);
void instance_clean(void);
struct tracefs_instance *instance_create(void);
/* Returns the PID of this process in records. Call it after instance_create(). */
pid_t instance_owner(void);
void instance_end(void);
const char *instance_group(void);
/* The group of the uprobes of usdt/. */
const char *usdt_group(void);
bool kernel_has_user_events(void);
/* Returns the names in a directory of tracefs. The caller frees the list. */
char **tracing_names(const char *directory);
/* Adds the trace instances that have the event enabled to *list. */
void instances_using(const char *system, const char *name, char ***list);
int instance_write(struct tracefs_instance *instance, const char *file, const char *value);

/* pids.c */
/* Writes a mark to the instance, which contains no events yet. Returns 0 or -errno. */
int pid_mark(struct tracefs_instance *instance);
/*
 * Returns the PID, in the initial PID namespace, of the process that wrote the mark, which calls
 * itself pid; -1 if there is no mark. Clears the instance.
 */
pid_t pid_of_mark(struct tracefs_instance *instance, pid_t pid);
/* Returns whether /proc has the PIDs of records. global: the PID of this process in records. */
bool proc_has_global_pids(pid_t global);
/* The program of run has this PID in /proc, which has other PIDs than records. */
void pids_translate(pid_t in_proc);
/* Returns the names in /proc of a process and its descendants. */
char **pids_descendants(pid_t ancestor);
/* Returns the followed threads as /proc numbers them, one a line. The caller frees the text. */
char *pids_followed(struct tracefs_instance *instance);

/* permission.c */
/* Returns whether this process has a capability, CAP_..., in its user namespace. */
bool has_capability(unsigned int capability);
/* Returns what to do after tracefs failed with this -errno: a clause for the end of a message. */
const char *permission_remedy(int error);

/* probes.c */
struct probe {
	char *group;
	char *name;
	char *whole;	  /* GROUP/NAME */
	char *definition; /* the line of dynamic_events */
};

struct probes {
	struct probe *list;
	size_t n;
};

/* Writes a line to dynamic_events. Returns 0 or -errno; the kernel's error_log has the reason. */
int probe_define(const char *line);
/*
 * Defines a probe that the user typed. Replaces a symbol of a file by its offset. Ends uetrace if
 * the kernel rejects the probe.
 */
void probe_add(const char *typed);
/* Defines the probes of --probe in this group. */
void probes_add(char **definitions, const char *group);
/* Returns the group that the user typed for a probe of --probe; "probe" if there was none. */
const char *probe_group(const char *name);
/*
 * Reads the probes "p:GROUP/NAME ...", "r8:GROUP/NAME ..." whose GROUP/NAME matches, the oldest
 * first. Their memory is never freed.
 */
struct probes probes_read(const char *pattern);
/* Removes the probe. Returns 0 or -errno. */
int probe_remove(const struct probe *probe);
/* Removes all probes of a group. */
void probes_remove(const char *group);
/* Ends uetrace if the error means a missing permission or a kernel without probes. */
void probe_permission(int error);
/* Ends uetrace with the kernel's message and caret, or with that of the error. */
void probe_rejected(const char *what, const char *command, const char *typed, int error)
	__attribute__((noreturn));

/* caret.c */
/*
 * Formats an entry of the kernel's error_log as
 *
 *	  typed words
 *	        ^
 *	reason
 *
 * log is the last entry of the file, command the text that the kernel got, typed the text of the
 * user. Returns NULL if the entry is about another command. The caller frees the result.
 */
char *caret(const char *log, const char *command, const char *typed);

/* events.c */

/* Adds the systems of user events in tracefs to a list, each once. */
void systems_find(char ***list);

struct events_settings {
	const struct choice *choice;
	bool user_events; /* false: uprobes record the user events */
	bool probes;	  /* includes the probes of --probe */
};

struct events *events_new(struct tracefs_instance *instance,
			  const struct events_settings *settings);
/* Enables new events that match. Returns their number. */
int events_scan(struct events *events);
/* Returns whether events_scan() may find more events later. */
bool events_may_appear(const struct events *events);
/* Returns whether an event matched the patterns. */
bool events_matched(const struct events *events);
/*
 * Adds an event whose records are converted from those of uprobes. types are those that its site
 * declares, or NULL. chosen says that the user named its probe. *fresh becomes true if the event
 * is new.
 */
struct event *events_add(struct events *events, const char *system, const char *name,
			 const char *format, const struct note_field *types, bool chosen,
			 bool *fresh);
/* Prints records of an event of events_add() that begin with this ID with its TP_printk text. */
void events_print_as(struct events *events, struct event *event, unsigned int id);
/* Sets the filter of a uprobe of the event and enables the uprobe. */
void events_enable_uprobe(struct events *events, struct event *event, const char *group,
			  const char *uprobe, unsigned int id);
struct event *events_by_id(const struct events *events, unsigned int id);
size_t events_list(const struct events *events, struct event ***list);
/* Returns whether to show a record. chosen: the user named the probe, so any name matches. */
bool events_accepts(struct events *events, const struct event *event, const struct record *record,
		    bool chosen);
/* Ends uetrace if the kernel rejected the filter for all events. Later it is only a warning. */
void events_check_filter(struct events *events);
/* Reports that no event had the fields of the filter. Returns whether that is so. */
bool events_report_filter(const struct events *events);

/* reader.c */

/* Handles a record. Returns whether it can handle another one. */
typedef bool (*record_fn)(void *context, const struct record *record);

struct reader *reader_new(struct tracefs_instance *instance);
/* Closes the buffers. Call it before instance_end(). */
void reader_close(struct reader *reader);
/*
 * Waits until a buffer is half full or fd is readable. Ignores the buffers if 256 MiB are queued.
 * Returns whether a buffer is half full.
 */
bool reader_wait(const struct reader *reader, int fd, int milliseconds);
/* Reads the kernel's buffers into the queue. Returns whether they contained records. */
bool reader_fill(struct reader *reader);
/*
 * Calls fn for the queued records up to a time, in order, until fn returns false. Returns whether
 * fn can handle more.
 */
bool reader_drain(struct reader *reader, uint64_t until, record_fn fn, void *context);
/* Returns the number of queued bytes, up to 256 MiB. */
size_t reader_queued(const struct reader *reader);
/* Measures the offset of the clocks again. Call it after the time of day has been set. */
void reader_take_clock(struct reader *reader);
/*
 * Returns CLOCK_REALTIME - CLOCK_MONOTONIC in ns at a time, which is not before that of an earlier
 * call.
 */
int64_t reader_realtime_offset(struct reader *reader, uint64_t time);
/* Returns the number of events that the kernel overwrote or dropped. */
uint64_t reader_lost(struct reader *reader);

#endif
