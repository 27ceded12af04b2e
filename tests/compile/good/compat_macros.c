/* SPDX-License-Identifier: MIT */
/* The program defines macros with names that the compatibility header could use internally. */
/* flags: -Iinclude/compat */
#define NONE 0
#define VALUE 1
#define STRING 2
#define FIELD 3
#include <eventheader/TraceLoggingProvider.h>
#include <tracepoint/tracepoint-provider.h>

TRACELOGGING_DECLARE_PROVIDER(provider);
TPP_DECLARE_PROVIDER(points);

int events(int32_t number, const char *text);
int events(int32_t number, const char *text)
{
	return TraceLoggingWrite(provider, "event", TraceLoggingLevel(2), TraceLoggingInt32(number),
				 TraceLoggingString(text)) +
	       TPP_WRITE(points, "event", TPP_INT32("number", number), TPP_STRING("text", text));
}
