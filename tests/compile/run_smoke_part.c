/* SPDX-License-Identifier: MIT */
/* The second C file of the smoke program. */
#include "run_smoke.h"

UE_TRACEPOINT(smoke_c, UE_U16(port), UE_STR(name), UE_BYTES(data));

void smoke_part_c(void)
{
	smoke_in_header(1);
	trace_smoke_c(80, "web", "\1\2", 2);
	UE_LOG(smoke_set, "from C", UE_U16(n, 7));
}
