/* SPDX-License-Identifier: MIT */
/* user_events_decode.h may be included before user_events.h. */
#include <user_events_decode.h>

#include <user_events.h>

size_t decode(const void *data, size_t size, char *out, size_t out_size);
size_t decode(const void *data, size_t size, char *out, size_t out_size)
{
	struct ue_decode_event event;

	if (ue_decode_parse(&event, "A_L4K1", 6, data, size) < 0)
		return 0;
	UE_TRACE(decoded, UE_BYTES(data, data, size));
	return ue_decode_json(&event, NULL, UE_DECODE_SPACED, out, out_size);
}
