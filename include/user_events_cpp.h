/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * user_events_cpp.h - types of the C++ library as fields.
 *
 *	#include <user_events_cpp.h>
 *
 *	std::chrono::milliseconds elapsed = ...;
 *	std::optional<int> status = ...;
 *
 *	UE_TRACE(request_done, elapsed, status);
 *
 * A plain variable of one of these types is a field:
 *
 *	std::chrono::duration		int64_t nanoseconds. A duration out of range is recorded as
 *					the nearest number, and NaN as the largest.
 *	std::chrono::time_point		int64_t nanoseconds since the epoch of its clock
 *	std::atomic<T>			its value, loaded with memory_order_relaxed
 *	std::vector<std::string>	an array of strings, in UE_LOG only. Each string ends at its
 *					first NUL. Only the first 64 strings are recorded.
 *	std::optional<T>		since C++17. If T is a scalar, an array of zero or one
 *					element. If T is a string, a string, which is "" if there is
 *					no value.
 *	std::filesystem::path		since C++17: a string
 *
 * T may also be any type with a ue_field<T>, including the types above and the program's own types.
 * This header specialises ue_field<T>, which user_events.h declares. A program can do the same for
 * its own types. For example, to record an enum by name, value() returns the name:
 *
 *	enum class state { idle, busy };
 *
 *	template <> struct ue_field<state> {
 *		static const char *value(state s) { return s == state::idle ? "idle" : "busy"; }
 *	};
 *
 * The specialisation must be at global scope, before the first event with such a field, and the
 * same in all files. value() runs only if the event is enabled. It must not throw. If it allocates
 * memory, the site is not async-signal-safe. To record a member of an object, make a reference to
 * it: `auto &elapsed = request.elapsed;`.
 *
 * These types have a separate header because the headers of the C++ library take a long time to
 * compile. In C, this header is empty.
 */
#ifndef UE_USER_EVENTS_CPP_H
#define UE_USER_EVENTS_CPP_H

#include "user_events.h"

#ifdef __cplusplus
#include <atomic>
#include <chrono>
#include <limits>
#include <string>
#include <vector>
#if __cplusplus >= 201703L && __has_include(<optional>)
#include <optional>
#include <type_traits>
#include <utility>
#endif
#if __cplusplus >= 201703L && __has_include(<filesystem>)
#include <filesystem>
#endif

UE__I_HEADER_BEGIN
/* clang-format off */

template <class Rep, class Period> struct ue_field<std::chrono::duration<Rep, Period>> {
	UE__I_FN static int64_t value(const std::chrono::duration<Rep, Period> &d)
	{
		typedef std::chrono::duration<int64_t, std::nano> nanoseconds;
		typedef std::numeric_limits<int64_t> limits;
		const double ns = std::chrono::duration<double, std::nano>(d).count();

		if (!(ns < 9.2233720368547758e18)) /* NS is at least 2^63, or NaN */
			return limits::max();
		if (ns <= -9.2233720368547758e18)
			return limits::min();
		return std::chrono::duration_cast<nanoseconds>(d).count();
	}
};

template <class Clock, class Duration> struct ue_field<std::chrono::time_point<Clock, Duration>> {
	UE__I_FN static Duration value(const std::chrono::time_point<Clock, Duration> &t)
	{
		return t.time_since_epoch();
	}
};

template <class T> struct ue_field<std::atomic<T>> {
	UE__I_FN static T value(const std::atomic<T> &a)
	{
		return a.load(std::memory_order_relaxed);
	}
};

/* An array of C strings, made from a vector of strings. */
struct ue__cpp_strings {
	const char *list[64]; /* the library records at most 64 strings */
	size_t count;

	template <class Strings>
	UE__I_FN explicit ue__cpp_strings(const Strings &strings) : count(strings.size())
	{
		for (size_t i = 0; i < count && i < 64; i++)
			list[i] = strings[i].c_str();
	}
	UE__I_FN const char *const *data() const { return list; }
	UE__I_FN size_t size() const { return count; }
};

template <class Traits, class A1, class A2>
struct ue_field<std::vector<std::basic_string<char, Traits, A1>, A2>> {
	UE__I_FN static ue__cpp_strings
	value(const std::vector<std::basic_string<char, Traits, A1>, A2> &strings)
	{
		return ue__cpp_strings(strings);
	}
};

#if __cplusplus >= 201703L && __has_include(<optional>)
/* Refers to the elements of a container or string, or to none if an optional is empty. */
template <class T> struct ue__cpp_view {
	const T *first;
	size_t count;

	template <class Container>
	UE__I_FN explicit ue__cpp_view(const Container *c)
		: first(c ? c->data() : nullptr), count(c ? c->size() : 0) {}
	UE__I_FN const T *data() const { return first; }
	UE__I_FN size_t size() const { return count; }
};
template <class Container>
ue__cpp_view(const Container *)
	-> ue__cpp_view<std::remove_pointer_t<decltype(std::declval<const Container &>().data())>>;

/* A number. The count is 0 if the number comes from an empty std::optional, otherwise 1. */
template <class T> struct ue__cpp_number {
	T number;
	size_t count;

	UE__I_FN const T *data() const { return &number; }
	UE__I_FN size_t size() const { return count; }
};

template <class T, class = void> struct ue__cpp_result { typedef void type; };
template <class T>
struct ue__cpp_result<T, std::void_t<decltype(ue_field<T>::value(std::declval<const T &>()))>> {
	typedef decltype(ue_field<T>::value(std::declval<const T &>())) type;
};

template <class T>
struct ue_field<std::optional<T>, std::enable_if_t<ue__i_auto<T>::ue__i_type != UE__I_T_NO_FIELD>> {
	typedef typename ue__cpp_result<T>::type ue__cpp_value; /* void if T has no ue_field */
	typedef std::decay_t<ue__cpp_value> ue__r;
	static constexpr bool ue__is_span = (ue__i_auto<T>::ue__i_type & UE__F_T_SPAN) != 0;

	UE__I_FN static auto value(const std::optional<T> &o)
	{
		if constexpr (std::is_lvalue_reference_v<ue__cpp_value> && ue__is_span &&
			      std::is_void_v<typename ue__cpp_result<ue__r>::type>)
			return ue__cpp_view(o ? &ue_field<T>::value(*o) : nullptr);
		else if constexpr (!std::is_void_v<ue__cpp_value>)
			return o ? std::optional<ue__r>(ue_field<T>::value(*o)) : std::nullopt;
		else if constexpr (ue__is_span)
			return ue__cpp_view(o ? &*o : nullptr);
		else if constexpr ((ue__i_auto<T>::ue__i_type & UE__F_T_DATA) != 0)
			return o ? *o : T(); /* a pointer to characters */
		else
			return ue__cpp_number<T>{o ? *o : T(), o.has_value()};
	}
};
#endif

#if __cplusplus >= 201703L && __has_include(<filesystem>)
template <> struct ue_field<std::filesystem::path> {
	UE__I_FN static const std::string &value(const std::filesystem::path &path)
	{
		return path.native();
	}
};
#endif

/* clang-format on */
UE__I_HEADER_END
#endif /* __cplusplus */

#endif /* UE_USER_EVENTS_CPP_H */
