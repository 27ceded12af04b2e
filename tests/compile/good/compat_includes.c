/* SPDX-License-Identifier: MIT */
/*
 * The compatibility header includes the same standard headers as LinuxTracepoints' header, because
 * programs may rely on them.
 */
/* flags: -Iinclude/compat */
#include <eventheader/TraceLoggingProvider.h>

TRACELOGGING_DEFINE_PROVIDER(provider, "Compile_Includes", (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
static_assert(EVENTHEADER_NAME_MAX == 256, "as there");

int includes(const char *text);
int includes(const char *text)
{
	size_t n = strlen(text);
	uint8_t byte = 1;

	assert(n > 0);
	if (memchr(text, byte, n))
		exit(EXIT_FAILURE);
	return TraceLoggingRegister(provider);
}
