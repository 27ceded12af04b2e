/* SPDX-License-Identifier: MIT */
/*
 * Kernel-typed events: the decoder converts records of either byte order to JSON, using format
 * files as kernels write them.
 */
#include <sys/mman.h>

#include "decode_build.h"

#define COMMON                                                                        \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"         \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"         \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static struct ue_decode_field fields[64];
static struct ue_decode_format format;
static struct bytes record;

static int parse(const char *text)
{
	static char *copy;
	size_t n = strlen(text);

	free(copy);
	copy = (char *)exactly(text, n);
	memset(&format, 0, sizeof(format));
	format.system = "sys";
	format.system_length = 3;
	format.fields = fields;
	format.fields_max = 64;
	format.big_endian = (uint8_t)big;
	record.n = 0;
	put(&record, "\1\2\3\4\5\6\7\10", 8);
	return ue_decode_format_parse(&format, copy, n);
}

static const char *shown(unsigned flags)
{
	uint8_t *copy = exactly(record.p, record.n);

	ue_decode_format_json(&format, copy, record.n, NULL, flags, out, sizeof(out));
	free(copy);
	return out;
}

TEST(test_a_format_file_is_read)
{
	struct ue_decode_meta m = { 5000000001, 1, 2, 3,
				    UE_DECODE_HAS_TIME | UE_DECODE_HAS_CPU | UE_DECODE_HAS_PID |
					    UE_DECODE_HAS_TID };

	BOTH_ORDERS {
		assert_int_equal(parse("name: sched_wakeup\nID: 94\nformat:\n" COMMON
				       "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:1;\n"
				       "\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n"
				       "\tfield:int prio;\toffset:28;\tsize:4;\tsigned:1;\n"
				       "\nprint fmt: \"comm=%s\", REC->comm\n"
				       "\tfield:int not_one;\toffset:0;\tsize:4;\tsigned:1;\n"),
				 0);
		assert_int_equal(format.id, 94);
		assert_int_equal(format.field_count, 7);
		assert_int_equal(format.name_length, 12);
		assert_memory_equal(format.name, "sched_wakeup", 12);
		assert_int_equal(format.eventheader, 0);
		assert_int_equal(fields[3].common, 1);
		assert_int_equal(fields[4].common, 0);
		assert_int_equal(fields[5].offset, 24);
		put(&record, "bash\0garbage\"\\xx", 16);
		put_int(&record, 0x1234, 4);
		put_int(&record, (uint32_t)-5, 4);
		assert_string_equal(shown(0), "{\"n\":\"sys:sched_wakeup\",\"comm\":\"bash\","
					      "\"pid\":4660,\"prio\":-5,\"meta\":{}}");
		assert_string_equal(shown(UE_DECODE_SPACED | UE_DECODE_NO_META),
				    "{ \"n\": \"sys:sched_wakeup\", \"comm\": \"bash\", "
				    "\"pid\": 4660, \"prio\": -5 }");
		ue_decode_format_json(&format, record.p, record.n, &m, 0, out, sizeof(out));
		assert_string_equal(out, "{\"n\":\"sys:sched_wakeup\",\"comm\":\"bash\","
					 "\"pid\":4660,\"prio\":-5,"
					 "\"meta\":{\"time\":\"5.000000001\","
					 "\"cpu\":1,\"pid\":2,\"tid\":3}}");
	}
}

TEST(test_no_field_replaces_the_records_name_or_meta)
{
	parse("name: e\nformat:\n\tfield:u8 n;\toffset:0;\tsize:1;\tsigned:0;\n"
	      "\tfield:u8 meta[2];\toffset:1;\tsize:2;\tsigned:0;\n");
	assert_string_equal(shown(0), "{\"n\":\"sys:e\",\"n#2\":1,\"meta#2\":[2,3],\"meta\":{}}");
}

/*
 * Decodes a record that contains one field after the common fields. The arguments are the field's
 * declaration, size and bytes.
 */
