// SPDX-License-Identifier: MIT
// expect: UE_I32.status, r->status.
#include <user_events.h>

struct reply {
	int status;
};
void f(const struct reply *r);
void f(const struct reply *r)
{
	UE_TRACE(event, status = r->status);
}
