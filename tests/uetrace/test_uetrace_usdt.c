/* SPDX-License-Identifier: MIT */
/*
 * Tests how uetrace translates the USDT operands of every machine to fetch arguments of uprobes,
 * and how it reads randomly damaged files. Run this test with AddressSanitizer.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "test.h"

#include <fcntl.h>

#include <user_events.h>
#include "../../tools/uetrace/usdt/record.c"
#include "damage.h"

UE_EVENT_SET(usdt_set, "Usdt_Test", UE_LEVEL_WARNING, 0x6, "grp");
static struct ue_event_set *volatile usdt_pointer = &usdt_set;

static __attribute__((__used__, __noinline__)) void declares(int a, const char *s)
{
	static const uint16_t words[] = { 1, 2, 3 };

	UE_TRACE(usdt_plain, a, UE_STR(s), UE_BYTES(b, s, 3), UE_ARRAY(U16, w, words, 3));
	UE_LOG(usdt_set, "Logged", a, UE_F64(f, 1.5), UE_STR(s),
	       UE_STRUCT(point, UE_U32(x, 1), UE_U32(y, 2)));
	UE_TRACE(usdt_twice, a);
	UE_TRACE(usdt_twice, UE_STR(s));
	UE_LOG(usdt_set, "100% [cpu] of \"a; b\"\t:", a);
	UE_LOG(*usdt_pointer, "one; two\n", a);
	UE_LOG(usdt_set, "Activity", a, UE_ACTIVITY(s), UE_STR(s));
}

struct operand {
	unsigned int machine;
	const char *text;
	const char *fetch; /* "" if no uprobe can fetch the operand */
};

