// SPDX-License-Identifier: MIT
// expect: write UE_OTEL_IN.&span.context
#include <user_events_otel.h>
UE_OTEL_PROVIDER(shop, "Shop");
void f(const unsigned char *id);
void f(const unsigned char *id)
{
	UE_OTEL_LOG(shop, UE_OTEL_INFO, "sold", UE_ACTIVITY(id));
}
