/* SPDX-License-Identifier: MIT */
/*
 * show: what programs captured of themselves, of several files in one order of time. No kernel is
 * asked, so anyone may do it anywhere.
 */
#include "uetrace.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As many as any system has; the reader that holds them is static. */
#define UE_CAPTURE_FORMATS 65536
#include <user_events_capture.h>

#define FAR_NS 10000000000 /* clocks further apart than this are those of two boots */
#define TOLD 5		   /* damages of one file */

/* A captured event, and what there is to order it by. */
struct item {
	uint64_t time;
	int64_t wall;
	struct record record;
	struct event *event;
	size_t number; /* as they were found */
};

struct show {
	const struct options *o;
	struct item *items;
	size_t n;
	void *formats; /* of tsearch() */
	int64_t wall_min, wall_max;
	uint64_t lost;
	uint64_t damaged; /* bytes */
	bool failed;
};

/* All of FILE; NULL and errno. */
static char *read_all(const char *file, size_t *size)
{
	FILE *in = strcmp(file, "-") ? fopen(file, "re") : stdin;
	size_t room = 1u << 16, n = 0, more;
	char *bytes = in ? malloc(room) : NULL;
	int error;

	while (bytes && (more = fread(bytes + n, 1, room - n, in)) > 0) {
		n += more;
		if (n == room)
			bytes = realloc(bytes, room *= 2);
	}
	if (!in)
		return NULL;
	if (!bytes)
		die("%s is larger than the memory", file);
	error = ferror(in) ? (errno ? errno : EIO) : 0;
	if (in != stdin)
		fclose(in);
	*size = n;
	if (!error)
		return bytes;
	free(bytes);
	errno = error;
	return NULL;
}

/* An event's format, of files that machines of both byte orders may have written. */
struct format {
	uint64_t id;
	bool swapped;
	struct event event;
};

static int compare_formats(const void *a, const void *b)
{
	const struct format *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return (int)x->swapped - (int)y->swapped;
}

static struct event *event_of(struct show *s, const struct ue_capture_event *captured)
{
	struct format key = { .id = captured->format,
			      .swapped = captured->big_endian !=
					 (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) };
	struct format **found = tsearch(&key, &s->formats, compare_formats), *f;

	if (!found)
		die("out of memory");
	if (*found != &key)
		return &(*found)->event;
	f = *found = allocate(sizeof(*f));
	*f = key;
	f->event.system = text("user_events");
	f->event.name = text("%.*s", (int)strcspn(captured->spec, " "), captured->spec);
	f->event.shown = text("%s", f->event.name);
	f->event.format_text = allocate(UE_CAPTURE_TEXT);
	ue_capture_format_text(captured->spec, (uint16_t)key.id, f->event.format_text,
			       UE_CAPTURE_TEXT);
	f->event.swapped = key.swapped;
	event_decode(&f->event);
	return &f->event;
}

static void format_free(void *p)
{
	struct format *f = p;

	event_forget(&f->event);
	free(f->event.system);
	free(f->event.name);
	free(f->event.shown);
	free(f->event.format_text);
	free(f);
}

static bool wanted(const struct options *o, const struct event *event)
{
	return event_matches(o->patterns, event->system, event->name) &&
	       level_matches(o, event->name);
}

static void take(struct show *s, const struct ue_capture_event *captured)
{
	struct event *event = event_of(s, captured);
	struct item *item;

	if (captured->wall && captured->wall < s->wall_min)
		s->wall_min = captured->wall;
	if (captured->wall && captured->wall > s->wall_max)
		s->wall_max = captured->wall;
	if (!wanted(s->o, event))
		return;
	if (!(s->n & (s->n - 1))) {
		s->items = realloc(s->items, (s->n ? 2 * s->n : 1) * sizeof(*s->items));
		if (!s->items)
			die("out of memory");
	}
	item = &s->items[s->n];
	*item = (struct item){
		.time = captured->time, .wall = captured->wall, .event = event, .number = s->n++
	};
	item->record =
		(struct record){ .time = captured->time,
				 .cpu = captured->cpu,
				 .data = captured->record,
				 .size = captured->size,
				 .tid = (pid_t)captured->tid,
				 .pid = (pid_t)captured->pid,
				 .program = *captured->program ? captured->program : "<...>" };
}

