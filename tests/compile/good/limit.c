/* SPDX-License-Identifier: MIT */
/*
 * Uses rate limits with UE_TRACE, UE_LOG and UE_TRACEPOINT, in functions and in templates.
 */
#include <user_events_limit.h>

UE_EVENT_SET(limited, "Limited", UE_LEVEL_INFORMATION, 0x1);
UE_TRACEPOINT(limited_point, UE_PER_SECOND(10), UE_U32(number), UE_STR(text));
UE_TRACEPOINT(limited_alone, UE_EVERY(10));

void write_limited(unsigned int n);
void write_limited(unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		if (i % 2)
			UE_TRACE(limited_site, UE_EVERY(n), i);
		else
			UE_LOG(limited, "Site", UE_PER_SECOND(5), UE_U32(i), UE_STR(text, "text"));
		trace_limited_point(i, "text");
		trace_limited_alone();
	}
}

#ifdef __cplusplus
template <class T> void write_template(T value);
template <class T> void write_template(T value)
{
	auto f = [value] { UE_TRACE(limited_template, UE_EVERY(3), UE_I64(value)); };

	f();
}
void write_templates();
void write_templates()
{
	write_template(1);
	write_template(2L);
}
#endif
