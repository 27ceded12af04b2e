/* SPDX-License-Identifier: MIT */
/*
 * Controls kernel tracing through tracefs: instances, events, probes and ring buffers.
 *
 *   instance.c    trace instance of this uetrace process
 *   pids.c        PIDs of the initial PID namespace
 *   permission.c  remedies if tracefs denies access
 *   probes.c      kprobes, uprobes and eprobes in dynamic_events
 *   caret.c       error_log messages, shown below the user's text
 *   events.c      finding and enabling events
 *   reader.c      ring buffers, merged by time
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
 * If tracefs is not mounted, mounts it for this process and its children. Returns NULL on success,
 * or a message that the caller frees.
 */
char *tracefs_problem(void);
/*
 * Returns NULL if tracefs is mounted and readable. Otherwise returns a message that the caller
 * frees.
 */
char *instance_problem(void);
/*
 * Returns true if uetrace mounted tracefs, so that programs that were already running could not
 * register events.
 */
bool instance_mounted(void);
/*
 * Exits with a message if tracefs is not usable, or if user_events is true and the kernel lacks
 * user_events.
 */
void instance_find(bool user_events);
void instance_clean(void);
struct tracefs_instance *instance_create(void);
/* Returns the PID of this process as it appears in records. Call it after instance_create(). */
pid_t instance_owner(void);
void instance_end(void);
const char *instance_group(void);
/* Returns the group name of the uprobes defined by usdt/. */
const char *usdt_group(void);
bool kernel_has_user_events(void);
/* Returns the names in a tracefs directory. The caller frees the list. */
char **tracing_names(const char *directory);
/* Adds to *list the names of the trace instances in which an event is enabled. */
void instances_using(const char *system, const char *name, char ***list);
int instance_write(struct tracefs_instance *instance, const char *file, const char *value);

/* pids.c */
/*
 * Writes a mark to the trace buffer of the instance. The buffer must be empty. Returns 0 or -errno.
 */
int pid_mark(struct tracefs_instance *instance);
/*
 * Returns the PID of the process that wrote the mark, in the initial PID namespace, or -1 if there
 * is no mark. pid is the PID of this process in its own namespace. Clears the trace buffer of the
 * instance.
 */
pid_t pid_of_mark(struct tracefs_instance *instance, pid_t pid);
/*
 * Returns true if /proc and records use the same PIDs. global is the PID of this process in
 * records.
 */
bool proc_has_global_pids(pid_t global);
/*
 * Sets the PID that /proc shows for the program of "run". Call it if /proc and records use
 * different PIDs.
 */
void pids_translate(pid_t in_proc);
/* Returns the PIDs of a process and all its descendants, as shown in /proc. */
char **pids_descendants(pid_t ancestor);
/*
 * Returns the PIDs that /proc shows for the followed threads, one per line. The caller frees the
 * text.
 */
char *pids_followed(struct tracefs_instance *instance);

/* permission.c */
/* Returns true if this process has the given capability (CAP_...) in its user namespace. */
bool has_capability(unsigned int capability);
/*
 * Returns the last clause of a message about a tracefs operation that failed with this -errno. The
 * clause is an instruction for the user.
 */
const char *permission_remedy(int error);

/* probes.c */
struct probe {
	char *group;
	char *name;
	char *whole;	  /* GROUP/NAME */
	char *definition; /* line in dynamic_events */
};

struct probes {
	struct probe *list;
	size_t n;
};

/*
 * Writes a line to dynamic_events. Returns 0 or -errno. On failure, the kernel's error_log contains
 * the reason.
 */
int probe_define(const char *line);
/*
 * Defines a probe as typed by the user. If the definition contains a symbol in a file, replaces the
 * symbol with its file offset. If the kernel rejects the probe, exits with a message.
 */
void probe_add(const char *typed);
/* Defines the probes given with --probe in the given group. */
void probes_add(char **definitions, const char *group);
/*
 * Returns the group that the user typed for a --probe probe, or "probe" if the user typed no group.
 */
const char *probe_group(const char *name);
/*
 * Reads the probes whose GROUP/NAME matches the pattern, from lines such as "p:GROUP/NAME ..." or
 * "r8:GROUP/NAME ...". Returns the oldest probe first. Callers outside probes.c never free the
 * result.
 */
