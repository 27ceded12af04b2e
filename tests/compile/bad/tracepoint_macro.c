// SPDX-License-Identifier: MIT
// flags: -Iinclude/kernel -Itests/compile/bad 
// expect: tracepoint.h:17:.*error: .*(requires 6 arguments|too few arguments)
#define BAD_MACRO
#include "tracepoint.h"
