/* SPDX-License-Identifier: MIT */
/*
 * Converts USDT arguments, which are assembler operands, to uprobe fetch arguments.
 *
 *   ARGUMENTS = [ARGUMENT {" " ARGUMENT}]
 *   ARGUMENT = ["-"] ("1" | "2" | "4" | "8") ["f"] "@" OPERAND
 *
 * The digit is the size in bytes. "-" marks a signed integer, "f" a floating-point number. OPERAND
 * is a constant, a register, or memory:
 *
 *                  constant   register   memory
 *   x86-64, i386   $-5 $0x10  %eax %r8d  -20(%rbp) (%rax) name+4(%rip)
 *   -masm=intel    -5         eax r8d    -20[rbp] [rbp - 20] name[rip+4]
 *   aarch64        -5 #5      x0 w0      sp [sp, 12] [x29, #-8] [x0]
 *   arm            #-5        r0 fp      sp [fp, #-8] [r3]
 *   riscv64        -5         a0 s11     -20(s0)
 *   ppc64le        i-5 3      %r3        48(1) 48(%r1)
 *   s390x          -5         %r2        164(%r15)
 *
 * With -masm=intel, GCC writes the size before memory ("DWORD PTR -20[rbp]").
 *
 * The parser rejects all other text. Well-formed operands that no uprobe can fetch, such as vector
 * registers or the sum of two registers, have the kind USDT_OUT_OF_REACH.
 */
#include "usdt/usdt.h"
#include "util/util.h"

#include <elf.h>
#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Letters that represent the machines in the tables below. */
static const struct {
	uint16_t machine;
	char letter;
} machines[] = {
	{ EM_X86_64, 'x' }, { EM_386, 'x' },   { EM_AARCH64, 'a' }, { EM_ARM, 'm' },
	{ EM_RISCV, 'r' },  { EM_PPC64, 'p' }, { EM_S390, 's' },
};

/*
 * Register names in operands. The kernel's name for a register consists of prefix, the text that
 * matches the group in pattern, and suffix.
 */