struct probes probes_read(const char *pattern);
/* Removes the probe. Returns 0 or -errno. */
int probe_remove(const struct probe *probe);
/* Removes all probes of a group. */
void probes_remove(const char *group);
/*
 * If the error means that permission is missing or that the kernel has no dynamic events, exits
 * with a message.
 */
void probe_permission(int error);
/*
 * Prints the kernel's message with a caret or, if the kernel logged no message, the text of the
 * error number. Then exits.
 */
void probe_rejected(const char *what, const char *command, const char *typed, int error)
	__attribute__((noreturn));

/* caret.c */
/*
 * Formats an entry of the kernel's error_log as
 *
 *     typed words
 *           ^
 *   reason
 *
 * log is the last entry of the file, command the text passed to the kernel, and typed the user's
 * text. Returns NULL if the entry is about another command. The caller frees the result.
 */
char *caret(const char *log, const char *command, const char *typed);

/* events.c */

/* Adds the names of all user_events systems in tracefs to a list, without duplicates. */
void systems_find(char ***list);

struct events_settings {
	const struct choice *choice;
	bool user_events; /* false if uprobes record the user events */
	bool probes;	  /* true to also enable the --probe probes */
};

struct events *events_new(struct tracefs_instance *instance,
			  const struct events_settings *settings);
/* Enables new events that match the patterns. Returns their number. */
int events_scan(struct events *events);
/* Returns true if a later events_scan() may find more events. */
bool events_may_appear(const struct events *events);
/* Returns true if any event matched the patterns. */
bool events_matched(const struct events *events);
/*
 * Adds an event whose records are converted from uprobe records. types contains the field types
 * declared by the event's site, or is NULL. chosen is true if one of the user's patterns matches
 * the event's probe. Sets *fresh to true if the event is new.
 */
struct event *events_add(struct events *events, const char *system, const char *name,
			 const char *format, const struct note_field *types, bool chosen,
			 bool *fresh);
/*
 * Prints records with this ID using the TP_printk string of an event, which was added by
 * events_add().
 */
void events_print_as(struct events *events, struct event *event, unsigned int id);
/* Sets the event's filter on one of its uprobes and enables the uprobe. */
void events_enable_uprobe(struct events *events, struct event *event, const char *group,
			  const char *uprobe, unsigned int id);
struct event *events_by_id(const struct events *events, unsigned int id);
size_t events_list(const struct events *events, struct event ***list);
/*
 * Returns true if a record must be shown. If chosen is true, the event name is not compared,
 * because one of the user's patterns matches the probe.
 */
bool events_accepts(struct events *events, const struct event *event, const struct record *record,
		    bool chosen);
/*
 * If the kernel rejected the filter for every event so far, exits with a message. If this happens
 * later, only prints a warning.
 */
void events_check_filter(struct events *events);
/* If no event had all fields of the filter, prints a message and returns true. */
bool events_report_filter(const struct events *events);

/* reader.c */

/* Handles a record. Returns true if another record can be handled. */
typedef bool (*record_fn)(void *context, const struct record *record);

struct reader *reader_new(struct tracefs_instance *instance);
/* Closes the ring buffers. Call it before instance_end(). */
void reader_close(struct reader *reader);
/*
 * Waits until a ring buffer is half full or fd is readable. If 256 MiB are already queued, waits
 * only for fd. Returns true if a buffer is half full.
 */
bool reader_wait(const struct reader *reader, int fd, int milliseconds);
/* Moves records from the ring buffers to the queue. Returns true if any records were moved. */
bool reader_fill(struct reader *reader);
/*
 * Calls fn for the queued records in time order, up to the time until. Stops when fn returns false.
 * Returns true if fn can handle more records.
 */
bool reader_drain(struct reader *reader, uint64_t until, record_fn fn, void *context);
/* Returns the number of queued bytes, at most 256 MiB. */
size_t reader_queued(const struct reader *reader);
/*
 * Measures the offset between CLOCK_REALTIME and CLOCK_MONOTONIC again. Call it after the system
 * time was set.
 */
void reader_take_clock(struct reader *reader);
/*
 * Returns CLOCK_REALTIME - CLOCK_MONOTONIC in ns at the given time. The time must not decrease
 * between calls.
 */
int64_t reader_realtime_offset(struct reader *reader, uint64_t time);
/* Returns the number of events that the kernel has overwritten or dropped. */
uint64_t reader_lost(struct reader *reader);

#endif
