/* SPDX-License-Identifier: MIT */
/*
 * Tests random specs and values. An independent checker, written from the kernel's rules,
 * determines which specs are valid, and an independent decoder reads the values.
 *
 *   test_property [SEED]  repeats a run
 */
#include <time.h>

#include "test.h"

#define UE_MAX_EVENT 16777216 /* the default limit is covered by test_shorten.c */
#define FAKE_KERNEL_HOOKS
#include "fake_kernel.h"
#include <user_events.h>

/*
 * This event is rejected because of the name of its field. The program's other events must not be
 * affected.
 */
UE_TRACEPOINT(aa_refused, UE_U32(common_pid));

static uint64_t seed, random_state;

/* xorshift64* */
static uint64_t draw(void)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return random_state * 0x2545f4914f6cdd1du;
}

static size_t below(size_t n)
{
	return (size_t)((draw() >> 11) % n);
}

static int same_seed(void **state)
{
	(void)state;
	random_state = seed | 1;
	fake_kernel_clear_records();
	return 0;
}

TEST_SETUP(test_a_rejected_event_does_not_affect_others, same_seed)
{
	struct ue_status status = ue_status();

	trace_aa_refused(1);
	assert_true(status.declared > 1);
	assert_int_equal(status.registered, status.declared - 1);
	assert_int_equal(status.error, -EINVAL);
	assert_non_null(strstr(status.message, "\"aa_refused\""));
	assert_non_null(strstr(status.message, "common_"));
}

/* ---- Specs ---- */

enum verdict { REFUSED, TAKEN, KERNEL_DECIDES };

static bool identifier(const char *s)
{
	size_t n = strlen(s);

	return n &&
	       strspn(s, "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == n &&
	       !strchr("0123456789", s[0]);
}

static enum verdict type_verdict(char *const *words, size_t n)
{
	static const char *const known[] = {
		"u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "char", "short", "int",
		"unsigned char", "unsigned short", "unsigned int", "char[1]", "char[16]",
		"char[1024]", "unsigned char[6]", "__rel_loc char[]", "__rel_loc u8[]",
		"__rel_loc unsigned char[]",
	};
	char type[600] = "";

	for (size_t i = 0; i < n; i++) {
		strcat(type, i ? " " : "");
		strcat(type, words[i]);
	}
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(type, known[i]) == 0)
			return TAKEN;
	return KERNEL_DECIDES;
}

/* Returns whether SPEC is valid. Stores a valid spec in the kernel's notation in TEXT. */
static enum verdict judge(const char *spec, char *text)
{
	static char copy[8192];
	char *fields, *names[300];
	size_t n_names = 0, length;
	enum verdict verdict = TAKEN;
	char *next;

	snprintf(copy, sizeof(copy), "%s", spec);
	fields = strchr(copy, ' ');
	if (fields)
		*fields++ = '\0';
	if (!identifier(copy))
		return REFUSED;
	strcpy(text, copy);
	if (fields && strspn(fields, " ") == strlen(fields))
		fields = NULL;
	for (; fields; fields = next) {
		char *words[10];
		size_t n = 0, name;

		next = strchr(fields, ';');
		if (next)
			*next++ = '\0';
		if (next && strspn(next, " ") == strlen(next))
			next = NULL;
		for (char *w = strtok(fields, " "); w && n < 10; w = strtok(NULL, " "))
			words[n++] = w;
		if (n < 2)
			return REFUSED;
		name = n == 4 && strcmp(words[0], "struct") == 0 ? 2 : n - 1;
		if (n > 4)
			/* the kernel rejects the spec in any case, whichever check comes first */
			verdict = KERNEL_DECIDES;
		if (!identifier(words[name]) || strncmp(words[name], "common_", 7) == 0)
			return REFUSED;
		for (size_t i = 0; i < n_names; i++)
			if (strcmp(names[i], words[name]) == 0)
				return REFUSED;
		names[n_names++] = words[name];
		if (name != n - 1) {
			if (strcmp(words[3], "16") != 0)
				verdict = KERNEL_DECIDES;
		} else if (type_verdict(words, name) != TAKEN) {
			verdict = KERNEL_DECIDES;
		}
		strcat(text, n_names > 1 ? "; " : " ");
		for (size_t i = 0; i < n; i++) {
			strcat(text, i ? " " : "");
			strcat(text, words[i]);
		}
		length = strlen(text);
		if (length > 511)
			return REFUSED;
	}
	return strlen(text) > 511 ? REFUSED : verdict;
}

