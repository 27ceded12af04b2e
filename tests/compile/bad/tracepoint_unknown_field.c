// SPDX-License-Identifier: MIT
// flags: -Iinclude/kernel -Itests/compile/bad 
// expect: tracepoint.h:40:.*error: .*no member named .bad_assign
#define BAD_ASSIGN
#define CREATE_TRACE_POINTS
#include "tracepoint.h"
