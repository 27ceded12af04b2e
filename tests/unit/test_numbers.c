/* SPDX-License-Identifier: MIT */
/*
 * Checks the numeric values of constants that other programs rely on: EventHeader's wire format and
 * the kernel's struct user_reg. Other tests use the constants' names both in the code and in the
 * expected result, so they would not detect a wrong value.
 */
#include "test.h"

#define FAKE_KERNEL_HOOKS
#include "fake_kernel.h"

#if defined(__has_include)
#if __has_include(<linux/user_events.h>)
#include <linux/user_events.h>
#define HAS_KERNEL_HEADER
#endif
#endif

/* Argument of the last registration ioctl(), as bytes. */
static unsigned char registration[28];
static unsigned long requests[8];
static unsigned int n_requests;

static int spy_ioctl(int fd, unsigned long request, void *argument)
{
	requests[n_requests++ % 8] = request;
	if ((request & 0xff) == 0)
		memcpy(registration, argument, sizeof(registration));
	return fake_ioctl(fd, request, argument);
}

#undef UE_SYS_IOCTL
#define UE_SYS_IOCTL(fd, request, argp) spy_ioctl(fd, request, argp)
#include <user_events_decode.h>
#include <user_events.h>

UE_EVENT_SET(numbers_set, "Numbers", 4, 1);
UE_TRACEPOINT(numbers_event, UE_U32(x));

struct number {
	const char *name;
	unsigned long value, specified;
};

#define NUMBER(name, specified)                         \
	{                                               \
#name, (unsigned long)(name), specified \
	}
