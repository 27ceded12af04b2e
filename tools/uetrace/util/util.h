/* SPDX-License-Identifier: MIT */
/*
 * Messages, exit statuses, signals, memory and lists of strings for all directories. Functions that
 * allocate memory end the program with a message if there is none. clean.h recognises characters
 * that control a terminal.
 */
#ifndef UETRACE_UTIL_H
#define UETRACE_UTIL_H

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof(*(a)))

/* Prints a message and ends the program with status 1. */
void die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
/* Prints a message and ends the program with status 64, which indicates wrong usage. */
void die_usage(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
/* Prints a message. */
void warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Returns whether writing to standard output failed. Call it before errno changes. */
bool output_failed(void);
/* Flushes standard output. Returns whether everything was written; reports a failure once. */
bool output_flush(void);
/* Sets a function that output_flush() calls first, to write buffered output; or NULL. */
void output_before_flush(void (*fn)(void *context), void *context);
/* Sends a state such as "READY=1" to systemd if NOTIFY_SOCKET is set; see sd_notify(3). */
void notify(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints the further lines of a message. Replaces control characters with '?'. */
void lines(const char *more);
/*
 * Opens a file for writing, and truncates it unless append is set. Returns the file descriptor, or
 * -1 and sets errno. In a directory like /tmp it does not follow symbolic links or write to files
 * of other users, like the kernel with fs.protected_symlinks, protected_regular and
 * protected_fifos.
 */
int create_file(const char *name, bool append);
/* Redirects standard output to a file. */
void output_to(const char *file);
/*
 * Catches SIGINT, SIGTERM and SIGHUP, so that the output ends after a whole event. If that takes
 * more than 0.7 s of CPU time, the signal ends the process.
 */
void interruptible(void);
/* Returns whether one of these signals has arrived. */
bool interrupted(void);
/*
 * Blocks SIGCHLD and the signals that end uetrace, and returns the set of them. Sets *old to the
 * previous mask unless old is NULL.
 */
sigset_t block_signals(sigset_t *old);
/* Returns the number of a pending signal that ends uetrace, or 0. */
int signal_waits(void);
/*
 * Returns the exit status for a status of waitpid(). If a signal ended the program, prints a
 * message and ends uetrace with the same signal.
 */
int exit_as(int status, const char *program);
uint64_t now(void);	     /* ns of CLOCK_MONOTONIC */
void *allocate(size_t size); /* zeroed */
/* Returns the FNV-1a hash. Hostile input can cause collisions. */
uint64_t hash(const void *data, size_t n);
/* Returns formatted text, which the caller frees. */
char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Returns the content of a file, which the caller frees, or NULL. */
char *read_text(const char *path);
/* Doubles an array with a capacity of n elements; n is 0 or a power of two. */
void *doubled(void *array, size_t n, size_t size);
/*
 * Adds a copy of a string to a list, and returns the copy. A list ends with NULL; an empty one is
 * NULL.
 */
const char *add(char ***list, const char *string);
size_t list_length(char **list);
bool list_has(char **list, const char *string);
/*
 * Calls readdir() and skips names with a slash, at which readdir() of tracefs fails. A program that
 * may write user_events_data can register such an event, which would hide all later ones.
 */
struct dirent *next_entry(DIR *directory);
/* Returns the names in a directory except those that begin with a dot. */
char **names_in(const char *path);
void list_free(char **list);

#endif
