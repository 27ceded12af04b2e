// SPDX-License-Identifier: MIT
// expect: UE_ID, UE_OPCODE, UE_TAG and UE_ACTIVITY are options of UE_LOG
#include <user_events_otel.h>
UE_OTEL_PROVIDER(shop, "Shop");
void f(const unsigned char *id);
void f(const unsigned char *id)
{
	UE_OTEL_LOG(shop, UE_OTEL_INFO, "sold", UE_ACTIVITY(id));
}
