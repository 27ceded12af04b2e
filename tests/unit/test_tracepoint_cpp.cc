// SPDX-License-Identifier: MIT
/*
 * A trace header in C++: the same events, registered by initialisers.
 */
#include <string>
#include <sys/socket.h>

#include "test.h"

#define FAKE_KERNEL_HOOKS
#include "fake_kernel.h"
#define CREATE_TRACE_POINTS
#include "trace/every.h"

extern "C" {
int every_assigned, every_refuse, every_regs, every_unregs;

int every_reg(void)
{
	every_regs++;
	return every_refuse;
}

void every_unreg(void)
{
	every_unregs++;
}

const char *every_status(struct trace_seq *p, int status)
{
	const char *text = trace_seq_buffer_ptr(p);

	trace_seq_printf(p, "<%d>", status);
	trace_seq_putc(p, 0);
	return text;
}
}

static int new_kernel(void **)
{
	ue_unregister_all();
	fake_kernel_reset(nullptr);
	assert_int_equal(ue_register_all(), 0);
	every_assigned = every_regs = every_unregs = 0;
	return 0;
}

alignas(8) static char traced[4096];

static const void *last_record()
{
	const struct fake_record *r = fake_kernel_record(fake_kernel_records() - 1);

	assert_non_null(r);
	memcpy(traced + 8, r->data, r->size);
	return traced;
}

static void assert_fields(const char *name, const char *want)
{
	char fields[512];

	assert_true(fake_kernel_fields(name, fields, sizeof(fields)) >= 0);
	assert_string_equal(fields, want);
}

#define assert_text(name, want)                                                             \
	do {                                                                                \
		char text_[2048];                                                           \
		trace_print_##name(text_, sizeof(text_),                                    \
				   (decltype(record_of(trace_print_##name)))last_record()); \
		assert_string_equal(text_, want);                                           \
	} while (0)
template <class Record> const Record *record_of(int (*)(char *, size_t, const Record *));

TEST_SETUP(test_types_are_those_of_c, new_kernel)
{
#if __SIZEOF_LONG__ == 8
	assert_fields("every_integer",
		      "u8 a; s8 b; u16 c; s16 d; unsigned char[2] __pad_14; u32 e; s32 f; "
		      "u64 g; s64 h; char i; u8 j; unsigned char[6] __pad_42; s64 k; u64 l; s32 m; "
		      "unsigned char[4] __pad_68; u64 n; u64 o; u64 q; s32 r");
	assert_fields(
		"every_fixed",
		"char[16] text; unsigned char[6] mac; unsigned char[3] small; "
		"unsigned char[3] __pad_33; unsigned char[12] words; struct every_pair pair 16; "
		"unsigned char[4] plain; unsigned char[4] __pad_68; struct every_pair other 16; "
		"u32 f; unsigned char[4] __pad_92; u64 d; struct bytes large 1025");
	assert_fields("every_dynamic",
		      "__data_loc u8[] bytes; __data_loc u8[] chars; __data_loc s16[] shorts; "
		      "__data_loc u64[] longs; __data_loc u8[] pairs; __data_loc char[] string; "
		      "__data_loc char[] part; __data_loc char[] v; __data_loc u64[] bits; "
		      "__data_loc u64[] cpus; __data_loc u8[] sa");
#endif
	assert_int_equal(ue_status().registered, 16);
	assert_int_equal(ue_status().error, 0);
}

TEST_SETUP(test_records_and_texts, new_kernel)
{
	const char *name = "name";

	assert_int_equal(fake_kernel_enable("*", FAKE_OTHER), 16);
	trace_every_first(name, 3);
	assert_text(every_first, "name=3");
	trace_every_printed(std::string("temporary").c_str(), 4);
	assert_text(every_printed, "4 of temporary");
	trace_every_integer(-2, nullptr);
	assert_int_equal(every_assigned, 1);
#if __SIZEOF_LONG__ == 8
	assert_text(every_integer, "254 -2 65534 -2 fffffffe -2 18446744073709551614 -2 i 1 -2 "
				   "18446744073709551614 -1 0000000000000000 (null) 8 -01");
#endif
	trace_every_print(EVERY_BLUE, 1 | 4 | 8, "", 0);
	assert_text(every_print, "blue ONE|TWELVE WIDEONE0xc 0x1000000000d <-1> 1099.511627789\n");
	trace_every_void();
	assert_text(every_void, "nothing to say");
	trace_every_condition(1, 2);
	trace_every_condition(3, 2);
	assert_text(every_condition, "a=3");
	trace_every_older("abcd", "other");
	assert_text(every_older, "abcd othe ab abcd");
	assert_int_equal(fake_kernel_records(), 7);
	assert_int_equal(ue_status().failed, 0);
}

struct counter {
	int n = 0;
	static void first(void *self, const char *, int n)
	{
		static_cast<counter *>(self)->n += n;
	}
	static void bare(void *self, void *, int *n)
	{
		static_cast<counter *>(self)->n += *n;
	}
};

/* as kernels from 5.10 on and before have it */
DECLARE_TRACE(cpp_newer, TP_PROTO(int n), TP_ARGS(n));
DEFINE_TRACE(cpp_newer, TP_PROTO(int n), TP_ARGS(n));
DECLARE_TRACE(cpp_older, TP_PROTO(int n), TP_ARGS(n));
DEFINE_TRACE(cpp_older);

TEST_SETUP(test_tracepoints_without_an_event_have_probes, new_kernel)
{
	auto add = [](void *data, int n) { *static_cast<int *>(data) += n; };
	int sum = 0;

	assert_int_equal(register_trace_cpp_newer(add, &sum), 0);
	assert_int_equal(register_trace_cpp_older(add, &sum), 0);
	trace_cpp_newer(2);
	trace_cpp_older(40);
	assert_int_equal(sum, 42);
	assert_int_equal(unregister_trace_cpp_newer(add, &sum), 0);
	assert_int_equal(unregister_trace_cpp_older(add, &sum), 0);
}

TEST_SETUP(test_probes, new_kernel)
{
	counter c;
	int two = 2;

	assert_int_equal(register_trace_every_first(counter::first, &c), 0);
	assert_int_equal(register_trace_every_bare(counter::bare, &c), 0);
	/* a lambda that captures nothing is a function */
	assert_int_equal(register_trace_every_fn([](void *data, int a) { *(int *)data = a; }, &two),
			 0);
	assert_int_equal(every_regs, 1);
	trace_every_first("a", 40);
	trace_every_bare(nullptr, &two);
	assert_int_equal(c.n, 42);
	trace_every_fn(7);
	assert_int_equal(two, 7);
	assert_int_equal(unregister_trace_every_first(counter::first, &c), 0);
	assert_int_equal(unregister_trace_every_bare(counter::bare, &c), 0);
	trace_every_first("a", 1);
	assert_int_equal(c.n, 42);
}

TESTS_MAIN
