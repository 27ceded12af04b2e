/* SPDX-License-Identifier: MIT */
/*
 * Writes two events that no tracer accepts as a whole, one kernel-typed and one EventHeader event.
 * Exits with status 0 if the library truncated and recorded both.
 */
#include <user_events.h>

UE_EVENT_SET(truncated_set, "Truncated", UE_LEVEL_INFORMATION, 0x1);

int main(void)
{
	static char text[9000];
	struct ue_status status;

	memset(text, 'x', sizeof(text) - 1);
	UE_TRACE(truncated, UE_U32(number, 7), UE_STR(text));
	UE_LOG(truncated_set, "Big", UE_U32(number, 7), UE_STR(text));
	status = ue_status();
	return status.cut != 2 || status.failed || status.large;
}
