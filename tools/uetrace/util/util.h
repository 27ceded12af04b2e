/* SPDX-License-Identifier: MIT */
/*
 * Messages, exit statuses, signals, memory and string lists, used by all directories. If memory
 * runs out, the allocating functions exit with a message. clean.h recognises characters that
 * control a terminal.
 */
#ifndef UETRACE_UTIL_H
#define UETRACE_UTIL_H

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof(*(a)))

/* Prints a message and exits with status 1. */
void die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
/* Prints a message and exits with status 64, which indicates incorrect usage. */
void die_usage(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
/* Prints a message. */
void warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Returns true if writing to standard output failed. Call this before errno changes. */
bool output_failed(void);
/* Flushes standard output. Returns true if everything was written. Reports the first failure. */
bool output_flush(void);
/* Sets a function that output_flush() calls first, to write buffered output. fn may be NULL. */
void output_before_flush(void (*fn)(void *context), void *context);
/* If NOTIFY_SOCKET is set, sends a state such as "READY=1" to systemd; see sd_notify(3). */
void notify(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints additional lines of a message. Replaces control characters with '?'. */
void lines(const char *more);
/*
 * Opens a file for writing. Truncates it unless append is true. Returns the descriptor, or -1 with
 * errno set. In a directory such as /tmp, does not follow symbolic links, and does not write to
 * files of other users. These are the kernel's rules for fs.protected_symlinks, protected_regular
 * and protected_fifos.
 */
int create_file(const char *name, bool append);
/* Redirects standard output to a file. */
void output_to(const char *file);
/*
 * Catches SIGINT, SIGTERM and SIGHUP, so that the output ends with a complete event. If the process
 * uses more than 0.7 s of CPU time after the signal, the signal kills the process.
 */
void interruptible(void);
/* Returns true if SIGINT, SIGTERM or SIGHUP has arrived. */
bool interrupted(void);
/*
 * Blocks SIGCHLD and the signals that terminate uetrace. Returns the set of these signals. If old
 * is not NULL, sets *old to the previous mask.
 */
sigset_t block_signals(sigset_t *old);
/* Returns the number of a pending signal that terminates uetrace, or 0. */
int signal_waits(void);
/*
 * Converts a status from waitpid() to an exit status. If a signal killed the program, prints a
 * message and kills uetrace with the same signal.
 */
int exit_as(int status, const char *program);
uint64_t now(void);	     /* returns the CLOCK_MONOTONIC time, in ns */
void *allocate(size_t size); /* returns zeroed memory */
/* Returns an FNV-1a hash. Malicious input can cause collisions. */
uint64_t hash(const void *data, size_t n);
/* Returns formatted text. The caller frees it. */
char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Returns the content of a file, or NULL. The caller frees it. */
char *read_text(const char *path);
/*
 * If n is 0, allocates an array. If n is a power of two, doubles the capacity of an array with n
 * elements.
 */
void *doubled(void *array, size_t n, size_t size);
/*
 * Adds a copy of a string to a list and returns the copy. A list ends with NULL. An empty list is a
 * NULL pointer.
 */
const char *add(char ***list, const char *string);
size_t list_length(char **list);
/* Compares two strings; for tsearch(). */
int compare_text(const void *a, const void *b);
/* Compares two pointers to strings, or two structs that begin with a string pointer. */
int compare_strings(const void *a, const void *b);
bool list_has(char **list, const char *string);
/*
 * Calls readdir(), but continues after an error. In tracefs, readdir() fails at a name with a
 * slash. Any program that can write user_events_data can register an event with such a name, which
 * would hide all later entries.
 */
struct dirent *next_entry(DIR *directory);
/* Returns the names in a directory, except those that begin with a dot. */
char **names_in(const char *path);
void list_free(char **list);

#endif
