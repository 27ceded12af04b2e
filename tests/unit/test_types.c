/* SPDX-License-Identifier: MIT */
/*
 * UE__TYPES is the list of field types. Several other lists must contain each of these types:
 * UE_TYPE(), the builder's functions, the decoder's kinds and formats, the captures, and the table
 * in docs/reference.md.
 */
#include "test.h"

#define FAKE_KERNEL_HOOKS
#include "fake_kernel.h"

#include <user_events_builder.h>
#include <user_events_capture.h>

UE_EVENT_SET(set, "Types", UE_LEVEL_INFORMATION, 0x1);

struct row {
	const char *name, *macro;
	uint32_t type;
};

/* The expansion of the macro UE_TYPE, or the macro's name if it is not defined. */
#define ROW(name, ...) { #name, UE__I_STRINGIFY(UE_##name(x, y, z)), UE__##name },
static const struct row rows[] = { UE__TYPES(ROW) };
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

TEST(test_each_type_has_its_macro)
{
	char none[32];

	for (size_t i = 0; i < ROWS; i++) {
		snprintf(none, sizeof(none), "UE_%s(", rows[i].name);
		assert_int_not_equal(strncmp(rows[i].macro, none, strlen(none)), 0);
	}
}

/* Adds one field of each type to the builder. Returns the number of fields. */
static size_t built(struct ue_builder *b, uint32_t *types)
{
	static const uint32_t value[5] = { 'v' };
	size_t n = 0;

#define NUMBER(suffix, type)     \
	types[n++] = UE__##type; \
	ue_add_##suffix(b, "f", 0);
#define POINTER(suffix, type, ctype) \
	types[n++] = UE__##type;     \
	ue_add_##suffix(b, "f", (const void *)value);
#define COUNTED(suffix, type)    \
	types[n++] = UE__##type; \
	ue_add_##suffix(b, "f", (const void *)value, 1);
	UE__BUILD_VALUES(NUMBER)
	UE__BUILD_POINTERS(POINTER)
	UE__BUILD_COUNTED(COUNTED)
	return n;
}

TEST(test_each_type_has_its_functions_in_the_builder)
{
	uint32_t types[2 * ROWS];
	char buffer[4096];
	struct ue_builder b;
	size_t n, i, j;

	ue_builder_begin(&b, buffer, sizeof(buffer), "All", 0);
	n = built(&b, types);
	assert_int_equal(n, ROWS + 1); /* the additional field is ptr, whose type is X64 or X32 */
	for (i = 0; i < ROWS; i++) {
		for (j = 0; j < n && types[j] != rows[i].type; j++)
			;
		if (j == n)
			fail_msg("user_events_builder.h has no function for %s", rows[i].name);
	}
}

TEST(test_kinds_and_formats_have_the_numbers_of_the_decoder)
{
#define ROW_IS_DECODED(name, kind, format, ...)                   \
	assert_int_equal(UE__KIND_##kind, UE_DECODE_KIND_##kind); \
	assert_int_equal(UE_FORMAT_##format, UE_DECODE_FORMAT_##format);
#define UE_DECODE_FORMAT_STRING8 UE_DECODE_FORMAT_LATIN1
	UE__TYPES(ROW_IS_DECODED)
	assert_int_equal(UE_FORMAT_UNSIGNED, UE_DECODE_FORMAT_UNSIGNED);
	assert_int_equal(UE_FORMAT_HEX_BYTES, UE_DECODE_FORMAT_HEX_BYTES);
	assert_int_equal(UE_FORMAT_UTF_BOM, UE_DECODE_FORMAT_UTF_BOM);
	assert_int_equal(UE__KIND_STRUCT, UE_DECODE_KIND_STRUCT);
}

TEST(test_captures_read_each_type)
{
	static const uint32_t text32[5] = { 'a', 'b', 'c', 'd', 0 };
	static struct ue_capture capture;
	static char memory[65536];
	struct ue_capture_event event;
	struct ue_decode_item item;
	struct ue_builder b;
	char buffer[4096], text[64];
	size_t i;

	assert_int_equal(ue_capture_memory(&capture, memory, sizeof(memory)), 0);
	ue_builder_begin(&b, buffer, sizeof(buffer), "All", 0);
	for (i = 0; i < ROWS; i++) {
		uint32_t t = rows[i].type;

		if (!(t & UE__F_T_DATA))
			ue__add_scalar(&b, rows[i].name, t, 1);
		else if (UE__F_IS_PAIR(t))
			ue__add_array(&b, rows[i].name, t, text32, 1);
		else
			ue__add_pointed(&b, rows[i].name, t, text32);
	}
	assert_int_equal(ue_builder_write(&b, &set, NULL, NULL), 0);
	assert_int_equal(ue_capture_find(&capture, "All", &event), 0);
	for (i = 0; i < ROWS; i++) {
		assert_int_equal(ue_captured_item(&event, rows[i].name, &item), 0);
		assert_int_equal(item.kind, UE__F_RECORDED_KIND(rows[i].type));
		assert_true(ue_captured_string(&event, rows[i].name, text, sizeof(text)) > 0);
		if (UE__F_IS_FIXED(rows[i].type) && !(rows[i].type & UE__F_T_DATA) &&
		    UE__F_FORMAT_OF(rows[i].type) != UE_FORMAT_FLOAT &&
		    ue_captured_u64(&event, rows[i].name) != 1 &&
		    UE__F_FORMAT_OF(rows[i].type) != UE_FORMAT_PORT)
			fail_msg("captures do not read %s as a number", rows[i].name);
	}
	ue_capture_stop(&capture);
}

/* Searches for table rows of the form "| `NAME` | ... | KIND (number) | FORMAT (number) |". */
TEST(test_the_reference_lists_each_type)
{
	static char text[200000], row[64];
	FILE *f = fopen("docs/reference.md", "r");
	size_t n;

	assert_non_null(f);
	n = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	text[n] = '\0';
	for (size_t i = 0; i < ROWS; i++) {
		unsigned int kind, format;
		const char *p;

		snprintf(row, sizeof(row), "\n| `%s` |", rows[i].name);
		p = strstr(text, row);
		if (!p ||
		    sscanf(p, " | %*[^|] | %*[^|] | %*[^(](%u) | %*[^(](%u)", &kind, &format) != 2)
			fail_msg("docs/reference.md has no row for %s", rows[i].name);
		assert_int_equal(kind, UE__F_RECORDED_KIND(rows[i].type));
		assert_int_equal(format, UE__F_FORMAT_OF(rows[i].type));
	}
}

TESTS_MAIN
