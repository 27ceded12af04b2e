// SPDX-License-Identifier: MIT
// Tests fields of C++ library types, and of types for which the program specialises ue_field.
#include <cmath>

#include "test.h"
// cmocka's macros conflict with names of the standard library
#undef fail
#undef skip

#define FAKE_KERNEL_HOOKS
#include "fake_kernel.h"
#include <user_events_capture.h>
#include <user_events_cpp.h>

UE_EVENT_SET(info, "Values", UE_LEVEL_INFORMATION, 0x1);

namespace shop
{
struct money {
	long cents;
};
struct customer {
	int number;
};
struct order { // an order is recorded as its customer
	customer who;
};
enum class state { idle, busy };
struct request {
	std::chrono::milliseconds latency;
};
struct words {
	std::vector<std::string> list;
};
enum class fruit { apple };
} // namespace shop

template <> struct ue_field<shop::money> {
	static int64_t value(const shop::money &m)
	{
		return m.cents;
	}
};
template <> struct ue_field<shop::customer> {
	static int evaluations;
	// short enough to be stored in the string object itself
	static std::string value(const shop::customer &c)
	{
		evaluations++;
		return "no " + std::to_string(c.number);
	}
};
int ue_field<shop::customer>::evaluations;
template <> struct ue_field<shop::order> {
	static const shop::customer &value(const shop::order &o)
	{
		return o.who;
	}
};
template <> struct ue_field<shop::state> {
	static const char *value(shop::state s)
	{
		return s == shop::state::idle ? "idle" : "busy";
	}
};
template <> struct ue_field<shop::request> {
	static std::chrono::milliseconds value(const shop::request &r)
	{
		return r.latency;
	}
};
template <> struct ue_field<shop::words> {
	static std::vector<std::string> value(const shop::words &w)
	{
		return w.list;
	}
};

static ue_capture capture;
static char memory[65536];

static void begin()
{
	assert_int_equal(ue_capture_memory(&capture, memory, sizeof(memory)), 0);
}

// Ends the capture and compares its only event, NAME, with the expected JSON.
static void expect(const char *name, const std::string &json)
{
	struct ue_capture_event event;
	char text[8192];

	assert_int_equal(ue_capture_stop(&capture), 0);
	assert_int_equal(ue_capture_count(&capture, name), 1);
	assert_int_equal(ue_capture_find(&capture, name, &event), 0);
	ue_captured_json(&event, UE_DECODE_NO_META, text, sizeof(text));
	assert_string_equal(text, json.c_str());
}

// Checks the fields in EVENT's spec.
static void expect_fields(const char *event, const char *fields)
{
	char text[512];
	const size_t length = strlen(event) + 1;

	assert_true(ue_event_spec(ue_event_find(event, nullptr), text, sizeof(text)) > 0);
	assert_string_equal(text + length, fields);
}

TEST(test_durations_and_time_points_are_nanoseconds)
{
	using namespace std::chrono;
	const milliseconds ms(-5);
	const hours hour(1);
	const duration<float> half(0.5f);
	const nanoseconds exact(INT64_MAX - 1023);
	const system_clock::time_point wall{ duration_cast<system_clock::duration>(
		seconds(1800000000)) };
	const steady_clock::time_point start{ steady_clock::duration(42) };

	begin();
	UE_TRACE(cpp_times, ms, hour, half, exact, wall, start);
	expect("cpp_times",
	       "{\"n\":\"user_events:cpp_times\",\"ms\":-5000000,\"hour\":3600000000000,"
	       "\"half\":500000000,\"exact\":9223372036854774784,"
	       "\"wall\":1800000000000000000,\"start\":42}");
	expect_fields("cpp_times", "s64 ms; s64 hour; s64 half; s64 exact; s64 wall; s64 start");
}

// Programs use the largest duration to express "no limit".
TEST(test_durations_out_of_range_are_the_nearest_number)
{
	using namespace std::chrono;
	const hours most = hours::max(), least = hours::min();
	const duration<double> infinite(HUGE_VAL), nan(NAN), low(-HUGE_VAL);
	const system_clock::time_point last = system_clock::time_point::max();

	begin();
	UE_LOG(info, "Limits", most, least, infinite, nan, low, last);
	expect("Limits", "{\"n\":\"Values:Limits\",\"most\":9223372036854775807,"
			 "\"least\":-9223372036854775808,"
			 "\"infinite\":9223372036854775807,\"nan\":9223372036854775807,"
			 "\"low\":-9223372036854775808,\"last\":9223372036854775807}");
}

TEST(test_an_atomic_is_its_value)
{
	std::atomic<int> count{ -3 };
	std::atomic<bool> is_open{ true };
	const std::atomic<shop::fruit> fruit{ shop::fruit::apple };
	std::atomic<shop::state> status{ shop::state::busy };
	std::atomic<const char *> text{ "text" };

	begin();
	UE_TRACE(cpp_atomics, count, is_open, fruit, status, text);
	expect("cpp_atomics",
	       "{\"n\":\"user_events:cpp_atomics\",\"count\":-3,\"is_open\":1,\"fruit\":0,"
	       "\"status\":\"busy\",\"text\":\"text\"}");
}

