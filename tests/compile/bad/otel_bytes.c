// SPDX-License-Identifier: MIT
// expect: .?"raw.?" is no attribute: a number or UTF-8 string
#include <user_events_otel.h>
UE_OTEL_PROVIDER(shop, "Shop");
void f(const char *p);
void f(const char *p)
{
	UE_OTEL_LOG(shop, UE_OTEL_INFO, "sold", UE_BYTES(raw, p, 3));
}
