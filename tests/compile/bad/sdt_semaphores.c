// SPDX-License-Identifier: MIT
// expect: has no semaphores: ue-dtrace makes a header that works from the .d file
#define _SDT_HAS_SEMAPHORES 1
#include <user_events_sdt.h>

unsigned short app_started_semaphore;

void f(void);
void f(void)
{
	if (app_started_semaphore)
		DTRACE_PROBE(app, started);
}
