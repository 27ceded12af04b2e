/* SPDX-License-Identifier: MIT */
/*
 * A shared library with its own copy of the header. It declares one event of its own, and one event
 * that another file also declares.
 */
#include <user_events.h>

extern void plugin_write(uint32_t number);
extern struct ue_status plugin_status(void);

void plugin_write(uint32_t number)
{
	UE_TRACE(plugin_c, UE_U32(number));
	UE_TRACE(plugin_shared, UE_STR(from, "c"), UE_U32(number));
}

struct ue_status plugin_status(void)
{
	return ue_status();
}