static const char *one(const char *declaration, unsigned size, unsigned is_signed, const void *p,
		       size_t n)
{
	static char text[400];

	snprintf(text, sizeof(text), "name: e\nformat:\n%s;\toffset:8;\tsize:%u;\tsigned:%u;\n",
		 declaration, size, is_signed);
	assert_int_equal(parse(text), 0);
	put(&record, p, n);
	shown(UE_DECODE_NO_META);
	if (strncmp(out, "{\"n\":\"sys:e\",\"x\":", 17))
		fail_msg("unexpected start of the JSON: %s", out);
	memmove(out, out + 17, strlen(out) - 16);
	out[strlen(out) - 1] = 0;
	return out;
}

/*
 * A test case: the declaration and bytes of a field, and the expected JSON. `big` is the expected
 * JSON for a big-endian record if it differs; otherwise NULL.
 */
struct one_field {
	const char *declaration;
	unsigned size, is_signed;
	const char *bytes;
	size_t n;
	const char *json, *big;
};

#define BYTES_OF(literal) literal, sizeof(literal) - 1
#define CHECK_FIELDS(rows) check_fields(rows, sizeof(rows) / sizeof((rows)[0]))

static void check_fields(const struct one_field *rows, size_t n)
{
	const struct one_field *r;

	BOTH_ORDERS {
		for (r = rows; r < rows + n; r++)
			assert_string_equal(one(r->declaration, r->size, r->is_signed, r->bytes,
						r->n), big && r->big ? r->big : r->json);
	}
}

TEST(test_signed_in_the_format_file_determines_the_sign)
{
	static const struct {
		const char *name;
		/* element size; the array length is a macro in the declaration */
		unsigned size;
	} types[] = {
		{ "signed char", 1 }, { "unsigned char", 1 }, { "short", 2 },
		{ "unsigned short", 2 }, { "short int", 2 }, { "int", 4 }, { "unsigned int", 4 },
		{ "unsigned", 4 }, { "const volatile int", 4 }, { "long", 8 }, { "long int", 8 },
		{ "long long", 8 }, { "unsigned long long", 8 }, { "long long unsigned int", 8 },
		{ "u8", 1 }, { "__u8", 1 }, { "uint8_t", 1 }, { "s8", 1 }, { "__s8", 1 },
		{ "int8_t", 1 }, { "u16", 2 }, { "__u16", 2 }, { "uint16_t", 2 }, { "s16", 2 },
		{ "__s16", 2 }, { "int16_t", 2 }, { "u32", 4 }, { "__u32", 4 }, { "uint32_t", 4 },
		{ "s32", 4 }, { "__s32", 4 }, { "int32_t", 4 }, { "u64", 8 }, { "__u64", 8 },
		{ "uint64_t", 8 }, { "s64", 8 }, { "__s64", 8 }, { "int64_t", 8 },
	};
	static const char *const minus_two[] = { "254", "65534", "4294967294",
						 "18446744073709551614" };
	static const uint8_t bytes[8] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff },
			     zeros[16];
	char declaration[64];
	size_t i, shift;

	BOTH_ORDERS {
		for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
			snprintf(declaration, sizeof(declaration), "\tfield:%s x[N]",
				 types[i].name);
			assert_string_equal(one(declaration, 2 * types[i].size, 1, zeros, 16),
					    "[0,0]");
			*strchr(declaration, '[') = '\0';
			/* if the size in the format file contradicts the type, the size is used */
			for (shift = 0; shift < 4; shift++) {
				uint8_t p[8];

				memcpy(p, bytes, 8);
				p[big ? (1 << shift) - 1 : 0] = 0xfe;
				assert_string_equal(one(declaration, 1u << shift, 1, p, 8), "-2");
				assert_string_equal(one(declaration, 1u << shift, 0, p, 8),
						    minus_two[shift]);
			}
		}
	}
}

