/* SPDX-License-Identifier: MIT */
/* user_events_print.h can be included alone: it includes the headers that it needs. */
#include <user_events_print.h>

int printed(void);
int printed(void)
{
	UE_TRACE(printed, UE_U32(number, 1));
	return ue_print_environment();
}
