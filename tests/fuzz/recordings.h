/* SPDX-License-Identifier: MIT */
/*
 * Shared code of the fuzzers for recordings. Each input is read twice; each event is printed as
 * text and as JSON.
 */
#ifndef RECORDINGS_H
#define RECORDINGS_H

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/clean.h"
#include "event/event.h"
#include "fields/dotnet.h"
#include "read/read.h"
#include "command/options.h"
#include "util/util.h"
#include "format/format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Replaces the functions that read binaries, which other fuzzers cover. */
void event_apply_types(struct event *event)
{
	(void)event;
}

char *texts_format(const char *event, const char *format)
{
	(void)event;
	(void)format;
	return NULL;
}

static void check(int holds)
{
	if (!holds)
		abort();
}

static ssize_t drop(void *cookie, const char *data, size_t size)
{
	size_t i;

	(void)cookie;
	for (i = 0; i < size; i++) {
		/* text output must not contain characters that control the terminal */
		check((unsigned char)data[i] >= 32 || data[i] == '\n');
		check(!unclean_character((const unsigned char *)data + i, size - i));
	}
	return (ssize_t)size;
}

/* Returns a temporary file that contains these bytes. The file is deleted when it is closed. */
static struct input *input_of(const uint8_t *bytes, size_t size)
{
	static char names[16][32]; /* must outlive the inputs, which do not copy them */
	static unsigned int n;
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	char *name = names[n++ % 16];
	struct input *in;

	check(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
	snprintf(name, sizeof(names[0]), "/proc/self/fd/%d", fd);
	in = input_open(name);
	check(in != NULL);
	close(fd);
	return in;
}

struct seen {
	size_t events;
	uint64_t sum; /* checksum of the records' times and sizes, in reading order */
};

/* Reads all events of a source and closes the source. */
static struct seen print_all(struct source *source)
{
	static FILE *out;
	const struct line_settings as_json = { .max_line = 48 << 10 };
	struct sink *text_sink, *json_sink;
	struct seen seen = { .events = 0 };
	struct dotnet_event converted = { .room = 0 };
	struct record record;
	struct event *event;

	if (!out)
		out = fopencookie(NULL, "w", (cookie_io_functions_t){ .write = drop });
	text_sink = printer_new(out, false);
	json_sink = json_new(out, &as_json);
	while (source->next(source, &event, &record) > 0) {
		event_convert(&event, &record, &converted);
		text_sink->event(text_sink, event, &record);
		json_sink->event(json_sink, event, &record);
		seen.events++;
		seen.sum = seen.sum * 31 + record.time + record.size;
	}
	text_sink->free(text_sink);
	json_sink->free(json_sink);
	source->close(source);
	free(converted.buffer);
	dotnet_forget();
	fflush(out);
	return seen;
}

#include "replay.h"
#endif
