// SPDX-License-Identifier: MIT
// A C++ file of a UE_SHARED program that only declares events.
#include <user_events.h>

UE_DECLARE_EVENT_SET(shared_set);
UE_TRACEPOINT(shared_point, UE_U32(x));

template <class T> static void from_template(T v)
{
	UE_TRACE(shared_template, v);
}

extern "C" void from_cxx(int x);
extern "C" void from_cxx(int x)
{
	trace_shared_point(1);
	from_template(x);
	UE_LOG(shared_set, "few", x);
}
