/* SPDX-License-Identifier: MIT */
/*
 * UE_SPAN_SCOPE in C++: a span also ends when an exception leaves the scope. Also tests templates
 * and lambdas. test_span_scope.c tests the behaviour that C and C++ share.
 */
#include <stdexcept>

#include "span_witness.h"

UE_EVENT_SET(set, "Test_Scope", UE_LEVEL_INFORMATION, 1);

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
	assert_string_equal(spans_seen(), "Returns+Returns-");
	try {
		returns(0);
	} catch (const std::runtime_error &) {
	}
	assert_string_equal(spans_seen(), "Returns+Returns-");
}

TEST_SETUP(test_scopes_nest_in_templates_and_lambdas, traced)
{
	assert_true(in_template(2.5) > 2 && in_template(1) == 1);
	assert_string_equal(spans_seen(), "Template+Lambda+Lambda-Template-"
					  "Template+Lambda+Lambda-Template-");
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
	assert_string_equal(spans_seen(), "");
}

TEST_SETUP(test_a_copy_of_the_span_ends_nothing, traced)
{
	{
		UE_SPAN_SCOPE(set, span, "Copied");
		auto copy = span;
		auto lambda = [=] { return span.ue__begun; };

		assert_true(lambda() && copy.ue__begun);
	}
	assert_string_equal(spans_seen(), "Copied+Copied-");
}

TESTS_MAIN
