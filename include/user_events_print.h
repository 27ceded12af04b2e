/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * user_events_print.h - a program prints its own events to stderr, if its user asks for it.
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
 * No tracer, privileges or kernel with user_events is needed. UE_PRINT is "1" for all events, or a
 * list of items with commas between them. An event is printed if one of them fits:
 *
 *	LEVEL	EventHeader events of this level and more severe ones: critical, error, warning,
 *		information, verbose
 *	NAME	events of this name, in which * stands for any text and ? for any letter: the
 *		tracepoint's ("request_done", "MyApp_*"), or an EventHeader event's own ("Done")
 *
 * Copy it beside user_events_capture.h and the headers that that one needs.
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
 * Prints events as the environment variable UE_PRINT says, to descriptor 2, as long as that is the
 * file that it is now. Call it at the beginning of main(). An event is one write() of a line of at
 * most 1023 bytes, cut if it is longer. It takes no lock and allocates nothing, keeps errno, and
 * sends no SIGPIPE; it waits as long as the write does. It needs 20 KB of stack. In signal handlers
 * it is as safe as a probe.
 *
 * Returns 1 if it prints; 0 if UE_PRINT is unset, empty or "0", or if the program has more
 * privileges than its caller (as secure_getenv() decides); or -ENAMETOOLONG for a text over 255
 * bytes, -EBADF without descriptor 2, or what ue_probe_register() returns. No other thread may call
 * setenv() meanwhile.
 */
UE__I_API int ue_print_environment(void);

#ifndef UE__I_DECLARED_ONLY
#ifndef UE_DISABLE

enum { UE__PRINT_LINE = 1024, UE__PRINT_ITEMS = 256, UE__STDERR = 2 };

struct ue__print {
	char items[UE__PRINT_ITEMS];
	struct stat file; /* that descriptor 2 was at the start */
};
UE__I_DEFINE_ONE(struct ue__print, ue__print_v1)

/* Returns the level that the N bytes at NAME name, or 0. */
UE__I_FN unsigned int ue__print_level(const char *name, size_t n)
{
	static const char levels[][12] = { "critical", "error", "warning", "information",
					   "verbose" };
	unsigned int i;

	for (i = 0; i < sizeof(levels) / sizeof(*levels); i++)
		if (strlen(levels[i]) == n && !memcmp(levels[i], name, n))
			return i + 1;
	return 0;
}

/*
 * Tells whether the pattern of N bytes fits the text of LENGTH bytes. Where it does not go on, the
 * last * takes a letter more: those before it need not.
 */
UE__I_FN bool ue__print_fits(const char *pattern, size_t n, const char *text, size_t length)
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

/* Tells whether an item fits EVENT. */
UE__I_FN bool ue__print_wants(const struct ue_capture_event *event)
{
	const char *item = ue__print_v1.items;
	unsigned int level;
	size_t n;

	for (;; item += n + 1) {
		n = strcspn(item, ",");
		level = ue__print_level(item, n);
		if (level ? event->eventheader && event->decoded.level <= level
			  : ue__print_fits(item, n, event->name, event->name_length) ||
				    ue__print_fits(item, n, event->spec, strcspn(event->spec, " ")))
			return true;
		if (!item[n])
			return false;
	}
}

/* What strict modes hide: sigset_t as the kernel has it, and two operations on it. */
enum { UE__SIGNALS = 8 / sizeof(long), UE__BLOCK = 0, UE__SET_MASK = 2 };

/*
 * Writes to descriptor 2; the hook keeps errno. A pipe without a reader would send SIGPIPE, a limit
 * of sizes SIGXFSZ.
 */
UE__I_FN void ue__print_write(const char *line, size_t size)
{
	unsigned long mask[UE__SIGNALS] = { 1ul << (SIGPIPE - 1) | 1ul << (SIGXFSZ - 1) };
	unsigned long old[UE__SIGNALS] = { 0 }, pending[UE__SIGNALS] = { 0 };
	long time[2] = { 0, 0 };
	struct stat now;

	if (fstat(UE__STDERR, &now) || now.st_dev != ue__print_v1.file.st_dev ||
	    now.st_ino != ue__print_v1.file.st_ino)
		return; /* the program has closed it: the number may be another file's */
	ue__i_libc_syscall(SYS_rt_sigprocmask, UE__BLOCK, mask, old, sizeof(mask));
	ue__i_syscall3(SYS_rt_sigpending, (long)pending, sizeof(pending), 0);
	if (ue__i_syscall3(SYS_write, UE__STDERR, (long)line, (long)size) < 0) {
		mask[0] &= ~pending[0];
		ue__i_libc_syscall(SYS_rt_sigtimedwait, mask, NULL, time, sizeof(mask));
	}
	ue__i_libc_syscall(SYS_rt_sigprocmask, UE__SET_MASK, old, NULL, sizeof(old));
}

/* Prints an event: the probe. */
UE__I_FN void ue__print_event(struct ue_event *event, const void *payload, size_t size, void *data)
{
	char spec[UE__I_SPEC_SIZE], line[UE__PRINT_LINE];
	struct ue_capture_event e;

	(void)data;
	if (ue_event_spec(event, spec, sizeof(spec)) < 0)
		return;
	memset(&e, 0, sizeof(e));
	e.spec = spec;
	/* the bytes before the payload, a tracer's common fields, are not read */
	e.record = (const uint8_t *)((uintptr_t)payload - sizeof(struct ue__decode_common));
	e.size = size + sizeof(struct ue__decode_common);
	e.big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	ue__capture_event_decode(&e);
	if (!ue__print_wants(&e))
		return;
	size = ue_captured_json(&e, UE_DECODE_SPACED | UE_DECODE_NO_META, line, sizeof(line));
	size = size < sizeof(line) - 1 ? size : sizeof(line) - 1;
	line[size++] = '\n';
	ue__print_write(line, size);
}

UE__I_API int ue_print_environment(void)
{
	const char *items = getenv("UE_PRINT");
	int error;

	if (!items || !*items || !strcmp(items, "0") || getauxval(AT_SECURE))
		return 0;
	if (!strcmp(items, "1"))
		items = "*";
	if (strlen(items) >= UE__PRINT_ITEMS)
		return -ENAMETOOLONG;
	error = (int)UE__I_SYSTEM(fstat(UE__STDERR, &ue__print_v1.file));
	if (error)
		return error;
	memcpy(ue__print_v1.items, items, strlen(items) + 1);
	error = ue_probe_register(NULL, ue__print_event, NULL);
	return error ? error : 1;
}

#else /* UE_DISABLE */

UE__I_DISABLED(0, int ue_print_environment(void))

#endif /* UE_DISABLE */
#endif /* UE__I_DECLARED_ONLY */

UE__I_HEADER_END
#endif /* UE_USER_EVENTS_PRINT_H */
