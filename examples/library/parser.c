/* SPDX-License-Identifier: MIT */
/*
 * A shared library with its own events. The events are registered when the library is loaded, also
 * by dlopen(), and unregistered when it is unloaded. A program that uses the library needs no code
 * for this.
 */
#include <string.h>

#include <user_events.h>

#include "parser.h"

int parser_fields(const char *line)
{
	int fields = 1;

	for (const char *p = strchr(line, ','); p; p = strchr(p + 1, ','))
		fields++;
	UE_TRACE(parser_line, fields, UE_STR(line));
	return fields;
}
