/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * user_events_span.h - records the begin and end of a unit of work as a pair of UE_LOG() events.
 *
 *	#include <user_events_span.h>
 *
 *	UE_EVENT_SET(app_info, "App", UE_LEVEL_INFORMATION, 1);
 *
 *	struct ue_span span;
 *
 *	UE_SPAN_BEGIN(app_info, &span, "Request", UE_STR(path));
 *	UE_LOG(app_info, "Parsed", UE_IN_SPAN(&span), headers);
 *	UE_SPAN_END(app_info, &span, "Request", status);
 *
 * Both events contain the same activity ID. Their opcodes are START and STOP, so readers can pair
 * them. For example, `uetrace latency` shows the duration of requests, and a timeline shows each
 * request as a bar.
 *
 * UE_SPAN_SCOPE() makes a scope a span, which ends when return, break, goto or an exception leaves
 * the scope:
 *
 *	UE_SPAN_SCOPE(app_info, span, "Request", UE_STR(path));
 */
#ifndef UE_USER_EVENTS_SPAN_H
#define UE_USER_EVENTS_SPAN_H
#ifndef UE__I_NO_SYSTEM_HEADER
#pragma GCC system_header
#endif

#include "user_events.h"

UE__I_BEGIN
/*
 * A span. It can be a local variable, or a member of a larger struct, such as the struct of a
 * request. It can end in a different function or thread from the one in which it began. The program
 * must not modify it in between. All members are private.
 */
struct ue_span {
	uint8_t ue__id[16]; /* activity ID, valid while ue__begun is true */
	bool ue__begun;	    /* true if the begin event was written and the end event was not */
};

/*
 * UE_SPAN_BEGIN(set, span, "name", fields...)
 * UE_SPAN_BEGIN_IN(set, span, parent, "name", fields...)
 * UE_SPAN_END(set, span, "name", fields...)
 *
 * Log the begin and the end of a span. These macros are statements, like UE_LOG(), and accept the
 * same fields as well as UE_ID() and UE_TAG(). SPAN and PARENT are pointers to struct ue_span. SPAN
 * is evaluated several times. The activity ID of PARENT is recorded as the related activity. The
 * names of both events must be equal, or differ only in Start and Stop or Begin and End, as in
 * "RequestStart" and "RequestStop".
 *
 * If the set is disabled, the begin costs as much as UE_LOG() plus one store. If the set is
 * enabled, the begin also calls ue_activity_new(). The end event is written once, and only if the
 * begin event was written. A span that began before the tracer started is therefore not recorded at
 * all. Thread-safe for different spans, async-signal-safe.
 *
 * UE_IN_SPAN(span)	can be used as a field of UE_LOG() to mark the event as part of the span
 */
#define UE_SPAN_BEGIN(set, span, ...) UE__SPAN_BEGIN(set, span, UE__I_NULL, __VA_ARGS__)
#define UE_SPAN_BEGIN_IN(set, span, parent, ...) \
	UE__SPAN_BEGIN(set, span, ue__span_id(parent), __VA_ARGS__)
#define UE_SPAN_END(set, span, ...) \
	do { \
		if (UE_LOG_ENABLED(set) && (span)->ue__begun) { \
			(span)->ue__begun = false; \
			UE_LOG(set, __VA_ARGS__, UE_ACTIVITY((span)->ue__id), \
			       UE_OPCODE(UE_OPCODE_ACTIVITY_STOP)); \
		} \
	} while (0)

#define UE_IN_SPAN(span) UE_ACTIVITY(ue__span_id(span))

/*
 * UE_SPAN_SCOPE(set, span, "name", fields...);
 * UE_SPAN_SCOPE_IN(set, span, parent, "name", fields...);
 *
 * Define a local struct ue_span SPAN that begins here and ends when its scope is left. The span
 * also ends if return, break, continue, goto or a C++ exception leaves the scope, but not if exit()
 * or longjmp() does.
 *
 * The end event has no fields. To write an end event with fields, call UE_SPAN_END(set, &span,
 * "name", fields...) before the scope ends. No second end event is then written. To nest scopes,
 * pass a pointer to the outer span as PARENT: UE_SPAN_SCOPE_IN(app_info, inner, &outer, "Step").
 *
 * A goto or case label that jumps into the scope past the definition does not compile. In C++, SET
 * must be the name of a set, and cannot be a function parameter. In C code compiled with clang, the
 * end event has no USDT probe, so it is visible only through user_events.
 */
