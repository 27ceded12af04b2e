/* SPDX-License-Identifier: MIT */
/*
 * Tests UE_LOG in C++, with plain arguments of C++ types, in templates, lambdas, methods and inline
 * functions. The recorded bytes are compared with those of the reference encoder.
 */
#include <array>
#include <list>
#include <string>
#include <vector>
#if __cplusplus >= 201703L
#include <string_view>
#endif
#if __cplusplus >= 202002L
#include <span>
#endif

#include "log_witness.h"
#include <user_events_builder.h>

UE_DECLARE_EVENT_SET(info);

/* the set is defined later in this file */
static inline void early(int v)
{
	UE_LOG(info, "early", v);
}

UE_EVENT_SET(info, "Test_Cpp", UE_LEVEL_INFORMATION, 0x2a);
UE_EVENT_SET(grouped, "Test_Cpp", UE_LEVEL_CRITICAL, 0x8000000000000000, "grp");

static const ref_header plain = { 0, 0, 0, 0, 4 };

static void expect_ref()
{
	recorded("Test_Cpp_L4K2a", &plain, NULL, NULL);
}

static void value(const char *name, unsigned int kind, unsigned int format, const void *p, size_t n)
{
	ref_value(&ref, name, kind, format, 0, p, n);
}

static void string(const char *name, const char *s)
{
	ref_counted(&ref, name, REF_STRING8, 0, 0, s, strlen(s), 1);
}

static void counted(const char *name, unsigned int kind, const void *p, size_t n, size_t size)
{
	ref_counted(&ref, name, kind, 0, 0, p, n, size);
}

static void array(const char *name, unsigned int kind, unsigned int format, const void *p, size_t n,
		  size_t size)
{
	ref_counted(&ref, name, kind | REF_VARIABLE, format, 0, p, n, size);
}

static void fixed(const char *name, unsigned int kind, unsigned int format, const void *p, size_t n,
		  size_t size)
{
	ref_fixed(&ref, name, kind, n, format, 0, p, n * size);
}

enum { PTR = sizeof(void *) == 8 ? REF_VALUE64 : REF_VALUE32 };
enum { LONG = sizeof(long) == 8 ? REF_VALUE64 : REF_VALUE32 };
enum { WIDE = sizeof(wchar_t) == 4 ? REF_STRING32 : REF_STRING16 };

enum class colour : int8_t { RED = -3 };
enum plain_enum : uint64_t { GREEN = 1ull << 40 };

TEST_SETUP(test_bare_scalars_have_their_own_type, traced)
{
	bool b = true;
	char c = 'c';
	signed char sc = -1;
	unsigned char uc = 200;
	short s = -2;
	unsigned short us = 3;
	int i = -4;
	unsigned int u = 5;
	long l = -6;
	unsigned long ul = 7;
	long long ll = -8;
	unsigned long long ull = 9;
	float f = 1.5f;
	double d = -2.5;
	char16_t c16 = 0xe4;
	char32_t c32 = 0x1f600;
	wchar_t w = L'w';
	colour e = colour::RED;
	plain_enum pe = GREEN;
	const volatile int cv = 10;
	const int &r = i;
	int &&rr = 11;
	void *p = &i;
	const volatile int *ip = &i;
	decltype(nullptr) n = nullptr;
	void *null = NULL;

	UE_LOG(info, "bare", b, c, sc, uc, s, us, i, u, l, ul, ll, ull, f, d, c16, c32, w, e, pe,
	       cv, r, rr, p, ip, n);
	ref_begin(&ref, "bare");
	value("b", REF_VALUE8, REF_BOOL, &b, 1);
	value("c", REF_VALUE8, REF_LATIN1, &c, 1);
	value("sc", REF_VALUE8, REF_SIGNED, &sc, 1);
	value("uc", REF_VALUE8, 0, &uc, 1);
	value("s", REF_VALUE16, REF_SIGNED, &s, 2);
	value("us", REF_VALUE16, 0, &us, 2);
	value("i", REF_VALUE32, REF_SIGNED, &i, 4);
	value("u", REF_VALUE32, 0, &u, 4);
	value("l", LONG, REF_SIGNED, &l, sizeof(l));
	value("ul", LONG, 0, &ul, sizeof(ul));
	value("ll", REF_VALUE64, REF_SIGNED, &ll, 8);
	value("ull", REF_VALUE64, 0, &ull, 8);
	value("f", REF_VALUE32, REF_FLOAT, &f, 4);
	value("d", REF_VALUE64, REF_FLOAT, &d, 8);
	value("c16", REF_VALUE16, REF_UTF, &c16, 2);
	value("c32", REF_VALUE32, REF_UTF, &c32, 4);
	value("w", sizeof(w) == 4 ? REF_VALUE32 : REF_VALUE16, REF_UTF, &w, sizeof(w));
	value("e", REF_VALUE8, REF_SIGNED, &e, 1);
	value("pe", REF_VALUE64, 0, &pe, 8);
	u = 10;
	value("cv", REF_VALUE32, REF_SIGNED, &u, 4);
	value("r", REF_VALUE32, REF_SIGNED, &i, 4);
	value("rr", REF_VALUE32, REF_SIGNED, &rr, 4);
	value("p", PTR, REF_HEX, &p, sizeof(p));
	value("ip", PTR, REF_HEX, &ip, sizeof(ip));
	value("n", PTR, REF_HEX, &null, sizeof(null));
	expect_ref();
}

