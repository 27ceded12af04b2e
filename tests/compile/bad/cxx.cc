// SPDX-License-Identifier: MIT
// Mistakes that are possible only in C++.
#include <user_events_cpp.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

struct money {
	long cents;
};
struct list {
	std::map<int, int> entries;
};
template <> struct ue_field<list> {
	static const std::map<int, int> &value(const list &l) { return l.entries; }
};
struct text {};
template <> struct ue_field<text> {
	static std::u16string value(const text &) { return {}; }
};

UE_EVENT_SET(set, "Bad_Set", 4, 1);

/* expect: field \\?"[a-z]*\\?".*is not a number.*UE_I32 */
void f(const std::vector<std::u16string> &v)
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

/* expect: field .{1,2}price.{1,2} is not a number.*specialise ue_field<T>.*user_events_cpp.h */
void f(const money &price)
{
	UE_TRACE(event, price);
}

/* expect: field .{1,2}ages.{1,2} is not a number.*specialise ue_field<T> */
void f(const std::map<std::string, int> &ages)
{
	UE_LOG(set, "event", ages);
}

/* expect: field .{1,2}owner.{1,2} is not a number.*specialise ue_field<T> */
void f(const std::unique_ptr<int> &owner)
{
	UE_TRACE(event, owner);
}

/* expect: field .{1,2}prices.{1,2} is not a number.*specialise ue_field<T> */
void f(const std::atomic<money *> &pointer, const std::vector<money> &prices)
{
	UE_TRACE(event, pointer, prices);
}

/* expect: field .{1,2}l.{1,2} is not a number.*specialise ue_field<T> */
void f(const list &l)
{
	UE_TRACE(event, l);
}

/* expect: not a pointer to char */
void f(const text &t)
{
	UE_LOG(set, "event", UE_STR(name, t));
}

/* expect: field .{1,2}names.{1,2}.*UE_TRACE does not support.*use UE_LOG */
void f(const std::vector<std::string> &names)
{
	UE_TRACE(event, names);
}

/* expect: field .{1,2}ratio.{1,2}.*UE_TRACE does not support floats.*use UE_LOG */
void f(const std::atomic<double> &ratio)
{
	UE_TRACE(event, ratio);
}