TEST(test_a_char_is_a_character)
{
	static const struct one_field rows[] = {
		{ "field:char x", 1, 1, BYTES_OF("A"), "\"A\"", NULL },
		{ "field:const char x", 1, 0, BYTES_OF("\""), "\"\\\"\"", NULL },
		{ "field:char x", 1, 0, BYTES_OF("\xe9"), "\"\xc3\xa9\"", NULL },
		{ "field:char x", 1, 0, BYTES_OF("\0"), "\"\\u0000\"", NULL },
		/* signed char, unsigned char and chars of another size than 1 are numbers */
		{ "field:signed char x", 1, 1, BYTES_OF("A"), "65", NULL },
		{ "field:unsigned char x", 1, 0, BYTES_OF("A"), "65", NULL },
		{ "field:char x", 2, 0, BYTES_OF("A\0"), "65", "16640" },
	};

	CHECK_FIELDS(rows);
}

TEST(test_arrays_of_pointers_have_their_size)
{
	static const uint8_t two[16] = { 1, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 2 };

	BOTH_ORDERS {
		assert_string_equal(one("field:const char *x[MACRO]", 16, 0, two, 16),
				    "[\"0x100000000000001\",\"0x200000000000002\"]");
		assert_string_equal(one("field:struct foo *x[MACRO]", 16, 0, two, 16),
				    "[\"0x100000000000001\",\"0x200000000000002\"]");
		assert_string_equal(one("field:const char *x[2]", 16, 0, two, 16),
				    "[\"0x100000000000001\",\"0x200000000000002\"]");
		/* a 32-bit machine */
		format.long_size = 4;
		ue_decode_format_parse(&format, "field:char *x[MACRO];\toffset:8;\tsize:8;", 40);
		assert_int_equal(fields[0].unit, 4);
	}
}

/* For arrays of user_events, kernels print uninitialised memory in place of the array length. */
TEST(test_array_length_comes_from_the_size_not_from_the_declaration)
{
	static const char *const numbers[] = { "",	  "4",	      "1",	   "2",
					       "9597920", "-1840214", "4294967295" };
	char declaration[64];
	size_t i;

	BOTH_ORDERS {
		for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
			snprintf(declaration, sizeof(declaration), "field:unsigned char x[%s]",
				 numbers[i]);
			assert_string_equal(one(declaration, 4, 0, "1234", 4), "[49,50,51,52]");
			snprintf(declaration, sizeof(declaration), "field:char x[%s]", numbers[i]);
			assert_string_equal(one(declaration, 4, 1, "123", 4), "\"123\"");
			snprintf(declaration, sizeof(declaration), "field:__rel_loc u8 x[%s]",
				 numbers[i]);
			assert_string_equal(
				one(declaration, 4, 1, big ? "\0\2\0\0ab" : "\0\0\2\0ab", 6),
				"[97,98]");
		}
	}
}

TEST(test_pointers_unsigned_long_and_unsigned_unknown_types_are_hex)
{
	static const char *const types[] = {
		"void *", "const char * ", "struct page *", "unsigned char *", "char *", "foo_t *",
		"unsigned long ", "long unsigned int ", "dev_t ", "umode_t ", "bool ", "size_t ",
		"enum zone ", "WORD ",
	};
	static const struct one_field odd[] = {
		{ "field:foo_t x", 3, 0, BYTES_OF("\1\2\3"), "\"01 02 03\"", NULL },
		{ "field:int x", 3, 0, BYTES_OF("\1\2\3"), "\"01 02 03\"", NULL },
		{ "field:foo_t x", 10, 0, BYTES_OF("0123456789"),
		  "\"30 31 32 33 34 35 36 37 38 39\"", NULL },
	};
	char declaration[64];
	uint8_t p[8];
	size_t i, j;

	BOTH_ORDERS {
		for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
			snprintf(declaration, sizeof(declaration), "field:%sx", types[i]);
			for (j = 0; j < 8; j++)
				p[big ? 7 - j : j] = (uint8_t)(0xf0 + j);
			assert_string_equal(one(declaration, 8, 0, p, 8), "\"0xF7F6F5F4F3F2F1F0\"");
			assert_string_equal(one(declaration, 1, 0, "\x0a", 1), "\"0xA\"");
			if (i < 8) /* "signed:1" in the format file has no effect */
				assert_string_equal(one(declaration, 1, 1, "\x0a", 1), "\"0xA\"");
		}
	}
	/* no integer type has these sizes */
	CHECK_FIELDS(odd);
}

