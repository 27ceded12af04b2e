/* SPDX-License-Identifier: MIT */
/*
 * Hostile perf.data, through all of `uetrace show`: bytes to records, to text and JSON. For every
 * input: nothing outside is read (ASan), no arithmetic overflows (UBSan), memory and time are bounded by
 * its size, each record's fields lie in it, every error names its byte, and the events are as many and
 * in the same order when they are read again.
 *
 * How kernel events are printed is libtraceevent's matter, which does not survive every format, and is
 * left out; -DUE_FUZZ_LIBRARY lets it take part.
 */
#include <errno.h>
#include <event-parse.h>
#ifndef UE_FUZZ_LIBRARY
#define tep_parse_format(...) (-1)
#endif

#include "../../examples/uetrace/decode.c"
#include "../../examples/uetrace/fields.c"
#include "../../examples/uetrace/otel.c"
#include "../../examples/uetrace/formats.c"
#include "../../examples/uetrace/input.c"
#include "../../examples/uetrace/perf_file.c"
#include "../../examples/uetrace/print.c"
#include "../../examples/uetrace/programs.c"
#include "../../examples/uetrace/queue.c"
#include "../../examples/uetrace/threads.c"

/* Messages are formatted, not printed. */
#define warning util_warning
#include "../../examples/uetrace/util.c"
#undef warning

void warning(const char *format, ...)
{
	char message[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	if (!strstr(message, "byte ") && !strstr(message, "and more like these")) {
		fprintf(stderr, "no byte in: %s\n", message);
		abort();
	}
}

/* No file is opened that an input names; what the binaries have is tests/unit's matter. */
int texts_read(const char *path, const void *id, size_t size)
{
	(void)id;
	if (path[0] != '/' || strlen(path) >= PATH_MAX || size > ID_MAX)
		abort();
	return -ENOENT;
}

int notes_read(const char *path, char ***specs, char ***files)
{
	(void)path;
	(void)specs;
	(void)files;
	abort();
}

void event_meanings(struct event *event)
{
	(void)event;
}

char *texts_format(const char *event, const char *format)
{
	(void)event;
	(void)format;
	return NULL;
}

#include "../../examples/uetrace/perf.c"

static ssize_t drop(void *cookie, const char *data, size_t size)
{
	size_t i;

	(void)cookie;
	for (i = 0; i < size; i++) {
		/* no terminal may be commanded by what is printed */
		if ((unsigned char)data[i] < 32 && data[i] != '\n')
			abort();
		if (unclean_character((const unsigned char *)data + i, size - i))
			abort();
	}
	return (ssize_t)size;
}

static size_t read_all(const uint8_t *data, size_t size, FILE *out)
{
	struct source *source = perf_open(input_memory("fuzz", data, size));
	struct options as_text = { .json = false }, as_json = { .json = true };
	struct sink *text_sink = printer_new(out, &as_text, false);
	struct sink *json_sink = printer_new(out, &as_json, false);
	struct record record;
	struct event *event;
	size_t n = 0;

	while (source->next(source, &event, &record) > 0) {
		text_sink->event(text_sink, event, &record);
		json_sink->event(json_sink, event, &record);
		n++;
	}
	/* each takes 8 bytes of a record at least */
	if (n > size && size < 64)
		abort();
	text_sink->free(text_sink);
	json_sink->free(json_sink);
	source->close(source);
	fflush(out);
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static FILE *out;
	size_t first;

	if (!out)
		out = fopencookie(NULL, "w", (cookie_io_functions_t){ .write = drop });
	first = read_all(data, size, out);
	if (read_all(data, size, out) != first)
		abort();
	return 0;
}

#include "replay.h"
