/* SPDX-License-Identifier: MIT */
/*
 * Tests UE_TRACE and UE_TRACEPOINT in C: the text that is registered and the bytes that are
 * recorded.
 *
 * layout() below builds the expected payload from the kernel's rules, independently of the header.
 * The fake kernel's tracer FAKE_OTHER accepts records of any size, so the results do not depend on
 * ftrace's sub-buffers.
 */

#include "test.h"

#define UE_MAX_EVENT 16777216 /* the default limit is covered by test_shorten.c */
#define FAKE_KERNEL_HOOKS
#include "fake_kernel.h"
#include <user_events.h>

/* ---- Expected payloads ---- */

enum want_kind { FIX, LOC };

struct want {
	enum want_kind kind;
	const void *data;
	size_t size;		/* size in bytes; for a string, including the NUL */
};

/* Writes the fixed fields and locs in order, followed by the locs' data in order. */
static size_t layout(unsigned char *out, const struct want *w, size_t n)
{
	size_t fixed = 0, at = 0, data;

	for (size_t i = 0; i < n; i++)
		fixed += w[i].kind == LOC ? 4 : w[i].size;
	data = fixed;
	for (size_t i = 0; i < n; i++) {
		if (w[i].kind == LOC) {
			uint32_t loc = (uint32_t)w[i].size << 16 | (uint32_t)(data - (at + 4));

			memcpy(out + at, &loc, 4);
			at += 4;
			if (w[i].size)
				memcpy(out + data, w[i].data, w[i].size);
			data += w[i].size;
		} else {
			memcpy(out + at, w[i].data, w[i].size);
			at += w[i].size;
		}
	}
	return data;
}

static unsigned char expected[1 << 20];

static void expect_record(const char *name, const struct want *w, size_t n, const char *mark)
{
	const struct fake_record *r = fake_kernel_record(0);
	size_t size = layout(expected, w, n);

	memcpy(expected + size, mark, strlen(mark));
	size += strlen(mark);
	assert_int_equal(fake_kernel_records(), 1);
	assert_string_equal(r->name, name);
	assert_int_equal(r->size, size);
	assert_memory_equal(r->data, expected, size);
	fake_kernel_clear_records();
}

#define EXPECT_MARKED(name, mark, ...)                                                        \
	do {                                                                                  \
		const struct want want_[] = { __VA_ARGS__ };                                  \
		expect_record(name, want_, sizeof(want_) / sizeof(want_[0]), mark);           \
	} while (0)
#define EXPECT(name, ...) EXPECT_MARKED(name, "", __VA_ARGS__)
#define EXPECT_TRUNCATED(name, ...) EXPECT_MARKED(name, "UE_TRUNC", __VA_ARGS__)
#define V(type, value) { FIX, &(type){ value }, sizeof(type) }
#define S(literal) { LOC, literal, sizeof(literal) }
#define NO_BYTES { LOC, NULL, 0 }

static void expect_text(const char *name, const char *fields)
{
	char text[1024];

	assert_true(fake_kernel_fields(name, text, sizeof(text)) >= 0);
	assert_string_equal(text, fields);
}

static void listen_to(const char *name)
{
	assert_int_equal(fake_kernel_enable(name, FAKE_OTHER), 1);
	fake_kernel_clear_records();
}

static int nobody_listens(void **state)
{
	(void)state;
	fake_kernel_disable("*", FAKE_FTRACE | FAKE_PERF | FAKE_OTHER);
	fake_kernel_clear_records();
	fake_kernel_clear_calls();
	return 0;
}

/* ---- Values ---- */

TEST_SETUP(test_an_event_without_fields_is_one_zero_byte, nobody_listens)
{
	listen_to("no_fields");
	UE_TRACE(no_fields);
	expect_text("no_fields", "");
	EXPECT("no_fields", V(uint8_t, 0));
}

#define SCALARS(_)                                                                            \
	_(U8, u8, uint8_t, "u8") _(U16, u16, uint16_t, "u16") _(U32, u32, uint32_t, "u32")    \
	_(U64, u64, uint64_t, "u64") _(I8, i8, int8_t, "s8") _(I16, i16, int16_t, "s16")      \
	_(I32, i32, int32_t, "s32") _(I64, i64, int64_t, "s64") _(X8, x8, uint8_t, "u8")      \
	_(X16, x16, uint16_t, "u16") _(X32, x32, uint32_t, "u32") _(X64, x64, uint64_t, "u64") \
	_(CHAR, char, char, "char") _(CHAR16, char16, uint16_t, "u16")                        \
	_(CHAR32, char32, uint32_t, "u32") _(PID, pid, int32_t, "s32")                        \
	_(ERRNO, errno, int32_t, "s32") _(PORT, port, uint16_t, "u16")                        \
	_(TIME32, time32, int32_t, "s32") _(TIME64, time64, int64_t, "s64")

static const uint64_t patterns[] = {
	0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000u, 0xffffffffu,
	0x0123456789abcdefu, 0x7fffffffffffffffu, 0x8000000000000000u, 0xffffffffffffffffu,
};

