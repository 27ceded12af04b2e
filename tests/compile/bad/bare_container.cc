// SPDX-License-Identifier: MIT
// expect: field \\?"[a-z]*\\?" .*cannot carry.*UE_I32
#include <string>
#include <vector>

#include <user_events.h>

void f(const std::vector<std::string> &v);
void f(const std::vector<std::string> &v)
{
	UE_TRACE(event, v);
}
