/* SPDX-License-Identifier: MIT */
/* Selects a mistake in tracepoint.h. The compiler must report the line of the mistake. */
/* flags: -Iinclude/kernel -Itests/compile/bad */

/* expect: tracepoint.h:17:.*error: .*(requires 6 arguments|too few arguments) */
#define BAD_MACRO
#include "tracepoint.h"

/* expect: tracepoint.h:71:.*error: .*BAD_CONSTANT */
#define BAD_ENUM
#include "tracepoint.h"

/* expect: tracepoint.h:30:.*error: .*incomplete type */
#define BAD_TYPE
#define CREATE_TRACE_POINTS
#include "tracepoint.h"

/* expect: tracepoint.h:33:.*error: .*incomplete (element )?type */
#define BAD_ARRAY_TYPE
#define CREATE_TRACE_POINTS
#include "tracepoint.h"

/* expect: tracepoint.h:42:.*error: .*no member named .bad_assign */
#define BAD_ASSIGN
#define CREATE_TRACE_POINTS
#include "tracepoint.h"

/* expect: tracepoint.h:45:.*error: .*no member named .*bad_string */
#define BAD_ASSIGN_STR
#define CREATE_TRACE_POINTS
#include "tracepoint.h"

/* expect: tracepoint.h:48:.*error: .*no member named .*bad_string */
#define BAD_ASSIGN_STR_TO
#define CREATE_TRACE_POINTS
#include "tracepoint.h"

/* expect: tracepoint.h:51:.*error: .*no member named .*ue__source */
#define BAD_ASSIGN_ARRAY
#define CREATE_TRACE_POINTS
#include "tracepoint.h"

/* expect: tracepoint.h:58:.*error: .*no member named .bad_printk */
#define BAD_PRINTK
#define CREATE_TRACE_POINTS
#include "tracepoint.h"

/* expect: tracepoint.h:(60|61):.*error: .*(expects|specifies) */
/* flags: -Wformat -Werror=format */
#define BAD_FORMAT
#define CREATE_TRACE_POINTS
#include "tracepoint.h"

/* expect: tracepoint.h:64:.*error: .*no member named .*bad_string */
#define BAD_GET_STR
#define CREATE_TRACE_POINTS
#include "tracepoint.h"
