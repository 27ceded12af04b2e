/* SPDX-License-Identifier: MIT */
/*
 * In user_events_span.h, the start and end of a span are the START and STOP events of an activity.
 * Events in between contain the ID of this activity. A STOP event is written only if the START
 * event was written.
 */
#include "log_witness.h"
#include <user_events_span.h>

UE_EVENT_SET(set, "Test_Span", UE_LEVEL_INFORMATION, 1);

/* order of the members: version, id, tag, opcode, level */
static const struct ref_header start = { 0, 0, 0, 1, 4 }, stop = { 0, 0, 0, 2, 4 },
			       info = { 0, 0, 0, 0, 4 };

static void expect(const char *name, const struct ref_header *header, const uint8_t *activity,
		   const uint8_t *related)
{
	ref_begin(&ref, name);
	recorded("Test_Span_L4K1", header, activity, related);
}

TEST_SETUP(test_begin_and_end_are_start_and_stop_of_one_activity, traced)
{
	struct ue_span span;
	int32_t n = 7;

	UE_SPAN_BEGIN(set, &span, "Work", n);
	assert_true(span.ue__begun);
	ref_begin(&ref, "Work");
	ref_value(&ref, "n", REF_VALUE32, REF_SIGNED, 0, &n, 4);
	recorded("Test_Span_L4K1", &start, span.ue__id, NULL);

	UE_LOG(set, "Within", UE_IN_SPAN(&span));
	expect("Within", &info, span.ue__id, NULL);

	UE_SPAN_END(set, &span, "Work", n);
	ref_begin(&ref, "Work");
	ref_value(&ref, "n", REF_VALUE32, REF_SIGNED, 0, &n, 4);
	recorded("Test_Span_L4K1", &stop, span.ue__id, NULL);
}

TEST_SETUP(test_a_span_within_another_names_it, traced)
{
	struct ue_span parent, child;

	UE_SPAN_BEGIN(set, &parent, "Parent");
	expect("Parent", &start, parent.ue__id, NULL);
	UE_SPAN_BEGIN_IN(set, &child, &parent, "Child", UE_ID(3, 1), UE_TAG(5));
	ref_begin(&ref, "Child");
	recorded("Test_Span_L4K1", &(struct ref_header){ 1, 3, 5, 1, 4 }, child.ue__id,
		 parent.ue__id);
	assert_true(memcmp(child.ue__id, parent.ue__id, 16) != 0);
	UE_SPAN_END(set, &child, "Child");
	expect("Child", &stop, child.ue__id, NULL);
	UE_SPAN_END(set, &parent, "Parent");
	expect("Parent", &stop, parent.ue__id, NULL);
}

TEST_SETUP(test_an_end_is_written_once_and_only_after_its_begin, traced)
{
	struct ue_span early, span;
	int evaluated = 0;

	fake_kernel_disable("*", FAKE_FTRACE);
	UE_SPAN_BEGIN(set, &early, "Early", UE_I32(n, ++evaluated));
	fake_kernel_enable("*", FAKE_FTRACE);
	assert_false(early.ue__begun);
	UE_LOG(set, "Within", UE_IN_SPAN(&early));
	expect("Within", &info, NULL, NULL);
	UE_SPAN_BEGIN_IN(set, &span, &early, "Late");
	expect("Late", &start, span.ue__id, NULL);
	UE_SPAN_END(set, &early, "Early", UE_I32(n, ++evaluated));
	assert_int_equal(fake_kernel_records(), 0);

	UE_SPAN_END(set, &span, "Late");
	expect("Late", &stop, span.ue__id, NULL);
	UE_SPAN_END(set, &span, "Late", UE_I32(n, ++evaluated));
	assert_int_equal(fake_kernel_records(), 0);
	assert_int_equal(evaluated, 0);
}

TESTS_MAIN
