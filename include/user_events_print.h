/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * user_events_print.h - prints the events of a program to stderr if UE_PRINT is set.
 *
 *	int main(void)
 *	{
 *		ue_print_environment();
 *		...
 *
 *	$ UE_PRINT=1 ./server
 *	{ "n": "user_events:request_done", "status": 200, "path": "/index.html" }
 *	$ UE_PRINT='warning,request_*' ./server
 *
 * Printing needs no tracer, no privileges and no kernel with user_events. The value of UE_PRINT is
 * "1" or "all" for all events, "help" for a list of the accepted values, or a comma-separated list
 * of items. An event is printed if any item matches:
 *
 *	LEVEL	EventHeader events at this level or a more severe one: critical, error, warning,
 *		information, verbose. Three or more letters are enough, for example "err".
 *	NAME	events with this name, in which * matches any text and ? any character. It can be
 *		the name of a tracepoint ("request_done", "MyApp_*") or of an EventHeader event
 *		("Done").
 *
 * If no item is a level and the first event matches no item, a line on stderr reports this, because
 * an item may be misspelt.
 *
 * Copy this header along with user_events_capture.h and the headers that user_events_capture.h
 * needs.
 */
#ifndef UE_USER_EVENTS_PRINT_H
#define UE_USER_EVENTS_PRINT_H
#ifndef UE__I_NO_SYSTEM_HEADER
#pragma GCC system_header
#endif

#include "user_events_capture.h"

#include <stdlib.h>
#if !defined(UE_DISABLE) && !defined(UE__I_DECLARED_ONLY)
#include <signal.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#endif

UE__I_HEADER_BEGIN

/*
 * Starts printing the events selected by the environment variable UE_PRINT to fd 2. If UE_PRINT is
 * "help", prints the accepted values instead. If fd 2 is later closed or replaced by another file,
 * events are no longer printed. Call this function at the beginning of main().
 *
 * Each event is written as one line with a single write(). Lines longer than 1023 bytes are
 * truncated. Printing takes no lock, allocates no memory, preserves errno, and raises no SIGPIPE.
 * It can block in write(). It needs 20 KB of stack. In signal handlers, printing is as safe as any
 * other probe.
 *
 * Returns 1 if printing has started. Returns 0 if UE_PRINT is unset, empty, "0" or "help", or if
 * the program has more privileges than its caller, which is decided as in secure_getenv(). Returns
 * -ENAMETOOLONG if the value is longer than 255 bytes, -EBADF if fd 2 is closed, or an error of
 * ue_probe_register(). No other thread may call setenv() at the same time.
 */
UE__I_API int ue_print_environment(void);

#ifndef UE__I_DECLARED_ONLY
#ifndef UE_DISABLE

enum { UE__PRINT_LINE = 1024, UE__PRINT_ITEMS = 256, UE__PRINT_LETTERS = 3, UE__STDERR = 2 };

/*
 * DEVICE and INODE are stored instead of a struct stat, because the size of that struct may differ
 * between the source files of a 32-bit program.
 */
struct ue__print {
	char items[UE__PRINT_ITEMS];
	uint64_t device, inode; /* file to which fd 2 referred at the start */
	uint32_t compared;	/* 1 after the first event was compared with the items */
};
UE__I_DEFINE_ONE(struct ue__print, ue__print_v2)

/*
 * Returns the level whose name begins with the N bytes at NAME. Returns 0 if there is no such level
 * or if N is less than 3.
 */
UE__I_FN unsigned int ue__print_level(const char *name, size_t n)
{
	static const char levels[][12] = { "critical", "error", "warning", "information",
					   "verbose" };
	unsigned int i;

	for (i = 0; i < sizeof(levels) / sizeof(*levels); i++)
		if (n >= UE__PRINT_LETTERS && !strncmp(levels[i], name, n))
			return i + 1;
	return 0;
}

/*
 * Returns true if the pattern of N bytes matches the text of LENGTH bytes. On a mismatch, extends
 * the text that the last * matches by one character. An earlier * never needs to be reconsidered.
 */
UE__I_FN bool ue__print_matches(const char *pattern, size_t n, const char *text, size_t length)
{
	size_t p = 0, t = 0, star = n, taken = 0;

	while (t < length) {
		if (p < n && pattern[p] == '*') {
			star = p++;
			taken = t;
		} else if (p < n && (pattern[p] == '?' || pattern[p] == text[t])) {
			p++;
			t++;
		} else if (star < n) {
			p = star + 1;
			t = ++taken;
		} else {
			return false;
		}
	}
	while (p < n && pattern[p] == '*')
		p++;
	return p == n;
}

/* Returns true if any item matches EVENT. Sets *LEVELS if an item before the match is a level. */
UE__I_FN bool ue__print_selects(const struct ue_capture_event *event, bool *levels)
{
	const char *item = ue__print_v2.items;
	unsigned int level;
	size_t n;

	for (;; item += n + 1) {
		n = strcspn(item, ",");
		level = ue__print_level(item, n);
		*levels = *levels || level;
		/* an event may have the name of a level, or an abbreviation of it */
		if ((level && event->eventheader && event->decoded.level <= level) ||
		    ue__print_matches(item, n, event->name, event->name_length) ||
		    ue__print_matches(item, n, event->spec, strcspn(event->spec, " ")))
			return true;
		if (!item[n])
			return false;
	}
}

/*
 * Definitions that strict modes hide: the size of the kernel's sigset_t, SIG_BLOCK and SIG_SETMASK.
 */
enum { UE__SIGNALS = 8 / sizeof(long), UE__BLOCK = 0, UE__SET_MASK = 2 };

/*
 * Writes to fd 2. May change errno, which the caller restores. During the write, blocks SIGPIPE
 * (sent for a pipe without a reader) and SIGXFSZ (sent at the file size limit). If the write raises
 * one of these signals, discards the signal.
 */
UE__I_FN void ue__print_write(const char *line, size_t size)
{
	unsigned long mask[UE__SIGNALS] = { 1ul << (SIGPIPE - 1) | 1ul << (SIGXFSZ - 1) };
	unsigned long old[UE__SIGNALS] = { 0 }, pending[UE__SIGNALS] = { 0 };
	long time[2] = { 0, 0 };
	struct stat now;

	if (fstat(UE__STDERR, &now) || UE__I_CAST(uint64_t, now.st_dev) != ue__print_v2.device ||
	    UE__I_CAST(uint64_t, now.st_ino) != ue__print_v2.inode)
		return; /* the program has closed fd 2, which may now refer to another file */
	ue__i_libc_syscall(SYS_rt_sigprocmask, UE__BLOCK, mask, old, sizeof(mask));
	ue__i_syscall3(SYS_rt_sigpending, (long)pending, sizeof(pending), 0);
	if (ue__i_syscall3(SYS_write, UE__STDERR, (long)line, (long)size) < 0) {
		mask[0] &= ~pending[0];
		ue__i_libc_syscall(SYS_rt_sigtimedwait, mask, NULL, time, sizeof(mask));
	}
	ue__i_libc_syscall(SYS_rt_sigprocmask, UE__SET_MASK, old, NULL, sizeof(old));
}

/*
 * Appends N bytes of TEXT to LINE, which contains USED bytes. Drops bytes that do not fit. Returns
 * the new length.
 */
UE__I_FN size_t ue__print_append(char *line, size_t used, const char *text, size_t n)
{
	n = n < UE__PRINT_LINE - used ? n : UE__PRINT_LINE - used;
	memcpy(line + used, text, n);
	return used + n;
}

/* Reports that no item matches EVENT, the first event. */
UE__I_FN __attribute__((__cold__, __noinline__)) void
ue__print_mismatch(const struct ue_capture_event *event)
{
	static const char before[] = "user_events: UE_PRINT=", between[] = " does not match ",
			  after[] = ", the first event; UE_PRINT=help lists the accepted values\n";
	const size_t name_max = UE__PRINT_LINE / 2;
	char line[UE__PRINT_LINE];
	size_t n = 0;

	n = ue__print_append(line, n, before, sizeof(before) - 1);
	n = ue__print_append(line, n, ue__print_v2.items, strlen(ue__print_v2.items));
	n = ue__print_append(line, n, between, sizeof(between) - 1);
	n = ue__print_append(line, n, event->name,
			     event->name_length < name_max ? event->name_length : name_max);
	n = ue__print_append(line, n, after, sizeof(after) - 1);
	ue__print_write(line, n);
}

/* Probe function that prints an event. */
UE__I_FN void ue__print_event(struct ue_event *event, const void *payload, size_t size, void *data)
{
	char spec[UE__F_SPEC_SIZE], line[UE__PRINT_LINE];
	struct ue_capture_event e;
	bool levels = false, selected, first;

	(void)data;
	if (ue_event_spec(event, spec, sizeof(spec)) < 0)
		return;
	memset(&e, 0, sizeof(e));
	e.spec = spec;
	/* points before the payload, but the common fields there are not read */
	e.record = (const uint8_t *)((uintptr_t)payload - sizeof(struct ue__decode_common));
	e.size = size + sizeof(struct ue__decode_common);
	e.big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	ue__capture_event_decode(&e);
	selected = ue__print_selects(&e, &levels);
	first = !__atomic_exchange_n(&ue__print_v2.compared, 1u, __ATOMIC_RELAXED);
	if (!selected && first && !levels)
		ue__print_mismatch(&e);
	if (!selected)
		return;
	size = ue_captured_json(&e, UE_DECODE_SPACED | UE_DECODE_NO_META, line, sizeof(line));
	size = size < sizeof(line) - 1 ? size : sizeof(line) - 1;
	line[size++] = '\n';
	ue__print_write(line, size);
}

UE__I_API int ue_print_environment(void)
{
	static const char help[] =
		"user_events: values of UE_PRINT:\n"
		"  1, all  all events\n"
		"  ITEM,...  events that any item matches. An item is\n"
		"    a level, or its first three or more letters: critical, error, warning,\n"
		"      information, verbose; matches UE_LOG events at this or a more severe level\n"
		"    the name of an event or tracepoint, in which * matches any text and ? any\n"
		"      character\n"
		"For example: UE_PRINT='err,request_*'\n";
	const char *items = getenv("UE_PRINT");
	struct stat file;
	int error;

	if (!items || !*items || !strcmp(items, "0") || getauxval(AT_SECURE))
		return 0;
	if (!strcmp(items, "1") || !strcmp(items, "all"))
		items = "*";
	if (strlen(items) >= UE__PRINT_ITEMS)
		return -ENAMETOOLONG;
	error = (int)UE__I_SYSTEM(fstat(UE__STDERR, &file));
	if (error)
		return error;
	ue__print_v2.device = UE__I_CAST(uint64_t, file.st_dev);
	ue__print_v2.inode = UE__I_CAST(uint64_t, file.st_ino);
	if (!strcmp(items, "help")) {
		error = errno;
		ue__print_write(help, sizeof(help) - 1);
		errno = error;
		return 0;
	}
	memcpy(ue__print_v2.items, items, strlen(items) + 1);
	ue__print_v2.compared = 0;
	error = ue_probe_register(NULL, ue__print_event, NULL);
	return error ? error : 1;
}

#else /* UE_DISABLE */

UE__I_DISABLED(0, int ue_print_environment(void))

#endif /* UE_DISABLE */
#endif /* UE__I_DECLARED_ONLY */

UE__I_HEADER_END
#endif /* UE_USER_EVENTS_PRINT_H */
