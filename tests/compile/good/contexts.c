/* SPDX-License-Identifier: MIT */
/*
 * Writes events in every kind of statement, and declares events at every position where C allows a
 * declaration.
 */
#include <user_events.h>

UE_EVENT_SET(contexts_set, "Compile_Contexts", 4, 1);
UE_TRACEPOINT(context_point, UE_I32(n));

static inline void in_inline(int n)
{
	UE_TRACE(context_inline, n);
	UE_LOG(contexts_set, "inline", n);
	trace_context_point(n);
}

int statements(int n, const char *s);
int statements(int n, const char *s)
{
	int i;

	if (n > 3)
		UE_TRACE(context_then, n);
	else
		UE_TRACE(context_else, UE_STR(s));
	if (n > 4)
		UE_LOG(contexts_set, "then", n);
	else if (n > 2)
		UE_LOG(contexts_set, "else", UE_STR(s));
	else
		trace_context_point(n);
	for (i = 0; i < n; i++)
		UE_TRACE(context_for, i);
	while (i-- > 0)
		UE_LOG(contexts_set, "while", i);
	do
		UE_TRACE(context_do, i);
	while (++i < 3);
	for (trace_context_point(n), i = 0; i < 1; trace_context_point(i), i++)
		continue;
	switch (n) {
	case 0:
		UE_TRACE(context_case, n);
		break;
	case 1:
		UE_LOG(contexts_set, "case", n);
		break;
	default:
		UE_TRACE(context_default, n);
	}
	if (n == 9)
		goto out;
	{
		int shadow = n;

		/* variable names that the macros might use internally */
		int ue = n, event = n, desc = n, set = n, name = n, t = n, c = n, types = n,
		    value = n;
		int flags = n, version = n, id = n, tag = n, opcode = n, level = n, size = n,
		    kind = n;
		int meta = n, text = n, describe = n;

		UE_TRACE(context_names, shadow, ue, event, desc, set, name, t, c, types, value,
			 flags, version, id, tag, opcode, level, size, kind, meta, text, describe);
		UE_LOG(contexts_set, "names", shadow, ue, event, desc, set, name, t, c, types,
		       value, flags, version, id, tag, opcode, level, size, kind, meta, text,
		       describe, UE_STRUCT(s, t, c));
	}
	/*
	 * two events on one line, two events with the same name, and fields whose expressions have
	 * side effects and commas
	 */
	UE_TRACE(context_same, n); UE_TRACE(context_same, n);
/*
 * g++ warns about side effects within braces (-Wsequence-point), although C++ defines their
 * order
 */
#ifndef __cplusplus
	UE_TRACE(context_comma, UE_I32(a, (n++, n)), UE_STR(b, n ? s : "none"));
#endif
	UE_LOG(contexts_set, "percent %s %d {a|b} \" \\ \n", UE_I32(a, n));
	UE_LOG(contexts_set, "two " "pieces", UE_I32(a, n));
out:
	UE_TRACE(context_label, n);
	in_inline(n);
	return n;
}

/* Macros that expand to the library's macros. */
#define TRACE(...) UE_TRACE(__VA_ARGS__)
#define LOG(name, ...) UE_LOG(contexts_set, name, __VA_ARGS__)
#define FIELDS(n, s) n, UE_STR(s)
void wrapped(int n, const char *s);
void wrapped(int n, const char *s)
{
	TRACE(context_wrapped, n, UE_STR(s));
	LOG("wrapped", n, UE_STR(s));
	UE_TRACE(context_fields, FIELDS(n, s));
}
