// SPDX-License-Identifier: MIT
// expect: a field is a variable or names its type and itself
#include <user_events_otel.h>
UE_OTEL_PROVIDER(shop, "Shop");
void f(int *n);
void f(int *n)
{
	UE_OTEL_LOG(shop, UE_OTEL_INFO, "%d sold", n[3]);
}
