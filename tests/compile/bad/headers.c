/* SPDX-License-Identifier: MIT */
/*
 * Mistakes in macros that the program defines before it includes a header, and in uses of the
 * headers other than user_events.h.
 */

/* expect: needs C11 or C..11 */
/* flags: -std=c89 */
#include <user_events.h>

/* expect: UE_MAX_EVENT must be at least 1024 */
#define UE_MAX_EVENT 1000
#include <user_events.h>

/* expect: UE_INLINE_BYTES must be 128 to UE_MAX_EVENT - 384 */
#define UE_INLINE_BYTES 64
#include <user_events.h>

/* expect: UE_INLINE_BYTES must be at most 65151 */
#define UE_MAX_EVENT 200000
#define UE_INLINE_BYTES 65152
#include <user_events.h>

/* expect: the level of an event set must be 1 to 255 */
#define UE_DISABLE
#include <user_events.h>
UE_EVENT_SET(set, "Bad_Set", 256, 1);

/* expect: another header defines UE_LOG: define UE_NO_LOG */
#define UE_LOG(category, ...) other(category, __VA_ARGS__)
#include <user_events.h>

/* expect: a macro is already defined.*UE_STR */
#define UE_STR(x) #x
#include <user_events.h>

/* expect: UE_DECODE_DEPTH must be 1 to 255 */
#define UE_DECODE_DEPTH 0
#include <user_events_decode.h>

/* expect: UE_DECODE_DEPTH must be 1 to 255 */
#define UE_DECODE_DEPTH 256
#include <user_events_decode.h>

/* expect: has no semaphores: use ue-dtrace to generate a header from the .d file */
#define _SDT_HAS_SEMAPHORES 1
#include <user_events_sdt.h>

unsigned short app_started_semaphore;
void f(void)
{
	if (app_started_semaphore)
		DTRACE_PROBE(app, started);
}

/* expect: a probe argument must be a number, a pointer or an array; for a struct or union */
#include <user_events_sdt.h>

struct pair {
	int a, b;
};
void f(struct pair s)
{
	DTRACE_PROBE2(app, two, s, s.a);
}

/* expect: an event has over 64 arguments */
/* flags: -Iinclude/compat */
#include <eventheader/TraceLoggingProvider.h>

#define EIGHT F, F, F, F, F, F, F, F
#define F TraceLoggingUInt8(1, "a")
TRACELOGGING_DECLARE_PROVIDER(provider);
int f(void)
{
	return TraceLoggingWrite(provider, "event", EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT,
				 EIGHT, F);
}

/* expect: an event has over 64 arguments */
/* flags: -Iinclude/compat */
#include <tracepoint/tracepoint-provider.h>

#define EIGHT F, F, F, F, F, F, F, F
#define F TPP_UINT8("a", value)
TPP_DECLARE_PROVIDER(provider);
TPP_FUNCTION(provider, "event", function, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, F)