TEST(test_operands_of_every_machine)
{
	static const struct operand operands[] = {
		{ EM_X86_64, "-4@%eax", "%ax:s32" },
		{ EM_X86_64, "8@%rdi", "%di:u64" },
		{ EM_X86_64, "8@%r10", "%r10:u64" },
		{ EM_X86_64, "4@%r8d", "%r8:u32" },
		{ EM_X86_64, "-2@%r15w", "%r15:s16" },
		{ EM_X86_64, "1@%r9b", "%r9:u8" },
		{ EM_X86_64, "1@%sil", "%si:u8" },
		{ EM_X86_64, "-1@%cl", "%cx:s8" },
		{ EM_X86_64, "1@%ah", "%ax:b8@8/16" },
		{ EM_X86_64, "-4@-20(%rbp)", "-20(%bp):s32" },
		{ EM_X86_64, "8@(%rax)", "+0(%ax):u64" },
		{ EM_X86_64, "8@0x10(%rsp)", "+16(%sp):u64" },
		{ EM_X86_64, "-4@$5", "\\5:s32" },
		{ EM_X86_64, "-4@$-5", "\\-5:s32" },
		{ EM_X86_64, "8@$0xffffffffffffffff", "\\-1:u64" },
		{ EM_X86_64, "8f@-8(%rbp)", "-8(%bp):u64" },
		{ EM_X86_64, "8f@%xmm0", "" },
		{ EM_X86_64, "8@8(%rsp,%rbx,8)", "" },
		{ EM_X86_64, "8@$name", "" },
		{ EM_X86_64, "-4@name(%rip)", "" },
		{ EM_X86_64, "-4@name+4(%rip)", "" },
		/* with -masm=intel, GCC and clang write memory operands in a different syntax */
		{ EM_X86_64, "-4@rdx", "%dx:s32" },
		{ EM_X86_64, "-4@eax", "%ax:s32" },
		{ EM_X86_64, "1@r9b", "%r9:u8" },
		{ EM_X86_64, "-1@sil", "%si:s8" },
		{ EM_X86_64, "1@ah", "%ax:b8@8/16" },
		{ EM_X86_64, "2@7", "\\7:u16" },
		{ EM_X86_64, "8@-1", "\\-1:u64" },
		{ EM_X86_64, "-4@QWORD PTR -16[rbp]", "-16(%bp):s32" },
		{ EM_X86_64, "-1@BYTE PTR [rdx]", "+0(%dx):s8" },
		{ EM_X86_64, "-4@DWORD PTR [rsp-44]", "-44(%sp):s32" },
		{ EM_X86_64, "-2@WORD PTR 8[rsi]", "+8(%si):s16" },
		{ EM_X86_64, "-4@[rbp - 104]", "-104(%bp):s32" },
		{ EM_X86_64, "8@[rsp + 8]", "+8(%sp):u64" },
		{ EM_X86_64, "8@[rax]", "+0(%ax):u64" },
		{ EM_X86_64, "-4@DWORD PTR [r9+rdi*4]", "" },
		{ EM_X86_64, "-8@QWORD PTR 8[rsi+r10]", "" },
		{ EM_X86_64, "4@[r9 + 4*rdi + 8]", "" },
		{ EM_X86_64, "-4@DWORD PTR g[rip]", "" },
		{ EM_X86_64, "-4@DWORD PTR g[rip+4]", "" },
		{ EM_X86_64, "8f@[rip + offset .LCPI0_0]", "" },
		{ EM_X86_64, "8@OFFSET FLAT:name", "" },
		{ EM_X86_64, "8f@xmm0", "" },
		{ EM_386, "-4@DWORD PTR [ebp-8]", "-8(%bp):s32" },
		{ EM_386, "-4@%edx", "%dx:s32" },
		{ EM_386, "4@8(%ebp)", "+8(%bp):u32" },
		{ EM_386, "4@name", "" },
		{ EM_386, "4@name@GOTOFF(%ebx)", "" },
		{ EM_AARCH64, "-4@w19", "%x19:s32" },
		{ EM_AARCH64, "8@x0", "%x0:u64" },
		{ EM_AARCH64, "-4@[sp, 12]", "+12(%sp):s32" },
		{ EM_AARCH64, "-4@[sp,12]", "+12(%sp):s32" },
		{ EM_AARCH64, "8@[x29, #-8]", "-8(%x29):u64" },
		{ EM_AARCH64, "8@[x0]", "+0(%x0):u64" },
		{ EM_AARCH64, "8@[x0, x1]", "" },
		{ EM_AARCH64, "8@[x0, w1, sxtw 2]", "" },
		{ EM_AARCH64, "-4@-5", "\\-5:s32" },
		{ EM_AARCH64, "-4@#7", "\\7:s32" },
		{ EM_AARCH64, "8f@d0", "" },
		{ EM_ARM, "-4@r3", "%r3:s32" },
		{ EM_ARM, "4@sl", "%r10:u32" },
		{ EM_ARM, "-4@[fp, #-8]", "-8(%fp):s32" },
		{ EM_ARM, "4@[r13]", "+0(%sp):u32" },
		{ EM_ARM, "-4@#-5", "\\-5:s32" },
		{ EM_RISCV, "8@a0", "%a0:u64" },
		{ EM_RISCV, "-4@s11", "%s11:s32" },
		{ EM_RISCV, "-4@-20(s0)", "-20(%s0):s32" },
		{ EM_RISCV, "8@16(fp)", "+16(%s0):u64" },
		{ EM_RISCV, "-4@-7", "\\-7:s32" },
		{ EM_RISCV, "8f@fa0", "" },
		{ EM_PPC64, "8@3", "%gpr3:u64" },
		{ EM_PPC64, "-4@%r31", "%gpr31:s32" },
		{ EM_PPC64, "8@48(1)", "+48(%gpr1):u64" },
		{ EM_PPC64, "8@-48(%r1)", "-48(%gpr1):u64" },
		{ EM_PPC64, "-4@i-5", "\\-5:s32" },
		{ EM_S390, "8@%r2", "%r2:u64" },
		{ EM_S390, "-4@164(%r15)", "+164(%r15):s32" },
		{ EM_S390, "8@168(%r1,%r15)", "" },
		{ EM_S390, "-4@-9", "\\-9:s32" },
		{ EM_S390, "8f@%f0", "" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(operands); i++) {
		const struct operand *o = &operands[i];
		struct usdt_arg args[USDT_ARGS_MAX];
		char fetch[USDT_FETCH_MAX] = "";
		int error;

		if (usdt_parse_args(o->machine, o->text, args) != 1)
			fail_msg("the valid operand %s is rejected", o->text);
		error = usdt_fetch_value(args, args->size, args->is_signed, fetch, sizeof(fetch));
		assert_int_equal(error, *o->fetch ? 0 : -EOPNOTSUPP);
		assert_string_equal(fetch, o->fetch);
	}
}

/* Each operand is parsed both alone and after a valid operand. */
TEST(test_operands_outside_the_grammar_are_rejected)
{
	static const struct operand refused[] = {
		{ EM_X86_64, "%eax", NULL },
		{ EM_X86_64, "@%eax", NULL },
		{ EM_X86_64, "-@%eax", NULL },
		{ EM_X86_64, "3@%eax", NULL },
		{ EM_X86_64, "16@%eax", NULL },
		{ EM_X86_64, "4@", NULL },
		{ EM_X86_64, "--4@%eax", NULL },
		{ EM_X86_64, "4@%eaxx", NULL },
		{ EM_X86_64, "4@%", NULL },
		{ EM_X86_64, "4@5[", NULL },
		{ EM_X86_64, "4@5[rax", NULL },
		{ EM_X86_64, "4@[rax]]", NULL },
		{ EM_X86_64, "4@[rax] x", NULL },
		{ EM_X86_64, "4@DWORD PTR", NULL },
		{ EM_X86_64, "4@XWORD PTR [rax]", NULL },
		{ EM_X86_64, "4@DWORD PTR [rax;rbx]", NULL },
		{ EM_X86_64, "4@$", NULL },
		{ EM_X86_64, "4@$5x", NULL },
		{ EM_X86_64, "4@$0x", NULL },
		{ EM_X86_64, "4@$99999999999999999999", NULL },
		{ EM_X86_64, "4@5(", NULL },
		{ EM_X86_64, "4@5()", NULL },
		{ EM_X86_64, "4@5(%rax", NULL },
		{ EM_X86_64, "4@5(%rax))", NULL },
		{ EM_X86_64, "4@(%rax,)", NULL },
		{ EM_X86_64, "4@(%rax,%rbx,9)", NULL },
		{ EM_X86_64, "4@%ah", NULL },
		{ EM_X86_64, "4@(%ah)", NULL },
		{ EM_X86_64, "4@[sp, 4]", NULL },
		{ EM_X86_64, "4@%eax;reboot", NULL },
		{ EM_X86_64, "4@%ax:string", NULL },
		{ EM_X86_64, "4@name+(%rip)", NULL },
		{ EM_AARCH64, "8@x31", NULL },
		{ EM_AARCH64, "8@x00", NULL },
		{ EM_AARCH64, "8@[sp", NULL },
		{ EM_AARCH64, "8@[sp, 4", NULL },
		{ EM_AARCH64, "8@[sp, 4]x", NULL },
		{ EM_AARCH64, "8@%x0", NULL },
		{ EM_AARCH64, "8@8(sp)", NULL },
		{ EM_AARCH64, "8@[sp,", NULL },
		{ EM_AARCH64, "8@[sp, (", NULL },
		{ EM_AARCH64, "8@[x0, x1]y]", NULL },
		{ EM_ARM, "4@5", NULL },
		{ EM_ARM, "4@r16", NULL },
		{ EM_RISCV, "8@x5", NULL },
		{ EM_RISCV, "8@$5", NULL },
		{ EM_PPC64, "8@32", NULL },
		{ EM_PPC64, "8@$5", NULL },
		{ EM_S390, "8@%r16", NULL },
		{ EM_S390, "8@r2", NULL },
	};
	struct usdt_arg args[USDT_ARGS_MAX];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		if (usdt_parse_args(refused[i].machine, refused[i].text, args) != -EINVAL)
			fail_msg("the invalid operand %s is accepted", refused[i].text);
	}
	assert_int_equal(usdt_parse_args(EM_X86_64, "4@%eax 4@%exx", args), -EINVAL);
	assert_int_equal(usdt_parse_args(EM_SPARC, "4@%o0", args), -EOPNOTSUPP);
}

