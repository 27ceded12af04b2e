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
#include "usdt/usdt.h"
#include "util/util.h"

#include <elf.h>
#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Machines are letters in the tables below. */
static const struct {
	uint16_t machine;
	char letter;
} machines[] = {
	{ EM_X86_64, 'x' }, { EM_386, 'x' },   { EM_AARCH64, 'a' }, { EM_ARM, 'm' },
	{ EM_RISCV, 'r' },  { EM_PPC64, 'p' }, { EM_S390, 's' },
};

/* Names of a register in operands; to the kernel it is prefix, the pattern's group, suffix. */
static const struct {
	const char *machines;
	const char *pattern;
	const char *prefix;
	const char *suffix;
	uint8_t shift; /* where its bits begin */
} registers[] = {
	{ "x", "[re]?([abcd]x|[sd]i|[bs]p)", "", "", 0 },
	{ "x", "([abcd])l", "", "x", 0 },
	{ "x", "([abcd])h", "", "x", 8 },
	{ "x", "([sd]i|[bs]p)l", "", "", 0 },
	{ "x", "(r[89]|r1[0-5])[dwb]?", "", "", 0 },
	{ "m", "(r[0-9]|r10|fp|ip|sp|lr)", "", "", 0 },
	{ "m", "sb()", "r9", "", 0 },
	{ "m", "sl()", "r10", "", 0 },
	{ "m", "r11()", "fp", "", 0 },
	{ "m", "r12()", "ip", "", 0 },
	{ "m", "r13()", "sp", "", 0 },
	{ "m", "r14()", "lr", "", 0 },
	{ "a", "[xw]([0-9]|[12][0-9]|30)", "x", "", 0 },
	{ "a", "w?(sp)", "", "", 0 },
	{ "a", "fp()", "x29", "", 0 },
	{ "a", "lr()", "x30", "", 0 },
	{ "r", "(ra|sp|gp|tp|t[0-6]|s[0-9]|s1[01]|a[0-7])", "", "", 0 },
	{ "r", "fp()", "s0", "", 0 },
	{ "p", "r?([0-9]|[12][0-9]|3[01])", "gpr", "", 0 },
	{ "s", "(r[0-9]|r1[0-5])", "", "", 0 },
};

#define NUMBER "([-+]?0[xX][0-9a-fA-F]+|[-+]?[0-9]+)"
#define REGISTER "([a-z0-9]+)"
#define SYMBOL "([A-Za-z_.][A-Za-z0-9_.$]*)"
/* registers that no uprobe reads, of floating-point numbers and vectors */
#define VECTOR "([xyz]?mm|st|k|v|q|d|s|h|b|f|fa|fs|ft|vs)[0-9][0-9]?"

/* The first form that fits counts. Value, register and symbol are groups of the pattern, or 0. */
static const struct {
	const char *machines;
	enum usdt_kind kind;
	const char *pattern;
	uint8_t value, reg, symbol;
} forms[] = {
	{ "x", USDT_CONSTANT, "\\$" NUMBER, 1, 0, 0 },
	{ "a", USDT_CONSTANT, "#?" NUMBER, 1, 0, 0 },
	{ "m", USDT_CONSTANT, "#" NUMBER, 1, 0, 0 },
	{ "rs", USDT_CONSTANT, NUMBER, 1, 0, 0 },
	{ "p", USDT_CONSTANT, "i" NUMBER, 1, 0, 0 },
	{ "xs", USDT_REGISTER, "%" REGISTER, 0, 1, 0 },
	{ "amr", USDT_REGISTER, REGISTER, 0, 1, 0 },
	{ "p", USDT_REGISTER, "%?" REGISTER, 0, 1, 0 },
	{ "xs", USDT_MEMORY, NUMBER "?\\(%" REGISTER "\\)", 1, 2, 0 },
	{ "r", USDT_MEMORY, NUMBER "?\\(" REGISTER "\\)", 1, 2, 0 },
	{ "p", USDT_MEMORY, NUMBER "?\\(%?" REGISTER "\\)", 1, 2, 0 },
	{ "am", USDT_MEMORY, "\\[" REGISTER "( *, *#?" NUMBER ")?\\]", 3, 1, 0 },
	{ "x", USDT_SYMBOL, SYMBOL NUMBER "?(\\(%rip\\))?", 2, 0, 1 },
	/* $name, 8(%rsp,%rbx,8), [x0, x1], name@GOTOFF(%ebx) */
	{ "x", USDT_OUT_OF_REACH, "\\$" SYMBOL ".*", 0, 0, 0 },
	{ "xs", USDT_OUT_OF_REACH, NUMBER "?\\((%" REGISTER ")?,%" REGISTER "(,[1-8])?\\)", 0, 0,
	  0 },
	{ "am", USDT_OUT_OF_REACH, "\\[" REGISTER " *,[A-Za-z0-9 ,:#_.]+\\]", 0, 1, 0 },
	{ "x", USDT_OUT_OF_REACH, SYMBOL NUMBER "?[@(].*\\)", 0, 0, 0 },
	{ "xps", USDT_OUT_OF_REACH, "%" VECTOR, 0, 0, 0 },
	{ "amrp", USDT_OUT_OF_REACH, VECTOR, 0, 0, 0 },
};

