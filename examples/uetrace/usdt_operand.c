/* SPDX-License-Identifier: MIT */
/*
 * The arguments of USDT probes: operands as the assembler has them, to what uprobes fetch.
 *
 *	ARGUMENTS = [ARGUMENT {" " ARGUMENT}]
 *	ARGUMENT  = ["-"] ("1" | "2" | "4" | "8") ["f"] "@" OPERAND
 *
 * "-" is signed, "f" a floating-point number. OPERAND is a constant, a register, or memory:
 *
 *			constant	register	memory
 *	x86-64, i386	$-5 $0x10	%eax %r8d	-20(%rbp) (%rax) name+4(%rip)
 *	aarch64		-5 #5		x0 w0 sp	[sp, 12] [x29, #-8] [x0]
 *	arm		#-5		r0 fp sp	[fp, #-8] [r3]
 *	riscv64		-5		a0 s11		-20(s0)
 *	ppc64le		i-5		3 %r3		48(1) 48(%r1)
 *	s390x		-5		%r2		164(%r15)
 *
 * The grammar is strict: what is not in it is refused. What is well-formed but out of a uprobe's
 * reach, as a vector register or an address of two registers, is USDT_OUT_OF_REACH.
 */
#include "usdt.h"

#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A register's name in operands, and in the kernel; its bits begin at shift. */
struct register_name {
	const char *operand;
	const char *kernel;
	uint8_t shift;
};

