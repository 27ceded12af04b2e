/* SPDX-License-Identifier: MIT */
/* flags: -DUE_DISABLE */
/*
 * With UE_DISABLE, all other files in this directory compile to no code and no data, without
 * warnings.
 */
#include "otel.c"
#include "span.c"
#include "types.c"
#include "many.c"
#include "sizes.c"
#include "contexts.c"
#include "runtime.c"
