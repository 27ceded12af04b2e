/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * tracef(format, ...) writes the event "event" of the set lttng_ust_tracef_L5K1, with the formatted
 * text in the field "msg". It preserves errno, and is as async-signal-safe as vsnprintf(). Text
 * longer than 3551 bytes is truncated.
 */
#ifndef UE__I_NO_SYSTEM_HEADER
#pragma GCC system_header
#endif
#ifndef UE_COMPAT_LTTNG_TRACEF_H
#define UE_COMPAT_LTTNG_TRACEF_H

#include "tracepoint.h"
#include <stdarg.h>

/* Defines an event set that all files of the program or library share */
#define UE__TP_COMMON_SET(symbol, provider, level)                   \
	extern UE__I_STRUCT(ue_event_set) symbol                     \
		__attribute__((__weak__, __visibility__("hidden"))); \
	UE_EVENT_SET(symbol, provider, level, 1);
UE__TP_COMMON_SET(lttng_ust_tracef_5_v1, "lttng_ust_tracef", UE_LEVEL_VERBOSE)

#define lttng_ust_tracef(...)                                                                  \
	UE__TP_PRINT(ue__tp_print, &lttng_ust_tracef_5_v1, "event", UE__I_NULL, 0, UE__I_NULL, \
		     __VA_ARGS__)
#define lttng_ust_vtracef(...)                                                                  \
	UE__TP_PRINT(ue__tp_vprint, &lttng_ust_tracef_5_v1, "event", UE__I_NULL, 0, UE__I_NULL, \
		     __VA_ARGS__)
#define tracef lttng_ust_tracef
#define UE__TP_PRINT(print, set, ...)                               \
	do {                                                        \
		if (__builtin_expect(ue_event_set_enabled(set), 0)) \
			print(set, __VA_ARGS__);                    \
	} while (0)

UE__I_BEGIN
UE__I_FN __attribute__((__noinline__, __cold__)) __attribute__((__format__(__printf__, 6, 0))) void
ue__tp_vprint(struct ue_event_set *set, const char *name, const char *file, int line,
	      const char *func, const char *format, va_list ap)
{
	char text[UE_MAX_EVENT - 512], buffer[512];
	int saved = errno, n = vsnprintf(text, sizeof(text), format, ap);
	struct ue_builder b;

	errno = saved;
	ue_builder_begin(&b, buffer, sizeof(buffer), name, 0);
	if (file) {
		ue_add_i32(&b, "line", line);
		ue_add_str(&b, "file", file);
		ue_add_str(&b, "func", func);
	}
	ue_add_strn(&b, "msg", text, n < 0 ? 0 : strlen(text));
	ue_builder_write(&b, set, UE__I_NULL, UE__I_NULL);
}

UE__I_FN __attribute__((__noinline__, __cold__)) __attribute__((__format__(__printf__, 6, 7))) void
ue__tp_print(struct ue_event_set *set, const char *name, const char *file, int line,
	     const char *func, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	ue__tp_vprint(set, name, file, line, func, format, ap);
	va_end(ap);
}
UE__I_END

#endif
