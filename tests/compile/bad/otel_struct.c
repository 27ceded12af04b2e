// SPDX-License-Identifier: MIT
// expect: struct .?"ship.?" is no attribute: name each member
#include <user_events_otel.h>
UE_OTEL_PROVIDER(shop, "Shop");
void f(int n);
void f(int n)
{
	UE_OTEL_LOG(shop, UE_OTEL_INFO, "sold", UE_STRUCT(ship, n));
}
