// SPDX-License-Identifier: MIT
// Compiles span.c as C++.
#include "span.c"