TEST(test_arguments_are_split_outside_of_brackets)
{
	struct usdt_arg args[USDT_ARGS_MAX];
	char many[100] = "";
	int i;

	assert_int_equal(usdt_parse_args(EM_X86_64, "", args), 0);
	assert_int_equal(usdt_parse_args(EM_X86_64, "8@%rax -4@$3  1@(%rbx) ", args), 3);
	assert_int_equal(args[1].value, 3);
	assert_string_equal(args[2].reg, "bx");
	assert_int_equal(
		usdt_parse_args(EM_X86_64, "-4@DWORD PTR -8[rbp] 8f@[rsp - 16] 1@cl", args), 3);
	assert_int_equal(args[0].value, -8);
	assert_true(args[1].is_float && args[1].value == -16);
	assert_string_equal(args[2].reg, "cx");
	assert_int_equal(usdt_parse_args(EM_X86_64, "8@symbol[rip+4]", args), 1);
	assert_int_equal(args[0].kind, USDT_SYMBOL);
	assert_string_equal(args[0].symbol, "symbol");
	assert_int_equal(args[0].value, 4);
	assert_int_equal(usdt_parse_args(EM_X86_64, "8f@[rip + offset .LC0]", args), 1);
	assert_string_equal(args[0].symbol, ".LC0");
	assert_int_equal(usdt_parse_args(EM_AARCH64, "-4@[sp, 12] 8@x1", args), 2);
	assert_int_equal(args[0].value, 12);
	assert_string_equal(args[1].reg, "x1");
	for (i = 0; i < 13; i++)
		strcat(many, " 1@a0");
	assert_int_equal(usdt_parse_args(EM_RISCV, many + 5, args), 12);
	assert_int_equal(usdt_parse_args(EM_RISCV, many, args), -E2BIG);
}

