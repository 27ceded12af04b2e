// SPDX-License-Identifier: MIT
// flags: -Iinclude/kernel -Itests/compile/bad 
// expect: tracepoint.h:33:.*error: .*incomplete (element )?type
#define BAD_ARRAY_TYPE
#define CREATE_TRACE_POINTS
#include "tracepoint.h"
