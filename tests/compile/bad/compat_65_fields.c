// SPDX-License-Identifier: MIT
// flags: -Iinclude/compat
// expect: an event has over 64 arguments
#include <tracepoint/tracepoint-provider.h>

#define EIGHT F, F, F, F, F, F, F, F
#define F TPP_UINT8("a", value)
TPP_DECLARE_PROVIDER(provider);
TPP_FUNCTION(provider, "event", function, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, F)
