/* SPDX-License-Identifier: MIT */
/*
 * State of uetrace's uprobes, shared by these files of the directory:
 *
 *   probe_patterns.c  patterns that name probes
 *   known_files.c     files whose notes were read
 *   leases.c          files with uprobes that another process wants to write
 *   sites.c           uprobes of a file, and quotas
 *   look.c            files that processes execute
 *   report.c          warnings about incomplete events
 *   uprobes.c         start, records, end
 */
#ifndef UETRACE_UPROBES_H
#define UETRACE_UPROBES_H

#include "usdt/usdt.h"

#include <pthread.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

#define IDS 65536 /* number of values of common_type, which has 16 bits */
#define SITES_MAX 30000
#define NAME_MAX_KERNEL 60 /* maximum length of an event name in the kernel, in bytes */
#define SECOND 1000000000u

/* A parsed pattern "usdt:FILE:PROVIDER:NAME". An empty FILE matches any file. */
struct probe_pattern {
	char *copy; /* string that the other pointers refer to */
	const char *file, *provider, *name;
	bool here; /* true if the pattern matches the file being added */
};

struct probe_patterns {
	struct probe_pattern *list;
	size_t n;
};

/*
 * A file whose notes were read. A file with uprobes remains open, with a lease, so that its inode
 * number is not reused. If a file without uprobes changes, it is read again.
 */
struct known {
	dev_t dev;
	ino_t ino;
	uid_t owner;
	struct timespec changed;
	int fd; /* -1 if the file has no uprobes */
	bool leased;
	size_t counted_elsewhere; /* number of probes with counted_elsewhere set */
	bool shared;		  /* true if an untraced process also executes the file */
};

struct known_files {
	void *with_uprobes, *others; /* trees of struct known */
	size_t n_others;
};

struct probe_site {
	struct usdt_shape *shape;
	struct event *event;
	struct known *file;
	char *uprobe;
	uint64_t hits, records; /* numbers of hits and records since the uprobe was defined */
	bool chosen;		/* true if one of the user's patterns matches the probe */
	bool profiled;		/* true if hits was read; hits is 0 if the name is ambiguous */
	bool reported;		/* true if a truncated record was reported */
};

struct probe_sites {
	struct probe_site **list, **by_id;
	size_t n;
	size_t quota; /* number of sites that the current file may still use */
	bool added;   /* true if sites were added since the last check of all processes */
};

struct leases {
	int writers;	    /* signalfd, readable if a process waits to write to a file */
	pthread_t disabler; /* thread that disables uprobes */
	int work[2];	    /* pipe that sends struct released_file to the disabler thread */
	bool ending;	    /* true if the thread must discard the remaining requests */
};

/* Counts of incomplete events. */
struct reports {
	size_t left_out, left_out_of; /* numbers of probes over quota and of their files */
	size_t rejected;	      /* number of uprobes that the kernel rejected */
	size_t counted_elsewhere;     /* number of probes with counted_elsewhere set */
	size_t programs;	      /* number of reports about programs */
};

/* State of the checks for new executable files. Times are in ns. */
struct look {
	struct mapped *mapped;
	uint64_t next;	      /* time of the next check of all processes */
	uint64_t earliest;    /* earliest time of an urgent check */
	bool complete;	      /* true if the first check of all processes is complete */
	char *followed;	      /* traced thread IDs, one per line, or NULL if all are traced */
	pid_t program;	      /* PID of the first traced process, the program of `uetrace run` */
	size_t n_seen_events; /* number of events at the last scan */
	char **late_files;    /* result of usdt_late() */
	void (*tick)(void *context); /* called regularly during a long scan, or NULL */
	void *context;
	uint64_t next_tick; /* time of the next call of tick */
};

struct usdt {
	struct usdt_settings settings;
	struct tracefs_instance *instance;
	struct events *events;
	char *self; /* "/proc/PID" of uetrace */
	struct probe_patterns patterns;
	struct known_files files;
	struct probe_sites sites;
	struct leases leases;
	struct look look;
	struct reports reports;
};

/* probe_patterns.c */
/* Adds a pattern. If the pattern is invalid, exits with a message. */
void patterns_add(struct probe_patterns *patterns, const char *pattern);
/*
 * Marks the patterns that match this file. Returns true if a pattern contains the path of the file.
 */
bool patterns_mark(struct probe_patterns *patterns, const struct known *file);
/*
 * Returns true if a marked pattern matches the probe. texts contains the patterns as the user typed
 * them.
 */
bool patterns_match(const struct probe_patterns *patterns, const struct usdt_probe *probe,
		    char **texts);
void patterns_free(struct probe_patterns *patterns);

/* known_files.c */
struct known known_of(const struct stat *st);
/* Returns the entry of a file with uprobes, or NULL if there is none. */
struct known *known_files_find(const struct known_files *files, const struct known *file);
/* Returns true if the notes of the file have been read since its last change. */
bool known_files_has(const struct known_files *files, const struct known *file);
/* Adds a file to the set of files without probes. Returns the new entry. */
struct known *known_files_add(struct known_files *files, const struct known *file);
/* Moves an entry to the set of files with uprobes. */
void known_files_keep(struct known_files *files, struct known *file);
/* Removes the entry of a file with uprobes, but does not free it, because sites refer to it. */
void known_files_remove(struct known_files *files, const struct known *file);
void known_files_free(struct known_files *files);

/* leases.c */
/* Opens a signalfd for SIGIO, adds it to the epoll descriptor, and starts the disabler thread. */
void leases_begin(struct usdt *u, int epoll);
void leases_end(struct leases *leases);
/*
 * Takes a read lease on a file. Returns -ETXTBSY if a process has the file open for writing,
 * otherwise 0, even if the file system does not support leases.
 */
int lease_take(int fd, bool *leased);
/*
 * Releases the files that other processes wait to write to. If such a file is mapped again, its
 * notes are read again.
 */
void leases_release_waiting(struct usdt *u);

/* sites.c */
/* Adds the selected probes of a file, up to the file's quota. */
void add_probes(struct usdt *u, struct known *known, const struct usdt_file *file);
void site_free(struct probe_site *site);

/* look.c */
/*
 * Returns true if a pending signal must stop the scan. Under `uetrace run`, a signal stops only the
 * first scan, because later uetrace waits for the program to exit. Also calls look.tick, which
 * reads new events from the kernel's buffers. Call this function often, because a program may have
 * any number of probes and files.
 */
bool look_stopped(struct usdt *u);
/*
 * Adds the probes of a file unless its notes were already read. Returns 0, or -errno if the file
 * cannot be read.
 */
int look_add_file(struct usdt *u, const char *path);
/* If only some processes are traced, marks the files that untraced processes execute. */
void look_mark_shared(struct usdt *u);

/* report.c */
/* Rate-limits reports about programs, which a user could trigger endlessly. */
bool may_report(struct reports *reports);
/* Returns the path of an open file, for messages. The caller frees it. */
char *path_of(int fd);
void report_rejected(struct reports *reports, const struct known *file,
		     const struct usdt_probe *probe, int error);
/* Reports events without a USDT probe, for example because the program defines UE_NO_USDT. */
void report_without_probe(struct usdt *u, const struct usdt_file *file, int fd);
/* Reports the first file with probes over quota. usdt_report_missing() reports the totals. */
void report_left_out(struct reports *reports, const struct known *file, size_t n);
/* Reports the number of probes that stay disabled in processes that map the file from now on. */
void report_counted_elsewhere(struct reports *reports, const struct known *file);
/* Reports that records of an event are truncated, once for all sites of the event. */
void report_truncated(struct usdt *u, const struct event *event);

#endif
