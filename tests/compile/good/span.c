/* SPDX-License-Identifier: MIT */
/*
 * Uses spans within a function and across functions, nested spans, and spans that end when their
 * scope is left.
 */
#include <user_events_span.h>
/* macros defined by the program */
#define id 1
#define begun 2

UE_DECLARE_EVENT_SET(span_set);
UE_EVENT_SET(span_set, "Compile_Span", UE_LEVEL_INFORMATION, 0x1);

struct span_request {
	struct ue_span span;
	int number;
};

void span_begin(struct span_request *request);
void span_end(struct span_request *request);
int span_all(int n, const char *s);

void span_begin(struct span_request *request)
{
	UE_SPAN_BEGIN(span_set, &request->span, "RequestStart", UE_I32(number, request->number));
}

void span_end(struct span_request *request)
{
	UE_SPAN_END(span_set, &request->span, "RequestStop");
}

int span_all(int n, const char *s)
{
	struct span_request request;
	struct ue_span child;

	request.number = n;
	span_begin(&request);
	if (n)
		UE_SPAN_BEGIN_IN(span_set, &child, &request.span, "Child", n, UE_STR(s), UE_TAG(3));
	else
		UE_SPAN_BEGIN(span_set, &child, "Child", UE_ID(1, 2));
	UE_LOG(span_set, "Within", n, UE_IN_SPAN(&child));
	UE_SPAN_END(span_set, &child, "Child", n);
	span_end(&request);
	UE_SPAN_SCOPE(span_set, outer, "Outer");
	while (n--) {
		UE_SPAN_SCOPE(span_set, inner, "Inner", n, UE_STR(s));
		if (n == 3)
			return n;
		if (n == 2)
			goto out;
	}
out:
	return n;
}
#undef id
#undef begun
