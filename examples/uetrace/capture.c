/* SPDX-License-Identifier: MIT */
/* What programs captured of themselves, of several files in one order of time. */
#include "uetrace.h"

#include <errno.h>
#include <search.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* As many as any system has; the reader that holds them is static. */
#define UE_CAPTURE_FORMATS 65536
#include <user_events_capture.h>

#define FAR_NS 10000000000 /* clocks further apart than this are those of two boots */
#define TOLD 5		   /* damages of one file */
#define FOLLOW_US 100000   /* between looks at a file that grows */
#define FOLLOW_MOST ((size_t)1 << (sizeof(void *) == 8 ? 38 : 29)) /* bytes of it */

static volatile sig_atomic_t interrupted;

/* A captured event, and what there is to order it by. */
struct item {
	uint64_t time;
	struct record record;
	struct event *event;
	size_t number; /* as they were found */
};

/* All captures are one source: only all together tell whether they are of one boot. */
struct captures {
	struct source source;
	struct item *items;
	size_t n, at;
	void *formats; /* of tsearch() */
	char **bytes;
	size_t file_count;
	int64_t wall_min, wall_max;
	struct growing *growing;
	size_t growing_count;
};

/* A capture that is followed: the file itself is in memory, with room for what will come. */
struct growing {
	struct ue_capture_reader *reader;
	const char *bytes;
	const char *name;
	int fd;
};

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

