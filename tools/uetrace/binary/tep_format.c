/* SPDX-License-Identifier: MIT */
/* Converts an event that libtraceevent has parsed back to the text of a kernel format file. */
#include "binary/binary.h"

#include <event-parse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Writes the line of a field. The line is rebuilt, because libtraceevent does not store the
 * original.
 */
static void put_field(FILE *out, const struct tep_format_field *field)
{
	const char *bracket = strncmp(field->type, "__", 2) ? strchr(field->type, '[') : NULL;
	int n = bracket ? (int)(bracket - field->type) : (int)strlen(field->type);

	fprintf(out, "\tfield:%.*s %s%s;\toffset:%d;\tsize:%d;\tsigned:%d;\n", n, field->type,
		field->name, bracket ? bracket : "", field->offset, field->size,
		(field->flags & TEP_FIELD_IS_SIGNED) != 0);
}

char *texts_fields(const struct tep_event *tep)
{
	const struct tep_format_field *field;
	char *format = NULL;
	size_t size;
	FILE *out = open_memstream(&format, &size);

	if (!out)
		return NULL;
	fprintf(out, "name: %s\nID: %d\nformat:\n", tep->name, tep->id);
	for (field = tep->format.common_fields; field; field = field->next)
		put_field(out, field);
	fputc('\n', out);
	for (field = tep->format.fields; field; field = field->next)
		put_field(out, field);
	if (fclose(out) == 0)
		return format;
	free(format);
	return NULL;
}
