/* SPDX-License-Identifier: MIT */
/* Records and captures one event if the environment says so; prints which. */
#include <stdio.h>
#include <sys/auxv.h>

#include <user_events_capture.h>

int main(void)
{
	static struct ue_capture capture;
	int error = ue_capture_environment(&capture);

	UE_TRACE(privileged, UE_U32(number, 1));
	printf("secure %lu environment %d\n", getauxval(AT_SECURE), error);
	return 0;
}
