/* SPDX-License-Identifier: MIT */
/* A second C library. In addition to UE_TRACE, it uses an event set and a run-time event. */
#include <user_events.h>

extern void plugin_write(uint32_t number);
extern struct ue_status plugin_status(void);

static struct ue_event runtime;

void plugin_write(uint32_t number)
{
	if (number == 0)
		ue_event_register(&runtime, "plugin_runtime u32 number", 0);
	ue_event_write(&runtime, &number, sizeof(number));
	UE_TRACE(plugin_shared, UE_STR(from, "c2"), UE_U32(number));
}

struct ue_status plugin_status(void)
{
	return ue_status();
}
