/* SPDX-License-Identifier: MIT */
/*
 * A shared library that registers a state function and starts the header's thread. It stops neither
 * of them before it is unloaded.
 */
#include <user_events_state.h>

extern void plugin_write(uint32_t number);

UE_TRACEPOINT(stateful, UE_U32(number));

static uint32_t number;

static void write_state(struct ue_event *event, bool attached, void *data)
{
	if (attached)
		trace_stateful(number);
}

/* Sets the state, and starts the thread. */
void plugin_write(uint32_t n)
{
	number = n;
	ue_state_register(ue_event_find("stateful", NULL), write_state, NULL);
	ue_state_start_thread(1);
}
