/* SPDX-License-Identifier: MIT */
/* user_events_capture.h can be included alone: it includes the headers that it needs. */
#include <user_events_capture.h>

struct everything {
	struct ue_capture capture;
	struct ue_capture_event event;
};

uint64_t captured(struct everything *c, void *memory, size_t size);
uint64_t captured(struct everything *c, void *memory, size_t size)
{
	char text[16];

	if (ue_capture_memory(&c->capture, memory, size) < 0)
		return ue_capture_lost(&c->capture);
	UE_TRACE(captured, UE_U64(size, size));
	ue_capture_stop(&c->capture);
	if (ue_capture_find(&c->capture, "captured", &c->event) < 0 ||
	    ue_capture_find_next(&c->capture, NULL, &c->event) < 0 ||
	    ue_capture_count(&c->capture, NULL) < 0)
		return ue_capture_format_text("a u32 b", 1, NULL, 0);
	if (ue_capture_dump(&c->capture, NULL, 2) < 0)
		return strlen(ue_capture_strerror(-ENOENT));
	if (ue_captured_string(&c->event, "size", text, sizeof(text)) < 0 ||
	    ue_captured_double(&c->event, "size") < 1.0 || ue_captured_i64(&c->event, "size") < 1)
		return ue_captured_json(&c->event, 0, NULL, 0);
	return ue_captured_u64(&c->event, "size");
}