#define X86(r)                                \
	{ "r" #r, #r, 0 }, { "e" #r, #r, 0 }, \
	{                                     \
#r, #r, 0                     \
	}
#define X86_BYTES(c)              \
	{ #c "l", #c "x", 0 },    \
	{                         \
#c "h", #c "x", 8 \
	}
#define X86_LOW(r)            \
	{                     \
#r "l", #r, 0 \
	}
#define X86_NUMBER(n)                                                                \
	{ "r" #n, "r" #n, 0 }, { "r" #n "d", "r" #n, 0 }, { "r" #n "w", "r" #n, 0 }, \
	{                                                                            \
		"r" #n "b", "r" #n, 0                                                \
	}
static const struct register_name x86[] = {
	X86(ax),	X86(bx),	X86(cx),	X86(dx),	X86(si),
	X86(di),	X86(bp),	X86(sp),	X86_BYTES(a),	X86_BYTES(b),
	X86_BYTES(c),	X86_BYTES(d),	X86_LOW(si),	X86_LOW(di),	X86_LOW(bp),
	X86_LOW(sp),	X86_NUMBER(8),	X86_NUMBER(9),	X86_NUMBER(10), X86_NUMBER(11),
	X86_NUMBER(12), X86_NUMBER(13), X86_NUMBER(14), X86_NUMBER(15), { NULL, NULL, 0 },
};

static const struct register_name arm[] = {
	{ "r0", "r0", 0 },  { "r1", "r1", 0 }, { "r2", "r2", 0 },   { "r3", "r3", 0 },
	{ "r4", "r4", 0 },  { "r5", "r5", 0 }, { "r6", "r6", 0 },   { "r7", "r7", 0 },
	{ "r8", "r8", 0 },  { "r9", "r9", 0 }, { "r10", "r10", 0 }, { "sb", "r9", 0 },
	{ "sl", "r10", 0 }, { "fp", "fp", 0 }, { "r11", "fp", 0 },  { "ip", "ip", 0 },
	{ "r12", "ip", 0 }, { "sp", "sp", 0 }, { "r13", "sp", 0 },  { "lr", "lr", 0 },
	{ "r14", "lr", 0 }, { NULL, NULL, 0 },
};

static const struct register_name aarch64[] = {
	{ "sp", "sp", 0 },  { "wsp", "sp", 0 }, { "fp", "x29", 0 },
	{ "lr", "x30", 0 }, { NULL, NULL, 0 },
};

#define SAME(r)           \
	{                 \
#r, #r, 0 \
	}
static const struct register_name riscv[] = {
	SAME(ra), SAME(sp), SAME(gp), SAME(tp),		 SAME(t0),	    SAME(t1),  SAME(t2),
	SAME(s0), SAME(s1), SAME(a0), SAME(a1),		 SAME(a2),	    SAME(a3),  SAME(a4),
	SAME(a5), SAME(a6), SAME(a7), SAME(s2),		 SAME(s3),	    SAME(s4),  SAME(s5),
	SAME(s6), SAME(s7), SAME(s8), SAME(s9),		 SAME(s10),	    SAME(s11), SAME(t3),
	SAME(t4), SAME(t5), SAME(t6), { "fp", "s0", 0 }, { NULL, NULL, 0 },
};

/* Registers whose name is a letter and a number: those of the operands, and of the kernel. */
struct numbered {
	const char *letters;
	const char *kernel;
	unsigned int last;
};

struct grammar {
	uint16_t machine;
	const struct register_name *names; /* NULL: all are numbered */
	struct numbered numbered;
	char constant;	   /* that a constant begins with; 0: nothing */
	bool constant_may; /* or may */
	bool prefix;	   /* a register has a % */
	bool prefix_may;   /* or may */
	bool brackets;	   /* of an address, for [sp, 12] */
};

static const struct grammar grammars[] = {
	{ EM_X86_64, x86, { NULL, NULL, 0 }, '$', false, true, false, false },
	{ EM_386, x86, { NULL, NULL, 0 }, '$', false, true, false, false },
	{ EM_AARCH64, aarch64, { "xw", "x", 30 }, '#', true, false, false, true },
	{ EM_ARM, arm, { NULL, NULL, 0 }, '#', false, false, false, true },
	{ EM_RISCV, riscv, { NULL, NULL, 0 }, 0, false, false, false, false },
	{ EM_PPC64, NULL, { "r", "gpr", 31 }, 'i', false, false, true, false },
	{ EM_S390, NULL, { "r", "r", 15 }, 0, false, true, false, false },
};

/* Text that is left to read. */
struct rest {
	const char *p;
	size_t left;
};

static bool take_char(struct rest *r, char c)
{
	if (!r->left || *r->p != c)
		return false;
	r->p++;
	r->left--;
	return true;
}

static void skip_spaces(struct rest *r)
{
	while (take_char(r, ' '))
		;
}

/* A decimal or hexadecimal number with a sign; one that does not fit into 64 bits is none. */
static bool take_number(struct rest *r, int64_t *value)
{
	char digits[24], *end;
	size_t n = 0, sign = r->left && (*r->p == '-' || *r->p == '+');
	bool hex = r->left > sign + 2 && r->p[sign] == '0' && (r->p[sign + 1] | 32) == 'x';

	while (n < r->left && n < sizeof(digits) - 1 &&
	       (n < sign || (hex && n == sign + 1) || isxdigit((unsigned char)r->p[n]))) {
		if (!hex && n >= sign && !isdigit((unsigned char)r->p[n]))
			break;
		digits[n] = r->p[n];
		n++;
	}
	digits[n] = '\0';
	if (n == sign || (n < r->left && isalnum((unsigned char)r->p[n])))
		return false;
	errno = 0;
	*value = *digits == '-' ? strtoll(digits, &end, hex ? 16 : 10)
				: (int64_t)strtoull(digits, &end, hex ? 16 : 10);
	if (errno || *end)
		return false;
	r->p += n;
	r->left -= n;
	return true;
}

static size_t word_length(const struct rest *r)
{
	size_t n = 0;

	while (n < r->left && (isalnum((unsigned char)r->p[n]) || r->p[n] == '_'))
		n++;
	return n;
}

static bool take_numbered(const struct numbered *numbered, const char *word, size_t length,
			  struct usdt_arg *arg)
{
	unsigned int number = 0;
	size_t i;

	if (!numbered->letters || length < 2 || length > 3 || !strchr(numbered->letters, *word) ||
	    (word[1] == '0' && length > 2))
		return false;
	for (i = 1; i < length; i++) {
		if (!isdigit((unsigned char)word[i]))
			return false;
		number = 10 * number + (unsigned int)(word[i] - '0');
	}
	if (number > numbered->last)
		return false;
	snprintf(arg->reg, sizeof(arg->reg), "%s%u", numbered->kernel, number);
	return true;
}

static bool take_register(const struct grammar *g, struct rest *r, struct usdt_arg *arg)
{
	const struct register_name *name;
	struct rest word = *r;
	bool prefix = take_char(&word, '%'), found = false;
	size_t length = word_length(&word);
	char bare[4];

	if (prefix ? !g->prefix && !g->prefix_may : g->prefix)
		return false;
	for (name = g->names; name && name->operand && !found; name++) {
		if (strlen(name->operand) != length || memcmp(name->operand, word.p, length) != 0)
			continue;
		snprintf(arg->reg, sizeof(arg->reg), "%s", name->kernel);
		arg->shift = name->shift;
		found = true;
	}
	if (!found)
		found = take_numbered(&g->numbered, word.p, length, arg);
	if (!found && g->machine == EM_PPC64 && !prefix && length <= 2) {
		/* numbers alone */
		snprintf(bare, sizeof(bare), "r%.*s", (int)length, word.p);
		found = take_numbered(&g->numbered, bare, length + 1, arg);
	}
	if (!found)
		return false;
	r->p = word.p + length;
	r->left = word.left - length;
	return true;
}

/* Registers that no uprobe reads: vectors, segments, the instruction pointer. */
static bool is_other_register(const struct grammar *g, struct rest r)
{
	static const char *const letters[] = { "xmm", "ymm", "zmm", "mm", "st", "k",
					       "v",   "q",   "d",   "s",  "h",	"b",
					       "f",   "fa",  "fs",  "ft", "vs" };
	bool prefix = take_char(&r, '%');
	size_t length = word_length(&r), i, n;

	if ((prefix ? !g->prefix && !g->prefix_may : g->prefix) || length != r.left)
		return false;
	for (i = 0; i < ARRAY_SIZE(letters); i++) {
		n = strlen(letters[i]);
		if (length > n && memcmp(r.p, letters[i], n) == 0 && length - n <= 2 &&
		    strspn(r.p + n, "0123456789") >= length - n)
			return true;
	}
	return false;
}

/* "-20(%rbp)", "(%rax)"; an index, "8(%rsp,%rbx,4)", is out of reach. */
static int take_parentheses(const struct grammar *g, struct rest *r, struct usdt_arg *arg)
{
	struct usdt_arg index;
	int64_t scale;

	if (!take_char(r, '('))
		return -EINVAL;
	if (!(r->left && *r->p == ',') && !take_register(g, r, arg))
		return -EINVAL;
	arg->kind = USDT_MEMORY;
	if (take_char(r, ',')) {
		if (g->machine != EM_X86_64 && g->machine != EM_386 && g->machine != EM_S390)
			return -EINVAL;
		if (!take_register(g, r, &index))
			return -EINVAL;
		if (take_char(r, ',') && (!take_number(r, &scale) || scale < 1 || scale > 8))
			return -EINVAL;
		arg->kind = USDT_OUT_OF_REACH;
	}
	return take_char(r, ')') && !r->left && !arg->shift ? 0 : -EINVAL;
}

/* "[sp, 12]", "[x29, #-8]", "[x0]"; an index, "[x0, x1]", is out of reach. */
static int take_brackets(const struct grammar *g, struct rest *r, struct usdt_arg *arg)
{
	size_t i;

	if (!take_char(r, '[') || !take_register(g, r, arg))
		return -EINVAL;
	arg->kind = USDT_MEMORY;
	skip_spaces(r);
	if (take_char(r, ',')) {
		skip_spaces(r);
		take_char(r, '#');
		if (!take_number(r, &arg->value)) {
			for (i = 0; i < r->left && r->p[i] != ']'; i++) {
				if (!isalnum((unsigned char)r->p[i]) && !strchr(" ,:#_.", r->p[i]))
					return -EINVAL;
			}
			if (!i || i + 1 != r->left)
				return -EINVAL;
			arg->kind = USDT_OUT_OF_REACH;
			return 0;
		}
	}
	return take_char(r, ']') && !r->left ? 0 : -EINVAL;
}

static bool is_symbol_character(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

/* "name(%rip)", "name+4(%rip)", "name": memory of the file, for x86 only. */
static int take_symbol(const struct grammar *g, struct rest *r, struct usdt_arg *arg)
{
	static const char ip[] = "(%rip)";
	size_t n = 0;

	if ((g->machine != EM_X86_64 && g->machine != EM_386) || !r->left ||
	    !is_symbol_character(*r->p) || isdigit((unsigned char)*r->p) || *r->p == '$')
		return -EINVAL;
	while (n < r->left && is_symbol_character(r->p[n]))
		n++;
	if (!n)
		return -EINVAL;
	arg->kind = n < sizeof(arg->symbol) ? USDT_SYMBOL : USDT_OUT_OF_REACH;
	snprintf(arg->symbol, sizeof(arg->symbol), "%.*s", (int)n, r->p);
	r->p += n;
	r->left -= n;
	if (r->left && (*r->p == '+' || *r->p == '-') && !take_number(r, &arg->value))
		return -EINVAL;
	if (!r->left)
		return 0;
	if (r->left == strlen(ip) && memcmp(r->p, ip, strlen(ip)) == 0)
		return 0;
	/* name@GOTOFF(%ebx), name(,%rax,4) */
	arg->kind = USDT_OUT_OF_REACH;
	return r->p[r->left - 1] == ')' ? 0 : -EINVAL;
}

static int take_operand(const struct grammar *g, struct rest r, struct usdt_arg *arg)
{
	struct rest number = r, reg = r;

	if (g->constant ? take_char(&number, g->constant) || g->constant_may : true) {
		if (take_number(&number, &arg->value) && !number.left) {
			arg->kind = USDT_CONSTANT;
			return 0;
		}
		arg->value = 0;
		/* $name: its address */
		if (g->constant && !g->constant_may && r.left > 1 &&
		    (isalpha((unsigned char)r.p[1]) || strchr("_.", r.p[1])) && *r.p == '$') {
			arg->kind = USDT_OUT_OF_REACH;
			return 0;
		}
	}
	if (take_register(g, &reg, arg) && !reg.left) {
		arg->kind = USDT_REGISTER;
		return arg->shift && arg->size > 1 ? -EINVAL : 0;
	}
	arg->shift = 0;
	if (is_other_register(g, r)) {
		arg->kind = USDT_OUT_OF_REACH;
		return 0;
	}
	if (g->brackets)
		return take_brackets(g, &r, arg);
	if (r.left && (*r.p == '(' || take_number(&r, &arg->value)))
		return take_parentheses(g, &r, arg);
	return take_symbol(g, &r, arg);
}

static const struct grammar *grammar_of(unsigned int machine)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(grammars); i++) {
		if (grammars[i].machine == machine)
			return &grammars[i];
	}
	return NULL;
}

static int take_arg(const struct grammar *g, struct rest r, struct usdt_arg *arg)
{
	memset(arg, 0, sizeof(*arg));
	arg->is_signed = take_char(&r, '-');
	if (!r.left || !strchr("1248", *r.p))
		return -EINVAL;
	arg->size = (uint8_t)(*r.p - '0');
	take_char(&r, *r.p);
	arg->is_float = take_char(&r, 'f');
	if (!take_char(&r, '@') || !r.left)
		return -EINVAL;
	return take_operand(g, r, arg);
}

/* The next argument: spaces in brackets are its own. */
static struct rest next_arg(struct rest *r)
{
	struct rest one;
	int depth = 0;

	skip_spaces(r);
	one = *r;
	while (r->left && (*r->p != ' ' || depth > 0)) {
		depth += (*r->p == '[' || *r->p == '(') - (*r->p == ']' || *r->p == ')');
		take_char(r, *r->p);
	}
	one.left -= r->left;
	return one;
}

int usdt_parse_args(unsigned int machine, const char *text, struct usdt_arg args[USDT_ARGS_MAX])
{
	const struct grammar *g = grammar_of(machine);
	struct rest r = { text, strlen(text) }, one;
	int n = 0, error;

	if (!g)
		return -EOPNOTSUPP;
	for (one = next_arg(&r); one.left; one = next_arg(&r)) {
		if (n == USDT_ARGS_MAX)
			return -E2BIG;
		error = take_arg(g, one, &args[n++]);
		if (error)
			return error;
	}
	return n;
}

/* Fetch arguments */

/* What a value is in a uprobe's definition, without its type. */
static int put_place(const struct usdt_arg *arg, char *out, size_t room)
{
	int n = -1;

	switch (arg->kind) {
	case USDT_CONSTANT:
		n = snprintf(out, room, "\\%lld", (long long)arg->value);
		break;
	case USDT_REGISTER:
		n = snprintf(out, room, "%%%s", arg->reg);
		break;
	case USDT_MEMORY:
		n = snprintf(out, room, "%+lld(%%%s)", (long long)arg->value, arg->reg);
		break;
	case USDT_FILE:
		n = snprintf(out, room, "@+0x%llx", (unsigned long long)arg->value);
		break;
	case USDT_SYMBOL:
	case USDT_OUT_OF_REACH:
		return -EOPNOTSUPP;
	}
	return n >= 0 && (size_t)n < room ? 0 : -E2BIG;
}

/*
 * Of a register the kernel takes the low bytes, of memory the first: on big endian they are the
 * low ones only if all of them are read.
 */
int usdt_fetch_value(const struct usdt_arg *arg, unsigned int size, bool is_signed, char *out,
		     size_t room)
{
	bool memory = arg->kind == USDT_MEMORY || arg->kind == USDT_FILE;
	char place[USDT_FETCH_MAX];
	int error = put_place(arg, place, sizeof(place)), n;

	if (error)
		return error;
	if (size > arg->size || (memory && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__))
		size = arg->size;
	if (arg->shift)
		n = snprintf(out, room, "%s:b8@8/16", place);
	else
		n = snprintf(out, room, "%s:%c%u", place, is_signed ? 's' : 'u', 8 * size);
	return n >= 0 && (size_t)n < room ? 0 : -E2BIG;
}

/*
 * What a pointer points to, from offset on. The kernel reads a pointer in memory with its own
 * size, so one of a 32-bit program on a 64-bit kernel is out of reach, unless it is in a register.
 */
int usdt_fetch_memory(const struct usdt_arg *arg, bool indirect, size_t offset, const char *type,
		      char *out, size_t room)
{
	bool memory = arg->kind == USDT_MEMORY || arg->kind == USDT_FILE;
	char place[USDT_FETCH_MAX];
	int error = put_place(arg, place, sizeof(place)), n;

	if (error)
		return error;
	if (arg->kind == USDT_CONSTANT || arg->shift ||
	    ((memory || indirect) && arg->size != sizeof(long)))
		return -EOPNOTSUPP;
	n = snprintf(out, room, indirect ? "+%zu(+0(%s)):%s" : "+%zu(%s):%s", offset, place, type);
	return n >= 0 && (size_t)n < room ? 0 : -E2BIG;
}
