// SPDX-License-Identifier: MIT
// expect: field \\?"value\\?" .*cannot carry.*use UE_LOG
#include <user_events.h>

template <class T> void f(T value)
{
	UE_TRACE(event, value);
}
void g();
void g()
{
	f(1.5);
}
