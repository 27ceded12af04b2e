/* SPDX-License-Identifier: MIT */
/*
 * Each function contains one event in a loop. tests/compile/lint compiles this file as C and as C++
 * and checks it with clang-tidy's readability-function-cognitive-complexity, at its default limit
 * of 25.
 */
#include <user_events_otel.h>
#include <user_events_span.h>

UE_EVENT_SET(set, "Complexity", UE_LEVEL_INFORMATION, 0x1);
UE_OTEL_PROVIDER(shop, "Complexity");
UE_TRACEPOINT(complexity_point, UE_I32(n), UE_STR(path), UE_BYTES(data));

void trace(int n, const char *path, unsigned long bytes)
{
	for (int i = 0; i < n; i++)
		UE_TRACE(complexity_trace, n, bytes, path, UE_I32(twice, 2 * n), UE_STR(text, path),
			 UE_STRN(prefix, path, 1), UE_ARRAY(U8, list, path, bytes), UE_X64(bytes));
}

void trace_many(int n, const char *path, unsigned long bytes)
{
	for (int i = 0; i < n; i++)
		UE_TRACE(complexity_many, n, bytes, path, UE_I32(a, n), UE_I32(b, n), UE_I32(c, n),
			 UE_I32(d, n), UE_I32(e, n), UE_I32(f, n), UE_I32(g, n), UE_I32(h, n));
}

void point(int n, const char *path)
{
	for (int i = 0; i < n; i++)
		trace_complexity_point(n, path, path, 1);
}

void log_event(int n, const char *path, const unsigned char *id)
{
	for (int i = 0; i < n; i++)
		UE_LOG(set, "Log", UE_ACTIVITY(id), UE_ID(1, 1), n, path, UE_STRUCT(s, n, path),
		       UE_AS(UE_FORMAT_HEX, n), UE_FIXED_ARRAY(U8, key, id, 16));
}

void log_otel(int n, const char *path)
{
	for (int i = 0; i < n; i++)
		UE_OTEL_LOG(shop, UE_OTEL_INFO, "sold", n, path);
}

void span(int n, const char *path)
{
	for (int i = 0; i < n; i++) {
		UE_SPAN_SCOPE(set, scope, "Span", n, path);
	}
}
