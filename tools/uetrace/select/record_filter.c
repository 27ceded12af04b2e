/* SPDX-License-Identifier: MIT */
/*
 * Evaluates filters on records. Filters use the kernel's syntax, extended to fields of EventHeader
 * events. The tep_filter functions of libtraceevent are not used, because they support only the
 * fields of tep events. EventHeader fields, recorder files and errno names would still need this
 * code.
 *
 *   either: both || both...
 *   both:   one && one...
 *   one:    ! one, ( either ), FIELD OPERATOR VALUE
 */
#include "select/select.h"
#include "event/event.h"
#include "util/util.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 100 /* maximum nesting depth of parentheses */

/* Operators. A comparison operator is a bitmask of the orderings for which it is true. */
enum op {
	LESS = 1,
	EQUAL = 2,
	MORE = 4,
	UNEQUAL = LESS | MORE,
	BITS = 8,
	LIKE = 16,
	NOT = 32,
	AND = 64,
	OR = 128,
};

struct match {
	enum op op;
	struct match *left, *right;
	char *field;
	char *value;
	bool is_number;
	double number;
	__int128 whole; /* number as an integer, if is_whole is set */
	bool is_whole;
};

/* State of the filter parser. */
struct parser {
	const char *filter;
	const char *at;
	unsigned int depth;
	bool strict;
	bool wrong; /* true if an error was found */
};

/*
 * Handles an error at the current column. If strict is set, exits with a message. Otherwise, stops
 * parsing.
 */
static void reject(struct parser *p, const char *why)
{
	if (!p->strict) {
		p->wrong = true;
		p->at += strlen(p->at);
		return;
	}
	warning("cannot use the filter");
	lines(text("  %s\n  %*s^\n%s", p->filter, (int)(p->at - p->filter), "", why));
	exit(EXIT_FAILURE);
}

static void skip_spaces(struct parser *p)
{
	p->at += strspn(p->at, " \t\n");
}

static bool accept(struct parser *p, const char *token)
{
	skip_spaces(p);
	if (strncmp(p->at, token, strlen(token)) != 0)
		return false;
	p->at += strlen(token);
	return true;
}

static struct match *node(enum op op, struct match *left, struct match *right)
{
	struct match *m = allocate(sizeof(*m));

	m->op = op;
	m->left = left;
	m->right = right;
	return m;
}

static enum op parse_operator(struct parser *p)
{
	/* longer operators come first */
	static const struct {
		const char *text;
		enum op op;
	} operators[] = {
		{ "==", EQUAL }, { "!=", UNEQUAL }, { "<=", LESS | EQUAL }, { ">=", MORE | EQUAL },
		{ "<", LESS },	 { ">", MORE },	    { "&", BITS },	    { "~", LIKE },
	};
	size_t i;

	skip_spaces(p);
	for (i = 0; i < ARRAY_SIZE(operators); i++) {
		if (strncmp(p->at, "&&", 2) != 0 && accept(p, operators[i].text))
			return operators[i].op;
	}
	/* the kernel also rejects a single = */
	p->strict = p->strict || *p->at == '=';
	reject(p, *p->at == '=' ? "use == to compare"
				: "an operator is missing here: == != < <= > >= & ~");
	return EQUAL;
}

static char *parse_word(struct parser *p, const char *missing)
{
	size_t n = strcspn(p->at, " \t\n=!<>&|~()\"'");
	char *word = text("%.*s", (int)n, p->at);

	if (!n)
		reject(p, missing);
	p->at += n;
	return word;
}

static char *parse_quoted(struct parser *p)
{
	const char *end = strchr(p->at + 1, *p->at);
	char *value;

	if (!end) {
		reject(p, "this quote is not closed");
		return text("%s", "");
	}
	value = text("%.*s", (int)(end - p->at - 1), p->at + 1);
	p->at = end + 1;
	return value;
}

static void parse_number(struct match *m)
{
	bool negative = *m->value == '-';
	char *end;

	errno = 0;
	m->whole = strtoull(m->value + negative, &end, 0);
	m->is_whole = !errno && !*end && isdigit((unsigned char)m->value[negative]);
	if (negative)
		m->whole = -m->whole;
	m->number = m->is_whole ? (double)m->whole : strtod(m->value, &end);
	m->is_number = !*end;
}

static struct match *parse_condition(struct parser *p)
{
	struct match *m = node(EQUAL, NULL, NULL);
	const char *value;

	m->field = parse_word(p, "a field name is missing here");
	m->op = parse_operator(p);
	skip_spaces(p);
	value = p->at;
	if (*p->at == '"' || *p->at == '\'') {
		m->value = parse_quoted(p);
	} else {
		m->value = parse_word(p, "a value is missing here");
		parse_number(m);
	}
	if (m->op == BITS && !m->is_whole) {
		p->at = value;
		reject(p, "& needs an integer");
	}
	return m;
}

static struct match *parse_either(struct parser *p);

static struct match *parse_one(struct parser *p)
{
	struct match *m;