TEST(test_pointers_are_followed)
{
	struct usdt_arg args[USDT_ARGS_MAX];
	char fetch[USDT_FETCH_MAX];

	assert_int_equal(usdt_parse_args(EM_X86_64, "8@%rsi 8@-8(%rbp) 8@$0 4@-8(%rbp)", args), 4);
	assert_int_equal(usdt_fetch_memory(&args[0], false, 0, "string", fetch, sizeof(fetch)), 0);
	assert_string_equal(fetch, "+0(%si):string");
	assert_int_equal(usdt_fetch_memory(&args[1], false, 64, "x8[64]", fetch, sizeof(fetch)), 0);
	assert_string_equal(fetch, "+64(-8(%bp)):x8[64]");
	assert_int_equal(usdt_fetch_memory(&args[0], true, 8, "x64[4]", fetch, sizeof(fetch)), 0);
	assert_string_equal(fetch, "+8(+0(%si)):x64[4]");
	assert_int_equal(usdt_fetch_memory(&args[2], false, 0, "string", fetch, sizeof(fetch)),
			 -EOPNOTSUPP);
	/* a 64-bit kernel would read 8 bytes for the pointer of a 32-bit program */
	assert_int_equal(usdt_fetch_memory(&args[3], false, 0, "string", fetch, sizeof(fetch)),
			 sizeof(long) == 8 ? -EOPNOTSUPP : 0);
}

static struct usdt_file self; /* this program */
static const struct usdt_probe *probe;
static struct usdt_shape *shape;

static int open_self(void **state)
{
	(void)state;
	return usdt_file_open(&self, "/proc/self/exe");
}

static int close_self(void **state)
{
	(void)state;
	usdt_shape_free(shape);
	shape = NULL;
	usdt_file_free(&self);
	return 0;
}

/* Finds the probe NAME of this program and creates its shape. Checks that the shape is complete. */
static void take_probe(const char *name, bool as_log)
{
	char *missing = NULL;
	size_t i = 0;

	while (i < self.n && strcmp(self.probes[i].name, name) != 0)
		i++;
	assert_true(i < self.n);
	probe = &self.probes[i];
	usdt_shape_free(shape);
	shape = usdt_shape_new(&self, probe, as_log, &missing);
	assert_null(missing);
}

TEST_SETUP_TEARDOWN(test_events_are_found_with_their_fields, open_self, close_self)
{
	take_probe("usdt_plain", false);
	assert_string_equal(probe->provider, "user_events");
	assert_true(probe->semaphore && probe->counter);
	assert_int_equal(probe->n, 6);
	assert_string_equal(
		usdt_shape_spec(shape),
		"usdt_plain s32 a; __rel_loc char[] s; __rel_loc u8[] b; __rel_loc u16[] w");
	assert_non_null(strstr(usdt_shape_fetch(shape), ":string"));

	take_probe("Logged", true);
	assert_non_null(usdt_site_of(&self, probe));
	assert_non_null(usdt_set_of(&self, probe));
	assert_int_equal(strncmp(usdt_shape_spec(shape), "Usdt_Test_L3K6Ggrp ", 19), 0);
	assert_int_equal(shape->meta.data[7], 3);
}

