// SPDX-License-Identifier: MIT
// flags: -Iinclude/kernel -Itests/compile/good -DUE_DISABLE
/* Includes a trace header while UE_DISABLE is defined. */
#include "tracepoint.c"