TEST_SETUP(test_bare_strings, traced)
{
	const char *pointer = "pointer", *none = nullptr;
	char array_[] = "array", full[3] = { 'a', 'b', 'c' };
	const char16_t *u16 = u"sixteen", *u16_none = nullptr;
	const char32_t u32[] = U"thirty-two";
	const wchar_t *w = L"wide";
	std::string s(700, 's'), empty;
	const std::string with_nul("a\0b", 3);
	std::u16string s16 = u16;
	std::u32string s32 = u32;
	std::wstring ws = w;
	std::string &r = s;

	UE_LOG(info, "strings", pointer, none, array_, full, u16, u16_none, u32, w, s, empty,
	       with_nul, s16, s32, ws, r);
	ref_begin(&ref, "strings");
	string("pointer", "pointer");
	string("none", "");
	string("array_", "array");
	string("full", "abc");
	counted("u16", REF_STRING16, u16, 7, 2);
	counted("u16_none", REF_STRING16, u16, 0, 2);
	counted("u32", REF_STRING32, u32, 10, 4);
	counted("w", WIDE, w, 4, sizeof(*w));
	counted("s", REF_STRING8, s.data(), 700, 1);
	counted("empty", REF_STRING8, "", 0, 1);
	counted("with_nul", REF_STRING8, "a\0b", 3, 1);
	counted("s16", REF_STRING16, u16, 7, 2);
	counted("s32", REF_STRING32, u32, 10, 4);
	counted("ws", sizeof(*w) == 4 ? REF_STRING32 : REF_STRING16, w, 4, sizeof(*w));
	counted("r", REF_STRING8, s.data(), 700, 1);
	expect_ref();
#if __cplusplus >= 201703L
	{
		std::string_view v = "view", nothing;
		std::u16string_view v16 = u"view";

		UE_LOG(info, "views", v, nothing, v16);
		ref_begin(&ref, "views");
		counted("v", REF_STRING8, "view", 4, 1);
		counted("nothing", REF_STRING8, "", 0, 1);
		counted("v16", REF_STRING16, u"view", 4, 2);
		expect_ref();
	}
#endif
#ifdef __cpp_char8_t
	{
		const char8_t *u8 = u8"\u00e4";

		UE_LOG(info, "utf8", u8);
		ref_begin(&ref, "utf8");
		string("u8", "\xc3\xa4");
		expect_ref();
	}
#endif
}

TEST_SETUP(test_bare_arrays_and_containers, traced)
{
	int i[3] = { -1, 2, 3 };
	const bool b[2] = { true, false };
	double d[100] = { 1.5 };
	colour e[2] = { colour::RED, colour::RED };
	std::array<uint16_t, 3> a = { { 1, 2, 3 } };
	std::vector<int64_t> v(200, -7), empty;
	const std::vector<float> cf = { 1.5f, 2.5f };
	std::vector<unsigned char> bytes = { 1, 2, 3 };
	std::vector<colour> ve(2, colour::RED);

	UE_LOG(info, "arrays", i, b, d, e, a, v, empty, cf, bytes, ve);
	ref_begin(&ref, "arrays");
	fixed("i", REF_VALUE32, REF_SIGNED, i, 3, 4);
	fixed("b", REF_VALUE8, REF_BOOL, b, 2, 1);
	fixed("d", REF_VALUE64, REF_FLOAT, d, 100, 8);
	fixed("e", REF_VALUE8, REF_SIGNED, e, 2, 1);
	array("a", REF_VALUE16, 0, a.data(), 3, 2);
	array("v", REF_VALUE64, REF_SIGNED, v.data(), 200, 8);
	array("empty", REF_VALUE64, REF_SIGNED, v.data(), 0, 8);
	array("cf", REF_VALUE32, REF_FLOAT, cf.data(), 2, 4);
	array("bytes", REF_VALUE8, 0, bytes.data(), 3, 1);
	array("ve", REF_VALUE8, REF_SIGNED, ve.data(), 2, 1);
	expect_ref();
#if __cplusplus >= 202002L
	{
		std::span<const int> sp(i);
		std::span<int, 2> sp2(i, 2);

		UE_LOG(info, "spans", sp, sp2);
		ref_begin(&ref, "spans");
		array("sp", REF_VALUE32, REF_SIGNED, i, 3, 4);
		array("sp2", REF_VALUE32, REF_SIGNED, i, 2, 4);
		expect_ref();
	}
#endif
}