static const struct number event_header[] = {
	NUMBER(UE_LEVEL_CRITICAL, 1),
	NUMBER(UE_LEVEL_ERROR, 2),
	NUMBER(UE_LEVEL_WARNING, 3),
	NUMBER(UE_LEVEL_INFORMATION, 4),
	NUMBER(UE_LEVEL_VERBOSE, 5),
	NUMBER(UE_OPCODE_INFO, 0),
	NUMBER(UE_OPCODE_ACTIVITY_START, 1),
	NUMBER(UE_OPCODE_ACTIVITY_STOP, 2),
	NUMBER(UE_OPCODE_COLLECTION_START, 3),
	NUMBER(UE_OPCODE_COLLECTION_STOP, 4),
	NUMBER(UE_OPCODE_EXTENSION, 5),
	NUMBER(UE_OPCODE_REPLY, 6),
	NUMBER(UE_OPCODE_RESUME, 7),
	NUMBER(UE_OPCODE_SUSPEND, 8),
	NUMBER(UE_OPCODE_SEND, 9),
	NUMBER(UE_OPCODE_RECEIVE, 240),
	NUMBER(UE_FORMAT_DEFAULT, 0),
	NUMBER(UE_FORMAT_UNSIGNED, 1),
	NUMBER(UE_FORMAT_SIGNED, 2),
	NUMBER(UE_FORMAT_HEX, 3),
	NUMBER(UE_FORMAT_ERRNO, 4),
	NUMBER(UE_FORMAT_PID, 5),
	NUMBER(UE_FORMAT_TIME, 6),
	NUMBER(UE_FORMAT_BOOL, 7),
	NUMBER(UE_FORMAT_FLOAT, 8),
	NUMBER(UE_FORMAT_HEX_BYTES, 9),
	NUMBER(UE_FORMAT_STRING8, 10),
	NUMBER(UE_FORMAT_UTF, 11),
	NUMBER(UE_FORMAT_UTF_BOM, 12),
	NUMBER(UE_FORMAT_XML, 13),
	NUMBER(UE_FORMAT_JSON, 14),
	NUMBER(UE_FORMAT_UUID, 15),
	NUMBER(UE_FORMAT_PORT, 16),
	NUMBER(UE_FORMAT_IP, 17),
	NUMBER(UE__KIND_STRUCT, 1),
	NUMBER(UE__KIND_VALUE8, 2),
	NUMBER(UE__KIND_VALUE16, 3),
	NUMBER(UE__KIND_VALUE32, 4),
	NUMBER(UE__KIND_VALUE64, 5),
	NUMBER(UE__KIND_VALUE128, 6),
	NUMBER(UE__KIND_ZSTRING8, 7),
	NUMBER(UE__KIND_ZSTRING16, 8),
	NUMBER(UE__KIND_ZSTRING32, 9),
	NUMBER(UE__KIND_STRING8, 10),
	NUMBER(UE__KIND_STRING16, 11),
	NUMBER(UE__KIND_STRING32, 12),
	NUMBER(UE__KIND_BINARY, 13),
	NUMBER(UE__F_ENCODING_CARRAY, 32),
	NUMBER(UE__F_ENCODING_VARRAY, 64),
	NUMBER(UE__F_ENCODING_MORE, 128),
	NUMBER(UE__HEADER_POINTER64, 1),
	NUMBER(UE__HEADER_LITTLE_ENDIAN, 2),
	NUMBER(UE__HEADER_EXTENSION, 4),
	NUMBER(UE__F_EXTENSION_METADATA, 1),
	NUMBER(UE__F_EXTENSION_ACTIVITY, 2),
	NUMBER(UE__F_EXTENSION_MORE, 32768),
	NUMBER(UE_DECODE_KIND_STRUCT, 1),
	NUMBER(UE_DECODE_KIND_VALUE8, 2),
	NUMBER(UE_DECODE_KIND_VALUE16, 3),
	NUMBER(UE_DECODE_KIND_VALUE32, 4),
	NUMBER(UE_DECODE_KIND_VALUE64, 5),
	NUMBER(UE_DECODE_KIND_VALUE128, 6),
	NUMBER(UE_DECODE_KIND_ZSTRING8, 7),
	NUMBER(UE_DECODE_KIND_ZSTRING16, 8),
	NUMBER(UE_DECODE_KIND_ZSTRING32, 9),
	NUMBER(UE_DECODE_KIND_STRING8, 10),
	NUMBER(UE_DECODE_KIND_STRING16, 11),
	NUMBER(UE_DECODE_KIND_STRING32, 12),
	NUMBER(UE_DECODE_KIND_BINARY, 13),
	NUMBER(UE_DECODE_FORMAT_DEFAULT, 0),
	NUMBER(UE_DECODE_FORMAT_UNSIGNED, 1),
	NUMBER(UE_DECODE_FORMAT_SIGNED, 2),
	NUMBER(UE_DECODE_FORMAT_HEX, 3),
	NUMBER(UE_DECODE_FORMAT_ERRNO, 4),
	NUMBER(UE_DECODE_FORMAT_PID, 5),
	NUMBER(UE_DECODE_FORMAT_TIME, 6),
	NUMBER(UE_DECODE_FORMAT_BOOL, 7),
	NUMBER(UE_DECODE_FORMAT_FLOAT, 8),
	NUMBER(UE_DECODE_FORMAT_HEX_BYTES, 9),
	NUMBER(UE_DECODE_FORMAT_LATIN1, 10),
	NUMBER(UE_DECODE_FORMAT_UTF, 11),
	NUMBER(UE_DECODE_FORMAT_UTF_BOM, 12),
	NUMBER(UE_DECODE_FORMAT_XML, 13),
	NUMBER(UE_DECODE_FORMAT_JSON, 14),
	NUMBER(UE_DECODE_FORMAT_UUID, 15),
	NUMBER(UE_DECODE_FORMAT_PORT, 16),
	NUMBER(UE_DECODE_FORMAT_IP, 17),
	NUMBER(UE_DECODE_FORMAT_IP_OLD, 18),
	NUMBER(UE_DECODE_CONSTANT_ARRAY, 32),
	NUMBER(UE_DECODE_VARIABLE_ARRAY, 64),
	NUMBER(UE_DECODE_FLAG_POINTER64, 1),
	NUMBER(UE_DECODE_FLAG_LITTLE_ENDIAN, 2),
	NUMBER(UE_DECODE_FLAG_EXTENSION, 4),
};

TEST(test_event_header_numbers_are_those_of_the_specification)
{
	for (size_t i = 0; i < sizeof(event_header) / sizeof(event_header[0]); i++)
		if (event_header[i].value != event_header[i].specified)
			fail_msg("%s is %lu, expected %lu", event_header[i].name,
				 event_header[i].value, event_header[i].specified);
}

static unsigned int little(const unsigned char *p, size_t size)
{
	unsigned int value = 0;

	while (size--)
		value = value << 8 | p[__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? size : 0];
	return value;
}

