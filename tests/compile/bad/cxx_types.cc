// SPDX-License-Identifier: MIT
// Types of the C++ library without user_events_cpp.h. The message names this header.
#include <user_events.h>
#include <atomic>
#include <chrono>
#include <string>
#include <vector>
#if __cplusplus >= 201703L
#include <filesystem>
#include <optional>
#endif

UE_EVENT_SET(set, "Bad_Set", 4, 1);

/* expect: field .{1,2}is_open.{1,2} is not a number.*user_events_cpp.h */
void f(const std::atomic<bool> &is_open)
{
	UE_TRACE(event, is_open);
}

/* expect: field .{1,2}elapsed.{1,2} is not a number.*user_events_cpp.h */
void f(std::chrono::milliseconds elapsed)
{
	UE_LOG(set, "event", elapsed);
}

/* expect: field .{1,2}names.{1,2} is not a number.*user_events_cpp.h */
void f(const std::vector<std::string> &names)
{
	UE_LOG(set, "event", names);
}

/* expect: field .{1,2}status.{1,2} is not a number.*user_events_cpp.h */
/* flags: -std=c++17 */
void f(std::optional<int> status)
{
	UE_TRACE(event, status);
}

/* expect: field .{1,2}file.{1,2} is not a number.*user_events_cpp.h */
/* flags: -std=c++17 */
void f(const std::filesystem::path &file)
{
	UE_TRACE(event, file);
}