TEST_SETUP(test_strings_and_containers_are_values_of_named_fields, traced)
{
	const std::string s("a\0b", 3);
	const std::vector<int32_t> v(200, -7);
	const std::vector<unsigned char> bytes = { 1, 2, 3 };
	const char *none = nullptr;

	UE_LOG(info, "given", UE_STR(s1, s), UE_STR(s2, std::string("temporary")),
	       UE_STR16(s16, std::u16string(u"view")), UE_STR(p, "pointer"), UE_STR(n, none),
	       UE_STR(null, NULL), UE_ARRAY(I32, v1, v), UE_ARRAY(U8, v2, bytes),
	       UE_BYTES(b, bytes), UE_STRN(s3, s), UE_AS(UE_FORMAT_JSON, UE_STR(json, s)));
	ref_begin(&ref, "given");
	counted("s1", REF_STRING8, "a\0b", 3, 1);
	counted("s2", REF_STRING8, "temporary", 9, 1);
	counted("s16", REF_STRING16, u"view", 4, 2);
	string("p", "pointer");
	string("n", "");
	string("null", "");
	array("v1", REF_VALUE32, REF_SIGNED, v.data(), 200, 4);
	array("v2", REF_VALUE8, 0, bytes.data(), 3, 1);
	counted("b", REF_BINARY, bytes.data(), 3, 1);
	counted("s3", REF_STRING8, "a\0b", 3, 1);
	ref_define(&ref, "json", REF_STRING8, 0, 0, REF_JSON, 0);
	ref_put_counted(&ref, "a\0b", 3, 1);
	expect_ref();
}

TEST_SETUP(test_containers_over_65535_elements_are_truncated_and_counted, traced)
{
	std::vector<uint16_t> v(65536, 9);
	std::string s(65536, 's');
	uint64_t cut = ue_status().cut;

	UE_LOG(info, "cut", v);
	ref_begin(&ref, "cut");
	array("v", REF_VALUE16, 0, v.data(), 65535, 2);
	ref_mark(&ref, true);
	expect_ref();
	assert_int_equal(ue_status().cut - cut, 1);
	UE_LOG(info, "cut", s);
	ref_begin(&ref, "cut");
	counted("s", REF_STRING8, s.data(), 65535, 1);
	ref_mark(&ref, true);
	expect_ref();
	assert_int_equal(ue_status().cut - cut, 2);
	v.resize(65535);
	s.resize(65535);
	UE_LOG(info, "whole", v, s);
	ref_begin(&ref, "whole");
	array("v", REF_VALUE16, 0, v.data(), 65535, 2);
	counted("s", REF_STRING8, s.data(), 65535, 1);
	expect_ref();
	assert_int_equal(ue_status().cut - cut, 2);
}

