/* SPDX-License-Identifier: MIT */
/*
 * Adapts a filter to an event set, so that the kernel can evaluate the filter.
 *
 * The kernel can compare the level, because the level is a field. The keyword is only part of the
 * tracepoint name, so a condition such as "keyword & 0x4" has the same result for all events in a
 * set. The condition is replaced with a condition on the level that always has this result. The
 * replacement has the same length, so that the caret in the kernel's message points to the right
 * column of the user's filter.
 */
#include "select/select.h"
#include "util/util.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <user_events_decode.h>

bool set_name(const char *name, unsigned int *level, unsigned long long *keyword)
{
	const char *end = strrchr(name, '_');
	char numbers[2][17];

	/* options in upper case may follow */
	if (!end || sscanf(end, "_L%16[0-9a-f]K%16[0-9a-f]", numbers[0], numbers[1]) != 2)
		return false;
	*level = (unsigned int)strtoul(numbers[0], NULL, 16);
	*keyword = strtoull(numbers[1], NULL, 16);
	return true;
}

/*
 * Parses a condition "keyword OPERATOR NUMBER" at s. Returns its length and stores its result in
 * *holds. Returns 0 if there is no such condition.
 */
static size_t condition(const char *s, unsigned long long keyword, bool *holds)
{
	/*
	 * The results apply to a keyword that is less than, equal to or greater than the number.
	 * Longer operators come first.
	 */
	static const struct comparison {
		const char *text;
		bool less, equal, more;
	} operators[] = {
		{ "==", false, true, false }, { "!=", true, false, true },
		{ "<=", true, true, false },  { ">=", false, true, true },
		{ "<", true, false, false },  { ">", false, false, true },
		{ "&", false, false, false },
	};
	const struct comparison *o = operators;
	static const char word[] = "keyword";
	unsigned long long number;
	const char *p = s + strlen(word);
	char *end;

	if (strncmp(s, word, strlen(word)) != 0 || ue__decode_is_word(*p))
		return 0;
	p += strspn(p, " \t");
	while (o < operators + ARRAY_SIZE(operators) && strncmp(p, o->text, strlen(o->text)) != 0)
		o++;
	if (o == operators + ARRAY_SIZE(operators))
		return 0;
	p += strlen(o->text);
	p += strspn(p, " \t");
	number = strtoull(p, &end, 0);
	/* rejects "&&", "-1" and "0x4flag" */
	if (end == p || !strchr("0123456789", *p) || ue__decode_is_word(*end))
		return 0;
	if (*o->text == '&')
		*holds = keyword & number;
	else
		*holds = keyword < number ? o->less : keyword > number ? o->more : o->equal;
	return (size_t)(end - s);
}

char *filter_for_set(const char *filter, const char *name)
{
	char *copy = text("%s", filter), *s;
	unsigned int level;
	unsigned long long keyword;

	if (!set_name(name, &level, &keyword))
		return copy;
	for (s = copy; *s; s++) {
		const char *as_true;
		size_t n;
		bool holds;

		if (*s == '"' || *s == '\'') {
			s = strchr(s + 1, *s);
			if (!s)
				break;
			continue;
		}
		n = s > copy && ue__decode_is_word(s[-1]) ? 0 : condition(s, keyword, &holds);
		if (!n)
			continue;
		/* the replacement always fits, because the shortest condition is "keyword&1" */
		as_true = holds ? "level>=0" : "level<0";
		memset(s, ' ', n);
		memcpy(s, as_true, strlen(as_true));
		s += n - 1;
	}
	return copy;
}
