// SPDX-License-Identifier: MIT
// expect: struct .?"ships.?" is no attribute: name each member
#include <user_events_otel.h>
UE_OTEL_PROVIDER(shop, "Shop");
void f(const void *p);
void f(const void *p)
{
	UE_OTEL_LOG(shop, UE_OTEL_INFO, "sold", UE_STRUCT_ARRAY(ships, p, 2, UE_U32(id)));
}
