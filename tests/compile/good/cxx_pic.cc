// SPDX-License-Identifier: MIT
// flags: -std=c++14 -fPIC
// Inline functions and templates in shared libraries. The symbols of their data are weak, so clang
// assumes that another library may replace the data.
#include <user_events.h>

UE_EVENT_SET(pic_set, "Compile_Pic", 4, 1);

inline int positive(int n)
{
	if (n < 0) {
		UE_TRACE(pic_negative, n);
		UE_LOG(pic_set, "negative", n);
	}
	return n < 0 ? 0 : n;
}

int at_run_time(int n);
int at_run_time(int n)
{
	auto generic = [](auto m) {
		UE_TRACE(pic_generic, m);
		return m;
	};
	return positive(n) + generic(n) + static_cast<int>(generic(2L));
}
