/* SPDX-License-Identifier: MIT */
/*
 * A session of run or watch, the commands that show events as they happen.
 *
 *   run.c      the two commands: prepares the session, enables events, cleans up
 *   program.c  program of run: finds it, reads its event declarations, executes it
 *   loop.c     waits for records, signals and timers, and passes records to the sinks
 *   notices.c  messages before the first event and after the last one
 */
#ifndef UETRACE_SESSION_H
#define UETRACE_SESSION_H

#include "command/options.h"
#include "output/sink.h"
#include "summary/summary.h"

#include <signal.h>

struct events;
struct reader;
struct stream;
struct tracefs_instance;
struct usdt;

#define MS 1000000u
#define SECOND_NS (1000u * MS)
#define SCAN_NS (5u * MS) /* minimum time between two scans for new events */

/* The program that the run command starts. */
struct program {
	char *path;
	char **specs; /* declared events, registered before the program starts */
	char **files; /* paths of the program's binaries, or of the binaries given to watch */
	pid_t child;  /* PID; 0 for watch */
	int socket;   /* socket to the child until the child executes the program */
	int status;   /* as returned by waitpid() */
	bool ended;   /* true if the program has exited, or watch was interrupted */
};

/* The original signal settings, which are restored in the program's process. */
struct signals {
	int fd; /* signalfd */
	sigset_t old_mask;
	void (*old_chld)(int);
	void (*old_pipe)(int);
	void (*old_size)(int);
};

struct output {
	struct stream *standard; /* stream for standard output */
	struct stream *file;	 /* stream for the file of -o, or NULL */
	struct stream *events;	 /* stream for the events: one of the above */
	unsigned int reported;	 /* bitmask of the streams whose failure was reported */
	bool waiting;		 /* true if records are queued until the stream accepts more */
	bool terminal;		 /* true if standard output is a terminal */
	bool progress;		 /* true if the terminal shows a progress line */
};

/* CLOCK_MONOTONIC times in ns. */
struct schedule {
	uint64_t next_scan, last_scan;
	uint64_t max_scan_gap;	    /* longest time between two scans so far */
	uint64_t next_unregistered; /* time of the next call of report_unregistered() */
	uint64_t next_tick;
	uint64_t last_record;
	uint64_t last_second; /* time of the last call of every_second() */
	uint64_t last_heartbeat;
};

struct session {
	struct options *o;
	struct tracefs_instance *instance;
	struct events *events;
	struct reader *reader;
	struct sink *sinks;
	struct usdt *usdt; /* NULL if neither uprobes nor plug-ins are used */
	struct stats stats;
	struct program program;
	struct signals signals;
	struct output output;
	struct schedule schedule;
	int64_t realtime_offset; /* CLOCK_REALTIME - CLOCK_MONOTONIC for the last record, in ns */
	int clock;		 /* timerfd that reports system time changes */
	int epoll;		 /* epoll descriptor for everything except the ring buffers */
	bool all_declared;	 /* true if all selected events were known at the start */
	bool late_events;	 /* true if a scan other than the first one found an event */
	bool nothing_declared;	 /* true if the program declares no events and none are selected */
};

/* program.c */
/*
 * Searches for a program in the same way as execvp(). Returns its path, which the caller frees, or
 * NULL if there is no such program.
 */
char *find_program(const char *name);
/*
 * Reads the event declarations of the program or, if it is a script, of its interpreter. Returns 0
 * or -errno.
 */
int program_read_declared(struct program *program);
/*
 * Reads the event declarations of the plug-ins given with --also. If a plug-in cannot be read,
 * exits with a message.
 */
void program_read_also(struct program *program, char **plugins);
/*
 * Forks the process that will execute the program. Returns the PID of the process as it appears in
 * records.
 */
pid_t program_fork(struct session *s);
/*
 * Executes the program. Returns 0 on success. On failure, returns the exit status that a shell
 * would return.
 */
int program_start(struct program *program);

/* loop.c */
void loop_open_clock(struct session *s);
void loop_open_signals(struct session *s);
void loop_watch_fd(const struct session *s, int fd);
/* If --heartbeat is set, passes a status event with the event counts to the sinks. */
void loop_write_counts(const struct session *s, const char *name, uint64_t time);
/*
 * Handles pending records, so that a long operation does not delay them. The argument is a struct
 * session.
 */
void loop_tick(void *session);
/* Shows events until the program exits or a signal arrives. */
void loop_run(struct session *s);
/* Closes the output. Returns true if everything was written. */
bool loop_close_output(struct session *s);
/* Returns true if writing to a stream failed, unless the reader has merely closed the pipe. */
bool output_broken(const struct session *s, const struct stream *out);

/* notices.c */
/* Reports that a program does not exist, and suggests a correction. */
void report_no_program(const char *name);
/* If the file is a recording, exits with a message. */
void reject_recording(const char *name);
/*
 * Reports each pattern that matches no registered or declared event. Called before the first event.
 */
void report_unexpected_patterns(const struct session *s);
/*
 * Prints the summary and the requested names that did not occur. Returns true if all requested
 * names and fields occurred.
 */
bool summarize(struct session *s);

#endif
