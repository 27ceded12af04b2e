// SPDX-License-Identifier: MIT
// expect: a bare variable of this type is no field
#include <string>
#include <vector>

#include <user_events.h>

void f(const std::vector<std::string> &v);
void f(const std::vector<std::string> &v)
{
	UE_TRACE(event, v);
}
