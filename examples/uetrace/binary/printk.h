/* SPDX-License-Identifier: MIT */
/*
 * printk.c: how a TRACE_EVENT prints. Its binary has the text of TP_printk, as the kernel's "print
 * fmt:", in notes (docs/reference.md has their format). For uetrace and for the plugin, so nothing
 * here prints or ends the process: without memory there is no text.
 */
#ifndef UETRACE_TEXTS_H
#define UETRACE_TEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NOTE_OWNER "user_events"
struct binary;
struct note;
struct tep_event;

/* Keeps what a note of this binary tells of texts, until the end. */
void texts_note(struct binary *b, const struct note *note);
/*
 * The same of all notes of a file, if this is its build id; size 0: whatever that is. Returns 0, or
 * -errno; -ENOEXEC for what is not ELF, -ESTALE for another build.
 */
int texts_read(const char *path, const void *id, size_t size);
/*
 * The format file of an event with the text of its binary in place of the kernel's; the caller frees
 * it. NULL: none is known, or libtraceevent cannot print it.
 */
char *texts_format(const char *event, const char *format);
/* event/tep_format.c: the format file that libtraceevent has read, without a print format. */
char *texts_fields(const struct tep_event *tep);
bool is_identifier(const char *s);

#endif