/* A probe is identified by the address of its nop. */
TEST_SETUP_TEARDOWN(test_sites_of_one_name_have_their_own_fields, open_self, close_self)
{
	const char *const specs[] = { "usdt_twice s32 a", "usdt_twice __rel_loc char[] s" };
	size_t i, n = 0;

	for (i = 0; i < self.n; i++) {
		const struct note_event *event = usdt_event_of(&self, &self.probes[i]);

		if (strcmp(self.probes[i].name, "usdt_twice") != 0)
			continue;
		assert_non_null(event);
		assert_string_equal(
			event->spec,
			specs[self.probes[i].n != 1 || self.probes[i].args[0].size != 4]);
		n++;
	}
	assert_int_equal(n, 2);
}

/* The name of a UE_LOG event can be any text. The probe of the event has the same name. */
TEST_SETUP_TEARDOWN(test_names_of_logged_events_are_unchanged, open_self, close_self)
{
	take_probe("100% [cpu] of \"a; b\"\t:", false);
	assert_string_equal(probe->provider, "usdt_set");
	assert_string_equal((char *)usdt_site_of(&self, probe)->meta + 12, probe->name);
	assert_int_equal(strncmp(usdt_shape_spec(shape), "Usdt_Test_L3K6Ggrp ", 19), 0);
	/*
	 * This probe's event set is in another library, and therefore unknown. In this case, the
	 * probe name becomes the event name in the spec, where it must be a single word.
	 */
	take_probe("one; two\n", false);
	assert_string_equal(probe->provider, "*usdt_pointer");
	assert_true(usdt_site_of(&self, probe) && !usdt_set_of(&self, probe));
	assert_string_equal(usdt_shape_spec(shape), "one__two_ s32 arg1");
}

TEST_SETUP_TEARDOWN(test_activity_follows_all_fields, open_self, close_self)
{
	take_probe("Activity", false);
	assert_int_equal(probe->n, 4);
	assert_int_equal(probe->args[0].size, 4);
	assert_int_equal(probe->args[1].size, sizeof(void *));
	assert_true(shape->activity);
	assert_int_equal(shape->n_parts, 4);
	assert_int_equal(shape->parts[1].kind, PART_STRING);
	assert_int_equal(shape->parts[2].kind, PART_BYTES);
}

/*
 * Any argument can be impossible to fetch, even the first one, before any value has been fetched.
 */
TEST(test_arguments_out_of_reach_are_omitted)
{
	struct usdt_arg args[USDT_ARGS_MAX];
	struct usdt_probe other = { .name = (char *)"other",
				    .provider = (char *)"program",
				    .args = args };
	struct usdt_file file = { .n = 0 };
	char *missing = NULL;

	other.n = usdt_parse_args(EM_X86_64, "8f@%xmm0 4@%eax 8f@%xmm1", other.args);
	shape = usdt_shape_new(&file, &other, false, &missing);
	assert_string_equal(usdt_shape_spec(shape), "other u32 arg2");
	assert_string_equal(usdt_shape_fetch(shape), " arg2=%ax:u32");
	assert_string_equal(missing, "arg1, arg3");
	usdt_shape_free(shape);
	shape = NULL;
	free(missing);
}

/* The expected text is the format file of a kernel with user_events. */
TEST(test_format_is_the_kernels)
{
	static const char *const lines[] = {
		"\tfield:u8 a1;\toffset:8;\tsize:1;\tsigned:0;\n",
		"\tfield:s64 a2;\toffset:9;\tsize:8;\tsigned:1;\n",
		"\tfield:char a3;\toffset:17;\tsize:1;\tsigned:1;\n",
		"\tfield:unsigned char a4[];\toffset:18;\tsize:16;\tsigned:0;\n",
		"\tfield:__rel_loc u16 a5[];\toffset:34;\tsize:4;\tsigned:1;\n",
		"\tfield:struct pair a6;\toffset:38;\tsize:8;\tsigned:1;\n",
		"\tfield:char a7[];\toffset:46;\tsize:8;\tsigned:1;\n",
	};
	char *format = usdt_format_text("all u8 a1; s64 a2; char a3; unsigned char[16] a4; "
					"__rel_loc u16[] a5; struct pair a6 8; char[8] a7");

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		if (!strstr(format, lines[i]))
			fail_msg("the format file lacks the line: %s", lines[i]);
	free(format);
}

