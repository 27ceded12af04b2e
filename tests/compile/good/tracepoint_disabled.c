// SPDX-License-Identifier: MIT
// flags: -Iinclude/kernel -Itests/compile/good -DUE_DISABLE
/* A trace header with UE_DISABLE defined. */
#include "tracepoint.c"