TEST(test_unknown_types_are_signed_if_the_format_says_so)
{
	static const char *const types[] = { "pid_t", "clockid_t", "enum zone", "const foo_t" };
	static const uint8_t minus_two[8] = { 0xfe, 255, 255, 255, 255, 255, 255, 255 };
	char declaration[64];
	size_t i, j;

	BOTH_ORDERS {
		for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
			snprintf(declaration, sizeof(declaration), "field:%s x", types[i]);
			for (j = 1; j <= 8; j *= 2) {
				uint8_t p[8];
				size_t k;

				for (k = 0; k < j; k++)
					p[big ? j - 1 - k : k] = minus_two[k];
				assert_string_equal(one(declaration, (unsigned)j, 1, p, j), "-2");
			}
		}
		assert_string_equal(one("field:pid_t x[2]", 2, 1, "\1\376", 2), "[1,-2]");
		/* without "signed:", these types are unsigned */
		parse("name: e\nfield:pid_t x;\toffset:8;\tsize:1;\n");
		put(&record, "\376", 1);
		assert_string_equal(shown(UE_DECODE_NO_META), "{\"n\":\"sys:e\",\"x\":\"0xFE\"}");
	}
}

TEST(test_structs_are_hex_bytes)
{
	static const struct one_field rows[] = {
		{ "field:struct foo x", 4, 0, BYTES_OF("\1\2\3\4"), "\"01 02 03 04\"", NULL },
		{ "field:union foo x", 4, 0, BYTES_OF("\1\2\3\4"), "\"01 02 03 04\"", NULL },
		{ "field:struct foo x[2]", 4, 0, BYTES_OF("\1\2\3\4"), "\"01 02 03 04\"", NULL },
	};

	CHECK_FIELDS(rows);
}

#define FOUR BYTES_OF("\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0")
#define FOUR_BIG "16777216,33554432,50331648,67108864"
#define FOUR_HEX "\"0x1\",\"0x2\",\"0x3\",\"0x4\""
#define FOUR_HEX_BIG "\"0x1000000\",\"0x2000000\",\"0x3000000\",\"0x4000000\""

TEST(test_arrays_are_lists)
{
	static const struct one_field rows[] = {
		{ "field:u32 x[4]", 16, 0, FOUR, "[1,2,3,4]", "[" FOUR_BIG "]" },
		{ "field:int x[COUNT]", 16, 1, FOUR, "[1,2,3,4]", "[" FOUR_BIG "]" },
		{ "field:u32 x[COUNT + 1]", 16, 0, FOUR, "[1,2,3,4]", "[" FOUR_BIG "]" },
		{ "field:u32 x[4 * 1]", 16, 0, FOUR, "[1,2,3,4]", "[" FOUR_BIG "]" },
		{ "field:u32 {:x[4 ? a:{b}]", 16, 0, FOUR, "[1,2,3,4]", "[" FOUR_BIG "]" },
		{ "field:u32 x[4", 16, 0, FOUR, "[1,2,3,4]", "[" FOUR_BIG "]" },
		{ "field:unsigned long x[4]", 16, 0, FOUR, "[" FOUR_HEX "]", "[" FOUR_HEX_BIG "]" },
		{ "field:foo_t x[4]", 16, 0, FOUR, "[" FOUR_HEX "]", "[" FOUR_HEX_BIG "]" },
		{ "field:foo_t x[FOO]", 2, 0, BYTES_OF("\1\0"), "\"01 00\"", NULL },
		{ "field:unsigned char x[4]", 4, 0, BYTES_OF("\1\2\xff\0"), "[1,2,255,0]", NULL },
		{ "field:u8 x[4]", 4, 0, BYTES_OF("\1\2\xff\0"), "[1,2,255,0]", NULL },
		{ "field:signed char x[4]", 4, 1, BYTES_OF("\1\2\xff\0"), "[1,2,-1,0]", NULL },
		/*
		 * a size that is not a multiple of the element size, and an array of more than
		 * 65536 elements
		 */
		{ "field:u16 x[COUNT]", 3, 0, BYTES_OF("\0\0\1"), "[0]", NULL },
	};

	CHECK_FIELDS(rows);
}