#define GROUPS 4

/* Matches all of the text with a pattern, which is compiled once. */
static bool matches(regex_t **regex, const char *pattern, const char *s, regmatch_t groups[GROUPS])
{
	char *whole;

	if (!*regex) {
		whole = text("^%s$", pattern);
		*regex = allocate(sizeof(**regex));
		if (regcomp(*regex, whole, REG_EXTENDED) != 0)
			die("out of memory");
		free(whole);
	}
	return regexec(*regex, s, GROUPS, groups, 0) == 0;
}

static int copy_group(char *to, size_t room, const char *s, const regmatch_t *group)
{
	return snprintf(to, room, "%.*s", (int)(group->rm_eo - group->rm_so), s + group->rm_so);
}

static bool find_register(char machine, const char *name, struct usdt_arg *arg)
{
	static regex_t *compiled[ARRAY_SIZE(registers)];
	regmatch_t groups[GROUPS];
	char group[sizeof(arg->reg)];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(registers); i++) {
		if (!strchr(registers[i].machines, machine) ||
		    !matches(&compiled[i], registers[i].pattern, name, groups))
			continue;
		copy_group(group, sizeof(group), name, &groups[1]);
		snprintf(arg->reg, sizeof(arg->reg), "%s%s%s", registers[i].prefix, group,
			 registers[i].suffix);
		arg->shift = registers[i].shift;
		return true;
	}
	return false;
}

/* Returns false for a number of more than 64 bits. */
static bool read_number(const char *s, int64_t *value)
{
	int base = strncasecmp(s + strspn(s, "+-"), "0x", 2) == 0 ? 16 : 10;

	errno = 0;
	*value = *s == '-' ? strtoll(s, NULL, base) : (int64_t)strtoull(s, NULL, base);
	return !errno;
}

static int take_operand(char machine, const char *s, struct usdt_arg *arg)
{
	static regex_t *compiled[ARRAY_SIZE(forms)];
	regmatch_t groups[GROUPS], *value;
	char name[8]; /* longer ones are no register's */
	size_t i;

	for (i = 0; i < ARRAY_SIZE(forms); i++) {
		if (!strchr(forms[i].machines, machine) ||
		    !matches(&compiled[i], forms[i].pattern, s, groups))
			continue;
		if (forms[i].reg) {
			copy_group(name, sizeof(name), s, &groups[forms[i].reg]);
			if (!find_register(machine, name, arg))
				continue;
		}
		value = &groups[forms[i].value];
		if (forms[i].value && value->rm_so >= 0 &&
		    !read_number(s + value->rm_so, &arg->value))
			continue;
		arg->kind = forms[i].kind;
		if (forms[i].symbol &&
		    copy_group(arg->symbol, sizeof(arg->symbol), s, &groups[forms[i].symbol]) >=
			    (int)sizeof(arg->symbol))
			arg->kind = USDT_OUT_OF_REACH;
		/* %ah is a byte, and no address */
		return arg->shift && (arg->size > 1 || arg->kind != USDT_REGISTER) ? -EINVAL : 0;
	}
	return -EINVAL;
}

