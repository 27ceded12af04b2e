// SPDX-License-Identifier: MIT
// flags: -Iinclude/kernel -Itests/compile/bad 
// expect: tracepoint.h:66:.*error: .*BAD_CONSTANT
#define BAD_ENUM
#include "tracepoint.h"
