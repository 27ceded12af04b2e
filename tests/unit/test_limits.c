// SPDX-License-Identifier: MIT
/*
 * No kernel accepts an event whose name and fields exceed 511 bytes. ue_status() reports the
 * reason, and a capture counts the event as lost instead of showing part of its fields.
 */

#include "test.h"

#include "fake_kernel.h"

#define UE_SYS_OPEN(path, flags) fake_open(path, flags)
#define UE_SYS_CLOSE(fd) fake_close(fd)
#define UE_SYS_IOCTL(fd, request, argument) fake_ioctl(fd, request, argument)
#define UE_SYS_WRITE(fd, buffer, size) fake_write(fd, buffer, size)
#define UE_SYS_WRITEV(fd, iov, count) fake_writev(fd, iov, count)
#include <user_events_capture.h>

#define EIGHT(p)                                                                              \
	UE_U8(a_field_with_a_long_name_##p##0, 1), UE_U8(a_field_with_a_long_name_##p##1, 1), \
		UE_U8(a_field_with_a_long_name_##p##2, 1),                                    \
		UE_U8(a_field_with_a_long_name_##p##3, 1),                                    \
		UE_U8(a_field_with_a_long_name_##p##4, 1),                                    \
		UE_U8(a_field_with_a_long_name_##p##5, 1),                                    \
		UE_U8(a_field_with_a_long_name_##p##6, 1),                                    \
		UE_U8(a_field_with_a_long_name_##p##7, 1)

static void too_long(void)
{
	UE_TRACE(too_long, EIGHT(a), EIGHT(b));
}

static void short_enough(void)
{
	UE_TRACE(short_enough, EIGHT(a));
}

TEST(test_an_event_over_511_bytes_is_told_with_its_reason)
{
	struct ue_status status = ue_status();

	assert_int_equal(status.declared, 2);
	assert_int_equal(status.registered, 1);
	assert_int_equal(status.error, -EINVAL);
	assert_non_null(strstr(status.message,
			       "event \"too_long\": name and fields together are over "
			       "the kernel's 511 bytes"));
}

TEST(test_the_text_of_such_an_event_is_none)
{
	char text[512];

	assert_int_equal(ue_event_spec(ue_event_find("too_long", NULL), text, sizeof(text)),
			 -E2BIG);
	assert_true(ue_event_spec(ue_event_find("short_enough", NULL), text, sizeof(text)) > 250);
}

TEST(test_such_an_event_is_lost_to_a_capture)
{
	static unsigned char memory[65536];
	struct ue_capture capture = { 0 };

	assert_int_equal(ue_capture_memory(&capture, memory, sizeof(memory)), 0);
	too_long();
	short_enough();
	assert_int_equal(ue_capture_lost(&capture), 1);
	assert_int_equal(ue_capture_count(&capture, NULL), 1);
	assert_int_equal(ue_capture_count(&capture, "short_enough"), 1);
	assert_int_equal(ue_capture_stop(&capture), 0);
}

TESTS_MAIN
