// SPDX-License-Identifier: MIT
// expect: is no scalar, pointer or array of scalars
#include <string>
#include <vector>

#include <user_events.h>

void f(const std::vector<std::string> &v);
void f(const std::vector<std::string> &v)
{
	UE_TRACE(event, v);
}
