/* SPDX-License-Identifier: MIT */
/* The mistakes of tracepoint.h. The compiler names their lines. */
/* flags: -Iinclude/kernel -Itests/compile/bad */

/* expect: tracepoint.h:17:.*error: .*(requires 6 arguments|too few arguments) */
#define BAD_MACRO
#include "tracepoint.h"

/* expect: tracepoint.h:66:.*error: .*BAD_CONSTANT */
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

/* expect: tracepoint.h:40:.*error: .*no member named .bad_assign */
#define BAD_ASSIGN
#define CREATE_TRACE_POINTS
#include "tracepoint.h"

/* expect: tracepoint.h:43:.*error: .*no member named .*bad_string */
#define BAD_ASSIGN_STR
#define CREATE_TRACE_POINTS
#include "tracepoint.h"

/* expect: tracepoint.h:46:.*error: .*no member named .*bad_string */
#define BAD_ASSIGN_STR_TO
#define CREATE_TRACE_POINTS
#include "tracepoint.h"

/* expect: tracepoint.h:53:.*error: .*no member named .bad_printk */
#define BAD_PRINTK
#define CREATE_TRACE_POINTS
#include "tracepoint.h"

/* expect: tracepoint.h:(55|56):.*error: .*(expects|specifies) */
/* flags: -Wformat -Werror=format */
#define BAD_FORMAT
#define CREATE_TRACE_POINTS
#include "tracepoint.h"

/* expect: tracepoint.h:59:.*error: .*no member named .*bad_string */
#define BAD_GET_STR
#define CREATE_TRACE_POINTS
#include "tracepoint.h"
