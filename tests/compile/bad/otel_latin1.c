// SPDX-License-Identifier: MIT
// expect: .?"s.?" is no attribute: a number or UTF-8 string
#include <user_events_otel.h>
UE_OTEL_PROVIDER(shop, "Shop");
void f(const char *s);
void f(const char *s)
{
	UE_OTEL_LOG(shop, UE_OTEL_INFO, "sold", UE_LATIN1(s));
}
