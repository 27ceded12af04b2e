/* SPDX-License-Identifier: MIT */
/*
 * Shows the kernel's explanation of a refused definition, under what the user typed. Its
 * error_log has, for each of the last refusals,
 *
 *	[  12.345678] trace_kprobe: error: Invalid unsigned integer string
 *	  Command: p:uetrace_42/open do_sys_openat2 $stackx
 *	                                            ^
 *
 * The command there is not what the user typed: we put our group into it, and the kernel
 * joins the words with one space each. So the caret moves by word and letter. For a command with a
 * filter, "... if FILTER", the kernel may log the filter alone.
 */
#include "uetrace.h"

#include <stdlib.h>
#include <string.h>

#define SPACE " \t\n"

struct place {
	size_t word;	 /* which one */
	size_t letter;	 /* in the word */
	size_t from_end; /* of the word */
};

static struct place place_of(const char *s, size_t column)
{
	struct place place = { 0, 0, 0 };
	size_t i = strspn(s, SPACE), length;

	for (;; place.word++) {
		length = strcspn(s + i, SPACE);
		if (column <= i + length || !s[i + length + strspn(s + i + length, SPACE)])
			break;
		i += length + strspn(s + i + length, SPACE);
	}
	place.letter = column > i ? column - i : 0;
	if (place.letter > length)
		place.letter = length;
	place.from_end = length - place.letter;
	return place;
}

static size_t column_of(const char *s, struct place place)
{
	size_t i = strspn(s, SPACE), length;
	bool first = !place.word;

	for (; place.word; place.word--) {
		i += strcspn(s + i, SPACE);
		i += strspn(s + i, SPACE);
	}
	length = strcspn(s + i, SPACE);
	/* our group stands behind the colon of the first word, so count from the word's end */
	if (first && place.letter > strcspn(s + i, ":" SPACE))
		return i + (place.from_end < length ? length - place.from_end : 0);
	return i + (place.letter < length ? place.letter : length);
}

static bool same_words(const char *a, const char *b)
{
	for (;;) {
		size_t n;

		a += strspn(a, SPACE);
		b += strspn(b, SPACE);
		n = strcspn(a, SPACE);
		if (n != strcspn(b, SPACE) || strncmp(a, b, n) != 0)
			return false;
		if (!n)
			return true;
		a += n;
		b += n;
	}
}

/* Finds the logged words in the command: at its beginning or at its filter's. NULL: nowhere. */
static const char *part_of(const char *logged, const char *command)
{
	const char *part = command;

	while (part && !same_words(logged, part)) {
		part = strstr(part, " if ");
		part = part ? part + strlen(" if ") : NULL;
	}
	return part;
}

char *caret(const char *log, const char *command, const char *typed)
{
	static const char error_mark[] = ": error: ", command_mark[] = "\n  Command: ";
	const char *error = NULL, *found, *at = log, *line, *end, *part;
	struct place place;
	size_t column;
	char *logged, *result;

	while ((found = strstr(at, error_mark))) {
		error = found + strlen(error_mark);
		at = error;
	}
	line = error ? strstr(error, command_mark) : NULL;
	if (!line)
		return NULL;
	line += strlen(command_mark);
	end = line + strcspn(line, "\n");
	column = *end ? strspn(end + 1, " ") : 0;
	column = column > strlen("  Command: ") ? column - strlen("  Command: ") : 0;

	logged = text("%.*s", (int)(end - line), line);
	place = place_of(logged, column);
	part = part_of(logged, command);
	free(logged);
	if (!part)
		return NULL; /* of another user's command */
	place.word += place_of(command, (size_t)(part - command)).word;
	column = column_of(typed, place);
	result = text("  %s\n  %*s^\n%.*s", typed, (int)column, "", (int)strcspn(error, "\n"),
		      error);
	return result;
}
