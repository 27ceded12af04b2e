/* SPDX-License-Identifier: MIT */
/*
 * Tests UE_TRACE and UE_TRACEPOINT in C++11 and later: places where a site is allowed, and types
 * that exist only in C++. test_trace.c tests the types that C and C++ share.
 */
#include <array>
#include <string>
#include <vector>
#if __cplusplus >= 201703L
#include <string_view>
#endif
#if __cplusplus >= 202002L
#include <span>
#endif

extern "C" {
#include "test.h"
}
/* cmocka's macros conflict with names of the standard library */
#undef fail
#undef skip

#define UE_MAX_EVENT 16777216 /* the default limit is covered by test_shorten.c */
#define FAKE_KERNEL_HOOKS
#include "fake_kernel.h"
#include <user_events.h>

namespace
{

struct ue_status at_start;

/* Builds a payload by the kernel's rules: the fixed fields first, then the data of the locs. */
class payload {
public:
	template <class T> payload &fixed(T value)
	{
		return bytes(&value, sizeof(value));
	}
	payload &bytes(const void *p, size_t n)
	{
		fields_.push_back({ false, std::string(static_cast<const char *>(p), n) });
		return *this;
	}
	payload &loc(const void *p, size_t n)
	{
		fields_.push_back({ true, n ? std::string(static_cast<const char *>(p), n) : "" });
		return *this;
	}
	payload &text(const std::string &s)
	{
		return loc(s.c_str(), s.size() + 1);
	}
	/* Appends the mark of a truncated event after all fields. */
	payload &truncated()
	{
		mark_ = "UE_TRUNC";
		return *this;
	}
	std::string made() const
	{
		size_t fixed = 0;
		std::string out, data;

		for (const field &f : fields_)
			fixed += f.is_loc ? 4 : f.data.size();
		for (const field &f : fields_) {
			if (f.is_loc) {
				uint32_t l = static_cast<uint32_t>(
					f.data.size() << 16 |
					(fixed + data.size() - out.size() - 4));

				out.append(reinterpret_cast<const char *>(&l), 4);
				data += f.data;
			} else {
				out += f.data;
			}
		}
		return out + data + mark_;
	}

private:
	struct field {
		bool is_loc;
		std::string data;
	};
	std::vector<field> fields_;
	std::string mark_;
};

void expect(const char *name, const payload &p)
{
	const struct fake_record *r = fake_kernel_record(0);
	std::string want = p.made();

	assert_int_equal(fake_kernel_records(), 1);
	assert_string_equal(r->name, name);
	assert_int_equal(r->size, want.size());
	assert_memory_equal(r->data, want.data(), want.size());
	fake_kernel_clear_records();
}

void expect_text(const char *name, const char *fields)
{
	char text[1024];

	assert_true(fake_kernel_fields(name, text, sizeof(text)) >= 0);
	assert_string_equal(text, fields);
}

void listen_to(const char *name)
{
	assert_int_equal(fake_kernel_enable(name, FAKE_OTHER), 1);
	fake_kernel_clear_records();
}

int nobody_listens(void **)
{
	fake_kernel_disable("*", FAKE_OTHER);
	fake_kernel_clear_records();
	fake_kernel_clear_calls();
	return 0;
}

/* ---- Places where a site is allowed ---- */

TEST_SETUP(test_events_of_cpp_are_registered_before_main, nobody_listens)
{
	assert_true(at_start.declared > 20);
	assert_int_equal(at_start.registered, at_start.declared);
	assert_int_equal(at_start.error, 0);
}

inline void in_inline_function(int x)
{
	UE_TRACE(cpp_inline, x);
}

TEST_SETUP(test_a_site_in_an_inline_function, nobody_listens)
{
	listen_to("cpp_inline");
	in_inline_function(5);
	expect("cpp_inline", payload().fixed(int32_t(5)));
}

template <class T> void in_template(T value)
{
	UE_TRACE(cpp_template, UE_U64(size, sizeof(T)), UE_U64(value, value));
}

TEST_SETUP(test_a_site_in_a_template_serves_every_instance, nobody_listens)
{
	listen_to("cpp_template");
	in_template<char>('a');
	expect("cpp_template", payload().fixed(uint64_t(1)).fixed(uint64_t('a')));
	in_template<long long>(7);
	expect("cpp_template", payload().fixed(uint64_t(8)).fixed(uint64_t(7)));
}

template <class T> void bare_in_template(const T &value)
{
	UE_TRACE(cpp_bare_template, value);
}

TEST_SETUP(test_a_bare_argument_of_dependent_type, nobody_listens)
{
	listen_to("cpp_bare_template");
	bare_in_template(std::string("dependent"));
	expect("cpp_bare_template", payload().text("dependent"));
}

class counter {
public:
	explicit counter(int start) : count_(start)
	{
		UE_TRACE(cpp_constructor, count_);
	}
	~counter()
	{
		UE_TRACE(cpp_destructor, count_, name_);
	}
	void add() const
	{
		UE_TRACE(cpp_member, count_, UE_PTR(self, this), name_);
	}
	static void stand_alone(int x)
	{
		UE_TRACE(cpp_static_member, x);
	}
	virtual void overridden()
	{
		UE_TRACE(cpp_virtual, count_);
	}

private:
	int count_;
	std::string name_ = "counter";
};

TEST_SETUP(test_sites_in_classes, nobody_listens)
{
	listen_to("cpp_constructor");
	listen_to("cpp_destructor");
	listen_to("cpp_member");
	listen_to("cpp_static_member");
	listen_to("cpp_virtual");
	fake_kernel_clear_records();
	{
		counter c(9);

		expect("cpp_constructor", payload().fixed(int32_t(9)));
		c.add();
		expect("cpp_member", payload().fixed(int32_t(9)).fixed(&c).text("counter"));
		c.overridden();
		expect("cpp_virtual", payload().fixed(int32_t(9)));
		counter::stand_alone(3);
		expect("cpp_static_member", payload().fixed(int32_t(3)));
	}
	expect("cpp_destructor", payload().fixed(int32_t(9)).text("counter"));
}

template <class T, int N> struct holder {
	T value;
	void trace()
	{
		UE_TRACE(cpp_class_template, UE_I32(n, N), UE_STR(text, value.c_str()));
	}
};

TEST_SETUP(test_a_site_in_a_class_template, nobody_listens)
{
	holder<std::string, 3> h = { "held" };

	listen_to("cpp_class_template");
	h.trace();
	expect("cpp_class_template", payload().fixed(int32_t(3)).text("held"));
}

TEST_SETUP(test_sites_in_lambdas, nobody_listens)
{
	int captured = 4;
	auto by_value = [captured](int x) { UE_TRACE(cpp_lambda, x, captured); };
	auto by_reference = [&]() { UE_TRACE(cpp_lambda_reference, captured); };

	listen_to("cpp_lambda");
	listen_to("cpp_lambda_reference");
	fake_kernel_clear_records();
	by_value(3);
	expect("cpp_lambda", payload().fixed(int32_t(3)).fixed(int32_t(4)));
	captured = 6;
	by_reference();
	expect("cpp_lambda_reference", payload().fixed(int32_t(6)));
#if __cplusplus >= 201402L
	auto generic = [](auto x) { UE_TRACE(cpp_generic_lambda, UE_I64(x)); };

	listen_to("cpp_generic_lambda");
	generic(short(-3));
	expect("cpp_generic_lambda", payload().fixed(int64_t(-3)));
	generic(12L);
	expect("cpp_generic_lambda", payload().fixed(int64_t(12)));
#endif
}

UE_TRACEPOINT(cpp_tp, UE_U32(a), UE_STR(s), UE_ARRAY(U16, w));
UE_TRACEPOINT(cpp_tp_none);

TEST_SETUP(test_tracepoints_are_functions, nobody_listens)
{
	static const uint16_t w[] = { 1, 2 };

	assert_false(trace_cpp_tp_enabled());
	listen_to("cpp_tp");
	listen_to("cpp_tp_none");
	fake_kernel_clear_records();
	assert_true(trace_cpp_tp_enabled());
	trace_cpp_tp(1, std::string("temporary, and longer than the small string").c_str(), w, 2);
	expect("cpp_tp", payload().fixed(uint32_t(1))
				 .text("temporary, and longer than the small string").loc(w, 4));
	trace_cpp_tp_none();
	expect("cpp_tp_none", payload().fixed(uint8_t(0)));
}

/* ---- Types that exist only in C++ ---- */

enum class colour : uint8_t { red = 7 };
enum class far : int64_t { away = -5 };
enum plain { one = 1 };

TEST_SETUP(test_enums_have_their_underlying_type, nobody_listens)
{
	colour c = colour::red;
	far f = far::away;
	const plain p = one;

	listen_to("cpp_enums");
	UE_TRACE(cpp_enums, c, f, p);
	expect_text("cpp_enums", "u8 c; s64 f; u32 p");
	expect("cpp_enums", payload().fixed(uint8_t(7)).fixed(int64_t(-5)).fixed(uint32_t(1)));
}

TEST_SETUP(test_references_and_cv_qualifiers_are_ignored, nobody_listens)
{
	int i = 1;
	const int &r = i;
	volatile unsigned short v = 2;
	const char *const s = "s";
	const char *const &rs = s;
	bool b = true;
	long long ll = -9;

	listen_to("cpp_cv");
	UE_TRACE(cpp_cv, r, v, s, rs, b, ll);
	expect_text("cpp_cv",
		    "s32 r; u16 v; __rel_loc char[] s; __rel_loc char[] rs; u8 b; s64 ll");
	expect("cpp_cv", payload().fixed(int32_t(1)).fixed(uint16_t(2)).text("s").text("s")
				 .fixed(uint8_t(1)).fixed(int64_t(-9)));
}

TEST_SETUP(test_strings_of_wide_characters, nobody_listens)
{
	const char16_t *s16 = u"sixteen";
	const char32_t *s32 = U"32";
	const char16_t a16[4] = { 'f', 'u', 'l', 'l' };
	char16_t c16 = u'x';
	char32_t c32 = U'y';
	const char16_t *none = nullptr;

	listen_to("cpp_wide");
	UE_TRACE(cpp_wide, s16, s32, a16, c16, c32, none);
	expect_text("cpp_wide", "__rel_loc u16[] s16; __rel_loc u32[] s32; __rel_loc u16[] a16; "
				"u16 c16; u32 c32; __rel_loc u16[] none");
	expect("cpp_wide", payload().loc(u"sixteen", 14).loc(U"32", 8).loc(a16, 8)
				   .fixed(uint16_t('x')).fixed(uint32_t('y')).loc("", 0));
}

TEST_SETUP(test_strings_of_cpp_are_counted, nobody_listens)
{
	std::string s("with\0nul", 8), empty, large(3000, 'l');
	const std::u16string u16(u"u16");
	const std::string &ref = s;

	listen_to("cpp_strings");
	UE_TRACE(cpp_strings, s, empty, large, u16, ref, UE_U8(end, 1));
	expect_text("cpp_strings", "__rel_loc char[] s; __rel_loc char[] empty; "
				   "__rel_loc char[] large; __rel_loc u16[] u16; "
				   "__rel_loc char[] ref; u8 end");
	expect("cpp_strings", payload().text(s).text("").text(large).loc(u"u16", 6).text(s)
				      .fixed(uint8_t(1)));
}

TEST_SETUP(test_an_event_over_65535_bytes_is_truncated_and_counted, nobody_listens)
{
	std::string s(70000, 's');
	uint64_t cut = ue_status().cut;

	listen_to("cpp_cut");
	UE_TRACE(cpp_cut, s, UE_U8(end, 1));
	expect("cpp_cut", payload().text(std::string(65535 - 4 - 1 - 1 - 8, 's'))
				  .fixed(uint8_t(1)).truncated());
	assert_int_equal(ue_status().cut, cut + 1);
}

TEST_SETUP(test_containers_of_scalars_are_arrays, nobody_listens)
{
	std::vector<int> v = { 1, -2, 3 };
	std::vector<uint8_t> none;
	const std::array<uint64_t, 2> a = { { 4, 5 } };
	std::vector<colour> colours(3, colour::red);

	listen_to("cpp_containers");
	UE_TRACE(cpp_containers, v, none, a, colours);
	expect_text("cpp_containers", "__rel_loc s32[] v; __rel_loc u8[] none; __rel_loc u64[] a; "
				      "__rel_loc u8[] colours");
	expect("cpp_containers", payload().loc(v.data(), 12).loc(nullptr, 0).loc(a.data(), 16)
					 .loc("\7\7\7", 3));
}

#if __cplusplus >= 201703L
TEST_SETUP(test_a_string_view_is_not_read_beyond_its_end, nobody_listens)
{
	char full[4] = { 'v', 'i', 'e', 'w' };
	std::string_view view(full, 4), none;
	std::u16string_view view16(u"16 bits", 2);

	listen_to("cpp_view");
	UE_TRACE(cpp_view, view, none, view16);
	expect("cpp_view", payload().text("view").text("").loc(u"16", 4));
}
#endif

#if __cplusplus >= 202002L
TEST_SETUP(test_a_span_is_an_array, nobody_listens)
{
	uint16_t numbers[] = { 1, 2, 3 };
	std::span<const uint16_t> span(numbers, 2);
	std::span<uint16_t, 3> fixed_span(numbers);

	listen_to("cpp_span");
	UE_TRACE(cpp_span, span, fixed_span);
	expect_text("cpp_span", "__rel_loc u16[] span; __rel_loc u16[] fixed_span");
	expect("cpp_span", payload().loc(numbers, 4).loc(numbers, 6));
}
#endif

TEST_SETUP(test_pointers_and_nullptr_are_addresses, nobody_listens)
{
	int x = 0, *p = &x;
	std::nullptr_t nothing = nullptr;
	counter *object = nullptr;

	listen_to("cpp_pointers");
	UE_TRACE(cpp_pointers, p, nothing, object);
	expect("cpp_pointers",
	       payload().fixed(p).fixed(static_cast<void *>(nullptr)).fixed(object));
}

/* ---- Values ---- */

unsigned int evaluations;

unsigned int evaluated()
{
	return ++evaluations;
}

void evaluate()
{
	UE_TRACE(cpp_evaluated, UE_U8(a, evaluated()), UE_U16(b, evaluated()),
		 UE_U32(c, evaluated()), UE_U64(d, evaluated()), UE_U8(e, evaluated()),
		 UE_BYTES(f, "ffffffff", evaluated()), UE_U8(g, evaluated()));
}

TEST_SETUP(test_values_are_evaluated_once_in_order_and_only_when_enabled, nobody_listens)
{
	evaluations = 0;
	evaluate();
	assert_int_equal(evaluations, 0);
	listen_to("cpp_evaluated");
	evaluate();
	assert_int_equal(evaluations, 7);
	expect("cpp_evaluated", payload().fixed(uint8_t(1)).fixed(uint16_t(2)).fixed(uint32_t(3))
					.fixed(uint64_t(4)).fixed(uint8_t(5)).loc("ffffff", 6)
					.fixed(uint8_t(7)));
}

std::string temporary(size_t n)
{
	return std::string(n, 't');
}

/* A temporary object in a field's expression must exist until the event is written. */
TEST_SETUP(test_a_temporary_lives_until_the_event_is_written, nobody_listens)
{
	listen_to("cpp_temporary");
	for (size_t n : { size_t(1), size_t(100), size_t(1000) }) {
		UE_TRACE(cpp_temporary, UE_STR(a, temporary(n).c_str()),
			 UE_STRN(b, temporary(n + 1).data(), n), UE_U8(c, temporary(n)[0]));
		expect("cpp_temporary", payload().text(temporary(n)).text(temporary(n))
						.fixed(uint8_t('t')));
	}
}

TEST_SETUP(test_errno_is_untouched, nobody_listens)
{
	std::string s(2000, 's');

	listen_to("cpp_errno");
	fake_kernel_fail(FAKE_WRITEV, 1, 1, EFAULT);
	errno = 4711;
	UE_TRACE(cpp_errno, s);
	assert_int_equal(errno, 4711);
}

TEST_SETUP(test_events_register_again, nobody_listens)
{
	ue_unregister_all();
	assert_int_equal(fake_kernel_enablers(), 0);
	assert_int_equal(ue_status().registered, 0);
	assert_int_equal(ue_register_all(), 0);
	assert_int_equal(ue_status().registered, at_start.declared);
	listen_to("cpp_inline");
	in_inline_function(1);
	expect("cpp_inline", payload().fixed(int32_t(1)));
}

} /* namespace */

/*
 * Static objects are destroyed in any order, while the events of their file are still
 * registered.
 */
static struct dying {
	~dying()
	{
		fake_kernel_clear_records();
		UE_TRACE(cpp_last_words);
		if (fake_kernel_records() != 1) {
			static const char text[] = "an event of a destructor is lost\n";

			_exit(write(2, text, sizeof(text) - 1) > 0 ? 1 : 2);
		}
	}
} dying;

int main()
{
	int failed;

	at_start = ue_status();
	failed = run_all_tests(nullptr, nullptr);
	if (ue_register_all() == 0)
		fake_kernel_enable("cpp_last_words", FAKE_FTRACE);
	return failed; /* the number includes the result of ~dying() */
}
