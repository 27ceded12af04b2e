/* SPDX-License-Identifier: MIT */
/*
 * A plug-in host with events whose names and types are known only at run time. This example reads
 * them from standard input, one `EVENT name=value...` per line. Numbers become integers or floats,
 * and all other values become strings. `a.b=1` defines b as a member of the struct a.
 *
 *	printf 'Login user=ann tries=2\nLoad cpu.user=0.5 cpu.system=0.25\n' | plugin_host
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <user_events_builder.h>

UE_EVENT_SET(plugin_info, "Example_PluginHost", UE_LEVEL_INFORMATION, 0x1);

static void add_value(struct ue_builder *b, const char *name, const char *value)
{
	char *end;
	long long integer = strtoll(value, &end, 0);
	double number;

	if (*value && !*end) {
		ue_add_i64(b, name, integer);
		return;
	}
	number = strtod(value, &end);
	if (*value && !*end)
		ue_add_f64(b, name, number);
	else
		ue_add_str(b, name, value);
}

/*
 * Closes the open struct, if any, and opens the struct PARENT, unless it is already open. If PARENT
 * is "", only closes the open struct.
 */
static void change_struct(struct ue_builder *b, char *open, size_t size, const char *parent)
{
	if (strcmp(open, parent) == 0)
		return;
	if (*open)
		ue_struct_end(b);
	if (*parent)
		ue_struct_begin(b, parent);
	snprintf(open, size, "%s", parent);
}

static int write_line(char *line)
{
	char buffer[4096], open[64] = "", *word, *next;
	struct ue_builder b;
	const char *event = strtok_r(line, " \n", &next);

	if (!event)
		return 0;
	ue_builder_begin(&b, buffer, sizeof(buffer), event, 0);
	while ((word = strtok_r(NULL, " \n", &next)) != NULL) {
		char *value = strchr(word, '='), *member;

		if (!value)
			continue;
		*value++ = '\0';
		member = strchr(word, '.');
		if (member)
			*member++ = '\0';
		change_struct(&b, open, sizeof(open), member ? word : "");
		add_value(&b, member ? member : word, value);
	}
	change_struct(&b, open, sizeof(open), "");
	return ue_builder_write(&b, &plugin_info, NULL, NULL);
}

int main(void)
{
	char line[4096];
	int lines = 0;

	while (fgets(line, sizeof(line), stdin)) {
		int error = write_line(line);

		if (error)
			fprintf(stderr, "plugin_host: %s\n", ue_strerror(error));
		lines++;
	}
	printf("%d events\n", lines);
	return 0;
}