struct event *captured_event(void **formats, const struct ue_capture_event *captured)
{
	struct format key = { .id = captured->format,
			      .swapped = captured->big_endian !=
					 (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) };
	struct format **found = tsearch(&key, formats, compare_formats), *f;

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

void captured_free(void *formats)
{
	tdestroy(formats, format_free);
}

struct record captured_record(const struct ue_capture_event *captured)
{
	return (struct record){ .time = captured->time,
				.wall = captured->wall,
				.dated = captured->wall != 0,
				.cpu = captured->cpu,
				.data = captured->record,
				.size = captured->size,
				.tid = (pid_t)captured->tid,
				.pid = (pid_t)captured->pid,
				.program = *captured->program ? captured->program : "<...>" };
}

static void take(struct captures *s, const struct ue_capture_event *captured)
{
	struct event *event = captured_event(&s->formats, captured);
	struct item *item;

	if (captured->wall && captured->wall < s->wall_min)
		s->wall_min = captured->wall;
	if (captured->wall && captured->wall > s->wall_max)
		s->wall_max = captured->wall;
	if (!(s->n & (s->n - 1)))
		s->items = doubled(s->items, s->n, sizeof(*s->items));
	item = &s->items[s->n];
	*item = (struct item){ .time = captured->time, .event = event, .number = s->n++ };
	item->record = captured_record(captured);
}

/* A record that is being written is none yet. */
static int next_written(struct ue_capture_reader *reader, struct ue_capture_event *captured)
{
	size_t offset = reader->offset;
	uint64_t damaged = reader->damaged;
	int more = ue_capture_next(reader, captured);

	if (more >= 0 || reader->error != UE_CAPTURE_ECUT)
		return more;
	reader->offset = offset;
	reader->damaged = damaged;
	return 0;
}

/* What the file has now. */
static void read_more(struct captures *s, struct growing *g)
{
	struct ue_capture_event captured;
	struct stat st;
	uint64_t lost = g->reader->lost;
	int more;

	if (fstat(g->fd, &st) != 0 || (size_t)st.st_size > FOLLOW_MOST)
		return;
	if ((size_t)st.st_size < g->reader->size)
		die("%s has become shorter", g->name);
	g->reader->size = (size_t)st.st_size;
	while ((more = next_written(g->reader, &captured)) != 0) {
		if (more > 0)
			take(s, &captured);
		else
			warning("%s: %s at byte %zu (%zu bytes)", g->name,
				ue_capture_strerror(g->reader->error), g->reader->error_offset,
				g->reader->error_size);
	}
	s->source.lost += g->reader->lost - lost;
}

void captures_follow(struct captures *s, struct input *in)
{
	struct growing *g;
	void *bytes;

	if (!input_seekable(in))
		die("%s cannot be followed: it is no file", input_name(in));
	bytes = mmap(NULL, FOLLOW_MOST, PROT_READ, MAP_SHARED | MAP_NORESERVE, input_fd(in), 0);
	if (bytes == MAP_FAILED)
		die("cannot follow %s: %s", input_name(in), strerror(errno));
	s->growing = reallocarray(s->growing, s->growing_count + 1, sizeof(*s->growing));
	if (!s->growing)
		die("out of memory");
	g = &s->growing[s->growing_count++];
	*g = (struct growing){ .reader = allocate(sizeof(*g->reader)),
			       .bytes = bytes,
			       .name = input_name(in),
			       .fd = input_fd(in) };
	ue_capture_read(g->reader, bytes, 0);
	read_more(s, g);
	/* the input lives as long as we do */
}

static void read_capture(struct captures *s, const char *file, const char *bytes, size_t size)
{
	static struct ue_capture_reader reader;
	struct ue_capture_event captured;
	size_t bad = 0;
	int more;

	ue_capture_read(&reader, bytes, size);
	while ((more = ue_capture_next(&reader, &captured)) != 0) {
		if (more > 0) {
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
	s->source.lost += reader.lost;
	s->source.damaged += reader.damaged;
	if (bad > TOLD)
		warning("%s: and %zu more like these", file, bad - TOLD);
	if (bad)
		s->source.failed = true;
	if (size && reader.damaged == size) {
		warning("%s is no capture of user_events, no perf.data and no trace.dat", file);
		s->source.damaged -= size;
		s->source.failed = true;
	}
}

void captures_add(struct captures *s, struct input *in)
{
	size_t size;
	char *bytes = input_rest(in, &size);

	s->bytes = realloc(s->bytes, (s->file_count + 1) * sizeof(*s->bytes));
	if (!s->bytes)
		die("out of memory");
	s->bytes[s->file_count++] = bytes;
	read_capture(s, input_name(in), bytes, size);
	input_close(in);
}

/* By the clock that all processes of a boot share, or else by the time of day. */
static int by_time(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

/* By time, and with the time of day if they are of one boot. */
static void order(struct captures *s)
{
	bool one_boot = s->wall_max < s->wall_min || s->wall_max - s->wall_min < FAR_NS;
	size_t i;

	for (i = 0; i < s->n; i++) {
		struct record *record = &s->items[i].record;

		if (!one_boot) {
			s->items[i].time += (uint64_t)record->wall;
		} else if (s->wall_max >= s->wall_min) {
			record->wall = s->wall_min;
			record->dated = true;
		}
	}
	if (s->n)
		qsort(s->items, s->n, sizeof(*s->items), by_time);
}

static void on_interrupt(int signal)
{
	(void)signal;
	interrupted = 1;
}

/* Waits for events. Returns whether there are some; else it was interrupted. */
static bool wait_for_more(struct captures *s)
{
	struct sigaction action = { .sa_handler = on_interrupt };
	size_t i;

	if (!s->growing_count)
		return false;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	fflush(stdout);
	while (!interrupted && !ferror(stdout)) {
		s->n = s->at = 0;
		for (i = 0; i < s->growing_count; i++)
			read_more(s, &s->growing[i]);
		if (s->n) {
			order(s);
			return true;
		}
		usleep(FOLLOW_US);
	}
	return false;
}

static int next(struct source *source, struct event **event, struct record *record)
{
	struct captures *s = (struct captures *)source;

	if (s->at == s->n && !wait_for_more(s))
		return 0;
	*event = s->items[s->at].event;
	*record = s->items[s->at].record;
	s->at++;
	return 1;
}

static void close_captures(struct source *source)
{
	struct captures *s = (struct captures *)source;
	size_t i;

	captured_free(s->formats);
	free(s->items);
	for (i = 0; i < s->growing_count; i++)
		free(s->growing[i].reader);
	free(s->growing);
	for (i = 0; i < s->file_count; i++)
		free(s->bytes[i]);
	free(s->bytes);
	free(s);
}

struct captures *captures_new(void)
{
	struct captures *s = allocate(sizeof(*s));

	s->source = (struct source){
		.file = "captures", .next = next, .close = close_captures, .clock = CLOCK_MONOTONIC
	};
	s->wall_min = INT64_MAX;
	s->wall_max = INT64_MIN;
	return s;
}

struct source *captures_open(struct captures *s)
{
	order(s);
	return &s->source;
}
