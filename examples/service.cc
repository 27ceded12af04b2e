// SPDX-License-Identifier: MIT
//
// A C++ service with events in templates, lambdas and member functions. The fields are strings,
// containers and durations of the standard library. The service sorts numbers and records the
// result.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include <user_events_cpp.h>

UE_EVENT_SET(service_info, "Example_Service", UE_LEVEL_INFORMATION, 0x1);
UE_EVENT_SET(service_verbose, "Example_Service", UE_LEVEL_VERBOSE, 0x2);

namespace
{

using clock_type = std::chrono::steady_clock;

double ms_since(clock_type::time_point start)
{
	return std::chrono::duration<double, std::milli>(clock_type::now() - start).count();
}

template <class T> class job
{
      public:
	job(std::string name, std::vector<T> values)
	    : name_(std::move(name)), values_(std::move(values))
	{
		ue_activity_new(activity_);
		UE_LOG(service_info, "JobStart", UE_OPCODE(UE_OPCODE_ACTIVITY_START),
		       UE_ACTIVITY(activity_), name_);
	}

	~job()
	{
		const std::chrono::nanoseconds took_ns = clock_type::now() - began_;

		UE_LOG(service_info, "JobStop", UE_OPCODE(UE_OPCODE_ACTIVITY_STOP),
		       UE_ACTIVITY(activity_), name_, took_ns);
	}

	void run()
	{
		const auto start = clock_type::now();
		uint64_t comparisons = 0;

		std::sort(values_.begin(), values_.end(), [&](const T &a, const T &b) {
			comparisons++;
			return a < b;
		});
		const std::vector<T> head(values_.begin(),
					  values_.begin() + std::min<size_t>(4, values_.size()));

		UE_LOG(service_verbose, "Sorted", UE_ACTIVITY(activity_), name_, head,
		       UE_U64(comparisons), UE_F64(ms, ms_since(start)));
	}

      private:
	std::string name_;
	std::vector<T> values_;
	uint8_t activity_[16];
	clock_type::time_point began_ = clock_type::now();
};

template <class T> void serve(const char *name, size_t n)
{
	std::mt19937 random(42);
	std::vector<T> values(n);

	for (T &value : values)
		value = static_cast<T>(random() % 1000);
	UE_TRACE(service_request, UE_STR(name), UE_U64(n));
	job<T>(name, values).run();
}

} // namespace

int main()
{
	for (int i = 0; i < 3; i++) {
		serve<int>("integers", 1000);
		serve<double>("doubles", 500);
	}
	std::printf("sorted 4500 numbers\n");
	return 0;
}