static const struct {
	const char *machines;
	const char *pattern;
	const char *prefix;
	const char *suffix;
	uint8_t shift; /* bit position of the value in the kernel's register */
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
/* Floating-point and vector registers, which no uprobe can read. */
#define VECTOR "([xyz]?mm|st|k|v|q|d|s|h|b|f|fa|fs|ft|vs)[0-9][0-9]?"

/*
 * Operand forms. The first form that matches is used. value, reg and symbol are group numbers in
 * pattern, or 0 if the form has no such part.
 */
static const struct {
	const char *machines;
	enum usdt_kind kind;
	const char *pattern;
	uint8_t value, reg, symbol;
} forms[] = {
	{ "x", USDT_CONSTANT, "\\$" NUMBER, 1, 0, 0 },
	{ "a", USDT_CONSTANT, "#?" NUMBER, 1, 0, 0 },
	{ "m", USDT_CONSTANT, "#" NUMBER, 1, 0, 0 },
	{ "xrs", USDT_CONSTANT, NUMBER, 1, 0, 0 },
	{ "p", USDT_CONSTANT, "i" NUMBER, 1, 0, 0 },
	{ "xs", USDT_REGISTER, "%" REGISTER, 0, 1, 0 },
	{ "xamr", USDT_REGISTER, REGISTER, 0, 1, 0 },
	{ "p", USDT_REGISTER, "%?" REGISTER, 0, 1, 0 },
	{ "xs", USDT_MEMORY, NUMBER "?\\(%" REGISTER "\\)", 1, 2, 0 },
	{ "r", USDT_MEMORY, NUMBER "?\\(" REGISTER "\\)", 1, 2, 0 },
	{ "p", USDT_MEMORY, NUMBER "?\\(%?" REGISTER "\\)", 1, 2, 0 },
	{ "am", USDT_MEMORY, "\\[" REGISTER "( *, *#?" NUMBER ")?\\]", 3, 1, 0 },
	{ "x", USDT_MEMORY, NUMBER "?\\[" REGISTER "\\]", 1, 2, 0 },
	{ "x", USDT_MEMORY, "\\[" REGISTER NUMBER "\\]", 2, 1, 0 },
	{ "x", USDT_OUT_OF_REACH, VECTOR, 0, 0, 0 },
	{ "x", USDT_SYMBOL, SYMBOL NUMBER "?(\\(%rip\\))?", 2, 0, 1 },
	{ "x", USDT_SYMBOL, SYMBOL "\\[rip" NUMBER "?\\]", 2, 0, 1 },
	{ "x", USDT_SYMBOL, "\\[rip\\+" SYMBOL NUMBER "?\\]", 2, 0, 1 },
	/*
	 * examples: $name, OFFSET FLAT:name, 8(%rsp,%rbx,8), 8[rsp+rbx*8], [x0, x1],
	 * name@GOTOFF(%ebx)
	 */
	{ "x", USDT_OUT_OF_REACH, "\\$" SYMBOL ".*", 0, 0, 0 },
	{ "x", USDT_OUT_OF_REACH, "(offset |OFFSET FLAT:)" SYMBOL NUMBER "?", 0, 0, 0 },
	{ "x", USDT_OUT_OF_REACH, "(" SYMBOL "|" NUMBER ")?\\[[a-z0-9+*-]+\\]", 0, 0, 0 },
	{ "xs", USDT_OUT_OF_REACH, NUMBER "?\\((%" REGISTER ")?,%" REGISTER "(,[1-8])?\\)", 0, 0,
	  0 },
	{ "am", USDT_OUT_OF_REACH, "\\[" REGISTER " *,[A-Za-z0-9 ,:#_.]+\\]", 0, 1, 0 },
	{ "x", USDT_OUT_OF_REACH, SYMBOL NUMBER "?[@(].*\\)", 0, 0, 0 },
	{ "xps", USDT_OUT_OF_REACH, "%" VECTOR, 0, 0, 0 },
	{ "amrp", USDT_OUT_OF_REACH, VECTOR, 0, 0, 0 },
};

#define GROUPS 4

/* Returns true if the pattern matches all of s. Compiles the pattern on first use. */
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

/* Parses a decimal or hexadecimal number. Returns false if it does not fit in 64 bits. */
static bool read_number(const char *s, int64_t *value)
{
	int base = strncasecmp(s + strspn(s, "+-"), "0x", 2) == 0 ? 16 : 10;

	errno = 0;
	*value = *s == '-' ? strtoll(s, NULL, base) : (int64_t)strtoull(s, NULL, base);
	return !errno;
}

/*
 * Removes optional words and spaces from an operand in Intel syntax, so that the table of forms
 * need not contain every spelling. For example, "QWORD PTR [rip + offset name]" becomes
 * "[rip+name]".
 */
static void simplify_intel(char *s)
{
	static const char *const sizes[] = { "BYTE PTR ", "WORD PTR ", "DWORD PTR ", "QWORD PTR " };
	char *to = s, *bracket;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		if (strncmp(s, sizes[i], strlen(sizes[i])) == 0) {
			memmove(s, s + strlen(sizes[i]), strlen(s + strlen(sizes[i])) + 1);
			break;
		}
	}
	bracket = strchr(s, '[');
	if (!bracket)
		return;
	for (to = s = bracket; *s; s++) {
		if (strncmp(s, " offset ", 8) == 0)
			s += 7;
		else if (*s != ' ')
			*to++ = *s;
	}
	*to = '\0';
}

static int parse_operand(char machine, const char *s, struct usdt_arg *arg)
{
	static regex_t *compiled[ARRAY_SIZE(forms)];
	regmatch_t groups[GROUPS], *value;
	char name[8]; /* longer than any register name */
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
		/* Reject %ah if the value has more than one byte or is an address. */
		return arg->shift && (arg->size > 1 || arg->kind != USDT_REGISTER) ? -EINVAL : 0;
	}
	return -EINVAL;
}