TEST_SETUP(test_named_fields_structs_and_options, traced)
{
	static const uint8_t id[16] = { 1 }, related[16] = { 2 };
	const ref_header h = { 2, 1, 3, UE_OPCODE_SEND, 4 };
	std::string host = "host";
	uint16_t list[] = { 1, 2, 3 };
	const char *names[] = { "x", nullptr };
	int v = -1;

	UE_LOG(info, "named", UE_ID(1, 2), UE_TAG(3), UE_OPCODE(UE_OPCODE_SEND),
	       UE_ACTIVITY(id, related), UE_STR(host, host.c_str()),
	       UE_TAGGED(4, UE_STRUCT(s, v, UE_STRUCT(t, host, UE_STRUCT(u, UE_F32(f, 1)))))  ,
	       UE_ARRAY(U16, list, list, 3), UE_FIXED_ARRAY(U16, g, list, 2),
	       UE_ARRAY(STR, names, names, 2), UE_AS(UE_FORMAT_HEX, UE_TAGGED(5, v)),
	       UE_BYTES(bytes, list, 2), UE_PTR(p, names), UE_PTR(q, 5), UE_BOOL(b, v));
	ref_begin(&ref, "named");
	string("host", "host");
	ref_define(&ref, "s", REF_STRUCT, 0, 0, 2, 4);
	value("v", REF_VALUE32, REF_SIGNED, &v, 4);
	ref_define(&ref, "t", REF_STRUCT, 0, 0, 2, 0);
	counted("host", REF_STRING8, "host", 4, 1);
	ref_define(&ref, "u", REF_STRUCT, 0, 0, 1, 0);
	{
		float f = 1;

		value("f", REF_VALUE32, REF_FLOAT, &f, 4);
	}
	array("list", REF_VALUE16, 0, list, 3, 2);
	fixed("g", REF_VALUE16, 0, list, 2, 2);
	ref_define(&ref, "names", REF_STRING8, REF_VARIABLE, 0, 0, 0);
	ref_put_u16(&ref, 2);
	ref_put_counted(&ref, "x", 1, 1);
	ref_put_counted(&ref, "", 0, 1);
	ref_value(&ref, "v", REF_VALUE32, REF_HEX, 5, &v, 4);
	counted("bytes", REF_BINARY, list, 2, 1);
	{
		const void *p = names;
		uintptr_t q = 5;

		value("p", PTR, REF_HEX, &p, sizeof(p));
		value("q", PTR, REF_HEX, &q, sizeof(q));
	}
	value("b", REF_VALUE8, REF_BOOL, "\1", 1);
	recorded("Test_Cpp_L4K2a", &h, id, related);
}

template <class T> static void in_template(const T &v)
{
	UE_LOG(info, "template", v);
}

template <class T, int N> struct in_class {
	T v;
	void log() const { UE_LOG(info, "class", UE_I32(n, N), UE_STRUCT(s, UE_U8(u, v))); }
	static void log_static(T w) { UE_LOG(info, "static", w); }
};

TEST_SETUP(test_templates_lambdas_and_methods, traced)
{
	int32_t n = 5, v = -9;
	double d = 2.5;
	in_class<int, 5> c = { 7 };

	in_template(v);
	ref_begin(&ref, "template");
	value("v", REF_VALUE32, REF_SIGNED, &v, 4);
	expect_ref();
	in_template(d);
	ref_begin(&ref, "template");
	value("v", REF_VALUE64, REF_FLOAT, &d, 8);
	expect_ref();
	in_template("literal");
	ref_begin(&ref, "template");
	string("v", "literal");
	expect_ref();
	in_template(std::string("moved"));
	ref_begin(&ref, "template");
	counted("v", REF_STRING8, "moved", 5, 1);
	expect_ref();
	in_template(std::vector<char16_t>(2, u'x'));
	ref_begin(&ref, "template");
	counted("v", REF_STRING16, u"xx", 2, 2);
	expect_ref();

	c.log();
	ref_begin(&ref, "class");
	value("n", REF_VALUE32, REF_SIGNED, &n, 4);
	ref_define(&ref, "s", REF_STRUCT, 0, 0, 1, 0);
	value("u", REF_VALUE8, 0, "\7", 1);
	expect_ref();
	in_class<double, 1>::log_static(d);
	ref_begin(&ref, "static");
	value("w", REF_VALUE64, REF_FLOAT, &d, 8);
	expect_ref();

	auto lambda = [&d, v](int x) { UE_LOG(info, "lambda", d, v, x); };
	lambda(5);
	ref_begin(&ref, "lambda");
	value("d", REF_VALUE64, REF_FLOAT, &d, 8);
	value("v", REF_VALUE32, REF_SIGNED, &v, 4);
	value("x", REF_VALUE32, REF_SIGNED, &n, 4);
	expect_ref();
#if __cplusplus >= 201402L
	auto generic = [](auto x) { UE_LOG(info, "generic", x); };
	generic(d);
	ref_begin(&ref, "generic");
	value("x", REF_VALUE64, REF_FLOAT, &d, 8);
	expect_ref();
	generic(v);
	ref_begin(&ref, "generic");
	value("x", REF_VALUE32, REF_SIGNED, &v, 4);
	expect_ref();
#endif
	early(v);
	ref_begin(&ref, "early");
	value("v", REF_VALUE32, REF_SIGNED, &v, 4);
	expect_ref();
}

