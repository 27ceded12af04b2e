/* SPDX-License-Identifier: MIT */
/* test_otel.c in C++ */
#include <string>

#include "test_otel.c"
