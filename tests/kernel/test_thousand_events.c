/* SPDX-License-Identifier: MIT */
/*
 * A program with 1000 events registers all of them before main() with a single open(), and all of
 * them are recorded.
 */
#define _GNU_SOURCE
#include <fcntl.h>

static int opened;
static int counting_open(const char *path, int flags);
#define UE_SYS_OPEN(path, flags) counting_open(path, flags)
#include "witness.h"

static int counting_open(const char *path, int flags)
{
	opened++;
	return open(path, flags);
}

#define TEN(op, n) \
	op(n##0) op(n##1) op(n##2) op(n##3) op(n##4) op(n##5) op(n##6) op(n##7) op(n##8) op(n##9)
#define HUNDRED(op, n)                                                                      \
	TEN(op, n##0)                                                                       \
	TEN(op, n##1) TEN(op, n##2) TEN(op, n##3) TEN(op, n##4) TEN(op, n##5) TEN(op, n##6) \
		TEN(op, n##7) TEN(op, n##8) TEN(op, n##9)
#define THOUSAND(op)                                                                              \
	HUNDRED(op, 0)                                                                            \
	HUNDRED(op, 1) HUNDRED(op, 2) HUNDRED(op, 3) HUNDRED(op, 4) HUNDRED(op, 5) HUNDRED(op, 6) \
		HUNDRED(op, 7) HUNDRED(op, 8) HUNDRED(op, 9)

#define DECLARE(n) UE_TRACEPOINT(thousand_##n, UE_U32(value));
THOUSAND(DECLARE)

static void write_all(uint32_t value)
{
#define WRITE(n) trace_thousand_##n(value++);
	THOUSAND(WRITE)
}

TEST(test_thousand_events_are_registered_at_start_with_one_open)
{
	struct ue_status status = ue_status();

	assert_int_equal(status.declared, 1000);
	assert_int_equal(status.registered, 1000);
	assert_string_equal(status.message, ue_strerror(0));
	assert_int_equal(opened, 1);
	assert_int_equal(open_data_fds(), 1);
	get("user_events_status");
	assert_int_equal(count_of(text, "thousand_"), 1000);
}

TEST(test_thousand_events_are_all_recorded)
{
	char want[64];
	unsigned int i;

	put(instance("events/user_events/enable"), "1");
	write_all(5000);
	put(instance("events/user_events/enable"), "0");
	write_all(7000);
	trace_text();
	assert_int_equal(count_of(text, "thousand_"), 1000);
	for (i = 0; i < 1000; i += 111) {
		snprintf(want, sizeof(want), "thousand_%03u: value=0x%x (%u)", i, 5000 + i,
			 5000 + i);
		assert_line(want);
	}
	assert_int_equal(ue_status().failed, 0);
}

KERNEL_TESTS_MAIN