static int take_arg(char machine, const char *s, struct usdt_arg *arg)
{
	memset(arg, 0, sizeof(*arg));
	if (strlen(s) > sizeof(arg->symbol) + 32)
		/* the forms above are dear to compare with what no compiler writes */
		return -EINVAL;
	arg->is_signed = *s == '-';
	s += arg->is_signed;
	if (!*s || !strchr("1248", *s))
		return -EINVAL;
	arg->size = (uint8_t)(*s++ - '0');
	arg->is_float = *s == 'f';
	s += arg->is_float;
	return *s == '@' ? take_operand(machine, s + 1, arg) : -EINVAL;
}

/* Ends the next argument with a NUL: spaces in brackets are its own. NULL: there is none. */
static char *next_arg(char **rest)
{
	char *arg = *rest + strspn(*rest, " "), *p;
	int depth = 0;

	for (p = arg; *p && (*p != ' ' || depth > 0); p++)
		depth += (*p == '[' || *p == '(') - (*p == ']' || *p == ')');
	*rest = p + (*p != '\0');
	*p = '\0';
	return p > arg ? arg : NULL;
}

int usdt_parse_args(unsigned int machine, const char *string, struct usdt_arg args[USDT_ARGS_MAX])
{
	char *copy, *rest, *one, letter = 0;
	int n = 0, error = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(machines); i++) {
		if (machines[i].machine == machine)
			letter = machines[i].letter;
	}
	if (!letter)
		return -EOPNOTSUPP;
	copy = rest = text("%s", string);
	while (!error && (one = next_arg(&rest)))
		error = n == USDT_ARGS_MAX ? -E2BIG : take_arg(letter, one, &args[n++]);
	free(copy);
	return error ? error : n;
}

/* Fetch arguments */

/* Writes where a value is, as in a uprobe's definition. */
static int put_place(const struct usdt_arg *arg, char place[USDT_FETCH_MAX])
{
	switch (arg->kind) {
	case USDT_CONSTANT:
		return sprintf(place, "\\%lld", (long long)arg->value);
	case USDT_REGISTER:
		return sprintf(place, "%%%s", arg->reg);
	case USDT_MEMORY:
		return sprintf(place, "%+lld(%%%s)", (long long)arg->value, arg->reg);
	case USDT_FILE:
		return sprintf(place, "@+0x%llx", (unsigned long long)arg->value);
	case USDT_SYMBOL:
	case USDT_OUT_OF_REACH:
		break;
	}
	return -EOPNOTSUPP;
}

static bool is_in_memory(const struct usdt_arg *arg)
{
	return arg->kind == USDT_MEMORY || arg->kind == USDT_FILE;
}

/*
 * Of a register the kernel takes the low bytes, of memory the first: on big endian they are the
 * low ones only if all of them are read.
 */
int usdt_fetch_value(const struct usdt_arg *arg, unsigned int size, bool is_signed, char *out,
		     size_t room)
{
	char place[USDT_FETCH_MAX];

	if (put_place(arg, place) < 0)
		return -EOPNOTSUPP;
	if (size > arg->size || (is_in_memory(arg) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__))
		size = arg->size;
	if (arg->shift)
		snprintf(out, room, "%s:b8@8/16", place);
	else
		snprintf(out, room, "%s:%c%u", place, is_signed ? 's' : 'u', 8 * size);
	return 0;
}

/*
 * What a pointer points to, from offset on. The kernel reads a pointer in memory with its own
 * size, so one of a 32-bit program on a 64-bit kernel is out of reach, unless it is in a register.
 */
int usdt_fetch_memory(const struct usdt_arg *arg, bool indirect, size_t offset, const char *type,
		      char *out, size_t room)
{
	char place[USDT_FETCH_MAX];

	if (put_place(arg, place) < 0 || arg->kind == USDT_CONSTANT || arg->shift ||
	    ((is_in_memory(arg) || indirect) && arg->size != sizeof(long)))
		return -EOPNOTSUPP;
	snprintf(out, room, indirect ? "+%zu(+0(%s)):%s" : "+%zu(%s):%s", offset, place, type);
	return 0;
}
