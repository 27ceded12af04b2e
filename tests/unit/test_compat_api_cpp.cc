/* SPDX-License-Identifier: MIT */
/* The tests of test_compat_api.c, and those of what only C++ has. */
#include "test_compat_api.c"
