/* SPDX-License-Identifier: MIT */
/* Events in a tracing hook, in C++. */
#include "test_traced_functions.c"
