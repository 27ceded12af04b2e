/* SPDX-License-Identifier: MIT */
/*
 * Filters about event sets. Their level is a field, which the kernel compares; their
 * keyword stands in the tracepoint's name only, so that "keyword & 0x4" is true or false
 * for all events of a set: it becomes a condition that the kernel knows and that is as
 * true. It is as long, so that the kernel's caret stays under what the user typed.
 */
#include "uetrace.h"

#include <stdlib.h>
#include <string.h>

#include <user_events_decode.h>

bool set_name(const char *name, unsigned int *level, unsigned long long *keyword)
{
	const char *end = strrchr(name, '_');
	char numbers[2][17];

	/* upper case begins the options */
	if (!end || sscanf(end, "_L%16[0-9a-f]K%16[0-9a-f]", numbers[0], numbers[1]) != 2)
		return false;
	*level = (unsigned int)strtoul(numbers[0], NULL, 16);
	*keyword = strtoull(numbers[1], NULL, 16);
	return true;
}

static bool compare(unsigned long long a, const char *op, unsigned long long b)
{
	switch (op[0]) {
	case '&':
		return (a & b) != 0;
	case '=':
		return a == b;
	case '!':
		return a != b;
	case '<':
		return op[1] == '=' ? a <= b : a < b;
	default:
		return op[1] == '=' ? a >= b : a > b;
	}
}

/* The length of "keyword OPERATOR NUMBER" at s, and whether it holds; 0 if it is none. */
static size_t condition(const char *s, unsigned long long keyword, bool *holds)
{
	/* longer ones first */
	static const char *const operators[] = { "==", "!=", "<=", ">=", "<", ">", "&" };
	static const char word[] = "keyword";
	unsigned long long number;
	const char *p = s + strlen(word);
	char *end;
	size_t i;

	if (strncmp(s, word, strlen(word)) != 0 || ue__decode_is_word(*p))
		return 0;
	p += strspn(p, " \t");
	for (i = 0; i < ARRAY_SIZE(operators); i++) {
		if (strncmp(p, operators[i], strlen(operators[i])) == 0)
			break;
	}
	if (i == ARRAY_SIZE(operators))
		return 0;
	p += strlen(operators[i]);
	p += strspn(p, " \t");
	number = strtoull(p, &end, 0);
	/* "&&" and "-1" are no numbers, nor is "0x4flag" */
	if (end == p || !strchr("0123456789", *p) || ue__decode_is_word(*end))
		return 0;
	*holds = compare(keyword, operators[i], number);
	return (size_t)(end - s);
}

char *filter_for_set(const char *filter, const char *name)
{
	char *copy = text("%s", filter), *s;
	unsigned int level;
	unsigned long long keyword;
	char quote = 0;

	if (!set_name(name, &level, &keyword))
		return copy;
	for (s = copy; *s; s++) {
		const char *as_true;
		size_t n;
		bool holds;

		if (quote || *s == '"' || *s == '\'') {
			if (!quote)
				quote = *s;
			else if (*s == quote)
				quote = 0;
			continue;
		}
		n = s > copy && ue__decode_is_word(s[-1]) ? 0 : condition(s, keyword, &holds);
		if (!n)
			continue;
		/* "keyword&1" is the shortest there is */
		as_true = holds ? "level>=0" : "level<0";
		memset(s, ' ', n);
		memcpy(s, as_true, strlen(as_true));
		s += n - 1;
	}
	return copy;
}