TEST(test_char_arrays_are_strings_up_to_the_nul)
{
	static const struct one_field rows[] = {
		{ "field:char x[8]", 8, 1, BYTES_OF("ab\0defgh"), "\"ab\"", NULL },
		{ "field:char x[8]", 8, 0, BYTES_OF("abcdefgh"), "\"abcdefgh\"", NULL },
		{ "field:char x[8]", 8, 0, BYTES_OF("\0bcdefgh"), "\"\"", NULL },
		{ "field:const char x[TASK_COMM_LEN]", 8, 0, "\"b\xc3\xa9\xff\0\0", 8,
		  "\"\\\"b\xc3\xa9\xc3\xbf\"", NULL },
		/* an array without a size extends to the end of the record */
		{ "field:char x[]", 0, 0, BYTES_OF("to the end"), "\"to the end\"", NULL },
		{ "field:u16 x[]", 0, 0, BYTES_OF("\0\0\0\0\0"), "[0,0]", NULL },
		{ "field:char x[]", 0, 0, BYTES_OF(""), "\"\"", NULL },
	};

	CHECK_FIELDS(rows);
}

static int dynamic_signed; /* value of "signed:" in the format file */

static const char *dynamic(const char *declaration, int relative, const void *p, size_t n)
{
	static char text[200];

	snprintf(text, sizeof(text),
		 "name: e\nfield:u32 before;\toffset:8;\tsize:4;\tsigned:0;\n"
		 "field:%s;\toffset:12;\tsize:4;\tsigned:%d;\n", declaration, dynamic_signed);
	assert_int_equal(parse(text), 0);
	put_int(&record, 1, 4);
	put_int(&record, (uint64_t)n << 16 | (relative ? 4 : 20), 4);
	put_int(&record, 0x55555555, 4);
	put(&record, p, n);
	return shown(UE_DECODE_NO_META);
}

TEST(test_variable_length_data)
{
	static const struct {
		const char *declaration;
		int relative, is_signed;
		const char *bytes;
		size_t n;
		const char *json;
	} rows[] = {
		{ "__data_loc char[] x", 0, 0, "abc", 4, "\"abc\"" },
		{ "__rel_loc char[] x", 1, 0, "abc", 4, "\"abc\"" },
		{ "__rel_loc char[] x", 1, 0, "abc", 3, "\"abc\"" },
		{ "__rel_loc u8[] x", 1, 0, "abc", 3, "[97,98,99]" },
		{ "__rel_loc u8[] x", 1, 0, "", 0, "[]" },
		{ "__data_loc u16[] x", 0, 0, "\1\1\2\2", 4, "[257,514]" },
		{ "__data_loc unsigned long[] x", 0, 0, "\1\0\0\0\0\0\0\1", 8,
		  "[\"0x100000000000001\"]" },
		{ "__data_loc cpumask_t x", 0, 0, "\1\2", 2, "\"01 02\"" },
		/*
		 * the kernel derives "signed:" of a user_events field from the first letter of the
		 * declaration, which is not part of the element type
		 */
		{ "__rel_loc u8[] x", 1, 1, "a\200\377", 3, "[97,128,255]" },
		{ "__data_loc unsigned char[] x", 0, 1, "\377", 1, "[255]" },
		{ "__rel_loc s8[] x", 1, 1, "\377", 1, "[-1]" },
	};
	char want[80];
	size_t i;

	BOTH_ORDERS {
		for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			snprintf(want, sizeof(want), "{\"n\":\"sys:e\",\"before\":1,\"x\":%s}",
				 rows[i].json);
			dynamic_signed = rows[i].is_signed;
			assert_string_equal(dynamic(rows[i].declaration, rows[i].relative,
						    rows[i].bytes, rows[i].n), want);
		}
		dynamic_signed = 0;
		/* sizeof(long) on the machine that recorded the event */
		format.long_size = 4;
		format.fields[1].name = NULL;
		ue_decode_format_parse(
			&format, "field:__rel_loc unsigned long[] x;\toffset:8;\tsize:4;", 53);
		assert_int_equal(fields[0].unit, 4);
		ue_decode_format_parse(&format,
				       "field:__rel_loc long long[] x;\toffset:8;\tsize:4;", 48);
		assert_int_equal(fields[0].unit, 8);
		/* a __rel_loc field of an unexpected size is treated as plain data */
		assert_string_equal(one("field:__rel_loc char[] x", 2, 0, "\1\2", 2),
				    "\"\\u0001\\u0002\"");
	}
}

