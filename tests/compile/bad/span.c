/* SPDX-License-Identifier: MIT */
/* Mistakes with spans. */
#include <user_events_span.h>

UE_EVENT_SET(set, "Bad_Span", 4, 1);

/* expect: ue__no_goto_over_span|bypasses|crosses initialization */
void f(int a)
{
	if (a)
		goto out;
	UE_SPAN_SCOPE(set, span, "Work");
out:
	return;
}
