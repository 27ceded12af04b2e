/* SPDX-License-Identifier: MIT */
/* Records one event if an environment variable requests it, and prints the event's name. */
#include <stdio.h>
#include <sys/auxv.h>

#include <user_events_recorder.h>

int main(void)
{
	int error = ue_recorder_environment();

	UE_TRACE(privileged, UE_U32(number, 1));
	printf("secure %lu environment %d\n", getauxval(AT_SECURE), error);
	return 0;
}
