/* SPDX-License-Identifier: MIT */
/*
 * Writes events in a tracing hook that compiled code calls at the entry and exit of each function
 * (-finstrument-functions) or in each basic block (-fsanitize-coverage=trace-pc). The library's
 * functions are not instrumented, so the hook does not recurse.
 *
 * Also compiled as C++.
 */
#include "test.h"

#define FAKE_KERNEL_HOOKS
#include "fake_kernel.h"
#include <user_events.h>

#ifdef __clang__
#define UNTRACED __attribute__((__no_instrument_function__, __no_sanitize__("coverage")))
#elif __GNUC__ >= 12
#define UNTRACED __attribute__((__no_instrument_function__, __no_sanitize_coverage__))
#else
#define UNTRACED __attribute__((__no_instrument_function__))
#endif

UE_TRACEPOINT(point, UE_PTR(function), UE_STR(s));
UE_EVENT_SET(set, "Traced", UE_LEVEL_INFORMATION, 1);

static unsigned int depth, deepest, entered;

/* Writes one event of each type. Together, the events contain every kind of field. */
static UNTRACED void write_events(const void *function)
{
	static const uint32_t numbers[3] = { 1, 2, 3 };
	static const char *const list[] = { "a", "bc" };
	static char long_text[3000];
	char text[] = "text";
	double d = 0.5;

	if (!long_text[0])
		memset(long_text, 'l', sizeof(long_text) - 1);
	UE_TRACE(small, function, text, UE_U32(n, depth), UE_STR(t, "u"));
	UE_TRACE(large, function, UE_STR(s, long_text), UE_STR(t, long_text),
		 UE_BYTES(b, numbers, 12));
	trace_point(function, "point");
	UE_LOG(set, "small", function, text, d, UE_F32(f, 1), UE_STR(s, "log"));
	UE_LOG(set, "large", UE_STR(s, long_text), numbers, UE_ARRAY(U32, a, numbers, 3),
	       UE_ARRAY(STR, l, list, 2), UE_STRUCT(in, UE_U8(x, 1)));
}

static UNTRACED void hook(const void *function)
{
	if (++depth > deepest)
		deepest = depth;
	if (depth == 1) {
		entered++;
		write_events(function);
	}
	depth--;
}

#ifdef __cplusplus
extern "C" {
#endif
UNTRACED void __cyg_profile_func_enter(void *function, void *call_site);
UNTRACED void __cyg_profile_func_exit(void *function, void *call_site);
UNTRACED void __sanitizer_cov_trace_pc(void);

void __cyg_profile_func_enter(void *function, void *call_site)
{
	(void)call_site;
	hook(function);
}

void __cyg_profile_func_exit(void *function, void *call_site)
{
	(void)call_site;
	hook(function);
}
void __sanitizer_cov_trace_pc(void)
{
	hook(__builtin_return_address(0));
}
#ifdef __cplusplus
}
#endif

static __attribute__((__noinline__)) int traced(int x)
{
	__asm__ volatile("");
	return x + 1;
}

static UNTRACED void test_events_in_a_tracing_hook_do_not_recurse(void **state);

TEST(test_events_in_a_tracing_hook_do_not_recurse)
{
	for (int listening = 0; listening < 2; listening++) {
		depth = deepest = entered = 0;
		fake_kernel_clear_records();
		assert_int_equal(traced(1), 2);
		assert_int_equal(deepest, 1);
		assert_true(entered >= 2);
		assert_int_equal(fake_kernel_records(), listening ? 5 * entered : 0);
		fake_kernel_enable("*", FAKE_OTHER);
	}
	assert_int_equal(ue_status().failed, 0);
}

UNTRACED TESTS_MAIN
