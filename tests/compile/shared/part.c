/* SPDX-License-Identifier: MIT */
/* A file of a UE_SHARED program that only declares events. */
#include <user_events_builder.h>
#include <user_events_otel.h>

UE_DECLARE_EVENT_SET(shared_set);
UE_OTEL_DECLARE_PROVIDER(shared_otel);

void from_c(int x);
void from_c(int x)
{
	char buffer[256];
	struct ue_builder b;

	UE_TRACE(shared_few, x);
	UE_TRACE(shared_text, x, UE_STR(s, "x"));
	UE_LOG(shared_set, "few", x);
	UE_LOG(shared_set, "more", x, UE_I32(a, x), UE_I32(b, x), UE_I32(c, x), UE_STR(s, "x"));
	ue_builder_begin(&b, buffer, sizeof(buffer), "built", 0);
	ue_add_u32(&b, "x", 1);
	ue_builder_write(&b, &shared_set, NULL, NULL);
	UE_OTEL_LOG(shared_otel, UE_OTEL_INFO, "text", x);
}