TEST_SETUP(test_each_scalar_type_is_recorded_at_its_size, nobody_listens)
{
#define ONE(TYPE, lower, ctype, text)                                                         \
	listen_to("one_" #TYPE);                                                              \
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {                 \
		ctype value = (ctype)patterns[i];                                             \
										      \
		UE_TRACE(one_##TYPE, UE_##TYPE(value));                                       \
		EXPECT("one_" #TYPE, { FIX, &value, sizeof(value) });                         \
	}                                                                                     \
	expect_text("one_" #TYPE, text " value");                                             \
	listen_to("two_" #TYPE);                                                              \
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {                 \
		ctype value = (ctype)patterns[i];                                             \
										      \
		UE_TRACE(two_##TYPE, UE_##TYPE(value), UE_U8(after, 0x5a));                   \
		EXPECT("two_" #TYPE, { FIX, &value, sizeof(value) }, V(uint8_t, 0x5a));       \
	}
	SCALARS(ONE)
#undef ONE
}

TEST_SETUP(test_a_value_of_another_type_is_converted_like_an_assignment, nobody_listens)
{
	/* variables, because compilers warn about constants that do not fit */
	int large = 0x1ff, larger = 0x18000;

	listen_to("converted");
	UE_TRACE(converted, UE_U8(a, large), UE_I64(b, -1), UE_I16(c, larger), UE_BOOL(d, 256),
		 UE_U32(e, 3.9), UE_U64(f, (int8_t)-1), UE_CHAR(g, 'x'));
	expect_text("converted", "u8 a; s64 b; s16 c; u8 d; u32 e; u64 f; char g");
	EXPECT("converted", V(uint8_t, 0xff), V(int64_t, -1), V(int16_t, -32768), V(uint8_t, 1),
	       V(uint32_t, 3), V(uint64_t, ~(uint64_t)0), V(char, 'x'));
}

TEST_SETUP(test_bool_is_zero_or_one, nobody_listens)
{
	double half = 0.5;

	listen_to("bools");
	UE_TRACE(bools, UE_BOOL(a, true), UE_BOOL(b, false), UE_BOOL(c, half), UE_BOOL(d, state));
	expect_text("bools", "u8 a; u8 b; u8 c; u8 d");
	EXPECT("bools", V(uint8_t, 1), V(uint8_t, 0), V(uint8_t, 1), V(uint8_t, state != NULL));
}

TEST_SETUP(test_pointers_are_unsigned_integers_of_their_size, nobody_listens)
{
	static int object;
	const volatile int *vp = &object;
	int *bare = &object;
	void *p = state;

	listen_to("pointers");
	UE_TRACE(pointers, UE_PTR(p), UE_PTR(vp), UE_PTR(null, NULL), UE_PTR(number, 0x1234u),
		 bare);
	expect_text("pointers", sizeof(p) == 8 ?
		    "u64 p; u64 vp; u64 null; u64 number; u64 bare" :
		    "u32 p; u32 vp; u32 null; u32 number; u32 bare");
	EXPECT("pointers", { FIX, &p, sizeof(p) }, { FIX, &vp, sizeof(vp) }, V(void *, NULL),
	       V(uintptr_t, 0x1234u), { FIX, &bare, sizeof(bare) });
}

TEST_SETUP(test_addresses_are_fixed_bytes_and_zeros_for_null, nobody_listens)
{
	static const unsigned char id[16] = "0123456789abcde", ip[4] = { 192, 0, 2, 1 };

	listen_to("addresses");
	UE_TRACE(addresses, UE_UUID(id), UE_IPV4(ip), UE_IPV6(six, id), UE_UUID(no_id, NULL),
		 UE_IPV4(no_ip, NULL));
	expect_text("addresses",
		    "unsigned char[16] id; unsigned char[4] ip; unsigned char[16] six; unsigned "
		    "char[16] no_id; unsigned char[4] no_ip");
	EXPECT("addresses", { FIX, id, 16 }, { FIX, ip, 4 }, { FIX, id, 16 },
	       { FIX, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16 },
	       { FIX, "\0\0\0", 4 });
}

/*
 * The field types determine which encoder a site uses. Therefore, each kind of non-scalar field is
 * tested alone, in an event whose other fields are scalars.
 */
TEST_SETUP(test_each_kind_of_field_works_among_few_and_many_scalars, nobody_listens)
{
	static const unsigned char id[16] = "0123456789abcde";
	unsigned char mac[6] = { 1, 2, 3, 4, 5, 6 };

#define AMONG(kind, field, ...)                                                               \
	do {                                                                                  \
		listen_to("few_" #kind);                                                      \
		UE_TRACE(few_##kind, UE_U8(a, 1), field, UE_U64(b, 2));                       \
		EXPECT("few_" #kind, V(uint8_t, 1), __VA_ARGS__, V(uint64_t, 2));             \
		listen_to("many_" #kind);                                                     \
		UE_TRACE(many_##kind, UE_U8(a, 1), UE_U16(b, 2), UE_U32(c, 3), UE_U64(d, 4),  \
			 UE_U16(e, 5), UE_U8(f, 6), field);                                   \
		EXPECT("many_" #kind, V(uint8_t, 1), V(uint16_t, 2), V(uint32_t, 3),          \
		       V(uint64_t, 4), V(uint16_t, 5), V(uint8_t, 6), __VA_ARGS__);           \
	} while (0)
	AMONG(uuid, UE_UUID(id), { FIX, id, 16 });
	AMONG(ipv4, UE_IPV4(ip, id), { FIX, id, 4 });
	AMONG(fixed, UE_FIXED_ARRAY(U8, key, id, 3), { FIX, id, 3 });
	AMONG(bare, mac, { FIX, mac, 6 });
	AMONG(str, UE_STR(s, "string"), S("string"));
	AMONG(str16, UE_STR16(s, u"s"), { LOC, u"s", 2 });
	AMONG(strn, UE_STRN(s, "string", 3), S("str"));
	AMONG(bytes, UE_BYTES(bytes, id, 5), { LOC, id, 5 });
	AMONG(array, UE_ARRAY(U16, array, (const uint16_t *)(const void *)id, 2), { LOC, id, 4 });
#undef AMONG
}

/* ---- Bare arguments ---- */

enum colour { RED = 3, GREEN };
typedef uint32_t user_id;

TEST_SETUP(test_a_bare_argument_has_its_own_name_and_type, nobody_listens)
{
	bool b = true;
	char c = 'c';
	signed char sc = -2;
	unsigned char uc = 250;
	short s = -300;
	unsigned short us = 65000;
	int i = -70000;
	unsigned int ui = 4000000000u;
	long l = -5;
	unsigned long ul = 6;
	long long ll = INT64_MIN;
	unsigned long long ull = UINT64_MAX;
	const int ci = 7;
	volatile unsigned short vus = 8;
	enum colour e = GREEN;
	user_id uid = 1000;
	size_t size = 12;

	listen_to("bare");
	UE_TRACE(bare, b, c, sc, uc, s, us, i, ui, l, ul, ll, ull, ci, vus, e, uid, size);
	expect_text(
		"bare",
		sizeof(long) == 8
			? "u8 b; char c; s8 sc; u8 uc; s16 s; u16 us; s32 i; u32 ui; s64 l; u64 "
			  "ul; s64 ll; u64 ull; s32 ci; u16 vus; u32 e; u32 uid; u64 size"
			: "u8 b; char c; s8 sc; u8 uc; s16 s; u16 us; s32 i; u32 ui; s32 l; u32 "
			  "ul; s64 ll; u64 ull; s32 ci; u16 vus; u32 e; u32 uid; u32 size");
	EXPECT("bare", V(uint8_t, 1), V(char, 'c'), V(int8_t, -2), V(uint8_t, 250),
	       V(int16_t, -300), V(uint16_t, 65000), V(int32_t, -70000), V(uint32_t, 4000000000u),
	       V(long, -5), V(unsigned long, 6), V(int64_t, INT64_MIN), V(uint64_t, UINT64_MAX),
	       V(int32_t, 7), V(uint16_t, 8), V(uint32_t, GREEN), V(uint32_t, 1000), V(size_t, 12));
}

struct object {
	int x;
};

/* A variable may be a macro, such as errno. The field is named after the macro. */
TEST_SETUP(test_a_macro_with_a_named_type_keeps_its_name, nobody_listens)
{
	static const struct {
		int32_t s;
		const char *p;
	} reply = { -7, "text" };

#define status (reply.s)
#define text reply.p
#define text_count 2u
	listen_to("of_macros");
	errno = 5;
	UE_TRACE(of_macros, UE_I32(status), UE_STR(text), UE_STRN(part, text, text_count),
		 UE_ERRNO(errno));
#undef status
#undef text
#undef text_count
	expect_text("of_macros",
		    "s32 status; __rel_loc char[] text; __rel_loc char[] part; s32 errno");
	EXPECT("of_macros", V(int32_t, -7), S("text"), S("te"), V(int32_t, 5));
}

TEST_SETUP(test_bare_char_pointers_are_strings_and_others_addresses, nobody_listens)
{
	char text[] = "text";
	const char *cs = "const";
	char *s = text;
	const char *const csc = "both";
	unsigned char *bytes = (unsigned char *)text;
	struct object object = { 1 }, *op = &object;
	int numbers[2][3] = { { 0 } }, (*rows)[3] = numbers;
	void *vp = text;

	listen_to("bare_pointers");
	UE_TRACE(bare_pointers, cs, s, csc, bytes, op, rows, vp);
	expect_text(
		"bare_pointers",
		sizeof(void *) == 8
			? "__rel_loc char[] cs; __rel_loc char[] s; __rel_loc char[] csc; u64 "
			  "bytes; u64 op; u64 rows; u64 vp"
			: "__rel_loc char[] cs; __rel_loc char[] s; __rel_loc char[] csc; u32 "
			  "bytes; u32 op; u32 rows; u32 vp");
	EXPECT("bare_pointers", S("const"), S("text"), S("both"), V(void *, bytes), V(void *, op),
	       V(void *, rows), V(void *, vp));
}

TEST_SETUP(test_a_bare_char_array_is_a_string_that_ends_at_its_nul, nobody_listens)
{
	char name[16] = "comm";
	const char fixed[] = "fixed";
	char empty[4] = "";

	listen_to("char_arrays");
	UE_TRACE(char_arrays, name, fixed, empty);
	expect_text("char_arrays",
		    "__rel_loc char[] name; __rel_loc char[] fixed; __rel_loc char[] empty");
	EXPECT("char_arrays", S("comm"), S("fixed"), S(""));
}

TEST_SETUP(test_a_bare_char_array_without_nul_is_not_read_beyond_its_end, nobody_listens)
{
	char full[4] = { 'f', 'u', 'l', 'l' };

	listen_to("full_array");
	UE_TRACE(full_array, full, UE_U8(after, 2));
	EXPECT("full_array", S("full"), V(uint8_t, 2));
}

TEST_SETUP(test_a_large_char_array_without_nul_is_whole, nobody_listens)
{
	static char large[600];
	unsigned char with_nul[601];

	memset(large, 'L', sizeof(large));
	memset(with_nul, 'L', sizeof(large));
	with_nul[600] = 0;
	listen_to("large_array");
	UE_TRACE(large_array, large);
	EXPECT("large_array", { LOC, with_nul, sizeof(with_nul) });
}

TEST_SETUP(test_a_bare_byte_array_is_a_fixed_array, nobody_listens)
{
	unsigned char mac[6] = { 1, 2, 3, 4, 5, 6 };
	const uint8_t key[3] = { 7, 8, 9 };

	listen_to("byte_arrays");
	UE_TRACE(byte_arrays, mac, key);
	expect_text("byte_arrays", "unsigned char[6] mac; unsigned char[3] key");
	EXPECT("byte_arrays", { FIX, mac, 6 }, { FIX, key, 3 });
}

/* ---- Strings ---- */

TEST_SETUP(test_string_types_are_rel_loc_data, nobody_listens)
{
	static const uint16_t s16[] = { 'a', 0xd83d, 0xde00, 0 };
	static const uint32_t s32[] = { 'b', 0x1f600, 0 };
	const char *s = "s", *latin1 = "\xe9", *xml = "<a/>", *json = "{}";

	listen_to("strings");
	UE_TRACE(strings, UE_STR(s), UE_STR16(s16), UE_STR32(s32), UE_LATIN1(latin1), UE_XML(xml),
		 UE_JSON(json));
	expect_text("strings",
		    "__rel_loc char[] s; __rel_loc u16[] s16; __rel_loc u32[] s32; __rel_loc "
		    "char[] latin1; __rel_loc char[] xml; __rel_loc char[] json");
	EXPECT("strings", S("s"), { LOC, s16, 6 }, { LOC, s32, 8 }, S("\xe9"), S("<a/>"), S("{}"));
}

TEST_SETUP(test_null_and_empty_strings_are_alike, nobody_listens)
{
	static const uint16_t empty16[1];
	const char *null = NULL, *empty = "";
	const uint16_t *null16 = NULL;

	listen_to("nulls");
	UE_TRACE(nulls, null, empty, UE_STR(a, NULL), UE_STR16(null16), UE_STR16(empty16),
		 UE_STRN(n, NULL, 5), UE_STRN(z, "abc", 0), UE_BYTES(b, NULL, 9),
		 UE_BYTES(c, "", 0), UE_ARRAY(U32, d, (const uint32_t *)NULL, 3));
	EXPECT("nulls", S(""), S(""), S(""), NO_BYTES, NO_BYTES, S(""), S(""), NO_BYTES, NO_BYTES,
	       NO_BYTES);
}

TEST_SETUP(test_counted_strings_get_a_nul, nobody_listens)
{
	static const uint16_t units[] = { 1, 2, 3, 4 };
	static const uint32_t points[] = { 5, 6, 7 };

	listen_to("counted");
	UE_TRACE(counted, UE_STRN(s, "abcdef", 3), UE_STR16N(t, units, 3), UE_STR32N(u, points, 2),
		 UE_STRN(v, "a\0b", 3), UE_BYTES(w, "wxyz", 4));
	expect_text("counted", "__rel_loc char[] s; __rel_loc u16[] t; __rel_loc u32[] u; "
			       "__rel_loc char[] v; __rel_loc u8[] w");
	EXPECT("counted", S("abc"), { LOC, units, 6 }, { LOC, points, 8 }, S("a\0b"),
	       { LOC, "wxyz", 4 });
}

TEST_SETUP(test_counts_come_from_name_count, nobody_listens)
{
	const char *s = "hello";
	size_t s_count = 2;
	const uint16_t *a = (const uint16_t[]){ 1, 2, 3 };
	int a_count = 3;

	listen_to("name_count");
	UE_TRACE(name_count, UE_STRN(s), UE_ARRAY(U16, a));
	EXPECT("name_count", S("he"), { LOC, a, 6 });
}

static char big[70001];

TEST_SETUP(test_strings_are_whole_at_every_length_around_the_buffer, nobody_listens)
{
	static const size_t lengths[] = {
		0, 1, 2, 3, 7, 8, UE_INLINE_BYTES - 2, UE_INLINE_BYTES - 1, UE_INLINE_BYTES,
		UE_INLINE_BYTES + 1, UE_INLINE_BYTES + 2, 511, 512, 513, 1023, 1024, 4059,
		4060, 4061, 65519, 65520,
	};
	uint64_t cut = ue_status().cut;

	memset(big, 'b', sizeof(big));
	listen_to("edge");
	listen_to("edge_n");
	listen_to("edge_bytes");
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		size_t n = lengths[i];
		char *s = malloc(n + 1), *exact = malloc(n ? n : 1);

		assert_non_null(s);
		assert_non_null(exact);
		memset(s, 'b', n);
		s[n] = '\0';
		memset(exact, 'b', n);
		UE_TRACE(edge, UE_U16(a, n), UE_STR(s), UE_U64(b, ~n));
		EXPECT("edge", V(uint16_t, (uint16_t)n), { LOC, s, n + 1 }, V(uint64_t, ~n));
		UE_TRACE(edge_n, UE_STRN(exact, exact, n), UE_U8(b, 1));
		EXPECT("edge_n", { LOC, s, n + 1 }, V(uint8_t, 1));
		UE_TRACE(edge_bytes, UE_BYTES(exact, exact, n), UE_U8(b, 1));
		EXPECT("edge_bytes", { LOC, s, n }, V(uint8_t, 1));
		free(s);
		free(exact);
	}
	assert_int_equal(ue_status().cut, cut);
}

/*
 * The library measures every string only once, including the first string that does not fit the
 * buffer.
 */
TEST_SETUP(test_each_of_several_long_strings_is_whole, nobody_listens)
{
	static const size_t lengths[] = { 0, 10, UE_INLINE_BYTES - 1, UE_INLINE_BYTES, 900 };
	enum { N = sizeof(lengths) / sizeof(lengths[0]) };
	char *s[N];

	listen_to("several_long");
	listen_to("twice_long");
	for (size_t i = 0; i < N; i++) {
		s[i] = malloc(lengths[i] + 1);
		assert_non_null(s[i]);
		memset(s[i], 'a' + (int)i, lengths[i]);
		s[i][lengths[i]] = '\0';
	}
	for (size_t i = 0; i < N * N * N; i++) {
		const char *x = s[i % N], *y = s[i / N % N], *z = s[i / N / N];

		UE_TRACE(several_long, UE_STR(x), UE_U8(a, 1), UE_STR(y), UE_STR(z));
		EXPECT("several_long", { LOC, x, strlen(x) + 1 }, V(uint8_t, 1),
		       { LOC, y, strlen(y) + 1 }, { LOC, z, strlen(z) + 1 });
		UE_TRACE(twice_long, UE_STR(x), UE_STR(again, x), UE_STR(y));
		EXPECT("twice_long", { LOC, x, strlen(x) + 1 }, { LOC, x, strlen(x) + 1 },
		       { LOC, y, strlen(y) + 1 });
	}
	for (size_t i = 0; i < N; i++)
		free(s[i]);
}

TEST_SETUP(test_an_event_over_65535_bytes_is_truncated_and_counted, nobody_listens)
{
	static const size_t lengths[] = { 65535, 65536, 65537, 70000 };
	char *want = malloc(65522);

	assert_non_null(want);
	memset(want, 'c', 65521);
	want[65521] = '\0';
	listen_to("too_long");
	listen_to("too_long_n");
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		size_t n = lengths[i];
		char *s = malloc(n + 1);
		uint64_t cut = ue_status().cut;

		assert_non_null(s);
		memset(s, 'c', n);
		s[n] = '\0';
		UE_TRACE(too_long, UE_STR(s), UE_U8(after, 1));
		EXPECT_TRUNCATED("too_long", { LOC, want, 65522 }, V(uint8_t, 1));
		assert_int_equal(ue_status().cut, cut + 1);
		UE_TRACE(too_long_n, UE_STRN(s, s, n), UE_U8(after, 1));
		EXPECT_TRUNCATED("too_long_n", { LOC, want, 65522 }, V(uint8_t, 1));
		assert_int_equal(ue_status().cut, cut + 2);
		free(s);
	}
	free(want);
}

/* A failed read() returns a negative length. */
TEST_SETUP(test_a_negative_length_means_no_data_and_no_truncation, nobody_listens)
{
	static const char data[8] = "abcdefg";
	uint64_t cut = ue_status().cut;
	long n = -1;
	int i = -5;

	listen_to("negative");
	UE_TRACE(negative, UE_BYTES(data, data, n), UE_ARRAY(U8, array, data, i), UE_U32(after, 7));
	EXPECT("negative", V(uint32_t, 0 << 16 | 8), V(uint32_t, 0 << 16 | 4), V(uint32_t, 7));
	assert_int_equal(ue_status().cut, cut);
}

TEST_SETUP(test_bytes_and_arrays_are_truncated_at_a_whole_unit, nobody_listens)
{
	static uint64_t words[9000];
	uint64_t cut = ue_status().cut;

	for (size_t i = 0; i < 9000; i++)
		words[i] = i * 0x0101010101010101u;
	listen_to("long_bytes");
	UE_TRACE(long_bytes, UE_BYTES(b, words, 65531));
	EXPECT("long_bytes", { LOC, words, 65531 });
	assert_int_equal(ue_status().cut, cut);
	UE_TRACE(long_bytes, UE_BYTES(b, words, 65532));
	EXPECT_TRUNCATED("long_bytes", { LOC, words, 65523 });
	assert_int_equal(ue_status().cut, cut + 1);
	listen_to("long_array");
	UE_TRACE(long_array, UE_ARRAY(U64, a, words, 8191));
	EXPECT("long_array", { LOC, words, 65528 });
	assert_int_equal(ue_status().cut, cut + 1);
	UE_TRACE(long_array, UE_ARRAY(U64, a, words, 8192));
	EXPECT_TRUNCATED("long_array", { LOC, words, 65520 });
	assert_int_equal(ue_status().cut, cut + 2);
	listen_to("long_16");
	UE_TRACE(long_16, UE_STR16N(a, (const uint16_t *)(const void *)words, 32768));
	EXPECT_TRUNCATED("long_16", { LOC, words, 65522 });
	assert_int_equal(ue_status().cut, cut + 3);
}

/*
 * Even if data is truncated, each loc fits in 16 bits, describes its data correctly, and stays
 * within the payload.
 */
TEST_SETUP(test_several_long_strings_share_the_64_KiB_of_offsets, nobody_listens)
{
	static const size_t lengths[] = { 0, 100, 32766, 32767, 40000, 65518, 65530, 65534, 66000 };
	enum { N = sizeof(lengths) / sizeof(lengths[0]) };

	memset(big, 'b', sizeof(big));
	listen_to("three_long");
	for (size_t i = 0; i < N * N * N; i++) {
		size_t n[3] = { lengths[i % N], lengths[i / N % N], lengths[i / N / N] };
		const struct fake_record *r;
		uint64_t failed = ue_status().failed, cut = ue_status().cut;
		size_t at[3] = { 0, 4, 16 }, data = 20, whole = 0;

		UE_TRACE(three_long, UE_STRN(a, big, n[0]), UE_BYTES(b, big, n[1]), UE_U64(x, i),
			 UE_STRN(c, big, n[2]));
		assert_int_equal(ue_status().failed, failed);
		r = fake_kernel_record(0);
		assert_int_equal(fake_kernel_records(), 1);
		for (size_t f = 0; f < 3; f++) {
			bool is_string = f != 1;
			uint32_t loc;

			memcpy(&loc, r->data + at[f], 4);
			assert_int_equal((loc & 0xffff) + at[f] + 4, data);
			assert_true(loc >> 16 <= n[f] + is_string);
			whole += loc >> 16 == n[f] + is_string;
			for (size_t k = 0; k < (loc >> 16) - is_string; k++)
				assert_int_equal(r->data[data + k], 'b');
			if (is_string)
				assert_int_equal(r->data[data + (loc >> 16) - 1], 0);
			data += loc >> 16;
		}
		assert_int_equal(r->size, data + (whole != 3 ? 8 : 0));
		assert_int_equal(ue_status().cut - cut, whole != 3);
		/* small events, whose offsets fit in 16 bits, are not truncated */
		if (n[0] + n[1] + n[2] < 65000)
			assert_int_equal(whole, 3);
		fake_kernel_clear_records();
	}
}

TEST_SETUP(test_an_event_is_one_write, nobody_listens)
{
	listen_to("one_write");
	UE_TRACE(one_write, UE_U32(a, 1), UE_STR(s, "short"), UE_BYTES(b, "bytes", 5));
	assert_int_equal(fake_kernel_record(0)->segments, 0);
	assert_int_equal(fake_kernel_calls(FAKE_WRITE), 1);
	assert_int_equal(fake_kernel_calls(FAKE_WRITEV), 0);
	EXPECT("one_write", V(uint32_t, 1), S("short"), { LOC, "bytes", 5 });
}

/* ---- Arrays ---- */

TEST_SETUP(test_arrays_of_each_scalar_type, nobody_listens)
{
#define ONE(TYPE, lower, ctype, text)                                                         \
	do {                                                                                  \
		ctype values[4] = { (ctype)1, (ctype)patterns[5], (ctype)patterns[11],        \
				    (ctype)patterns[14] };                                    \
		char with_nul[5];                                                             \
										      \
		listen_to("array_" #TYPE);                                                    \
		UE_TRACE(array_##TYPE, UE_ARRAY(TYPE, a, values, 4), UE_U8(x, 7));            \
		expect_text("array_" #TYPE, "__rel_loc " text "[] a; u8 x");                  \
		memcpy(with_nul, values, 4);                                                  \
		with_nul[4] = '\0';                                                           \
		if (strcmp(text, "char") == 0)                                                \
			EXPECT("array_" #TYPE, { LOC, with_nul, 5 }, V(uint8_t, 7));          \
		else                                                                          \
			EXPECT("array_" #TYPE, { LOC, values, sizeof(values) }, V(uint8_t, 7)); \
	} while (0);
	SCALARS(ONE)
#undef ONE
}

TEST_SETUP(test_fixed_arrays_are_in_place, nobody_listens)
{
	static const char text[5] = { 'h', 'e', 'l', 'l', 'o' };
	unsigned char one[1] = { 9 };
	const unsigned char *p = (const unsigned char *)text;

	listen_to("fixed_arrays");
	UE_TRACE(fixed_arrays, UE_FIXED_ARRAY(CHAR, text, text, 5), UE_FIXED_ARRAY(U8, p, 3),
		 UE_FIXED_ARRAY(U8, one, 1), UE_FIXED_ARRAY(U8, null, NULL, 4), UE_U8(end, 1));
	expect_text("fixed_arrays", "char[5] text; unsigned char[3] p; unsigned char[1] one; "
				    "unsigned char[4] null; u8 end");
	EXPECT("fixed_arrays", { FIX, text, 5 }, { FIX, "hel", 3 }, V(uint8_t, 9),
	       { FIX, "\0\0\0", 4 }, V(uint8_t, 1));
}

TEST_SETUP(test_the_largest_fixed_array_of_the_kernel_is_whole, nobody_listens)
{
	memset(big, 'f', 1024);
	listen_to("fixed_1024");
	UE_TRACE(fixed_1024, UE_U8(a, 1), UE_FIXED_ARRAY(CHAR, b, big, 1024), UE_STR(c, "c"));
	expect_text("fixed_1024", "u8 a; char[1024] b; __rel_loc char[] c");
	EXPECT("fixed_1024", V(uint8_t, 1), { FIX, big, 1024 }, S("c"));
}

/* ---- Evaluation ---- */

static unsigned int calls, order[8];

static unsigned int evaluated(unsigned int x)
{
	if (calls < 8)
		order[calls] = x;
	calls++;
	return x;
}

static const char *evaluated_string(unsigned int x)
{
	evaluated(x);
	return "evaluated";
}

static void trace_evaluated(void)
{
	UE_TRACE(evaluation, UE_U32(a, evaluated(1)), UE_STR(b, evaluated_string(2)),
		 UE_BYTES(c, evaluated_string(3), evaluated(4)),
		 UE_ARRAY(CHAR, d, evaluated_string(5), evaluated(6)), UE_U8(e, evaluated(7)));
}

TEST_SETUP(test_disabled_event_evaluates_nothing, nobody_listens)
{
	calls = 0;
	trace_evaluated();
	assert_int_equal(calls, 0);
	assert_int_equal(fake_kernel_calls(FAKE_WRITE), 0);
	assert_int_equal(fake_kernel_calls(FAKE_WRITEV), 0);
}

TEST_SETUP(test_enabled_event_evaluates_each_value_once_in_order, nobody_listens)
{
	calls = 0;
	listen_to("evaluation");
	trace_evaluated();
	assert_int_equal(calls, 7);
	for (unsigned int i = 0; i < 7; i++)
		assert_int_equal(order[i], i + 1);
	EXPECT("evaluation", V(uint32_t, 1), S("evaluated"), { LOC, "eval", 4 }, S("evalua"),
	       V(uint8_t, 7));
	fake_kernel_disable("evaluation", FAKE_OTHER);
	trace_evaluated();
	assert_int_equal(calls, 7);
}

TEST_SETUP(test_errno_is_untouched_by_a_write_that_fails, nobody_listens)
{
	uint64_t failed = ue_status().failed;

	listen_to("failing");
	fake_kernel_fail(FAKE_WRITE, 1, 2, ENOSPC);
	memset(big, 'b', 1000);
	errno = 4711;
	UE_TRACE(failing, UE_STRN(s, big, 10));
	UE_TRACE(failing, UE_STRN(s, big, 1000));
	assert_int_equal(errno, 4711);
	assert_int_equal(ue_status().failed, failed + 2);
	UE_TRACE(failing, UE_STRN(s, big, 10));
	assert_int_equal(errno, 4711);
	assert_int_equal(fake_kernel_records(), 1);
	assert_int_equal(ue_status().failed, failed + 2);
}

TEST_SETUP(test_a_tracer_that_detached_in_between_is_not_a_failure, nobody_listens)
{
	uint64_t failed = ue_status().failed, lost = ue_status().lost;

	listen_to("left");
	fake_kernel_fail(FAKE_WRITE, 1, 1, EBADF);
	UE_TRACE(left, UE_U8(a, 1));
	/* the second write is empty and verifies that the file is still open */
	assert_int_equal(fake_kernel_calls(FAKE_WRITE), 2);
	assert_int_equal(ue_status().failed, failed);
	assert_int_equal(ue_status().lost, lost);
}

/* ---- Many fields ---- */

static uint64_t counter;

static uint64_t next(void)
{
	return ++counter * 0x0102030405060708u;
}

/*
 * The field types alternate, so that each width follows every other width. Short names keep the
 * spec below 511 bytes.
 */
#define F1 UE_U8(a, next())
#define F2 F1, UE_U16(b, next())
#define F3 F2, UE_U32(c, next())
#define F4 F3, UE_U64(d, next())
#define F5 F4, UE_U16(e, next())
#define F6 F5, UE_U8(f, next())
#define F7 F6, UE_U64(g, next())
#define F8 F7, UE_U32(h, next())
#define F9 F8, UE_U8(i, next())
#define F10 F9, UE_U16(j, next())
#define F11 F10, UE_U32(k, next())
#define F12 F11, UE_U64(l, next())
#define F13 F12, UE_U16(m, next())
#define F14 F13, UE_U8(n, next())
#define F15 F14, UE_U64(o, next())
#define F16 F15, UE_U32(p, next())
#define F17 F16, UE_U8(q, next())
#define F18 F17, UE_U16(r, next())
#define F19 F18, UE_U32(s, next())
#define F20 F19, UE_U64(t, next())
#define F21 F20, UE_U16(u, next())
#define F22 F21, UE_U8(v, next())
#define F23 F22, UE_U64(w, next())
#define F24 F23, UE_U32(x, next())
#define F25 F24, UE_U8(y, next())
#define F26 F25, UE_U16(z, next())
#define F27 F26, UE_U32(A, next())
#define F28 F27, UE_U64(B, next())
#define F29 F28, UE_U16(C, next())
#define F30 F29, UE_U8(D, next())
#define F31 F30, UE_U64(E, next())
#define F32 F31, UE_U32(F, next())
#define F33 F32, UE_U8(G, next())
#define F34 F33, UE_U16(H, next())
#define F35 F34, UE_U32(I, next())
#define F36 F35, UE_U64(J, next())
#define F37 F36, UE_U16(K, next())
#define F38 F37, UE_U8(L, next())
#define F39 F38, UE_U64(M, next())
#define F40 F39, UE_U32(N, next())
#define F41 F40, UE_U8(O, next())
#define F42 F41, UE_U16(P, next())
#define F43 F42, UE_U32(Q, next())
#define F44 F43, UE_U64(R, next())
#define F45 F44, UE_U16(SS, next())
#define F46 F45, UE_U8(T, next())
#define F47 F46, UE_U64(U, next())
#define F48 F47, UE_U32(VV, next())
#define F49 F48, UE_U8(W, next())
#define F50 F49, UE_U16(X, next())
#define F51 F50, UE_U32(Y, next())
#define F52 F51, UE_U64(Z, next())
#define F53 F52, UE_U16(_, next())
#define F54 F53, UE_U8(aa, next())
#define F55 F54, UE_U8(bb, next())
#define F56 F55, UE_U8(cc, next())
#define F57 F56, UE_U8(dd, next())
#define F58 F57, UE_U8(ee, next())
#define F59 F58, UE_U8(ff, next())
#define F60 F59, UE_U8(gg, next())
#define F61 F60, UE_U8(hh, next())
#define F62 F61, UE_U8(ii, next())
#define F63 F62, UE_U8(jj, next())
#define F64 F63, UE_U8(kk, next())

static size_t width(size_t i)
{
	static const unsigned char widths[] = { 1, 2, 4, 8, 2, 1, 8, 4 };

	return i < 53 ? widths[i % 8] : 1;
}

static void expect_fields(const char *name, size_t n)
{
	struct want want[64];
	unsigned char values[64][8];

	for (size_t i = 0; i < n; i++) {
		uint64_t value = (i + 1) * 0x0102030405060708u;
		size_t skip = 0;

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
		skip = 8 - width(i);
#endif
		memcpy(values[i], (unsigned char *)&value + skip, width(i));
		want[i] = (struct want){ FIX, values[i], width(i) };
	}
	expect_record(name, want, n, "");
}

TEST_SETUP(test_events_of_1_to_64_fields_are_whole, nobody_listens)
{
#define ONE(n)                                                                                \
	do {                                                                                  \
		listen_to("m" #n);                                                            \
		counter = 0;                                                                  \
		UE_TRACE(m##n, F##n);                                                         \
		assert_int_equal(counter, n);                                                 \
		expect_fields("m" #n, n);                                                     \
	} while (0)
	ONE(1); ONE(2); ONE(3); ONE(4); ONE(5); ONE(6); ONE(7); ONE(8); ONE(9); ONE(10);
	ONE(11); ONE(12); ONE(13); ONE(14); ONE(15); ONE(16); ONE(17); ONE(18); ONE(19); ONE(20);
	ONE(21); ONE(22); ONE(23); ONE(24); ONE(25); ONE(26); ONE(27); ONE(28); ONE(29); ONE(30);
	ONE(31); ONE(32); ONE(33); ONE(34); ONE(35); ONE(36); ONE(37); ONE(38); ONE(39); ONE(40);
	ONE(41); ONE(42); ONE(43); ONE(44); ONE(45); ONE(46); ONE(47); ONE(48); ONE(49); ONE(50);
	ONE(51); ONE(52); ONE(53); ONE(54); ONE(55); ONE(56); ONE(57); ONE(58); ONE(59); ONE(60);
	ONE(61); ONE(62); ONE(63); ONE(64);
#undef ONE
}

TEST_SETUP(test_several_strings_follow_the_fixed_fields_in_order, nobody_listens)
{
	listen_to("several");
	UE_TRACE(several, UE_U8(a, 1), UE_STR(b, "bee"), UE_U64(c, 3), UE_BYTES(d, "\1\2", 2),
		 UE_STR(e, NULL), UE_U16(f, 6), UE_STRN(g, "gee", 1), UE_STR(h, "h"),
		 UE_ARRAY(U16, i, ((const uint16_t[]){ 1, 2 }), 2), UE_U32(j, 10));
	EXPECT("several", V(uint8_t, 1), S("bee"), V(uint64_t, 3), { LOC, "\1\2", 2 }, S(""),
	       V(uint16_t, 6), S("g"), S("h"), { LOC, ((const uint16_t[]){ 1, 2 }), 4 },
	       V(uint32_t, 10));
}

/*
 * Long and short data alternate in every order (buffer, segment, buffer, ...), with up to 17
 * pieces.
 */
TEST_SETUP(test_long_and_short_data_mix_in_every_order, nobody_listens)
{
	struct want want[8];
	size_t n[8];

	memset(big, 'm', sizeof(big));
	listen_to("mixed");
	for (unsigned int mask = 0; mask < 6561; mask++) {
		unsigned int rest = mask;
		static char nul[8][700];

		for (size_t i = 0; i < 8; i++, rest /= 3) {
			static const size_t lengths[] = { 0, 100, 600 };

			n[i] = lengths[rest % 3];
			memset(nul[i], 'm', n[i]);
			nul[i][n[i]] = '\0';
			want[i] = (struct want){ LOC, nul[i], n[i] + (i % 2 == 0) };
		}
		UE_TRACE(mixed, UE_STR(a, nul[0]), UE_BYTES(b, big, n[1]), UE_STRN(c, big, n[2]),
			 UE_ARRAY(U8, d, big, n[3]), UE_STR(e, nul[4]), UE_BYTES(f, big, n[5]),
			 UE_STRN(g, big, n[6]), UE_ARRAY(U8, h, big, n[7]));
		expect_record("mixed", want, 8, "");
	}
}

TEST_SETUP(test_twenty_four_long_strings_are_whole, nobody_listens)
{
	struct want want[24];
	char *s = malloc(701);

	assert_non_null(s);
	memset(s, 's', 700);
	s[700] = '\0';
	listen_to("wide");
	for (size_t i = 0; i < 24; i++)
		want[i] = (struct want){ LOC, s, 701 };
#define W(name) UE_STRN(name, s, 700)
	UE_TRACE(wide, W(a), W(b), W(c), W(d), W(e), W(f), W(g), W(h), W(i), W(j), W(k), W(l), W(m),
		 W(n), W(o), W(p), W(q), W(r), W(s), W(t), W(u), W(v), W(w), W(x));
#undef W
	assert_int_equal(fake_kernel_record(0)->segments, 0);
	expect_record("wide", want, 24, "");
	free(s);
}

/* The strings together are about as long as the buffer, with and without their NULs. */
TEST_SETUP(test_many_short_strings_are_whole, nobody_listens)
{
	static char text[24][32];
	struct want want[24];

	listen_to("many_short");
	for (size_t n = UE_INLINE_BYTES - 40; n < UE_INLINE_BYTES + 40; n++) {
		for (size_t i = 0; i < 24; i++) {
			size_t length = n * (i + 1) / 24 - n * i / 24;

			memset(text[i], 'a' + (int)i, length);
			text[i][length] = '\0';
			want[i] = (struct want){ LOC, text[i], length + 1 };
		}
#define W(name, i) UE_STR(name, text[i])
		UE_TRACE(many_short, W(a, 0), W(b, 1), W(c, 2), W(d, 3), W(e, 4), W(f, 5), W(g, 6),
			 W(h, 7), W(i, 8), W(j, 9), W(k, 10), W(l, 11), W(m, 12), W(n, 13),
			 W(o, 14), W(p, 15), W(q, 16), W(r, 17), W(s, 18), W(t, 19), W(u, 20),
			 W(v, 21), W(w, 22), W(x, 23));
#undef W
		expect_record("many_short", want, 24, "");
	}
}

/* ---- Sites ---- */

static inline void inline_site(int x)
{
	UE_TRACE(inline_event, x);
}

TEST_SETUP(test_an_event_may_be_traced_from_several_sites, nobody_listens)
{
	int x = 3;

	listen_to("inline_event");
	inline_site(1);
	inline_site(2);
	UE_TRACE(inline_event, x);
	assert_int_equal(fake_kernel_records(), 3);
	for (unsigned int i = 0; i < 3; i++) {
		int got;

		memcpy(&got, fake_kernel_record(i)->data, 4);
		assert_int_equal(got, i + 1);
	}
}

TEST_SETUP(test_a_site_is_one_statement, nobody_listens)
{
	int taken = 0;

	listen_to("statement");
	if (state == NULL)
		UE_TRACE(statement, UE_U8(a, 1));
	else
		taken = 1;
	for (int i = 0; i < 2; i++)
		UE_TRACE(statement, UE_U8(a, i));
	switch (taken)
	case 1:
		UE_TRACE(statement, UE_U8(a, 3));
	assert_int_equal(fake_kernel_records(), 3);
}

UE_TRACEPOINT(tp_none);
UE_TRACEPOINT(tp_many, UE_U8(a), UE_I64(b), UE_STR(s), UE_BYTES(bytes), UE_ARRAY(U16, words),
	      UE_FIXED_ARRAY(U8, mac, 6), UE_PTR(p), UE_BOOL(flag), UE_IPV4(ip), UE_STRN(n));

TEST_SETUP(test_a_tracepoint_without_fields_is_a_function_of_none, nobody_listens)
{
	assert_false(trace_tp_none_enabled());
	trace_tp_none();
	listen_to("tp_none");
	assert_true(trace_tp_none_enabled());
	trace_tp_none();
	EXPECT("tp_none", V(uint8_t, 0));
	fake_kernel_disable("tp_none", FAKE_OTHER);
	assert_false(trace_tp_none_enabled());
}

TEST_SETUP(test_a_tracepoint_takes_a_parameter_for_each_value, nobody_listens)
{
	static const uint16_t words[] = { 10, 20, 30 };
	static const unsigned char mac[6] = { 1, 2, 3, 4, 5, 6 }, ip[4] = { 127, 0, 0, 1 };
	void (*function)(uint8_t, int64_t, const char *, const void *, size_t, const uint16_t *,
			 size_t, const uint8_t *, const void *, bool, const void *, const char *,
			 size_t) = trace_tp_many;

	listen_to("tp_many");
	function(1, -2, "s", "bytes", 5, words, 3, mac, state, true, ip, "nnn", 2);
	EXPECT("tp_many", V(uint8_t, 1), V(int64_t, -2), S("s"), { LOC, "bytes", 5 },
	       { LOC, words, 6 }, { FIX, mac, 6 }, V(void *, state), V(uint8_t, 1), { FIX, ip, 4 },
	       S("nn"));
}

TEST_SETUP(test_a_large_event_restores_the_stack, nobody_listens)
{
	memset(big, 'x', sizeof(big));
	big[65534] = '\0';
	listen_to("deep");
	for (unsigned int i = 0; i < 100; i++) {
		UE_TRACE(deep, UE_STR(a, big), UE_FIXED_ARRAY(CHAR, b, big, 1000));
		fake_kernel_clear_records();
	}
	assert_int_equal(fake_kernel_overrun(), 0);
}

TESTS_MAIN
