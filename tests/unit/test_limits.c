// SPDX-License-Identifier: MIT
/*
 * Events whose name and fields exceed the kernel's limit of 511 bytes. UE_TRACE rejects them at
 * compile time, and ue_event_register() rejects them at run time.
 */

#include "test.h"

#include "fake_kernel.h"

#define UE_SYS_OPEN(path, flags) fake_open(path, flags)
#define UE_SYS_CLOSE(fd) fake_close(fd)
#define UE_SYS_IOCTL(fd, request, argument) fake_ioctl(fd, request, argument)
#define UE_SYS_WRITE(fd, buffer, size) fake_write(fd, buffer, size)
#define UE_SYS_WRITEV(fd, iov, count) fake_writev(fd, iov, count)
#include <user_events.h>

/* Returns a spec of SIZE bytes: a name and one field. */
static const char *definition(size_t size)
{
	static char spec[600];
	size_t n = (size_t)sprintf(spec, "long_event u8 ");

	memset(spec + n, 'f', size - n);
	spec[size] = '\0';
	return spec;
}

TEST(test_an_event_of_511_bytes_is_registered)
{
	static struct ue_event event;
	char text[512];

	assert_int_equal(ue_event_register(&event, definition(511), 0), 0);
	assert_int_equal(ue_event_spec(&event, text, sizeof(text)), 511);
	assert_string_equal(text, definition(511));
	assert_int_equal(ue_event_unregister(&event), 0);
}

TEST(test_status_reports_an_event_over_511_bytes)
{
	static struct ue_event event;
	struct ue_status status;

	assert_int_equal(ue_event_register(&event, definition(512), 0), -EINVAL);
	status = ue_status();
	assert_int_equal(status.error, -EINVAL);
	assert_non_null(strstr(status.message, "long_event"));
	assert_non_null(strstr(status.message,
			       "name and fields together exceed the kernel's limit of 511 "));
}

TESTS_MAIN
