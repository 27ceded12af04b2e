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
 * A limit is a field: it writes every Nth event of its site, or at most N events per second, and
 * records how many events it suppressed in between:
 *
 *	packet_received suppressed=99 size=1500
 *
 * A disabled event costs the same with a limit.
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
 * UE_EVERY(n)		writes the first enabled event of the site, and every Nth one after it. If N
 *			is 0 or 1, all events are written.
 * UE_PER_SECOND(n)	writes the first N enabled events in each second of the system's clock. N is
 *			at most 65535; a larger number is 65535. If N is 0, no event is written.
 *
 * Each is a field of UE_TRACE, UE_LOG or UE_TRACEPOINT with the name `suppressed` and the type u32:
 * the number of events that the site suppressed since the last one that it wrote. trace_NAME() has
 * no parameter for it. N is an expression that is evaluated for each enabled event; it may change
 * at any time. An event has at most one limit.
 *
 * Write the limit before the other fields. If an event is suppressed, the fields after the limit
 * are not evaluated, and neither tracers nor probes nor recorders get the event. All of them share
 * the limit. It counts only while the event is enabled, and it does not start again for a new
 * tracer.
 *
 * A site is one UE_TRACE or UE_LOG in the source. UE_TRACEPOINT has one site per C file, or one in
 * the C++ files of a program. A child of fork() has its own copy of the counts. Each site has 8
 * bytes of memory. If a site does not run for a multiple of 65,536 seconds, its old number of
 * events may count for the current second.
 *
 * Thread-safe and async-signal-safe. Takes no lock and makes no system call.
 */
#define UE_EVERY(n) UE__LIMITED(ue__limit_every(ue__limit_v1.ue__words, n))
#define UE_PER_SECOND(n) UE__LIMITED(ue__limit_per_second(ue__limit_v1.ue__words, n))

/* clang-format off */
/* The parentheses around the name mark a field of UE_TRACEPOINT that is no parameter. */
#define UE__LIMITED(call) \
	(ue__i_value, ue__i_field, "suppressed", "suppressed;", , , UE__F_TYPE(U32), \
	 UE__I_CTYPE(U32), (suppressed), __extension__({ \
		static struct UE__I_HIDDEN_TYPE { uint32_t ue__words[2]; } ue__limit_v1; \
		int64_t ue__suppressed = call; \
		if (ue__suppressed < 0) \
			break; /* leaves the loop of the site */ \
		UE__I_CAST(uint64_t, ue__suppressed); \
	}))
/* clang-format on */

/*
 * Returns the number of events suppressed since the last written one, or -1 to suppress this event.
 * The first word is that number plus 1, or 0 before the first event.
 */
UE__I_FN __attribute__((__noinline__, __cold__)) int64_t ue__limit_every(uint32_t words[2],
									 uint32_t n)
{
	uint32_t count = UE__I_LOAD(&words[0]), next;

	do
		next = count && count < n ? count + 1 : 1;
	while (!__atomic_compare_exchange_n(&words[0], &count, next, false, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED));
	return next > 1 ? -1 : count ? (int64_t)count - 1 : 0;
}

/*
 * Does the same for a rate. The first word is the number of suppressed events. The second word has
 * the lower 16 bits of a second, and the number of events written in that second.
 */
UE__I_FN __attribute__((__noinline__, __cold__)) int64_t ue__limit_per_second(uint32_t words[2],
									      uint32_t n)
{
	uint32_t second = (uint32_t)time(NULL) & 65535, window = UE__I_LOAD(&words[1]), written;

	do {
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
