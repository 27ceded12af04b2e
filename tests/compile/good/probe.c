/* SPDX-License-Identifier: MIT */
/* A file that declares no event can use probes. */
#include <user_events_probe.h>

static void count(struct ue_event *event, const void *payload, size_t size, void *data)
{
	#ifdef __cplusplus
	size_t *sum = static_cast<size_t *>(data);
#else
	size_t *sum = data;
#endif

	if (event && payload)
		*sum += size;
}

int probe_all(size_t *sum);
int probe_all(size_t *sum)
{
	char spec[512];
	struct ue_event *event = ue_event_find("request_done", UE__I_NULL);
	int error = ue_probe_register(event, count, sum);

	if (error < 0)
		return error;
	error = ue_event_spec(event, spec, sizeof(spec));
	ue_probe_unregister(event, count, sum);
	return error;
}