TEST(test_values_outside_the_record_are_null_and_reported)
{
	size_t n;

	BOTH_ORDERS {
		for (n = 0; n < 16; n++) {
			dynamic("__rel_loc char[] x", 1, "abc", 4);
			record.n = n;
			shown(UE_DECODE_NO_META);
			assert_string_equal(
				out, n < 12 ? "{\"n\":\"sys:e\",\"before\":null,\"x\":null,"
					      "\"meta\":{\"error\":\"a value extends past the end "
					      "of the event at byte 8\"}}"
					    : "{\"n\":\"sys:e\",\"before\":1,\"x\":null,"
					      "\"meta\":{\"error\":\"a value extends past the end "
					      "of the event at byte 12\"}}");
		}
		dynamic("__rel_loc char[] x", 1, "abc", 4);
		record.n--;
		assert_true(strstr(shown(0), "\"x\":null,\"meta\":{\"error\"") != NULL);
		dynamic("__data_loc char[] x", 0, "abc", 4);
		record.n--;
		assert_true(strstr(shown(0), "\"x\":null,\"meta\":{\"error\"") != NULL);
		dynamic("__data_loc char[] x", 0, "", 0);
		record.n--;
		assert_true(strstr(shown(0), "\"x\":null,\"meta\":{\"error\"") != NULL);
	}
}

static char six[1000];

/*
 * Builds a format file with six fields, in which LINE replaces field ODD. Returns the offset of the
 * EventHeader header.
 */
static int eventheader(int odd, const char *line)
{
	static const char *const lines[] = {
		"\tfield:u8 eventheader_flags;\toffset:8;\tsize:1;\tsigned:0;\n",
		"\tfield:u8 version;\toffset:9;\tsize:1;\tsigned:0;\n",
		"\tfield:u16 id;\toffset:10;\tsize:2;\tsigned:0;\n",
		"\tfield:u16 tag;\toffset:12;\tsize:2;\tsigned:0;\n",
		"\tfield:u8 opcode;\toffset:14;\tsize:1;\tsigned:0;\n",
		"\tfield:u8 level;\toffset:15;\tsize:1;\tsigned:0;\n",
	};
	int i;

	strcpy(six, "name: P_L4K1\n" COMMON);
	for (i = 0; i < 7; i++)
		strcat(six, i == odd ? line : i < 6 ? lines[i] : "");
	assert_int_equal(parse(six), 0);
	return (int)format.eventheader;
}

