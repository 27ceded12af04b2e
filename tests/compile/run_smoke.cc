// SPDX-License-Identifier: MIT
// The smoke program with its main file in C++.
#include "run_smoke.c"
