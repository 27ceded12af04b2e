/* SPDX-License-Identifier: MIT */
/*
 * A unit test that checks which events a function writes. The events are captured in memory, which
 * requires neither a kernel with user_events nor privileges. This test uses cmocka, but any other
 * framework works too.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <user_events_capture.h>
#include <user_events_span.h>

UE_EVENT_SET(cart_info, "Example_Cart", UE_LEVEL_INFORMATION, 0x1);

/* Code under test, which would normally be in a separate file. */
static int check_out(const char *user, const double *prices, size_t n)
{
	double total = 0;

	UE_SPAN_SCOPE(cart_info, span, "CheckOut", UE_STR(user)); /* ends at each return */
	if (n == 0) {
		UE_TRACE(request_done, UE_I32(status, 409), UE_STR(user));
		return 409;
	}
	for (size_t i = 0; i < n; i++)
		total += prices[i];
	UE_LOG(cart_info, "CheckedOut", UE_IN_SPAN(&span), UE_STR(user), UE_F64(total),
	       UE_ARRAY(F64, prices, prices, n));
	UE_TRACE(request_done, UE_I32(status, 200), UE_STR(user));
	return 200;
}

/* The tests. */
static struct ue_capture capture;
static char memory[1 << 16];

static int begin(void **state)
{
	(void)state;
	return ue_capture_memory(&capture, memory, sizeof(memory));
}

static int end(void **state)
{
	(void)state;
	return ue_capture_stop(&capture);
}

static void test_a_cart_is_checked_out(void **state)
{
	static const double prices[] = { 2.5, 4 };
	struct ue_capture_event event;
	char user[16];

	(void)state;
	check_out("ann", prices, 2);

	assert_int_equal(ue_capture_find(&capture, "request_done", &event), 0);
	assert_int_equal(ue_captured_u64(&event, "status"), 200);
	assert_int_equal(ue_capture_find(&capture, "CheckedOut", &event), 0);
	assert_true(ue_captured_double(&event, "total") == 6.5);
	assert_true(ue_captured_double(&event, "prices[1]") == 4);
	ue_captured_string(&event, "user", user, sizeof(user));
	assert_string_equal(user, "ann");
}

static void test_an_empty_cart_is_refused(void **state)
{
	struct ue_capture_event event;

	(void)state;
	check_out("bob", NULL, 0);

	assert_int_equal(ue_capture_count(&capture, "CheckOut"), 2); /* begin and end */
	assert_int_equal(ue_capture_count(&capture, "CheckedOut"), 0);
	assert_int_equal(ue_capture_count(&capture, "request_done"), 1);
	assert_int_equal(ue_capture_find(&capture, "request_done", &event), 0);
	assert_int_equal(ue_captured_u64(&event, "status"), 409);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_a_cart_is_checked_out, begin, end),
		cmocka_unit_test_setup_teardown(test_an_empty_cart_is_refused, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