TEST(test_an_eventheader_tracepoint_has_its_six_fields_and_no_others)
{
	int i;

	assert_int_equal(eventheader(-1, ""), 8);
	for (i = 0; i < 6; i++)
		assert_int_equal(eventheader(i, ""), 0);
	assert_int_equal(eventheader(6, "\tfield:u8 more;\toffset:16;\tsize:1;\tsigned:0;\n"), 0);
	assert_int_equal(eventheader(0, "\tfield:u8 flags;\toffset:8;\tsize:1;\tsigned:0;\n"), 0);
	assert_int_equal(eventheader(5, "\tfield:u8 lev;\toffset:15;\tsize:1;\tsigned:0;\n"), 0);
	assert_int_equal(eventheader(5, "\tfield:u16 level;\toffset:15;\tsize:2;\tsigned:0;\n"), 0);
	assert_int_equal(eventheader(5, "\tfield:u8 level;\toffset:16;\tsize:1;\tsigned:0;\n"), 0);
	assert_int_equal(parse(COMMON), 0);
	assert_int_equal(format.eventheader, 0);
	/* the header is found even if the caller provides no space for the fields */
	assert_int_equal(eventheader(-1, ""), 8);
	format.fields_max = 0;
	assert_int_equal(ue_decode_format_parse(&format, six, strlen(six)), -ENOSPC);
	assert_int_equal(format.eventheader, 8);
}

TEST(test_a_field_without_an_offset_or_a_size_is_ignored)
{
	static const char *const lines[] = {
		"\tfield:int x;\n", "\tfield:int x;\toffset:8;\tsigned:1;\n",
		"\tfield:int x;\tsize:4;\tsigned:1;\n", "\tfield:int x;\toffset:;\tsize:4;\n",
		"\tfield:int x;\toffset:8;\tsize:\n",
		"\tfield:int x;\toffset:99999999999;\tsize:4;\n",
		"\tfield:int x;\toffset:8;\tsize:99999999999;\n",
	};
	char text[500];
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		snprintf(text, sizeof(text), "name: e\n%s\tfield:u8 y;\toffset:8;\tsize:1;\n",
			 lines[i]);
		assert_int_equal(parse(text), 0);
		assert_int_equal(format.field_count, 1);
		put(&record, "\7", 1);
		assert_string_equal(shown(UE_DECODE_NO_META), "{\"n\":\"sys:e\",\"y\":7}");
	}
}

TEST(test_a_field_is_an_item)
{
	struct ue_decode_item item;
	char text[64];

	BOTH_ORDERS {
		one("field:u16 x[2]", 4, 0, "\1\1\2\2", 4);
		assert_int_equal(ue_decode_format_item(&format, fields, record.p, record.n, &item),
				 0);
		assert_int_equal(item.type, UE_DECODE_ARRAY);
		assert_int_equal(item.kind, UE_DECODE_KIND_VALUE16);
		assert_int_equal(item.count, 2);
		assert_int_equal(item.big_endian, big);
		assert_true(item.value == record.p + 8);
		ue_decode_value(&item, 0, text, sizeof(text));
		assert_string_equal(text, "[257,514]");
		assert_int_equal(ue_decode_format_item(&format, fields, record.p, 9, &item),
				 -EBADMSG);
		ue_decode_value(&item, 0, text, sizeof(text));
		assert_string_equal(text, "null");
	}
}

