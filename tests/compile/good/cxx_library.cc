// SPDX-License-Identifier: MIT
// Passes strings and containers of the C++ library as plain variables.
#include <array>
#include <string>
#include <vector>
#if __cplusplus >= 201703L
#include <string_view>
#endif
#if __cplusplus >= 202002L
#include <version>
#ifdef __cpp_lib_span
#include <span>
#endif
#endif

#include <user_events.h>

UE_EVENT_SET(library_set, "Compile_Library", 4, 1);

void library(const std::string &text, std::u16string &text16, const std::wstring &wide,
	     const std::vector<int> &numbers, const std::array<double, 3> &reals);
void library(const std::string &text, std::u16string &text16, const std::wstring &wide,
	     const std::vector<int> &numbers, const std::array<double, 3> &reals)
{
	UE_TRACE(library, text, text16, wide, numbers);
	UE_LOG(library_set, "library", text, text16, wide, numbers, reals, UE_STR(c, text.c_str()),
	       UE_STRN(n, text.data(), text.size()));
#if __cplusplus >= 201402L
	auto generic = [](const auto &value) { UE_LOG(library_set, "generic", value); };
	generic(text);
	generic(3.5);
	generic(numbers);
#endif
#if __cplusplus >= 201703L
	std::string_view view = text;
	UE_TRACE(library_view, view);
	UE_LOG(library_set, "view", view);
	if constexpr (sizeof(int) == 4)
		UE_TRACE(library_if_constexpr, text);
#endif
#ifdef __cpp_lib_span
	std::span<const int> span = numbers;
	UE_TRACE(library_span, span);
	UE_LOG(library_set, "span", span);
#endif
}
