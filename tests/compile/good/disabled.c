/* SPDX-License-Identifier: MIT */
/* flags: -DUE_DISABLE */
/* Everything that the other files contain, compiled out: no code, no data, no warning. */
#include "otel.c"
#include "span.c"
#include "types.c"
#include "many.c"
#include "sizes.c"
#include "contexts.c"
#include "runtime.c"
