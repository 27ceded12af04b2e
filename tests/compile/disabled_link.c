/* SPDX-License-Identifier: MIT */
/*
 * With UE_DISABLE, programs that call functions in the other headers must still link, although the
 * core's code is compiled out. The functions must return valid results: for example, a span passes
 * on the context that it received.
 */
#define UE_DISABLE
#include <stdio.h>
#include <user_events_builder.h>
#include <user_events_capture.h>
#include <user_events_otel.h>
#include <user_events_recorder.h>

UE_OTEL_PROVIDER(shop, "Shop");

int main(void)
{
	struct ue_otel_context caller = { { 1, 2, 3 }, { 4, 5 } };
	struct ue_otel_span span;

	UE_OTEL_SPAN_BEGIN(shop, &span, &caller, "span");
	UE_OTEL_SPAN_END(shop, &span);
	if (memcmp(&span.context, &caller, sizeof(caller)) != 0)
		return 1;
	return printf("%p %p %p\n", (void *)(uintptr_t)&ue_captured_u64,
		      (void *)(uintptr_t)&ue_recorder_open,
		      (void *)(uintptr_t)&ue_builder_begin) < 0;
}
