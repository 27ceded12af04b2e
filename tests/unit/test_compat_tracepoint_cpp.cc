/* SPDX-License-Identifier: MIT */
/* The tests of test_compat_tracepoint.c. */
#include "test_compat_tracepoint.c"
