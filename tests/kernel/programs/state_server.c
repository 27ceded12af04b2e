/* SPDX-License-Identifier: MIT */
/* A version of the example server for emulated machines, on which perf takes seconds to start. */
#define UE_STATE_DELAY_MS 3000
#include "../../../examples/connections.c"
