/* SPDX-License-Identifier: MIT */
/* The tests of test_lttng.c: providers' headers are read as C++, as those of C++ programs are. */
#include "test_lttng.c"
