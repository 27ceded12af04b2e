/* SPDX-License-Identifier: MIT */
/*
 * What all rooms need: messages, the end of the process, signals, memory, lists of strings. A
 * function that allocates ends the program if there is no memory. Characters that command a
 * terminal: clean.h.
 */
#ifndef UETRACE_UTIL_H
#define UETRACE_UTIL_H

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof(*(a)))

void die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
/* Like die(), with the exit status for wrong use of the command line. */
void die_usage(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
void warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
/*
 * Tells whether writing to standard output failed. Call it right after the output, while errno says
 * why.
 */
bool output_failed(void);
/* Returns whether all output was written; reports it once if not. */
bool output_flush(void);
/* Has this called before each flush, for what is not in standard output yet; NULL: nothing. */
void output_before_flush(void (*fn)(void *context), void *context);
/* Tells systemd how we are, if it wants to know: "READY=1", as sd_notify(3) has it. */
void notify(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints what follows a message: text of several lines, whose controls are shown as '?'. */
void lines(const char *more);
/*
 * Opens a file to be written from its beginning, or from its end. Returns the descriptor, or -1 and
 * errno. In a folder like /tmp, no link is followed and no file of another user is written, as
 * fs.protected_symlinks, protected_regular and protected_fifos have it, which may be off.
 */
int create_file(const char *name, bool append);
/* Redirects standard output to a file. */
void output_to(const char *file);
/*
 * Lets SIGINT, SIGTERM and SIGHUP end the output after a whole event. If that takes more than 0.7
 * s of CPU time, whatever the input makes us do, the signal ends the process.
 */
void interruptible(void);
bool interrupted(void);
/* Blocks and returns the signals that end us or tell of a child. old: the mask before, or NULL. */
sigset_t block_signals(sigset_t *old);
/* Is one of those that end us waiting to be read? Returns its number, or 0. */
int signal_waits(void);
/*
 * Returns the exit status of PROGRAM for what waitpid() says. The signal that ended it ends us,
 * too, after a message that it was the program's.
 */
int exit_as(int status, const char *program);
uint64_t now(void);	     /* ns of CLOCK_MONOTONIC */
void *allocate(size_t size); /* zeroed */
/* FNV-1a, which hostile input may make collide. */
uint64_t hash(const void *data, size_t n);
char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *read_text(const char *path); /* the whole file, or NULL */
/* Doubles an array that has room for n elements, n being 0 or a power of two. */
void *doubled(void *array, size_t n, size_t size);
/* Lists of strings end with NULL, and are NULL if they are empty. Adds a copy, and returns it. */
const char *add(char ***list, const char *string);
size_t list_length(char **list);
bool list_has(char **list, const char *string);
/*
 * readdir() of tracefs, which fails at a name with a slash. Whoever may write user_events_data can
 * register such an event, before which all others would end: it is left out.
 */
struct dirent *next_entry(DIR *directory);
/* Returns the names in a directory but those that begin with a dot. */
char **names_in(const char *path);
void list_free(char **list);

#endif
