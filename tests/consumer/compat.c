/* SPDX-License-Identifier: MIT */
#include <eventheader/TraceLoggingProvider.h>
#include <tracepoint/tracepoint-provider.h>

TRACELOGGING_DEFINE_PROVIDER(provider, "Installed", (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));

int main(void)
{
	TraceLoggingRegister(provider);
	return TraceLoggingWrite(provider, "Event");
}
