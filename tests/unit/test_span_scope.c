/* SPDX-License-Identifier: MIT */
/*
 * A span started with UE_SPAN_SCOPE ends when its scope is left in any way. Spans of inner scopes
 * end first.
 *
 * Also compiled as C++.
 */
#include "span_witness.h"

UE_EVENT_SET(set, "Test_Scope", UE_LEVEL_INFORMATION, 1);

static int returns_early(int n)
{
	UE_SPAN_SCOPE(set, work, "Work", n);
	if (n < 0)
		return 404;
	UE_LOG(set, "Within", UE_IN_SPAN(&work));
	fake_kernel_clear_records();
	return n;
}

static int jumps_out(int n)
{
	{
		UE_SPAN_SCOPE(set, outer, "Outer");
		{
			UE_SPAN_SCOPE(set, inner, "Inner");
			if (n)
				goto out;
		}
	}
	return 0;
out:
	return n;
}

static inline int inlined(int n)
{
	UE_SPAN_SCOPE(set, span, "Inline");
	return n;
}

TEST_SETUP(test_a_scope_ends_by_an_early_return, traced)
{
	assert_int_equal(returns_early(-1), 404);
	assert_string_equal(spans_seen(), "Work+Work-");
	assert_int_equal(inlined(inlined(3)), 3);
	assert_string_equal(spans_seen(), "Inline+Inline-Inline+Inline-");
}

TEST_SETUP(test_a_scope_ends_by_break_and_continue, traced)
{
	int i;

	for (i = 0; i < 9; i++) {
		UE_SPAN_SCOPE(set, turn, "Turn", i);
		if (i == 0)
			continue;
		if (i == 2)
			break;
	}
	assert_string_equal(spans_seen(), "Turn+Turn-Turn+Turn-Turn+Turn-");
	switch (i) {
	default: {
		UE_SPAN_SCOPE(set, label, "Case");
		break;
	}
	}
	assert_string_equal(spans_seen(), "Case+Case-");
}

TEST_SETUP(test_a_goto_ends_the_inner_scope_first, traced)
{
	assert_int_equal(jumps_out(1), 1);
	assert_string_equal(spans_seen(), "Outer+Inner+Inner-Outer-");
	assert_int_equal(jumps_out(0), 0);
	assert_string_equal(spans_seen(), "Outer+Inner+Inner-Outer-");
}

TEST_SETUP(test_a_scope_within_another_names_it, traced)
{
	const struct fake_record *begin;
	struct ue_decode_event event;

	UE_SPAN_SCOPE(set, outer, "Outer");
	{
		UE_SPAN_SCOPE_IN(set, inner, &outer, "Inner");
		assert_true(outer.ue__begun && inner.ue__begun);
	}
	begin = fake_kernel_record(1);
	assert_int_equal(
		ue_decode_parse(&event, begin->name, strlen(begin->name), begin->data, begin->size),
		0);
	assert_memory_equal(event.related, outer.ue__id, 16);
	fake_kernel_clear_records();
}

TEST_SETUP(test_a_scope_ended_explicitly_ends_once, traced)
{
	{
		UE_SPAN_SCOPE(set, span, "Hand");
		UE_SPAN_END(set, &span, "Hand", UE_I32(status, 200));
	}
	assert_string_equal(spans_seen(), "Hand+Hand-");
}

TEST_SETUP(test_the_end_of_a_scope_is_the_stop_of_its_activity, traced)
{
	const struct ref_header stop = { 0, 0, 0, 2, 4 };
	uint8_t id[16];

	{
		UE_SPAN_SCOPE(set, span, "Whole", UE_ID(3, 1), UE_STR(field, "of the begin"));
		memcpy(id, span.ue__id, 16);
		fake_kernel_clear_records();
	}
	ref_begin(&ref, "Whole");
	recorded("Test_Scope_L4K1", &stop, id, NULL);
}

TEST_SETUP(test_a_scope_started_while_disabled_writes_no_end, traced)
{
	fake_kernel_disable("*", FAKE_FTRACE);
	{
		UE_SPAN_SCOPE(set, span, "Early");
		fake_kernel_enable("*", FAKE_FTRACE);
		assert_false(span.ue__begun);
	}
	assert_int_equal(fake_kernel_records(), 0);
}

TESTS_MAIN