/*
 * Creates an event from the spec and applies the declared types. Returns the display format of the
 * event's only field.
 */
static unsigned int applied_format(const char *spec, const struct note_field *own)
{
	struct event event = { .system = (char *)USER_SYSTEM,
			       .name = (char *)"typed",
			       .shown = (char *)"typed",
			       .format_text = usdt_format_text(spec) };
	unsigned int format;

	event_decode(&event);
	event_set_types(&event, own);
	event_apply_types(&event);
	format = event.decoder->fields[event.decoder->own].format;
	event_forget(&event);
	free(event.types);
	free(event.format_text);
	return format;
}

TEST(test_declared_type_applies_only_if_all_sites_agree)
{
	const struct note_field port[] = { { "v", UE__PORT }, { NULL, 0 } };
	const struct note_field number[] = { { "v", UE__U16 }, { NULL, 0 } };

	types_keep("typed", port, 1);
	types_keep("typed", port, 1);
	assert_int_equal(applied_format("typed u16 v", NULL), UE_FORMAT_PORT);
	types_keep("typed", number, 1);
	assert_int_equal(applied_format("typed u16 v", NULL), UE_DECODE_FORMAT_UNSIGNED);
	types_keep("typed", port, 1);
	assert_int_equal(applied_format("typed u16 v", NULL), UE_DECODE_FORMAT_UNSIGNED);
	/* if the event's site is known, the types declared there are used */
	assert_int_equal(applied_format("typed u16 v", port), UE_FORMAT_PORT);
}

TEST(test_declared_type_applies_only_to_the_same_kernel_type)
{
	static const struct {
		const char *spec;
		uint32_t type;
		unsigned int format;
	} rows[] = {
		{ "typed u8 v", UE__BOOL, UE_FORMAT_BOOL },
		{ "typed s8 v", UE__BOOL, UE_DECODE_FORMAT_SIGNED },
		{ "typed char v", UE__BOOL, UE_DECODE_FORMAT_LATIN1 },
		{ "typed u8 v", UE__CHAR, UE_DECODE_FORMAT_UNSIGNED },
		{ "typed u16 v", UE__BOOL, UE_DECODE_FORMAT_UNSIGNED },
		{ "typed s16 v", UE__PORT, UE_DECODE_FORMAT_SIGNED },
		{ "typed u32 v", UE__ERRNO, UE_DECODE_FORMAT_UNSIGNED },
		{ "typed s32 v", UE__ERRNO, UE_FORMAT_ERRNO },
		{ "typed unsigned long v", UE__F64, UE_FORMAT_FLOAT },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct note_field types[] = { { "v", rows[i].type }, { NULL, 0 } };

		if (applied_format(rows[i].spec, types) != rows[i].format)
			fail_msg("unexpected result for type %#x of %s", rows[i].type,
				 rows[i].spec);
	}
}

static void read_damaged(const char *path, uint32_t type)
{
	char record[4096];
	struct record in = { .data = record, .size = sizeof(record) }, out;
	struct usdt_file file;
	size_t i;
	bool cut;

	(void)type;
	memset(record, 0xa5, sizeof(record));
	if (usdt_file_open(&file, path) != 0)
		return;
	for (i = 0; i < file.n && i < 20; i++) {
		char *missing = NULL, *format;

		shape = usdt_shape_new(&file, &file.probes[i], i & 1, &missing);
		if (shape) {
			format = usdt_format_text(usdt_shape_spec(shape));
			usdt_shape_format(shape, format);
			usdt_shape_record(shape, &in, 0, &out, &cut);
			free(format);
		}
		usdt_shape_free(shape);
		free(missing);
	}
	shape = NULL;
	usdt_file_free(&file);
}

TEST(test_damaged_binaries_are_harmless)
{
	read_damaged_files(700, read_damaged);
}

int main(void)
{
	declares(1, "x");
	return run_all_tests(NULL, NULL);
}