static void put_blanks(char *out, size_t least)
{
	size_t n = least + (below(4) ? 0 : below(3));

	while (n--)
		strcat(out, " ");
}

static void random_spec(char *out, unsigned int number)
{
	static const char *const types[] = {
		"u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "char", "short", "int",
		"unsigned char", "unsigned short", "unsigned int", "char[1]", "char[16]",
		"char[1024]", "unsigned char[6]", "__rel_loc char[]", "__rel_loc u8[]",
		"__rel_loc unsigned char[]",
		"struct s",
	};
	static const char *const names[] = {
		"a", "b", "c", "_", "x1", "X1", "common", "common_x", "commonx", "u32", "struct",
		"a_rather_long_name_of_a_field_that_fills_the_511_bytes",
	};
	size_t fields = below(8) ? below(5) : below(60);

	sprintf(out, "random_%u", number);
	for (size_t i = 0; i < fields; i++) {
		const char *type = types[below(sizeof(types) / sizeof(types[0]))];

		if (i)
			strcat(out, ";");
		put_blanks(out, i ? 0 : 1);
		strcat(out, type);
		put_blanks(out, 1);
		strcat(out, names[below(sizeof(names) / sizeof(names[0]))]);
		if (below(4))
			sprintf(out + strlen(out), "%u", (unsigned int)i);
		if (strcmp(type, "struct s") == 0)
			strcat(out, " 16");
		put_blanks(out, 0);
	}
	if (!below(8))
		strcat(out, ";");
	for (size_t n = below(3) ? 0 : 1 + below(2), length = strlen(out); n && length; n--) {
		static const char with[] = "  ;;;-_09azAZ\t,.[]*:\n\x80\xff";

		out[below(length)] = with[below(sizeof(with) - 1)];
	}
}

TEST_SETUP(test_random_specs_get_the_verdict_of_the_checker, same_seed)
{
	unsigned int seen[3] = { 0 };

	for (unsigned int i = 0; i < 10000; i++) {
		char spec[8192], text[8192], fields[1024], name[1024];
		static struct ue_event event;
		unsigned long calls = fake_kernel_calls(FAKE_REG);
		enum verdict verdict;
		int error;

		/*
		 * events exist until the fd is closed, and the fields of a registered name cannot
		 * change
		 */
		if (i % 100 == 0)
			ue_unregister_all();
		random_spec(spec, i);
		verdict = judge(spec, text);
		seen[verdict]++;
		error = ue_event_register(&event, spec, 0);
		/*
		 * the kernel found an existing event with the mutated name before it checked the
		 * fields
		 */
		if (error == -EADDRINUSE && verdict == KERNEL_DECIDES)
			continue;
		if (error != 0 && error != -EINVAL)
			fail_msg("seed %llu: \"%s\" returns %d", (unsigned long long)seed, spec,
				 error);
		if (verdict == REFUSED && (error == 0 || fake_kernel_calls(FAKE_REG) != calls))
			fail_msg("seed %llu: the invalid spec \"%s\" reached the kernel",
				 (unsigned long long)seed, spec);
		if (verdict == TAKEN && error)
			fail_msg("seed %llu: the valid spec \"%s\" was rejected",
				 (unsigned long long)seed, spec);
		if (error == 0 && (ue_status().multi || verdict != TAKEN)) {
			/*
			 * The mutated name belongs to an existing event, or differs only in white
			 * space, which the kernel ignores.
			 */
			assert_int_equal(ue_event_unregister(&event), 0);
		} else if (error == 0) {
			size_t n = strcspn(text, " ");

			snprintf(name, sizeof(name), "%.*s", (int)n, text);
			assert_true(fake_kernel_fields(name, fields, sizeof(fields)) >= 0);
			assert_string_equal(fields, text + n + (text[n] != '\0'));
			assert_int_equal(ue_event_unregister(&event), 0);
		}
	}
	/* check that the generator has produced all kinds of specs */
	for (size_t i = 0; i < 3; i++)
		assert_true(seen[i] > 200);
}

