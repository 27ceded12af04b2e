/* SPDX-License-Identifier: MIT */
/* The example server, for an emulated machine, on which perf takes seconds to start. */
#define UE_STATE_DELAY_MS 3000
#include "../../../examples/connections.c"