	skip_spaces(p);
	if (++p->depth > DEPTH_MAX)
		reject(p, "too many nested parentheses");
	if (accept(p, "!")) {
		m = node(NOT, parse_one(p), NULL);
	} else if (accept(p, "(")) {
		m = parse_either(p);
		if (!accept(p, ")"))
			reject(p, "a closing parenthesis is missing here");
	} else {
		m = parse_condition(p);
	}
	p->depth--;
	return m;
}

static struct match *parse_both(struct parser *p)
{
	struct match *m = parse_one(p);

	while (accept(p, "&&"))
		m = node(AND, m, parse_one(p));
	return m;
}

static struct match *parse_either(struct parser *p)
{
	struct match *m = parse_both(p);

	while (accept(p, "||"))
		m = node(OR, m, parse_both(p));
	return m;
}

struct match *match_new(const char *filter, bool strict)
{
	struct parser p = { .filter = filter, .at = filter, .strict = strict };
	struct match *m = parse_either(&p);

	skip_spaces(&p);
	if (*p.at)
		reject(&p, "expected && or ||, or the end of the filter");
	if (!p.wrong)
		return m;
	match_free(m);
	return NULL;
}

void match_free(struct match *m)
{
	if (!m)
		return;
	match_free(m->left);
	match_free(m->right);
	free(m->field);
	free(m->value);
	free(m);
}

/* Fields of struct eventheader, and the keyword in the name of the event set. */
static const char *const header_fields[] = { "flags",  "version", "id",	    "tag",
					     "opcode", "level",	  "keyword" };

static bool header_field(const struct event *event, const struct record *record, const char *name,
			 struct field *value)
{
	struct ue_decode_event e;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(header_fields) && strcmp(name, header_fields[i]) != 0; i++)
		;
	if (!event->eventheader || i == ARRAY_SIZE(header_fields))
		return false;
	event_header(event, record, &e);
	value->type = FIELD_UNSIGNED;
	value->u = (const uint64_t[]){
		e.flags, e.version, e.id, e.tag, e.opcode, e.level, e.keyword
	}[i];
	return true;
}

bool match_asks_header(const struct match *m)
{
	size_t i;

	if (!m)
		return false;
	for (i = 0; m->field && i < ARRAY_SIZE(header_fields); i++) {
		if (strcmp(m->field, header_fields[i]) == 0)
			return true;
	}
	return match_asks_header(m->left) || match_asks_header(m->right);
}

/* Finds a field that kernel filters support for every event. */
static bool common_field(const struct record *record, const char *name, struct field *value)
{
	const struct thread *thread = thread_of(record);

	if (strcasecmp(name, "comm") == 0) {
		value->type = FIELD_TEXT;
		value->text = thread->name;
		value->length = strlen(value->text);
		return true;
	}
	value->type = FIELD_UNSIGNED;
	if (strcasecmp(name, "cpu") == 0)
		value->u = record->cpu;
	else if (strcmp(name, "common_pid") == 0)
		value->u = (uint32_t)thread->tid;
	else
		return false;
	return true;
}

static bool compare(enum op op, double a, double b)
{
	/* NaN is unordered, so it is unequal to everything */
	if (op == UNEQUAL)
		return a != b;
	return (op & LESS && a < b) || (op & EQUAL && a == b) || (op & MORE && a > b);
}

static bool match_text(const struct match *m, const struct field *field)
{
	char *value = text("%.*s", (int)field->length, field->text);
	size_t n = strlen(m->value);
	int order = strcmp(value, m->value);
	bool like = m->op == LIKE && fnmatch(m->value, value, 0) == 0;

	/* ignore the number in a value such as "ENOENT(2)" */
	if (strncmp(value, m->value, n) == 0 && value[n] == '(')
		order = 0;
	free(value);
	return like || compare(m->op, order, 0);
}

static bool match_value(const struct match *m, const struct field *field)
{
	__int128 whole;

	switch (field->type) {
	case FIELD_UNSIGNED:
	case FIELD_HEX:
		whole = field->u;
		break;
	case FIELD_SIGNED:
		whole = field->i;
		break;
	case FIELD_BOOL:
		if (!m->is_number)
			return match_text(m, field);
		whole = field->b;
		break;
	case FIELD_FLOAT:
		return m->is_number && compare(m->op, field->d, m->number);
	default:
		return match_text(m, field);
	}
	if (m->op == BITS)
		return (whole & m->whole) != 0;
	if (m->is_whole)
		return compare(m->op, (whole > m->whole) - (whole < m->whole), 0);
	return m->is_number && compare(m->op, (double)whole, m->number);
}

int match(const struct match *m, const struct event *event, const struct record *record)
{
	struct field value = { .type = FIELD_NULL };
	int left, right;

	if (m->op == NOT) {
		left = match(m->left, event, record);
		return left < 0 ? left : !left;
	}
	if (m->left) {
		left = match(m->left, event, record);
		right = match(m->right, event, record);
		if (left < 0 || right < 0)
			return -1;
		return m->op == AND ? left && right : left || right;
	}
	/* the event's own field takes precedence over a header field with the same name */
	if (!field_find(event, record, m->field, &value) &&
	    !header_field(event, record, m->field, &value) &&
	    !common_field(record, m->field, &value))
		return -1;
	return match_value(m, &value);
}
