// SPDX-License-Identifier: MIT
// flags: -Iinclude/kernel -Itests/compile/good -DUE_DISABLE
/* A trace header, compiled out. */
#include "tracepoint.c"
