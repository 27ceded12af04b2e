/* SPDX-License-Identifier: MIT */
/* A file that declares no event can use state functions. */
#include <user_events_state.h>

static void add(struct ue_event *event, bool attached, void *data)
{
#ifdef __cplusplus
	int *tracers = static_cast<int *>(data);
#else
	int *tracers = data;
#endif

	if (event)
		*tracers += attached ? 1 : -1;
}

int count_tracers(int *tracers);
int count_tracers(int *tracers)
{
	struct ue_event *event = ue_event_find("request_done", UE__I_NULL);
	int error = ue_state_register(event, add, tracers);

	if (error < 0)
		return error;
	error = ue_state_start_thread(100);
	if (!error)
		error = ue_state_stop_thread();
	if (!error)
		error = ue_state_poll();
	ue_state_unregister(event, add, tracers);
	return error;
}
