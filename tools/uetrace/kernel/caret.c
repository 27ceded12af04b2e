/* SPDX-License-Identifier: MIT */
/*
 * Shows the kernel's explanation of a rejected definition below the text that the user typed. The
 * kernel's error_log contains entries for the most recent errors:
 *
 *   [   12.345678] trace_kprobe: error: Invalid unsigned integer string
 *     Command: p:uetrace_42/open do_sys_openat2 $stackx
 *                                               ^
 *
 * The logged command differs from the typed text, because uetrace inserts its group, and the kernel
 * separates words with a single space. Therefore, the caret position is found by counting the
 * characters other than spaces. If a command contains a filter ("... if FILTER"), the kernel may
 * log only the filter.
 */
#include "kernel/kernel.h"
#include "util/util.h"

#include <stdlib.h>
#include <string.h>

#define SPACE " \t\n"

/*
 * Returns the position in words that corresponds to a column in logged, or NULL if the two texts
 * differ in more than spaces.
 */
static const char *place_in(const char *words, const char *logged, size_t column)
{
	const char *at = logged + strnlen(logged, column), *place = words;

	for (;; words++, logged++) {
		/* a column at a space belongs to the end of the preceding word */
		if (logged <= at)
			place = words;
		words += strspn(words, SPACE);
		logged += strspn(logged, SPACE);
		if (logged <= at && *logged)
			place = words;
		if (*words != *logged)
			return NULL;
		if (!*words)
			return place;
	}
}

char *caret(const char *log, const char *command, const char *typed)
{
	static const char error_mark[] = ": error: ", command_mark[] = "\n  Command: ";
	const char *error = strstr(log, error_mark), *line, *end, *part = command, *place;
	size_t column, behind;
	char *logged;

	line = error ? strstr(error, command_mark) : NULL;
	if (!line)
		return NULL;
	error += strlen(error_mark);
	line += strlen(command_mark);
	end = line + strcspn(line, "\n");
	column = *end ? strspn(end + 1, " ") : 0;
	column = column > strlen("  Command: ") ? column - strlen("  Command: ") : 0;

	logged = text("%.*s", (int)(end - line), line);
	while (!(place = place_in(part, logged, column)) && (part = strstr(part, " if ")))
		part += strlen(" if ");
	free(logged);
	if (!place)
		return NULL; /* the entry belongs to a command of another process */
	column = (size_t)(place - command);
	behind = strlen(place);
	/* the group is inserted after the first colon, so count the column from the end */
	if (column > strcspn(command, ":" SPACE))
		column = strlen(typed) > behind ? strlen(typed) - behind : 0;
	return text("  %s\n  %*s^\n%.*s", typed, (int)column, "", (int)strcspn(error, "\n"), error);
}
