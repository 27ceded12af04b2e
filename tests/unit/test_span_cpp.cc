/* SPDX-License-Identifier: MIT */
/*
 * UE_SPAN_SCOPE: the span ends with its scope, by whatever way that is left, also in templates and
 * lambdas; scopes within it end first.
 */
#include <stdexcept>
#include <string>

#include "log_witness.h"
#include <user_events_span.h>

UE_EVENT_SET(set, "Test_Scope", UE_LEVEL_INFORMATION, 1);

/* "Name+" for each START that was recorded, "Name-" for each STOP; ends belong to begins. */
static std::string seen()
{
	std::string text, open[8];
	size_t depth = 0;

	for (size_t i = 0; i < fake_kernel_records(); i++) {
		const struct fake_record *record = fake_kernel_record(i);
		struct ue_decode_event event;
		const char *tracepoint = record->name;

		assert_int_equal(ue_decode_parse(&event, tracepoint, strlen(tracepoint),
						 record->data, record->size),
				 0);
		std::string id(reinterpret_cast<const char *>(event.activity), 16);

		text += std::string(event.name, event.name_length);
		if (event.opcode == UE_OPCODE_ACTIVITY_START) {
			open[depth++] = id;
			text += '+';
		} else {
			assert_int_equal(event.opcode, UE_OPCODE_ACTIVITY_STOP);
			assert_true(depth > 0 && open[--depth] == id);
			text += '-';
		}
	}
	fake_kernel_clear_records();
	return text;
}

static void returns(int n)
{
	UE_SPAN_SCOPE(set, span, "Returns", n);
	if (n)
		return;
	throw std::runtime_error("thrown");
}

template <class T> static T in_template(T value)
{
	UE_SPAN_SCOPE(set, span, "Template", value);
	auto lambda = [] { UE_SPAN_SCOPE(set, span, "Lambda"); };

	lambda();
	return value;
}

TEST_SETUP(test_a_scope_ends_by_return_and_exception, traced)
{
	returns(1);
	assert_string_equal(seen().c_str(), "Returns+Returns-");
	try {
		returns(0);
	} catch (const std::runtime_error &) {
	}
	assert_string_equal(seen().c_str(), "Returns+Returns-");
}

TEST_SETUP(test_scopes_nest, traced)
{
	for (int i = 0; i < 2; i++) {
		UE_SPAN_SCOPE(set, outer, "Outer");
		UE_SPAN_SCOPE_IN(set, inner, &outer, "Inner");
		assert_true(outer.ue__begun && inner.ue__begun);
	}
	assert_string_equal(seen().c_str(), "Outer+Inner+Inner-Outer-Outer+Inner+Inner-Outer-");
	assert_true(in_template(2.5) > 2 && in_template(1) == 1);
	assert_string_equal(seen().c_str(), "Template+Lambda+Lambda-Template-"
					    "Template+Lambda+Lambda-Template-");
}

TEST_SETUP(test_a_scope_within_another_names_it, traced)
{
	struct ue_decode_event event;

	UE_SPAN_SCOPE(set, outer, "Outer");
	{
		UE_SPAN_SCOPE_IN(set, inner, &outer, "Inner");
	}
	const struct fake_record *begin = fake_kernel_record(1);

	assert_int_equal(
		ue_decode_parse(&event, begin->name, strlen(begin->name), begin->data, begin->size),
		0);
	assert_memory_equal(event.related, outer.ue__id, 16);
	seen();
}

TEST_SETUP(test_a_scope_that_ends_by_hand_ends_once, traced)
{
	{
		UE_SPAN_SCOPE(set, span, "Hand");
		UE_SPAN_END(set, &span, "Hand", UE_I32(status, 200));
	}
	assert_string_equal(seen().c_str(), "Hand+Hand-");
}

static int throws()
{
	throw std::runtime_error("a field");
}

TEST_SETUP(test_a_scope_whose_begin_throws_has_no_end, traced)
{
	try {
		UE_SPAN_SCOPE(set, span, "Throws", UE_I32(field, throws()));
	} catch (const std::runtime_error &) {
	}
	assert_string_equal(seen().c_str(), "");
}

TEST_SETUP(test_a_copy_of_the_span_ends_nothing, traced)
{
	{
		UE_SPAN_SCOPE(set, span, "Copied");
		auto copy = span;
		auto lambda = [=] { return span.ue__begun; };

		assert_true(lambda() && copy.ue__begun);
	}
	assert_string_equal(seen().c_str(), "Copied+Copied-");
}

TESTS_MAIN
