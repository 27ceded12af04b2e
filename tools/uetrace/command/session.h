/* SPDX-License-Identifier: MIT */
/*
 * The session of run and watch, which show events as they happen.
 *
 *	run.c		the two commands: prepares the session, enables events, and cleans up
 *	program.c	the program of run: finds it, reads what it declares, executes it
 *	loop.c		waits for records, signals and the clock, and passes records to the sinks
 *	notices.c	messages before the first event and after the last one
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
#define SCAN_NS (5u * MS) /* shortest time between two scans for new events */

/* The program of run. */
struct program {
	char *path;
	char **specs; /* events that binaries declare; registered before the program starts */
	char **files; /* the binaries, which belong to programs of watch, too */
	pid_t child;  /* 0: watch */
	int socket;   /* connected to the child until it executes the program */
	int status;   /* as waitpid() returns it */
	bool ended;   /* the program has ended, or watch was interrupted */
};

/* Signals as uetrace found them. The program gets them back. */
struct signals {
	int fd; /* signalfd */
	sigset_t old_mask;
	void (*old_chld)(int);
	void (*old_pipe)(int);
	void (*old_size)(int);
};

struct output {
	struct stream *standard; /* standard output */
	struct stream *file;	 /* of -o, or NULL */
	struct stream *events;	 /* the one of the two that events go to */
	unsigned int reported;	 /* bitmask of the streams whose failure was reported */
	bool waiting;		 /* records wait until the stream accepts them */
	bool terminal;		 /* standard output is a terminal */
	bool progress;		 /* a progress line is shown */
};

/* Times of CLOCK_MONOTONIC in ns. */
struct schedule {
	uint64_t next_scan, last_scan;
	uint64_t max_scan_gap;	    /* longest time between two scans */
	uint64_t next_unregistered; /* next call of report_unregistered() */
	uint64_t next_tick;
	uint64_t last_record;
	uint64_t last_second; /* last call of every_second() */
	uint64_t last_heartbeat;
};

struct session {
	struct options *o;
	struct tracefs_instance *instance;
	struct events *events;
	struct reader *reader;
	struct sink *sinks;
	struct usdt *usdt; /* NULL: neither uprobes nor plug-ins are looked for */
	struct stats stats;
	struct program program;
	struct signals signals;
	struct output output;
	struct schedule schedule;
	int64_t realtime_offset; /* of the last record: CLOCK_REALTIME - CLOCK_MONOTONIC, ns */
	int clock;		 /* timerfd that is cancelled when the time of day is set */
	int epoll;		 /* of everything the loop waits for besides the buffers */
	bool all_declared;	 /* binaries declare all chosen events, known before they run */
	bool late_events;	 /* a scan after the first one found an event */
	bool nothing_declared;	 /* all events are chosen, but the program declares none */
};

/* program.c */
/* Returns the path of a program, as execvp() finds it, or NULL. The caller frees it. */
char *find_program(const char *name);
/* Reads what the program declares; of a script, its interpreter. Returns 0 or -errno. */
int program_read_declared(struct program *program);
/* Reads what the plug-ins of --also declare. Ends uetrace if one cannot be read. */
void program_read_also(struct program *program, char **plugins);
/* Creates the process that will execute the program. Returns its PID in records. */
pid_t program_fork(struct session *s);
/* Executes the program. Returns 0, or the exit status that a shell would give. */
int program_start(struct program *program);

/* loop.c */
void loop_open_clock(struct session *s);
void loop_open_signals(struct session *s);
void loop_watch_fd(const struct session *s, int fd);
/* Passes one of uetrace's own events, with counts, to the sinks, if there is a --heartbeat. */
void loop_write_counts(const struct session *s, const char *name, uint64_t time);
/* Handles records while the caller works for long. Its argument is the session. */
void loop_tick(void *session);
/* Shows events until the program ends or a signal arrives. */
void loop_run(struct session *s);
/* Closes the output. Returns whether everything was written. */
bool loop_close_output(struct session *s);
/* Returns whether a stream failed for another reason than that its reader has ended. */
bool output_broken(const struct session *s, const struct stream *out);

/* notices.c */
/* Reports why there is no such program. */
void report_no_program(const char *name);
/* Ends uetrace if the file is a recording. */
void reject_recording(const char *name);
/* Reports each pattern that no registered or declared event matches, before the first event. */
void report_unexpected_patterns(const struct session *s);
/* Prints the summary and what is missing. Returns whether all chosen names and fields exist. */
bool summarize(struct session *s);

#endif