TEST(test_a_registration_has_the_kernels_layout_and_numbers)
{
	static struct ue_event event;

	fake_kernel_reset(NULL);
	n_requests = 0;
	assert_int_equal(ue_event_register(&event, "numbers_own u32 x", 0), 0);
	assert_int_equal(sizeof(struct ue__reg), 28);
	assert_int_equal(sizeof(struct ue__unreg), 16);
	assert_int_equal(little(registration, 1),
			 __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 28 : 0);
	assert_int_equal(registration[4], 0); /* enable_bit */
	assert_int_equal(registration[5], 4); /* enable_size in bytes */
	assert_int_equal(requests[0] & 0xffff, '*' << 8 | 0);
	n_requests = 0;
	assert_int_equal(ue_event_unregister(&event), 0);
	assert_int_equal(requests[0] & 0xffff, '*' << 8 | 2);
	n_requests = 0;
	ue_event_delete("numbers_own");
	assert_int_equal(requests[0] & 0xffff, '*' << 8 | 1);
}

TEST(test_structs_are_those_of_the_kernel_header)
{
#ifdef HAS_KERNEL_HEADER
	assert_int_equal(sizeof(struct ue__reg), sizeof(struct user_reg));
	assert_int_equal(offsetof(struct ue__reg, enable_bit),
			 offsetof(struct user_reg, enable_bit));
	assert_int_equal(offsetof(struct ue__reg, enable_size),
			 offsetof(struct user_reg, enable_size));
	assert_int_equal(offsetof(struct ue__reg, flags), offsetof(struct user_reg, flags));
	assert_int_equal(offsetof(struct ue__reg, enable_addr),
			 offsetof(struct user_reg, enable_addr));
	assert_int_equal(offsetof(struct ue__reg, name_args), offsetof(struct user_reg, name_args));
	assert_int_equal(offsetof(struct ue__reg, write_index),
			 offsetof(struct user_reg, write_index));
	assert_int_equal(sizeof(struct ue__unreg), sizeof(struct user_unreg));
	assert_int_equal(offsetof(struct ue__unreg, disable_bit),
			 offsetof(struct user_unreg, disable_bit));
	assert_int_equal(offsetof(struct ue__unreg, disable_addr),
			 offsetof(struct user_unreg, disable_addr));
	assert_int_equal(UE__IOCTL_REGISTER, DIAG_IOCSREG);
	assert_int_equal(UE__IOCTL_DELETE, DIAG_IOCSDEL);
	assert_int_equal(UE__IOCTL_UNREGISTER, DIAG_IOCSUNREG);
#else
	skip();
#endif
}

/* Reads user_events_status from the fake kernel. */
static void read_status(char *text, size_t size)
{
	int fd = fake_open("/sys/kernel/tracing/user_events_status", 0);
	ssize_t n;

	assert_true(fd >= 0);
	n = fake_read(fd, text, size - 1);
	assert_true(n > 0);
	text[n] = 0;
	fake_close(fd);
}

TEST(test_the_fake_kernel_counts_the_events_in_use)
{
	char text[4096];

	fake_kernel_reset(NULL);
	assert_int_equal(fake_kernel_other_register("counted_a u32 x", 0), 0);
	assert_int_equal(fake_kernel_other_register("counted_b u32 x", 0), 0);
	assert_int_equal(fake_kernel_other_register("counted_c u32 x", 0), 0);
	read_status(text, sizeof(text));
	assert_non_null(strstr(text, "\nActive: 3\nBusy: 0\n"));
	fake_kernel_enable("counted_a", FAKE_FTRACE);
	fake_kernel_enable("counted_c", FAKE_PERF);
	read_status(text, sizeof(text));
	assert_non_null(strstr(text, "\nActive: 3\nBusy: 2\n"));
}

TEST(test_the_fake_kernel_numbers_multi_format_names_in_hexadecimal)
{
	char text[4096], spec[32];

	fake_kernel_reset(NULL);
	for (int i = 0; i < 17; i++) {
		snprintf(spec, sizeof(spec), "formats u32 x%d", i);
		assert_int_equal(fake_kernel_other_register(spec, FAKE_REG_MULTI_FORMAT), 0);
	}
	read_status(text, sizeof(text));
	assert_non_null(strstr(text, "formats.0\n"));
	assert_non_null(strstr(text, "formats.a\n"));
	assert_non_null(strstr(text, "formats.10\n"));
	assert_null(strstr(text, "formats.11\n"));
}

TESTS_MAIN