static int parse_arg(char machine, char *s, struct usdt_arg *arg)
{
	memset(arg, 0, sizeof(*arg));
	/* Reject long text. Matching would be slow, and compilers do not write such operands. */
	if (strlen(s) > sizeof(arg->symbol) + 64)
		return -EINVAL;
	arg->is_signed = *s == '-';
	s += arg->is_signed;
	if (!*s || !strchr("1248", *s))
		return -EINVAL;
	arg->size = (uint8_t)(*s++ - '0');
	arg->is_float = *s == 'f';
	s += arg->is_float;
	if (*s++ != '@')
		return -EINVAL;
	if (machine == 'x')
		simplify_intel(s);
	return parse_operand(machine, s, arg);
}

/* Returns true if s begins with the size of an argument, as in "-4@" or "8f@". */
static bool begins_argument(const char *s)
{
	s += *s == '-';
	if (!*s || !strchr("1248", *s))
		return false;
	s++;
	s += *s == 'f';
	return *s == '@';
}

/*
 * Splits off the next argument and returns it, or NULL at the end. An argument may contain spaces,
 * as in "4@DWORD PTR [rbp - 20]".
 */
static char *next_arg(char **rest)
{
	char *arg = *rest + strspn(*rest, " "), *p;
	int depth = 0;

	for (p = arg; *p; p++) {
		if (*p == ' ' && depth <= 0 && begins_argument(p + strspn(p, " ")))
			break;
		depth += (*p == '[' || *p == '(') - (*p == ']' || *p == ')');
	}
	*rest = p + (*p != '\0');
	while (p > arg && p[-1] == ' ')
		p--;
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
		error = n == USDT_ARGS_MAX ? -E2BIG : parse_arg(letter, one, &args[n++]);
	free(copy);
	return error ? error : n;
}

/* Fetch arguments */

/* Formats the location of an argument in uprobe syntax. */
static int format_location(const struct usdt_arg *arg, char location[USDT_FETCH_MAX])
{
	switch (arg->kind) {
	case USDT_CONSTANT:
		return sprintf(location, "\\%lld", (long long)arg->value);
	case USDT_REGISTER:
		return sprintf(location, "%%%s", arg->reg);
	case USDT_MEMORY:
		return sprintf(location, "%+lld(%%%s)", (long long)arg->value, arg->reg);
	case USDT_FILE:
		return sprintf(location, "@+0x%llx", (unsigned long long)arg->value);
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
 * From a register, a uprobe reads the low-order bytes. From memory, it reads the first bytes, which
 * on a big-endian machine are the low-order bytes only if the whole value is read.
 */
int usdt_fetch_value(const struct usdt_arg *arg, unsigned int size, bool is_signed, char *out,
		     size_t room)
{
	char location[USDT_FETCH_MAX];

	if (format_location(arg, location) < 0)
		return -EOPNOTSUPP;
	if (size > arg->size || (is_in_memory(arg) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__))
		size = arg->size;
	if (arg->shift)
		snprintf(out, room, "%s:b8@8/16", location);
	else
		snprintf(out, room, "%s:%c%u", location, is_signed ? 's' : 'u', 8 * size);
	return 0;
}

/*
 * If a pointer is in memory, the kernel assumes its own pointer size. Therefore, a 64-bit kernel
 * can follow pointers of a 32-bit program only if they are in registers.
 */
int usdt_fetch_memory(const struct usdt_arg *arg, bool indirect, size_t offset, const char *type,
		      char *out, size_t room)
{
	char location[USDT_FETCH_MAX];

	if (format_location(arg, location) < 0 || arg->kind == USDT_CONSTANT || arg->shift ||
	    ((is_in_memory(arg) || indirect) && arg->size != sizeof(long)))
		return -EOPNOTSUPP;
	snprintf(out, room, indirect ? "+%zu(+0(%s)):%s" : "+%zu(%s):%s", offset, location, type);
	return 0;
}
