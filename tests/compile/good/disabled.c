/* SPDX-License-Identifier: MIT */
/* flags: -DUE_DISABLE */
/*
 * With UE_DISABLE, the contents of all other files here compile to no code, no data and no
 * warning.
 */
#include "otel.c"
#include "span.c"
#include "types.c"
#include "many.c"
#include "sizes.c"
#include "contexts.c"
#include "runtime.c"
