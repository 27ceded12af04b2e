// SPDX-License-Identifier: MIT
// flags: -Iinclude/kernel -Itests/compile/bad -Wformat -Werror=format
// expect: tracepoint.h:(55|56):.*error: .*(expects|specifies)
#define BAD_FORMAT
#define CREATE_TRACE_POINTS
#include "tracepoint.h"
