/* SPDX-License-Identifier: MIT */
/* A C++ library whose only event is defined at run time. */
#include <user_events.h>

extern "C" void plugin_write(uint32_t number);

static struct ue_event runtime;

void plugin_write(uint32_t number)
{
	ue_event_register(&runtime, "runtime_only u32 number", 0);
	ue_event_write(&runtime, &number, sizeof(number));
}