/* ---- Values ---- */

struct item {
	const void *data;
	size_t size;
};

static size_t type_size(const char *type)
{
	static const struct {
		const char *name;
		size_t size;
	} sizes[] = {
		{ "u8", 1 }, { "s8", 1 }, { "char", 1 }, { "u16", 2 }, { "s16", 2 }, { "u32", 4 },
		{ "s32", 4 }, { "u64", 8 }, { "s64", 8 },
	};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		if (strcmp(type, sizes[i].name) == 0)
			return sizes[i].size;
	return (size_t)strtoul(strchr(type, '[') + 1, NULL, 10);
}

/*
 * Decodes the only record, using the tracepoint's registered text. Checks that no byte is left
 * over.
 */
static void expect_items(const char *name, const struct item *items, size_t n)
{
	const struct fake_record *r = fake_kernel_record(0);
	char text[1024], *field, *save = NULL;
	size_t at = 0, data = 0, i = 0;

	assert_int_equal(fake_kernel_records(), 1);
	assert_string_equal(r->name, name);
	assert_true(fake_kernel_fields(name, text, sizeof(text)) >= 0);
	for (field = strtok_r(text, ";", &save); field; field = strtok_r(NULL, ";", &save), i++) {
		size_t size;
		uint32_t loc;

		while (*field == ' ')
			field++;
		*strrchr(field, ' ') = '\0';
		assert_true(i < n);
		if (strncmp(field, "__rel_loc ", 10) != 0) {
			size = type_size(field);
			assert_int_equal(size, items[i].size);
			assert_memory_equal(r->data + at, items[i].data, size);
			at += size;
			continue;
		}
		assert_true(at + 4 <= r->size);
		memcpy(&loc, r->data + at, 4);
		at += 4;
		if (data == 0)
			data = at + (loc & 0xffff);
		assert_int_equal(at + (loc & 0xffff), data);
		size = loc >> 16;
		assert_int_equal(size, items[i].size);
		assert_true(data + size <= r->size);
		if (size)
			assert_memory_equal(r->data + data, items[i].data, size);
		data += size;
	}
	assert_int_equal(i, n);
	assert_int_equal(data ? data : at, r->size);
	fake_kernel_clear_records();
}

/* Allocates N bytes that are not 0, without a terminating NUL. */
static char *bytes_of(size_t n)
{
	char *p = malloc(n ? n : 1);

	assert_non_null(p);
	for (size_t i = 0; i < n; i++)
		p[i] = (char)(1 + draw() % 255);
	return p;
}

static size_t random_length(void)
{
	static const size_t edges[] = {
		0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 63, 64, 65, 127, 128, 129, 247, 248, 254, 255,
		256, 257, 383, 384, 500, 507, 508, 509, 510, 511, 512, 513, 514, 515, 516, 1024,
		4000, 6000,
	};

	return below(2) ? edges[below(sizeof(edges) / sizeof(edges[0]))]
			: below(below(4) ? 40 : 700);
}

/*
 * Random data for each event, less than 64 KiB in total: four strings with NULs, four byte arrays,
 * and integers.
 */
static char *s[5], *b[4];
static size_t sn[5], bn[4];
static uint64_t v[20];
static uint16_t *w16;
static uint32_t *w32;
static size_t n16, n32;

static void new_values(void)
{
	for (size_t i = 0; i < 5; i++) {
		sn[i] = random_length();
		s[i] = bytes_of(sn[i] + 1);
		s[i][sn[i]] = '\0';
	}
	for (size_t i = 0; i < 4; i++) {
		bn[i] = random_length();
		b[i] = bytes_of(bn[i]);
	}
	n16 = random_length();
	n32 = random_length();
	w16 = (uint16_t *)(void *)bytes_of(2 * n16 + 2);
	w32 = (uint32_t *)(void *)bytes_of(4 * n32 + 4);
	w16[n16] = 0;
	w32[n32] = 0;
	for (size_t i = 0; i < 20; i++)
		v[i] = below(4) ? draw() : below(2) ? 0 : ~(uint64_t)0;
}

