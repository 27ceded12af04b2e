// SPDX-License-Identifier: MIT
// flags: -Iinclude/kernel -Itests/compile/bad 
// expect: tracepoint.h:30:.*error: .*incomplete type
#define BAD_TYPE
#define CREATE_TRACE_POINTS
#include "tracepoint.h"
