// SPDX-License-Identifier: MIT
// expect: among .{1,2}done;r->status;.{1,2}: a field is
#include <user_events.h>

struct reply {
	int status;
};
void f(const struct reply *r);
void f(const struct reply *r)
{
	UE_TRACE(done, r->status);
}
