// SPDX-License-Identifier: MIT
// flags: -Iinclude/kernel -Itests/compile/bad -Wformat -Werror=format
// expect: tracepoint.h:(49|50):.*error: .*(expects|specifies)
// lines: 26
#define BAD_FORMAT
#define CREATE_TRACE_POINTS
#include "tracepoint.h"
