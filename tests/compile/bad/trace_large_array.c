// SPDX-License-Identifier: MIT
// expect: field \\?"frame\\?" .*cannot carry.*up to 1024 bytes
#include <user_events.h>

void f(void);
void f(void)
{
	static unsigned char frame[1025];

	UE_TRACE(event, frame);
}
