// SPDX-License-Identifier: MIT
// expect: UE_BYTES.name, pointer, size.
#include <user_events.h>

UE_EVENT_SET(set, "Set", UE_LEVEL_INFORMATION, 1);

void f(const void *packet);
void f(const void *packet)
{
	UE_LOG(set, "Received", UE_BYTES(packet, packet));
}
