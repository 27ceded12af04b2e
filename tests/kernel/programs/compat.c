/* SPDX-License-Identifier: MIT */
/*
 * A program written for LinuxTracepoints. With the argument "hold", it keeps its tracepoints
 * registered. Otherwise it writes one event for each tracepoint. Exits with the errno of the first
 * failure, or 0.
 */
#include <eventheader/TraceLoggingProvider.h>
#include <tracepoint/tracepoint-provider.h>
#include <unistd.h>

TRACELOGGING_DEFINE_PROVIDER(provider, "Kernel_Compat", (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
			     TraceLoggingOptionGroupName("grp"));
TPP_DEFINE_PROVIDER(points);

int main(int argc, char **argv)
{
	int status = 200, error = TraceLoggingRegister(provider);
	char large[3000];

	memset(large, 'x', sizeof(large));
	if (error == 0)
		error = TPP_REGISTER_PROVIDER(points);
	if (error)
		return error;
	if (argc > 1)
		pause();
	error = TraceLoggingWrite(provider, "Request", TraceLoggingInt32(status),
				  TraceLoggingLevel(event_level_information),
				  TraceLoggingKeyword(1), TraceLoggingStruct(2, "the client"),
				  TraceLoggingString("ann", "user"),
				  TraceLoggingUInt16(443, "port"), TraceLoggingKeyword(0x20));
	if (error == 0)
		error = TraceLoggingWrite(provider, "Large", TraceLoggingLevel(4),
					  TraceLoggingKeyword(0x21),
					  TraceLoggingCountedString(large, sizeof(large), "s"),
					  TraceLoggingInt32(argc, "behind"));
	if (error == 0)
		error = TPP_WRITE(points, "kernel_compat", TPP_INT32("status", status),
				  TPP_STRING("path", argv[argc]), TPP_STRING("user", "ann"),
				  TPP_UCHAR_ARRAY("id", 4, "1234"));
	TPP_UNREGISTER_PROVIDER(points);
	TraceLoggingUnregister(provider);
	return error;
}
