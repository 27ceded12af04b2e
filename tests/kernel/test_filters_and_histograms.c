/* SPDX-License-Identifier: MIT */
/* ftrace filters and histogram triggers can use the fields of user events. */
#include "witness.h"

UE_TRACEPOINT(served, UE_U32(status), UE_I32(delta), UE_STR(path),
	      UE_FIXED_ARRAY(CHAR, verb, verb, 8));

#define INDEX_1 "served: status=0xc8 (200) delta=0x1 (1) path=/index verb=GET\n"
#define ERROR_1 "served: status=0x1f4 (500) delta=0xfffffffb (-5) path=/error verb=PUT\n"
#define INDEX_2 "served: status=0xc8 (200) delta=0x2 (2) path=/index verb=GET\n"
#define LOST_1 "served: status=0x194 (404) delta=0xffffffff (-1) path=/lost verb=GET\n"

static void write_some(void)
{
	trace_served(200, 1, "/index", "GET\0\0\0\0");
	trace_served(500, -5, "/error", "PUT\0\0\0\0");
	trace_served(200, 2, "/index", "GET\0\0\0\0");
	trace_served(404, -1, "/lost", "GET\0\0\0\0");
}

static void filter_selects(const char *filter, const char *want)
{
	trace_enable("served");
	put(instance(event_file("served", "filter")), filter);
	trace_clear();
	write_some();
	put(instance(event_file("served", "filter")), "0");
	assert_string_equal(trace_text(), want);
}

TEST(test_filter_on_numbers_selects_events)
{
	filter_selects("status == 500", ERROR_1);
	filter_selects("status >= 400 && delta != -5", LOST_1);
	filter_selects("status != 200", ERROR_1 LOST_1);
	filter_selects("status & 0x100", ERROR_1 LOST_1);
}

/* Comparisons respect the sign of the field's type: -1 and -5 are less than 0. */
TEST(test_filter_on_negative_numbers_selects_events)
{
	filter_selects("delta < 0", ERROR_1 LOST_1);
	filter_selects("delta > -2 && delta < 2", INDEX_1 LOST_1);
}

TEST(test_filter_on_strings_selects_events)
{
	filter_selects("path == \"/index\"", INDEX_1 INDEX_2);
	filter_selects("path ~ \"*o*\" && status < 500", LOST_1);
}

TEST(test_filter_on_fixed_strings_selects_events)
{
	filter_selects("verb == \"PUT\"", ERROR_1);
}

TEST(test_filter_with_an_unknown_field_is_rejected)
{
	assert_int_equal(try_put(instance(event_file("served", "filter")), "nothing == 1"),
			 -EINVAL);
}

static void histogram(const char *trigger)
{
	char path[PATH_MAX], undo[256];

	snprintf(path, sizeof(path), "%s", instance(event_file("served", "trigger")));
	snprintf(undo, sizeof(undo), "!%s", trigger);
	put(path, trigger);
	write_some();
	get(instance(event_file("served", "hist")));
	put(path, undo);
}

TEST(test_histogram_counts_and_sums_by_a_number)
{
	histogram("hist:keys=status:vals=delta");
	assert_contains(text, "{ status:        200 } hitcount:          2  delta:          3");
	assert_contains(text, "{ status:        404 } hitcount:          1");
	assert_contains(text, "{ status:        500 } hitcount:          1");
	assert_contains(text, "Hits: 4");
}

TEST(test_histogram_counts_by_a_fixed_string)
{
	histogram("hist:keys=verb");
	assert_contains(text, "Hits: 4");
	assert_contains(text, "Entries: 2");
	assert_contains(text, "{ verb: GET");
	assert_contains(text, "{ verb: PUT");
}

/*
 * A histogram trigger counts as a tracer. It sets the enable word even if the event is not
 * enabled.
 */
TEST(test_histogram_alone_enables_the_event)
{
	trace_disable("served");
	assert_false(trace_served_enabled());
	put(instance(event_file("served", "trigger")), "hist:keys=status");
	assert_true(trace_served_enabled());
	put(instance(event_file("served", "trigger")), "!hist:keys=status");
	assert_false(trace_served_enabled());
}

KERNEL_TESTS_MAIN
