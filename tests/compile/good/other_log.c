/* SPDX-License-Identifier: MIT */
/*
 * UE_LOG may be defined by another library, such as Unreal Engine. With UE_NO_LOG, user_events.h
 * does not define it.
 */
/* flags: -DUE_NO_LOG */
#define UE_LOG(category, verbosity, text) log_text(text)
void log_text(const char *text);

#include <user_events.h>

UE_EVENT_SET(other_log, "Other_Log", UE_LEVEL_INFORMATION, 1);

void both(int x);
void both(int x)
{
	UE_LOG(LogTemp, Warning, "text");
	UE_LOG_EVENT(other_log, "Both", x);
	UE_TRACE(both, x);
}
