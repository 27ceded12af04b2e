// SPDX-License-Identifier: MIT
// flags: -Iinclude/kernel -Itests/compile/bad 
// expect: tracepoint.h:53:.*error: .*no member named .bad_printk
#define BAD_PRINTK
#define CREATE_TRACE_POINTS
#include "tracepoint.h"