TEST_SETUP(test_group_and_level_come_from_the_set, traced)
{
	ref_header h = plain;
	int v = 1;

	h.level = 1;
	UE_LOG(grouped, "g", v);
	ref_begin(&ref, "g");
	value("v", REF_VALUE32, REF_SIGNED, &v, 4);
	recorded("Test_Cpp_L1K8000000000000000Ggrp", &h, NULL, NULL);
}

static int calls;

static std::string make(int turn)
{
	assert_int_equal(calls, turn);
	calls++;
	return std::string(100, static_cast<char>('a' + turn));
}

static void evaluate()
{
	UE_LOG(info, "order", UE_U64(a, make(0).size()), UE_U64(b, make(1).size()),
	       UE_STRUCT(s, UE_U64(c, make(2).size())), UE_U64(d, make(3).size()));
}

static const uint8_t *id_of(int turn)
{
	static uint8_t ids[5][16];

	assert_int_equal(calls, turn);
	calls++;
	memset(ids[turn], 'a' + turn, 16);
	return ids[turn];
}

/* Arguments are evaluated in order, but the activity is written before all other arguments. */
TEST_SETUP(test_activity_is_evaluated_in_argument_order, traced)
{
	const struct fake_record *r;

	fake_kernel_enable("*", FAKE_PERF);
	fake_kernel_clear_records();
	calls = 0;
	UE_LOG(info, "activity", UE_U64(a, make(0).size()), UE_OPCODE(UE_OPCODE_ACTIVITY_START),
	       UE_ACTIVITY(id_of(1), id_of(2)), UE_U64(b, make(3).size()), UE_U64(c, 7));
	assert_int_equal(calls, 4);
	r = fake_kernel_record(0);
	/* an 8-byte header and a 4-byte extension precede the two IDs */
	for (int i = 0; i < 32; i++)
		assert_int_equal(r->data[12 + i], 'b' + i / 16);
	calls = 0;
	UE_LOG(info, "alone", UE_ACTIVITY(id_of(0)));
	UE_LOG(info, "last", UE_U64(a, make(1).size()), UE_ACTIVITY(id_of(2)));
	assert_int_equal(calls, 3);
	assert_int_equal(fake_kernel_records(), 3);
	for (int i = 0; i < 16; i++)
		assert_int_equal(fake_kernel_record(2)->data[12 + i], 'c');
}

TEST_SETUP(test_disabled_event_evaluates_nothing_and_enabled_each_once, traced)
{
	fake_kernel_disable("*", FAKE_FTRACE);
	calls = 0;
	evaluate();
	assert_int_equal(calls, 0);
	fake_kernel_enable("*", FAKE_PERF);
	evaluate();
	assert_int_equal(calls, 4);
	assert_int_equal(fake_kernel_records(), 1);
}

TEST_SETUP(test_temporaries_live_until_the_event_is_written, traced)
{
	std::string a(100, 'a'), b(100, 'b');

	calls = 0;
	UE_LOG(info, "temporary", UE_STR(s, make(0).c_str()), UE_BYTES(t, make(1).data(), 100));
	ref_begin(&ref, "temporary");
	string("s", a.c_str());
	counted("t", REF_BINARY, b.data(), 100, 1);
	expect_ref();
}

TEST_SETUP(test_builder, traced)
{
	char buffer[500];
	ue_builder b;
	const char *list[] = { "a", "b" };

	ue_builder_begin(&b, buffer, sizeof(buffer), "built", 0);
	ue_struct_begin(&b, "s");
	ue_add_f32(&b, "f", 0.5f);
	ue_add_str16(&b, "w", u"x");
	ue_struct_end(&b);
	ue_add_array_str(&b, "list", list, 2);
	assert_int_equal(ue_builder_write(&b, &info, NULL, NULL), 0);
	ref_begin(&ref, "built");
	ref_define(&ref, "s", REF_STRUCT, 0, 0, 2, 0);
	{
		float f = 0.5f;

		value("f", REF_VALUE32, REF_FLOAT, &f, 4);
	}
	counted("w", REF_STRING16, u"x", 1, 2);
	ref_define(&ref, "list", REF_STRING8, REF_VARIABLE, 0, 0, 0);
	ref_put_u16(&ref, 2);
	ref_put_counted(&ref, "a", 1, 1);
	ref_put_counted(&ref, "b", 1, 1);
	expect_ref();
}

TESTS_MAIN
