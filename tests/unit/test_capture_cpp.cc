// SPDX-License-Identifier: MIT
// Uses captures in a C++ program, with static events, C++ fields, and a small example of testing a
// function.
#include <string>
#include <vector>

#include "test.h"

#define FAKE_KERNEL_HOOKS
#include "fake_kernel.h"
#include <user_events_capture.h>

UE_EVENT_SET(info, "Cpp", UE_LEVEL_INFORMATION, 0x1);

static ue_capture capture;
static char memory[16384];

template <typename T> static void work(const std::string &path, T count)
{
	std::vector<T> sizes(3, count);

	UE_TRACE(cpp_work, path, count);
	UE_LOG(info, "Work", path, sizes, UE_F64(ratio, 0.5));
}

TEST(test_events_of_a_template_are_captured)
{
	struct ue_capture_event event;
	char text[32];

	fake_kernel_reset(nullptr);
	assert_int_equal(ue_capture_memory(&capture, memory, sizeof(memory)), 0);
	work<uint16_t>("/index.html", 3);
	work<int64_t>("/", -4);
	assert_int_equal(ue_capture_stop(&capture), 0);
	work<int64_t>("/not this one", 1);
	assert_int_equal(ue_capture_count(&capture, "cpp_work"), 2);
	assert_int_equal(ue_capture_find(&capture, "cpp_work", &event), 0);
	assert_int_equal(ue_captured_u64(&event, "count"), 3);
	assert_int_equal(ue_captured_string(&event, "path", text, sizeof(text)), 11);
	assert_string_equal(text, "/index.html");
	assert_int_equal(ue_capture_find_next(&capture, "cpp_work", &event), 0);
	assert_int_equal(ue_captured_i64(&event, "count"), -4);
	assert_int_equal(ue_capture_find(&capture, "Work", &event), 0);
	assert_int_equal(ue_captured_u64(&event, "sizes[2]"), 3);
	assert_true(ue_captured_double(&event, "ratio") == 0.5);
	assert_int_equal(ue_captured_json(&event, UE_DECODE_NO_META, nullptr, 0),
			 strlen("{\"n\":\"Cpp:Work\",\"path\":\"/index.html\",\"sizes\":[3,3,3],"
				"\"ratio\":0.5}"));
}

TESTS_MAIN
