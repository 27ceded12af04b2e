// SPDX-License-Identifier: MIT
// expect: elements of .*list.* have another size
#include <user_events.h>

void f(const uint16_t *p, size_t n);
void f(const uint16_t *p, size_t n)
{
	UE_TRACE(event, UE_ARRAY(U32, list, p, n));
}
