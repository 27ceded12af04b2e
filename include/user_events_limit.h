/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * user_events_limit.h - rate limits for events.
 *
 *	#include <user_events_limit.h>
 *
 *	UE_TRACE(packet_received, UE_EVERY(100), UE_U32(size, packet->size));
 *	UE_LOG(net_error, "Checksum", UE_PER_SECOND(10), UE_U32(size, packet->size));
 *	UE_TRACEPOINT(cache_miss, UE_PER_SECOND(1000), UE_U64(key));
 *
 * A limit is a special field. With it, a site writes only every Nth event, or at most N events per
 * second. The field records the number of events that were suppressed since the last written event:
 *
 *	packet_received suppressed=99 size=1500
 *
 * A limit does not change the cost of a disabled event.
 *
 * Names that begin with ue__ or UE__ are private.
 */
#ifndef UE_USER_EVENTS_LIMIT_H
#define UE_USER_EVENTS_LIMIT_H
#ifndef UE__I_NO_SYSTEM_HEADER
#pragma GCC system_header
#endif

#include "user_events.h"
#include <time.h>

UE__I_HEADER_BEGIN

/*
 * UE_EVERY(n)		writes the first enabled event of the site, and every Nth event after that.
 *			If N is 0 or 1, all events are written.
 * UE_PER_SECOND(n)	writes the first N enabled events in each second of the system's clock. If N
 *			exceeds 65535, it is treated as 65535. If N is 0, no event is written.
 *
 * Both macros are fields of UE_TRACE, UE_LOG or UE_TRACEPOINT, with the name `suppressed` and the
 * type u32. The value is the number of events that the site has suppressed since it last wrote an
 * event. trace_NAME() has no parameter for this field. N is an expression that is evaluated for
 * each enabled event, so it may change at any time. An event has at most one limit. Spans and the
 * UE_OTEL macros accept no limit, because it could suppress only one of the two events of a span.
 *
 * Write the limit before the other fields. If an event is suppressed, the fields after the limit
 * are not evaluated, and the event reaches neither tracers nor probes nor recorders. All receivers
 * share one limit. Events are counted only while they are enabled, and a new tracer does not reset
 * the count.
 *
 * A site is one UE_TRACE or UE_LOG in the source. UE_TRACEPOINT has one site in each C file, or one
 * for all C++ files of a program. A child of fork() has its own copy of the counts. Each site needs
 * 8 bytes of memory. If a site is not executed for a multiple of 65,536 seconds, its earlier events
 * may be counted in the current second.
 *
 * Thread-safe and async-signal-safe. Takes no lock. UE_PER_SECOND calls time(), which makes a
 * system call on machines without a vDSO clock.
 */
#define UE_EVERY(n) UE__LIMITED(ue__limit_every(ue__limit_v1.ue__words, n))
#define UE_PER_SECOND(n) UE__LIMITED(ue__limit_per_second(ue__limit_v1.ue__words, n))

/* clang-format off */
/* The parentheses around the name mark a field that is not a parameter of trace_NAME(). */
#define UE__LIMITED(call) \
	(ue__i_value, ue__i_field, "suppressed", "suppressed;", , , UE__F_TYPE(U32), \
	 UE__I_CTYPE(U32), (suppressed), __extension__({ \
		static struct UE__I_HIDDEN_TYPE { uint32_t ue__words[2]; } ue__limit_v1; \
		int64_t ue__suppressed = call; \
		if (ue__suppressed < 0) \
			break; /* leaves the loop around the site */ \
		UE__I_CAST(uint64_t, ue__suppressed); \
	}))
/* clang-format on */

/*
 * Returns the number of events suppressed since the last written event, or -1 to suppress this
 * event. words[0] is the number of suppressed events plus 1, or 0 before the first event.
 */
UE__I_FN __attribute__((__noinline__, __cold__)) int64_t ue__limit_every(uint32_t words[2],
									 uint64_t n)
{
	uint32_t count = UE__I_LOAD(&words[0]), next;

	do
		next = count && count < n ? count + 1 : 1;
	while (!__atomic_compare_exchange_n(&words[0], &count, next, false, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED));
	return next > 1 ? -1 : count ? (int64_t)count - 1 : 0;
}

/*
 * Does the same as ue__limit_every(), but for a limit per second. words[0] is the number of
 * suppressed events. The upper half of words[1] is the time in seconds, modulo 65,536. The lower
 * half is the number of events written in that second.
 */
UE__I_FN __attribute__((__noinline__, __cold__)) int64_t ue__limit_per_second(uint32_t words[2],
									      uint64_t n)
{
	uint32_t second = (uint32_t)time(NULL) & 65535, window = UE__I_LOAD(&words[1]), written;

	do {
		/* another thread may have begun the next second since time() was called */
		if ((((window >> 16) - second) & 65535) == 1)
			second = window >> 16;
		written = window >> 16 == second ? window & 65535 : 0;
		if (written >= (n < 65535 ? n : 65535)) {
			__atomic_fetch_add(&words[0], 1u, __ATOMIC_RELAXED);
			return -1;
		}
	} while (!__atomic_compare_exchange_n(&words[1], &window, second << 16 | (written + 1),
					      false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	return __atomic_exchange_n(&words[0], 0u, __ATOMIC_RELAXED);
}

UE__I_HEADER_END
#endif /* UE_USER_EVENTS_LIMIT_H */