static void read_capture(struct show *s, const char *file, const char *bytes, size_t size)
{
	static struct ue_capture_reader reader;
	struct ue_capture_event captured;
	size_t bad = 0, good = 0;
	int more;

	ue_capture_read(&reader, bytes, size);
	while ((more = ue_capture_next(&reader, &captured)) != 0) {
		if (more > 0) {
			good++;
			take(s, &captured);
			continue;
		}
		/* of a file that is none, one sentence is enough */
		if (reader.damaged == size)
			break;
		if (++bad <= TOLD)
			warning("%s: %s at byte %zu (%zu bytes)", file,
				ue_capture_strerror(reader.error), reader.error_offset,
				reader.error_size);
	}
	s->lost += reader.lost;
	s->damaged += reader.damaged;
	if (bad > TOLD)
		warning("%s: and %zu more like these", file, bad - TOLD);
	if (bad)
		s->failed = true;
	if (size && reader.damaged == size) {
		warning("%s is no capture of user_events", file);
		s->damaged -= size;
		s->failed = true;
	}
}

/* By the clock that all processes of a boot share, or else by the time of day. */
static int by_time(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

static void order(struct show *s)
{
	bool one_boot = s->wall_max < s->wall_min || s->wall_max - s->wall_min < FAR_NS;
	size_t i;

	for (i = 0; i < s->n; i++) {
		struct item *item = &s->items[i];

		if (one_boot)
			item->wall = s->wall_max < s->wall_min ? 0 : s->wall_min;
		else
			item->time += (uint64_t)item->wall;
	}
	if (s->n)
		qsort(s->items, s->n, sizeof(*s->items), by_time);
}

static void print_all(struct show *s)
{
	bool colours = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
	struct sink *sinks = NULL;
	size_t i;

	sinks_open(&sinks, s->o, stdout, colours);
	for (i = 0; i < s->n; i++) {
		s->items[i].record.wall = s->items[i].wall;
		s->items[i].record.dated = s->items[i].wall != 0;
		sinks_event(sinks, s->items[i].event, &s->items[i].record);
	}
	if (s->lost)
		sinks_lost(sinks, s->lost);
	sinks_end(sinks);
	sinks_free(sinks);
}

static void print_summary(const struct show *s)
{
	uint64_t ns = s->n ? s->items[s->n - 1].time - s->items[0].time : 0;

	output_flush();
	fprintf(stderr, "uetrace: %zu event%s in %.3f s, %llu lost", s->n, s->n == 1 ? "" : "s",
		(double)ns / 1e9, (unsigned long long)s->lost);
	if (s->damaged)
		fprintf(stderr, ", %llu bytes cut or damaged", (unsigned long long)s->damaged);
	fputc('\n', stderr);
}

int cmd_show(const struct options *o, char **files)
{
	struct show s = { .o = o, .wall_min = INT64_MAX, .wall_max = INT64_MIN };
	size_t n = 0, i;
	char **bytes;

	while (files[n])
		n++;
	bytes = allocate(n * sizeof(*bytes));
	for (i = 0; i < n; i++) {
		size_t size = 0;

		bytes[i] = read_all(files[i], &size);
		if (!bytes[i]) {
			warning("cannot read %s: %s", files[i], strerror(errno));
			s.failed = true;
			continue;
		}
		read_capture(&s, files[i], bytes[i], size);
	}
	order(&s);
	print_all(&s);
	print_summary(&s);
	tdestroy(s.formats, format_free);
	free(s.items);
	for (i = 0; i < n; i++)
		free(bytes[i]);
	free(bytes);
	return s.failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
