// SPDX-License-Identifier: MIT
// flags: -std=c++14
// Events in constexpr functions, where constant expressions do not come by, and in generic lambdas.
#include <user_events.h>

UE_EVENT_SET(constexpr_set, "Compile_Constexpr", 4, 1);

constexpr int positive(int n)
{
	if (n < 0) {
		UE_TRACE(constexpr_negative, n);
		UE_LOG(constexpr_set, "negative", n);
	}
	return n < 0 ? 0 : n;
}
static_assert(positive(3) == 3, "a constant expression");

int at_run_time(int n);
int at_run_time(int n)
{
	auto generic = [](auto m) {
		UE_TRACE(constexpr_generic, m);
		return m;
	};
	return positive(n) + generic(n) + static_cast<int>(generic(2L));
}
