/* SPDX-License-Identifier: MIT */
/*
 * The old version of a program, whose event has fewer fields than the event of the new version. It
 * exits at the end of its input.
 */
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
	/* writes one event per input line */
	while (getchar() == '\n')
		UE_TRACE(versioned, FIELDS);
	return ue_status().failed != 0;
}
