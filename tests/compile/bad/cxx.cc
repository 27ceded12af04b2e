// SPDX-License-Identifier: MIT
// Mistakes in C++ alone.
#include <user_events.h>
#include <string>
#include <vector>

UE_EVENT_SET(set, "Bad_Set", 4, 1);

/* expect: field \\?"[a-z]*\\?".*is not a number.*UE_I32 */
void f(const std::vector<std::string> &v)
{
	UE_TRACE(event, v);
}

/* expect: has at most one UE_ID, UE_OPCODE, UE_TAG, UE_ACTIVITY */
void f(const unsigned char *id)
{
	UE_LOG(set, "event", UE_ACTIVITY(id), UE_ACTIVITY(id));
}

/* expect: field \\?"value\\?".*UE_TRACE does not support floats.*use UE_LOG */
template <class T> void f(T value)
{
	UE_TRACE(event, value);
}
template void f(double);

/* expect: for a std::string s, write s or UE_STR.name, s. */
void f(const std::string &s)
{
	UE_TRACE(event, UE_STR(s));
}

/* expect: not a pointer to char */
void f(const std::u16string &s)
{
	UE_TRACE(event, UE_STR(name, s));
}

/* expect: not a container of elements of that size */
void f(const std::vector<int> &v)
{
	UE_TRACE(event, UE_ARRAY(I64, list, v));
}

/* expect: not a container of elements of that size */
void f(const std::string &s)
{
	UE_LOG(set, "event", UE_ARRAY(STR, list, s));
}

/* expect: write a set without quotes */
ue_event_set *find(const char *name);
void f()
{
	UE_LOG(*find("shop"), "event");
}
