// SPDX-License-Identifier: MIT
// A shared C++ library: events in a template, a lambda and an inline function.
#include <user_events.h>

extern "C" void plugin_write(uint32_t number);
extern "C" struct ue_status plugin_status(void);

template <class T> void in_template(T number)
{
	UE_TRACE(plugin_template, number);
}

inline void in_inline(uint32_t number)
{
	UE_TRACE(plugin_shared, UE_STR(from, "c++"), UE_U32(number));
}

void plugin_write(uint32_t number)
{
	auto in_lambda = [](uint32_t n) { UE_TRACE(plugin_lambda, UE_U32(number, n)); };

	in_template(number);
	in_lambda(number);
	in_inline(number);
}

struct ue_status plugin_status(void)
{
	return ue_status();
}
