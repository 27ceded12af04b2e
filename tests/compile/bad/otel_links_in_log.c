// SPDX-License-Identifier: MIT
// expect: UE_OTEL_NAME and UE_OTEL_EVENT_ID are for logs, UE_OTEL_LINKS for spans
#include <user_events_otel.h>
UE_OTEL_PROVIDER(shop, "Shop");
void f(const char *links);
void f(const char *links)
{
	UE_OTEL_LOG(shop, UE_OTEL_INFO, "sold", UE_OTEL_LINKS(links));
}
