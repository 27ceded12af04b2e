/* SPDX-License-Identifier: MIT */
/* flags: -DUE_DISABLE */
/* All that other files have, compiled out: no code, no data, no warning. */
#include "types.c"
#include "many.c"
#include "sizes.c"
#include "contexts.c"
#include "runtime.c"
#include "span.c"
