/* SPDX-License-Identifier: MIT */
/*
 * Mistakes in events that the compiler must also report with UE_DISABLE. Each mistake is the body
 * of a function f().
 */
#define UE_DISABLE
#include <user_events.h>

UE_EVENT_SET(set, "Bad_Set", 4, 1);
UE_TRACEPOINT(point, UE_U32(a), UE_STR(s));
void f(float ratio, const int *p)
{

/* expect: field \\?"ratio\\?".*UE_TRACE does not support floats.*use UE_LOG */
	UE_TRACE(event, ratio);

/* expect: missing.*(undeclared|not declared)|undeclared identifier .missing */
	UE_LOG(set, "event", UE_U32(missing));

/* expect: not a pointer to char */
	UE_TRACE(event, UE_STR(s, p));

/* expect: too few arguments|no matching function|not enough */
	trace_point(1);
