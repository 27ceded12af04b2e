/* SPDX-License-Identifier: MIT */
/* flags: -DUE_DISABLE */
/* All that other files have, compiled out: no code, no data, no warning. */
#include "otel.c"
#include "span.c"
#include "types.c"
#include "many.c"
#include "sizes.c"
#include "contexts.c"
#include "runtime.c"
