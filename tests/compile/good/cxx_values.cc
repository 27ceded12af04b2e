// SPDX-License-Identifier: MIT
// Fields of C++ library types, and of program types for which ue_field is specialised.
#include <user_events_cpp.h>

UE_EVENT_SET(values_set, "Compile_Values", 4, 1);

namespace app
{
struct money {
	int cents;
};
struct name {
	int number;
};
struct order {
	std::chrono::milliseconds elapsed;
};
enum class state { idle, busy };
enum class level { low, high };
template <class T> struct range {
	T first, last;
};
} // namespace app

template <> struct ue_field<app::money> {
	static int value(app::money m)
	{
		return m.cents;
	}
};
template <> struct ue_field<app::name> {
	static std::string value(const app::name &n)
	{
		return std::string("n", n.number != 0);
	}
};
template <> struct ue_field<app::order> {
	static const std::chrono::milliseconds &value(const app::order &o)
	{
		return o.elapsed;
	}
};
template <> struct ue_field<app::state> {
	static const char *value(app::state s)
	{
		return s == app::state::idle ? "idle" : "busy";
	}
};
template <class T> struct ue_field<app::range<T>> {
	static T value(const app::range<T> &r)
	{
		return r.last;
	}
};

template <class T> void in_template(const T &value);
template <class T> void in_template(const T &value)
{
	UE_TRACE(values_template, value);
	UE_LOG(values_set, "template", value);
}

void use(app::money money, const app::name &name, app::order &order, app::state state,
	 std::vector<std::string> strings, std::atomic<app::level> &level,
	 app::range<app::name> range);
void use(app::money money, const app::name &name, app::order &order, app::state state,
	 std::vector<std::string> strings, std::atomic<app::level> &level,
	 app::range<app::name> range)
{
	const std::chrono::seconds seconds(1);
	const std::chrono::duration<double> ratio(0.5);
	const std::chrono::system_clock::time_point now = std::chrono::system_clock::now();
	std::atomic<bool> is_open(true);
	auto &elapsed = order.elapsed;

	UE_TRACE(values, money, name, order, state, level, range, seconds, ratio, now, is_open,
		 elapsed, UE_STR(text, name));
	UE_LOG(values_set, "values", money, name, order, state, strings, level, range, seconds,
	       ratio, now, is_open, UE_NAMED("text", UE_STR(text, name)), UE_TAGGED(1, strings));
	in_template(name);
	in_template(seconds);
#if __cplusplus >= 201703L
	std::optional<int> status = 1;
	std::optional<double> none;
	std::optional<std::string> text = "text";
	std::optional<std::chrono::nanoseconds> timeout;
	std::optional<std::filesystem::path> file = "/", *pointer = &file;
	std::optional<app::name> who = name;

	UE_TRACE(values_17, status, text, timeout, file, pointer, who, UE_STR(path, *file));
	UE_LOG(values_set, "values_17", status, none, text, timeout, file, who);
#endif
}