TEST(test_odd_format_files)
{
	size_t i, n;
	const char *text =
		"name: e\nID: 99999999999999\n"
		"\tfield:;\toffset:8;\tsize:4;\n"
		"\tfield:int x\nfield:* ;\tsize:1;\n"
		"field\nfield:\nname:\n"
		"name: \nID: \n \t\n\n"
		"\tfield:unsigned y;\toffset:8;\tsize:4;\n"
		"\tfield:short aZ_9;\tnoffset:1;\toffset:12;\tsize:2";

	assert_int_equal(parse(""), -EINVAL);
	shown(0);
	assert_string_equal(out, "{\"n\":\"sys:\",\"meta\":{}}");
	assert_int_equal(parse("name: x\nformat:\n"), -EINVAL);
	assert_int_equal(format.id, 0);
	assert_int_equal(parse(text), 0);
	assert_int_equal(format.id, 0xffffffff);
	assert_int_equal(format.field_count, 2);
	/* without "signed:", the type determines the signedness */
	assert_int_equal(fields[0].format, UE_DECODE_FORMAT_UNSIGNED);
	assert_int_equal(fields[1].format, UE_DECODE_FORMAT_SIGNED);
	assert_int_equal(fields[1].offset, 12);
	assert_int_equal(fields[1].name_length, 4);
	n = strlen(text);
	for (i = 0; i < n; i++) {
		char *copy = (char *)exactly(text, i);

		assert_true(ue_decode_format_parse(&format, copy, i) <= 0);
		free(copy);
	}
	/* the caller's array has space for fewer fields than the format has */
	format.fields_max = 3;
	assert_int_equal(ue_decode_format_parse(&format, COMMON, sizeof(COMMON) - 1), -ENOSPC);
	assert_int_equal(format.field_count, 4);
	assert_string_equal(shown(0), "{\"n\":\"sys:\",\"meta\":{}}");
	format.fields_max = 4;
	assert_int_equal(ue_decode_format_parse(&format, COMMON, sizeof(COMMON) - 1), 0);
}

static size_t written, allowed;

static int write_some(void *context, const char *text, size_t length)
{
	assert_true(context == &written);
	if (written + length > allowed)
		return -EPIPE;
	memcpy(out + written, text, length);
	written += length;
	return 0;
}

TEST(test_a_write_function_gets_the_whole_text)
{
	static char whole[2000];
	uint8_t bytes[400];
	size_t n;

	memset(bytes, 200, sizeof(bytes));
	one("field:u8 x[400]", 400, 0, bytes, 400);
	n = ue_decode_format_json(&format, record.p, record.n, NULL, 0, whole, sizeof(whole));
	allowed = sizeof(out);
	written = 0;
	assert_int_equal(ue_decode_format_json_to(&format, record.p, record.n, NULL, 0, write_some,
						  &written), 0);
	assert_int_equal(written, n);
	assert_memory_equal(out, whole, n);
	/* the output stops between fields if the callback returns an error */
	fields[1] = fields[0];
	format.field_count = 2;
	written = 0;
	allowed = 500;
	assert_int_equal(ue_decode_format_json_to(&format, record.p, record.n, NULL, 0, write_some,
						  &written), -EPIPE);
}

/* libtraceevent may return any size for a field; ue_decode_format_parse() does not. */
TEST(test_a_loc_of_less_than_4_bytes_is_not_read)
{
	struct ue_decode_field field = { .loc = UE_DECODE_REL_LOC, .offset = 8 };
	struct ue_decode_format loc = { .fields = &field, .fields_max = 1, .field_count = 1 };
	struct ue_decode_item item;
	uint8_t *data = (uint8_t *)calloc(1, 8);

	for (field.size = 0; field.size < 4; field.size++) {
		assert_int_equal(ue_decode_format_item(&loc, &field, data, 8, &item), -EBADMSG);
		assert_int_equal(ue_decode_format_truncated(&loc, data, 8), 0);
	}
	free(data);
}

TEST(test_a_format_file_is_not_read_past_its_end)
{
	static const char text[] = "name: x\nID: 1\nformat:\n" COMMON
				   "\tfield:u8 a;\toffset:8;\tsize:1;\tsigned:0;\n \t";
	size_t page = (size_t)sysconf(_SC_PAGESIZE), n = sizeof(text) - 1;
	char *pages = (char *)mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_true(pages != MAP_FAILED);
	assert_int_equal(mprotect(pages + page, page, PROT_NONE), 0);
	memcpy(pages + page - n, text, n);
	assert_int_equal(ue_decode_format_parse(&format, pages + page - n, n), 0);
	assert_int_equal(format.field_count, 5);
	munmap(pages, 2 * page);
}

TESTS_MAIN
