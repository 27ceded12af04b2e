// SPDX-License-Identifier: MIT
// expect: shop_L5.*(undeclared|not declared)|undeclared identifier .shop_L5
#include <user_events_otel.h>

void f(int n);
void f(int n)
{
	UE_OTEL_LOG(shop, UE_OTEL_INFO, "sold", n);
}
