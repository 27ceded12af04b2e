// SPDX-License-Identifier: MIT
// expect: UE_OTEL_NAME and UE_OTEL_EVENT_ID are for logs, UE_OTEL_LINKS for spans
#include <user_events_otel.h>
UE_OTEL_PROVIDER(shop, "Shop");
void f(struct ue_otel_span *span);
void f(struct ue_otel_span *span)
{
	UE_OTEL_SPAN_END(shop, span, UE_OTEL_NAME("Sold"));
}
