/* SPDX-License-Identifier: MIT */
/* The old version of a program. Its event has fewer fields. It exits at the end of its input. */
#include <user_events.h>

#include <stdio.h>

#ifndef FIELDS
#define FIELDS UE_U32(status, 1)
#endif

int main(void)
{
	struct ue_status status = ue_status();

	printf("registered %u multi %u: %s\n", status.registered, status.multi, status.message);
	fflush(stdout);
	/* one event per line of input */
	while (getchar() == '\n')
		UE_TRACE(versioned, FIELDS);
	return ue_status().failed != 0;
}
