// SPDX-License-Identifier: MIT
// flags: -Iinclude/kernel -Itests/compile/bad 
// expect: tracepoint.h:59:.*error: .*no member named .*bad_string
#define BAD_GET_STR
#define CREATE_TRACE_POINTS
#include "tracepoint.h"
