// SPDX-License-Identifier: MIT
// flags: -Iinclude/compat
// expect: an event has over 64 arguments
#include <eventheader/TraceLoggingProvider.h>

#define EIGHT F, F, F, F, F, F, F, F
#define F TraceLoggingUInt8(1, "a")
TRACELOGGING_DECLARE_PROVIDER(provider);
int f(void);
int f(void)
{
	return TraceLoggingWrite(provider, "event", EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, F);
}