#define UE_SPAN_SCOPE(set, span, ...) UE__SPAN_SCOPE(set, span, UE__I_NULL, __VA_ARGS__)
#define UE_SPAN_SCOPE_IN(set, span, parent, ...) \
	UE__SPAN_SCOPE(set, span, ue__span_id(parent), __VA_ARGS__)

/* Implementation */

#define UE__SPAN_BEGIN(set, span, parent, ...) \
	do { \
		(span)->ue__begun = false; \
		if (UE_LOG_ENABLED(set)) { \
			ue_activity_new((span)->ue__id); \
			UE_LOG(set, __VA_ARGS__, UE_ACTIVITY((span)->ue__id, parent), \
			       UE_OPCODE(UE_OPCODE_ACTIVITY_START)); \
			(span)->ue__begun = true; /* skipped if a field throws an exception */ \
		} \
	} while (0)

UE__I_FN const uint8_t *ue__span_id(const struct ue_span *span)
{
	return span->ue__begun ? span->ue__id : UE__I_NULL;
}

#if defined(__clang_analyzer__) || (defined(UE_DISABLE) && defined(__clang__))
#define UE__SPAN_SCOPE(set, span, parent, ...) \
	struct ue_span span; \
	UE__SPAN_BEGIN(set, &span, parent, __VA_ARGS__)

#elif defined(__cplusplus)
#define UE__SPAN_SCOPE(set, span, parent, ...) \
	struct ue_span span; \
	struct ue__scope_##span { \
		struct ue_span &ue__it; \
		UE__I_UNTRACED ~ue__scope_##span() \
		{ \
			UE_SPAN_END(set, &ue__it, UE__I_FIRST(__VA_ARGS__, ~)); \
		} \
	} ue__end_of_##span = { span }; \
	UE__SPAN_BEGIN(set, &span, parent, __VA_ARGS__)

#elif !defined(__clang__)
/*
 * With GCC, a nested function contains the site of the end event. GCC creates no trampoline on the
 * stack for it, because the function receives the span as its argument and its address is not
 * taken. The variable-length type makes a goto into the scope a compile-time error.
 */
#define UE__SPAN_SCOPE(set, span, parent, ...) \
	__extension__ __attribute__((__no_instrument_function__)) void \
	ue__end_of_##span(struct ue_span *ue__it) \
	{ \
		UE_SPAN_END(set, ue__it, UE__I_FIRST(__VA_ARGS__, ~)); \
	} \
	struct ue_span span __attribute__((__cleanup__(ue__end_of_##span))); \
	__extension__ typedef char ue__no_goto_over_##span[(span.ue__begun = false) + 1] \
		__attribute__((__unused__)); \
	UE__SPAN_BEGIN(set, &span, parent, __VA_ARGS__)

#else
/*
 * clang has no nested functions, so a single function ends all scopes. This function has no USDT
 * probe, because a probe site can have only one name.
 */
struct ue__span_end {
	struct ue_span *ue__span;
	struct ue_event *ue__to;
	const struct ue__f_desc *ue__end;
};

UE__I_FN void ue__end_span(const struct ue__span_end *end)
{
	if (ue_event_enabled(end->ue__to) && end->ue__span->ue__begun) {
		end->ue__span->ue__begun = false;
		ue__i_write_log_v1(end->ue__to, end->ue__end,
				 UE__I_IN(UUID)(end->ue__span->ue__id), 0, 0, 0);
	}
}

#define UE__SPAN_SCOPE(set, span, parent, ...) \
	struct ue_span span; \
	const struct ue__span_end __attribute__((__unused__, __cleanup__(ue__end_span))) \
	ue__end_of_##span = { \
		&span, ue__i_event_of(&(set)), \
		UE__SPAN_END_DESC(("" UE__I_FIRST(__VA_ARGS__, ~)), \
				  UE__I_ITEMS_2(_, ~, UE_ACTIVITY(span.ue__id), \
					      UE_OPCODE(UE_OPCODE_ACTIVITY_STOP))) \
	}; \
	UE__SPAN_BEGIN(set, &span, parent, __VA_ARGS__)
#define UE__SPAN_END_DESC(literal, ...) \
	__extension__({ \
		UE__I_LOG_FIELDS(2, __VA_ARGS__) \
		UE__I_LOG_DESC(2, ue__span_desc, literal, __VA_ARGS__) \
		UE__I_HEAD_OF(ue__span_desc); \
	})
#endif

UE__I_END
#endif /* UE_USER_EVENTS_SPAN_H */
