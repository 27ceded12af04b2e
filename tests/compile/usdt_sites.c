/* SPDX-License-Identifier: MIT */
/* Probes of every kind, for tests/compile/usdt. The fields of the last probes exceed the limits. */
#include <user_events.h>
#include <user_events_sdt.h>
#include <user_events_span.h>

UE_TRACEPOINT(usdt_point, UE_I32(status), UE_STR(path));
UE_EVENT_SET(usdt_set, "Usdt_Sites", UE_LEVEL_INFORMATION, 1);

static inline __attribute__((__always_inline__)) void in_a_header(int n)
{
	UE_TRACE(usdt_inline, n);
}

static void in_a_scope(volatile int *n)
{
#if defined(__clang__) && !defined(__cplusplus) /* in C, clang has no probe at a scope's end */
	struct ue_span span;

	UE_SPAN_BEGIN(usdt_set, &span, "Scope");
	n[0] = 1;
	UE_SPAN_END(usdt_set, &span, "Scope");
#else
	UE_SPAN_SCOPE(usdt_set, span, "Scope");
	n[0] = 1;
#endif
}

static void in_two_places(volatile int *n)
{
	in_a_header(n[0]);
	in_a_header(n[1] + 1);
}

int main(int argc, char **argv)
{
	volatile int value[2] = { argc, argc };
	int n = value[0];
	uint64_t wide = (uint64_t)n << 33;
	float f = (float)n;
	double d = n;

	UE_TRACE(usdt_scalars, UE_I8(a, n), UE_U8(b, n), UE_I16(c, n), UE_U16(d, n), UE_I32(e, n),
		 UE_U32(f, n), UE_I64(g, n), UE_U64(h, wide), UE_BOOL(i, n > 0));
	UE_TRACE(usdt_pointers, UE_STR(s, argv[0]), UE_UUID(u, argv[0]), UE_BYTES(b, argv[0], 3),
		 UE_STRN(t, argv[0], 2), UE_PTR(p, argv[0]));
	UE_TRACE(usdt_none);
	UE_TRACE(usdt_twelve, UE_U8(a1, n), UE_U8(a2, 2), UE_U8(a3, 3), UE_U8(a4, 4), UE_U8(a5, 5),
		 UE_U8(a6, 6), UE_U8(a7, 7), UE_U8(a8, 8), UE_U8(a9, 9), UE_U8(a10, 10),
		 UE_U8(a11, n), UE_U8(a12, n), UE_U8(a13, 13));
	UE_LOG(usdt_set, "Floats", UE_F32(f, f), UE_F64(d, d));
	UE_LOG(usdt_set, "Logged", n, UE_F64(d, d), UE_STR(s, argv[0]));
	UE_LOG(usdt_set, "of two words, 100%", UE_BYTES(b, argv[0], 2));
	/*
	 * the probe must have exactly the event's name, including characters that assemblers
	 * interpret
	 */
	UE_LOG(usdt_set, "2nd try {a|b} %c 'x', $1; @ ä", UE_U32(n, 7));
	UE_LOG(usdt_set, "with \"quotes\" and a \\", UE_U32(n, 7));
	/* GCC treats the asm template differently if it is a single literal, so concatenate two */
	UE_LOG(usdt_set, "load %" "[cpu]", UE_U32(n, 7));
	in_two_places(value);
	in_a_scope(value);
	trace_usdt_point(n, argv[0]);
	UE_LOG(usdt_set, "Logged", n, UE_F64(d, 1.5), UE_STR(s, argv[argc]));
	DTRACE_PROBE(app, none);
	DTRACE_PROBE1(app, one, n);
	STAP_PROBE5(app, five, (short)n, f, d, (unsigned char)n, argv[0]);
	STAP_PROBE9(app, nine, 1, 2, 3, 4, 5, 6, value[0] + 7, wide, &n);
	DTRACE_PROBE12(app, twelve, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, n);
	return 0;
}