static void free_values(void)
{
	for (size_t i = 0; i < 5; i++)
		free(s[i]);
	for (size_t i = 0; i < 4; i++)
		free(b[i]);
	free(w16);
	free(w32);
}

#define INT(type, i) { &(type){ (type)v[i] }, sizeof(type) }
#define STRING(i) { s[i], sn[i] + 1 }
#define BYTES(i) { b[i], bn[i] }
#define EXPECT(name, ...)                                                                     \
	do {                                                                                  \
		const struct item items_[] = { __VA_ARGS__ };                                 \
		expect_items(name, items_, sizeof(items_) / sizeof(items_[0]));               \
	} while (0)

#define U(i) UE_U64(f##i, v[i])
#define UI(i) INT(uint64_t, i)

static void one_of_each(void)
{
	char with_nul[10000];

	UE_TRACE(p_four, UE_U8(a, v[0]), UE_U16(b, v[1]), UE_U32(c, v[2]), UE_U64(d, v[3]));
	EXPECT("p_four", INT(uint8_t, 0), INT(uint16_t, 1), INT(uint32_t, 2), INT(uint64_t, 3));
	UE_TRACE(p_one, UE_I8(a, v[0]));
	EXPECT("p_one", INT(int8_t, 0));
	UE_TRACE(p_five, UE_U64(a, v[0]), UE_U8(b, v[1]), UE_U32(c, v[2]), UE_U16(d, v[3]),
		 UE_U8(e, v[4]));
	EXPECT("p_five", INT(uint64_t, 0), INT(uint8_t, 1), INT(uint32_t, 2), INT(uint16_t, 3),
	       INT(uint8_t, 4));
	UE_TRACE(p_sixteen, U(0), U(1), U(2), U(3), U(4), U(5), U(6), U(7), U(8), U(9), U(10),
		 U(11), U(12), U(13), U(14), UE_U8(f15, v[15]));
	EXPECT("p_sixteen", UI(0), UI(1), UI(2), UI(3), UI(4), UI(5), UI(6), UI(7), UI(8), UI(9),
	       UI(10), UI(11), UI(12), UI(13), UI(14), INT(uint8_t, 15));
	UE_TRACE(p_seventeen, UE_STR(t, s[0]), U(1), U(2), U(3), U(4), U(5), U(6), U(7), U(8), U(9),
		 U(10), U(11), U(12), U(13), U(14), U(15), UE_U8(f16, v[16]));
	EXPECT("p_seventeen", STRING(0), UI(1), UI(2), UI(3), UI(4), UI(5), UI(6), UI(7), UI(8),
	       UI(9), UI(10), UI(11), UI(12), UI(13), UI(14), UI(15), INT(uint8_t, 16));
	UE_TRACE(p_string, UE_STR(a, s[0]));
	EXPECT("p_string", STRING(0));
	UE_TRACE(p_first, UE_STR(a, s[0]), UE_U8(b, v[0]));
	EXPECT("p_first", STRING(0), INT(uint8_t, 0));
	UE_TRACE(p_last, UE_U64(a, v[0]), UE_U8(b, v[1]), UE_STR(c, s[1]));
	EXPECT("p_last", INT(uint64_t, 0), INT(uint8_t, 1), STRING(1));
	UE_TRACE(p_between, UE_STR(a, s[0]), UE_U64(b, v[0]), UE_STR(c, s[1]), UE_U16(d, v[1]));
	EXPECT("p_between", STRING(0), INT(uint64_t, 0), STRING(1), INT(uint16_t, 1));
	UE_TRACE(p_strings, UE_STR(a, s[0]), UE_STR(b, s[1]), UE_STR(c, s[2]), UE_STR(d, s[3]));
	EXPECT("p_strings", STRING(0), STRING(1), STRING(2), STRING(3));
	UE_TRACE(p_five_strings, UE_STR(a, s[0]), UE_STR(b, s[1]), UE_STR(c, s[2]), UE_STR(d, s[3]),
		 UE_STR(e, s[4]), UE_U8(f, v[0]));
	EXPECT("p_five_strings", STRING(0), STRING(1), STRING(2), STRING(3), STRING(4),
	       INT(uint8_t, 0));
	memcpy(with_nul, b[0], bn[0]);
	with_nul[bn[0]] = '\0';
	UE_TRACE(p_counted, UE_STRN(a, b[0], bn[0]), UE_U32(b, v[0]), UE_BYTES(c, b[1], bn[1]));
	EXPECT("p_counted", { with_nul, bn[0] + 1 }, INT(uint32_t, 0), BYTES(1));
	UE_TRACE(p_all_bytes, UE_BYTES(a, b[0], bn[0]), UE_BYTES(b, b[1], bn[1]),
		 UE_BYTES(c, b[2], bn[2]), UE_BYTES(d, b[3], bn[3]), UE_U8(e, v[0]));
	EXPECT("p_all_bytes", BYTES(0), BYTES(1), BYTES(2), BYTES(3), INT(uint8_t, 0));
	UE_TRACE(p_wide, UE_STR16(a, w16), UE_U8(b, v[0]), UE_STR32(c, w32), UE_STR(d, s[0]));
	EXPECT("p_wide", { w16, 2 * ue__unit_length(w16, 1, 65535) }, INT(uint8_t, 0),
	       { w32, 4 * n32 }, STRING(0));
	UE_TRACE(p_arrays, UE_ARRAY(U16, a, w16, n16), UE_ARRAY(U32, b, w32, n32), UE_U16(c, v[0]),
		 UE_STR(d, s[0]), UE_STR32N(e, w32, n32));
	EXPECT("p_arrays", { w16, 2 * n16 }, { w32, 4 * n32 }, INT(uint16_t, 0), STRING(0),
	       { w32, 4 * n32 });
	UE_TRACE(p_fixed, UE_UUID(a, v), UE_STR(b, s[0]), UE_IPV4(c, v), UE_U8(d, v[0]),
		 UE_FIXED_ARRAY(U8, e, (const unsigned char *)v, 100), UE_STR(f, s[1]));
	EXPECT("p_fixed", { v, 16 }, STRING(0), { v, 4 }, INT(uint8_t, 0), { v, 100 }, STRING(1));
	UE_TRACE(p_large, UE_FIXED_ARRAY(CHAR, a, with_nul, 1000), UE_STR(b, s[0]),
		 UE_U64(c, v[1]));
	EXPECT("p_large", { with_nul, 1000 }, STRING(0), INT(uint64_t, 1));
	UE_TRACE(p_ids, UE_IPV6(a, v), UE_IPV6(b, v), UE_PID(c, v[0]), UE_PORT(d, v[1]));
	EXPECT("p_ids", { v, 16 }, { v, 16 }, INT(int32_t, 0), INT(uint16_t, 1));
	UE_TRACE(p_fixed_only, UE_FIXED_ARRAY(U8, a, (const unsigned char *)v, 160), UE_U8(b, v[0]),
		 UE_UUID(c, v), UE_UUID(d, v), UE_UUID(e, v), UE_UUID(f, v), UE_TIME64(g, v[1]));
	EXPECT("p_fixed_only", { v, 160 }, INT(uint8_t, 0), { v, 16 }, { v, 16 }, { v, 16 },
	       { v, 16 }, INT(int64_t, 1));
}

TEST_SETUP(test_random_values_are_decoded_unchanged, same_seed)
{
	uint64_t cut = ue_status().cut, failed = ue_status().failed;

	ue_register_all();
	assert_int_equal(fake_kernel_enable("p_*", FAKE_OTHER), 19);
	for (unsigned int i = 0; i < 2000; i++) {
		new_values();
		one_of_each();
		free_values();
	}
	assert_int_equal(ue_status().cut, cut);
	assert_int_equal(ue_status().failed, failed);
	fake_kernel_disable("p_*", FAKE_OTHER);
}

int main(int argc, char **argv)
{
	seed = argc > 1 ? strtoull(argv[1], NULL, 0) : (uint64_t)time(NULL);
	printf("seed %llu\n", (unsigned long long)seed);
	return run_all_tests(NULL, NULL);
}
