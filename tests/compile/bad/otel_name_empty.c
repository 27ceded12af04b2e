// SPDX-License-Identifier: MIT
// expect: .?".?" is no attribute: a number or UTF-8 string, named
#include <user_events_otel.h>
UE_OTEL_PROVIDER(shop, "Shop");
void f(int n);
void f(int n)
{
	UE_OTEL_LOG(shop, UE_OTEL_INFO, "sold", UE_NAMED("", n));
}
