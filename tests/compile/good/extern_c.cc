// SPDX-License-Identifier: MIT
// A C header that wraps all its includes in extern "C".
extern "C" {
#include <user_events.h>
#include <user_events_decode.h>

static inline void in_c_header(int n)
{
	UE_TRACE(c_header, n);
}
}

void use(int n);
void use(int n)
{
	in_c_header(n);
}
