/* SPDX-License-Identifier: MIT */
/* Probes from user_events_sdt.h with 0 to 12 arguments must be recorded as user events. */
#include "test.h"

#define FAKE_KERNEL_HOOKS
#include "fake_kernel.h"
#define UE_SDT_USER_EVENTS
#include <user_events_sdt.h>

static int evaluated;

/* Returns N and counts its calls. */
static int arg(int n)
{
	evaluated++;
	return n;
}

static void fire(int arguments)
{
	switch (arguments) {
	case 0:
		STAP_PROBE(sdt, p0);
		break;
	case 1:
		STAP_PROBE1(sdt, p1, arg(-1));
		break;
	case 2:
		STAP_PROBE2(sdt, p2, arg(-1), arg(-2));
		break;
	case 3:
		STAP_PROBE3(sdt, p3, arg(-1), arg(-2), arg(-3));
		break;
	case 4:
		STAP_PROBE4(sdt, p4, arg(-1), arg(-2), arg(-3), arg(-4));
		break;
	case 5:
		STAP_PROBE5(sdt, p5, arg(-1), arg(-2), arg(-3), arg(-4), arg(-5));
		break;
	case 6:
		STAP_PROBE6(sdt, p6, arg(-1), arg(-2), arg(-3), arg(-4), arg(-5), arg(-6));
		break;
	case 7:
		STAP_PROBE7(sdt, p7, arg(-1), arg(-2), arg(-3), arg(-4), arg(-5), arg(-6), arg(-7));
		break;
	case 8:
		DTRACE_PROBE8(sdt, p8, arg(-1), arg(-2), arg(-3), arg(-4), arg(-5), arg(-6),
			      arg(-7), arg(-8));
		break;
	case 9:
		DTRACE_PROBE9(sdt, p9, arg(-1), arg(-2), arg(-3), arg(-4), arg(-5), arg(-6),
			      arg(-7), arg(-8), arg(-9));
		break;
	case 10:
		DTRACE_PROBE10(sdt, p10, arg(-1), arg(-2), arg(-3), arg(-4), arg(-5), arg(-6),
			       arg(-7), arg(-8), arg(-9), arg(-10));
		break;
	case 11:
		DTRACE_PROBE11(sdt, p11, arg(-1), arg(-2), arg(-3), arg(-4), arg(-5), arg(-6),
			       arg(-7), arg(-8), arg(-9), arg(-10), arg(-11));
		break;
	default:
		DTRACE_PROBE12(sdt, p12, arg(-1), arg(-2), arg(-3), arg(-4), arg(-5), arg(-6),
			       arg(-7), arg(-8), arg(-9), arg(-10), arg(-11), arg(-12));
	}
}

TEST(test_a_probe_of_0_to_12_arguments_is_an_event_with_their_values)
{
	char name[16], spec[512], want[512];

	ue_unregister_all();
	fake_kernel_reset(NULL);
	assert_int_equal(ue_register_all(), 0);
	for (int n = 0; n <= 12; n++) {
		int64_t value;
		int length = 0;

		snprintf(name, sizeof(name), "sdt__p%d", n);
		want[0] = '\0';
		for (int i = 0; i < n; i++)
			length += snprintf(want + length, sizeof(want) - (size_t)length,
					   "%ss64 arg%d", i ? "; " : "", i);
		assert_true(fake_kernel_fields(name, spec, sizeof(spec)) >= 0);
		assert_string_equal(spec, want);
		evaluated = 0;
		fire(n);
		assert_int_equal(evaluated, n); /* even while the event is disabled */
		assert_int_equal(fake_kernel_enable(name, FAKE_FTRACE), 1);
		fake_kernel_clear_records();
		fire(n);
		assert_int_equal(evaluated, 2 * n);
		assert_int_equal(fake_kernel_records(), 1);
		assert_int_equal(fake_kernel_record(0)->size, n ? 8 * n : 1);
		for (int i = 0; i < n; i++) {
			memcpy(&value, fake_kernel_record(0)->data + 8 * i, 8);
			assert_int_equal(value, -1 - i);
		}
	}
}

TESTS_MAIN