TEST(test_an_optional_number_is_an_array_of_no_or_one_element)
{
	std::optional<int> none, five = 5;
	std::optional<double> ratio = 0.25;
	std::optional<std::chrono::seconds> timeout = std::chrono::seconds(1), forever;
	std::optional<shop::money> price = shop::money{ 199 };
	std::optional<std::vector<int>> list = std::vector<int>{ 1, 2 };

	begin();
	UE_TRACE(cpp_optional, none, five, timeout, forever, price, list);
	expect("cpp_optional", "{\"n\":\"user_events:cpp_optional\",\"none\":[],\"five\":[5],"
			       "\"timeout\":[1000000000],\"forever\":[],\"price\":[199],"
			       "\"list\":[1,2]}");
	expect_fields("cpp_optional",
		      "__rel_loc s32[] none; __rel_loc s32[] five; __rel_loc s64[] timeout; "
		      "__rel_loc s64[] forever; __rel_loc s64[] price; __rel_loc s32[] list");
	begin();
	UE_LOG(info, "Optional", none, ratio);
	expect("Optional", "{\"n\":\"Values:Optional\",\"none\":[],\"ratio\":[0.25]}");
}

TEST(test_an_optional_string_is_a_string)
{
	std::optional<std::string> none, s = "short";
	std::optional<std::string_view> view = "view";
	std::optional<const char *> text = "text", no_text;
	std::optional<std::filesystem::path> path = "/etc/hosts", no_path;
	std::optional<shop::state> status = shop::state::idle;
	std::optional<shop::customer> who = shop::customer{ 7 };

	begin();
	UE_TRACE(cpp_optional_string, none, s, view, text, no_text, path, no_path, status, who);
	expect("cpp_optional_string",
	       "{\"n\":\"user_events:cpp_optional_string\",\"none\":\"\",\"s\":\"short\","
	       "\"view\":\"view\","
	       "\"text\":\"text\",\"no_text\":\"\",\"path\":\"/etc/hosts\",\"no_path\":\"\","
	       "\"status\":\"idle\",\"who\":\"no 7\"}");
}

TEST(test_a_path_is_a_string)
{
	std::filesystem::path file = "/usr/bin/env";

	begin();
	UE_TRACE(cpp_path, file, UE_STR(directory, file.parent_path()));
	expect("cpp_path", "{\"n\":\"user_events:cpp_path\",\"file\":\"/usr/bin/env\","
			   "\"directory\":\"/usr/bin\"}");
}

TEST(test_a_vector_of_strings_is_an_array_of_at_most_64_strings)
{
	std::vector<std::string> some = { "a", "", std::string(300, 'b') }, none;
	std::vector<const char *> texts = { "c", nullptr };
	std::vector<std::string> many(65, "x");
	std::string expected = "{\"n\":\"Values:Many\",\"many\":[";
	uint64_t cut = ue_status().cut;

	begin();
	UE_LOG(info, "Strings", some, none, texts);
	expect("Strings", "{\"n\":\"Values:Strings\",\"some\":[\"a\",\"\",\"" + some[2] +
				  "\"],\"none\":[],\"texts\":[\"c\",\"\"]}");
	assert_int_equal(ue_status().cut, cut);
	begin();
	UE_LOG(info, "Many", many);
	for (int i = 0; i < 64; i++)
		expected += i ? ",\"x\"" : "\"x\"";
	expect("Many", expected + "]}");
	assert_int_equal(ue_status().cut, cut + 1);
}

TEST(test_a_type_of_the_program_is_the_result_of_its_ue_field)
{
	const shop::money price = { 250 };
	shop::customer who = { 12 };
	shop::order order = { { 13 } };
	shop::state status = shop::state::busy;
	shop::request request = { std::chrono::milliseconds(2) };
	shop::words words = { { "one", "two" } };
	const std::vector<shop::fruit> fruits = { shop::fruit::apple };

	begin();
	UE_TRACE(cpp_types, price, who, order, status, request, fruits, UE_STR(named, who));
	expect("cpp_types", "{\"n\":\"user_events:cpp_types\",\"price\":250,\"who\":\"no 12\","
			    "\"order\":\"no 13\","
			    "\"status\":\"busy\",\"request\":2000000,\"fruits\":[0],"
			    "\"named\":\"no 12\"}");
	begin();
	UE_LOG(info, "Types", price, who, order, status, request, words, UE_STR(named, order));
	expect("Types",
	       "{\"n\":\"Values:Types\",\"price\":250,\"who\":\"no 12\",\"order\":\"no 13\","
	       "\"status\":\"busy\",\"request\":2000000,\"words\":[\"one\",\"two\"],"
	       "\"named\":\"no 13\"}");
}

TEST(test_a_disabled_event_calls_no_ue_field)
{
	shop::customer who = { 1 };

	ue_field<shop::customer>::evaluations = 0;
	UE_TRACE(cpp_disabled, who);
	assert_int_equal(ue_field<shop::customer>::evaluations, 0);
	begin();
	UE_TRACE(cpp_enabled, who);
	assert_int_equal(ue_field<shop::customer>::evaluations, 1);
	expect("cpp_enabled", "{\"n\":\"user_events:cpp_enabled\",\"who\":\"no 1\"}");
}

TESTS_MAIN
