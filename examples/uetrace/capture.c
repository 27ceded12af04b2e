/* SPDX-License-Identifier: MIT */
/*
 * Reads the captures of programs, and merges those of several files by time.
 *
 * A file is mapped and read twice. The first pass finds what only all records together show,
 * such as whether their times are of one boot. The second pass returns the events. Threads
 * write their records nearly in order, so a window of events is enough to sort them. Where the
 * times go back further, as in concatenated files, a new lane begins. The lanes are merged.
 */
#include "systems.h"
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

#ifndef UE_FUZZ
/* As many formats as the kernel has events; the reader that holds them is static. */
#define UE_CAPTURE_FORMATS 65536
#define WINDOW 65536 /* events of a lane that are sorted */
#define LANES_MAX 64 /* lanes that begin in the middle of a file */
#else
/* small, so that a fuzzer reaches the limits */
#define UE_CAPTURE_FORMATS 64
#define WINDOW 4
#define LANES_MAX 4
#endif
#include <user_events_capture.h>

#define FAR_NS 10000000000 /* two clocks that differ by more are of two boots */
#define REPORTED 5	   /* damaged places that are reported for a file */
#define FOLLOW_US 100000   /* pause between two reads of a file that grows */
#define FOLLOW_MOST ((size_t)1 << (sizeof(void *) == 8 ? 38 : 29)) /* its largest size in bytes */

static volatile sig_atomic_t interrupted;

/* A captured event with its sort key. */
struct item {
	uint64_t time;
	struct record record;
	struct event *event;
	size_t number; /* of the event, in the order of the files */
};

/* A part of a file whose events are nearly in order. */
struct lane {
	struct ue_capture_reader *reader; /* NULL: the rest is in the heap */
	struct item *heap;		  /* a window of events; the earliest is the first */
	size_t n, room;
	bool dropped;	    /* the window was full in the first pass */
	uint64_t delivered; /* the time of the last event that left the heap */
};

/* All captures are one source, since only all of them show whether they are of one boot. */
struct captures {
	struct source source;
	struct lane *lanes;
	size_t lane_count, lane_room, splits;
	struct item current; /* the event that next() returned */
	bool by_date, one_clock, disorder;
	size_t numbers;
	struct item *items; /* events of followed files */
	size_t n, at;
	void *formats; /* a tree of struct format, see tsearch() */
	int64_t wall_min, wall_max;
	struct growing *growing;
	size_t growing_count;
	struct mapping *mappings; /* a list; kept until the end, since records point into them */
};

struct mapping {
	struct mapping *next;
	void *bytes;
	size_t size;
};

/* A followed capture, mapped with room for FOLLOW_MOST bytes. */
struct growing {
	struct ue_capture_reader *reader;
	const char *bytes;
	const char *name;
	int fd;
};

/* The format of an event. Files of both byte orders may have the same format ID. */
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
	f->event.system = text(USER_SYSTEM);
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

static struct item item_of(struct captures *s, const struct ue_capture_event *captured)
{
	if (captured->wall && captured->wall < s->wall_min)
		s->wall_min = captured->wall;
	if (captured->wall && captured->wall > s->wall_max)
		s->wall_max = captured->wall;
	return (struct item){ .time = captured->time,
			      .event = captured_event(&s->formats, captured),
			      .number = s->numbers++,
			      .record = captured_record(captured) };
}

static void take(struct captures *s, const struct ue_capture_event *captured)
{
	if (!(s->n & (s->n - 1)))
		s->items = doubled(s->items, s->n, sizeof(*s->items));
	s->items[s->n++] = item_of(s, captured);
}

/* Compares by the time that date() set: of the clock of one boot, or the time of day. */
static int by_time(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

/* Works like ue_capture_next(), but returns 0 for a record that the program is still writing. */
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

/* Reads what a followed file has now. */
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
	/* one window at a time, since the file may be large already */
	while (s->n < WINDOW && (more = next_written(g->reader, &captured)) != 0) {
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
	/* the input stays open: read_more() uses its file descriptor */
}

/* Lanes */

static struct lane *lane_new(struct captures *s)
{
	if (s->lane_count == s->lane_room) {
		s->lane_room = s->lane_room ? 2 * s->lane_room : 8;
		s->lanes = reallocarray(s->lanes, s->lane_room, sizeof(*s->lanes));
		if (!s->lanes)
			die("out of memory");
	}
	s->lanes[s->lane_count] = (struct lane){ .reader = NULL };
	return &s->lanes[s->lane_count++];
}

static void lane_add(struct lane *lane, const struct item *item)
{
	size_t i = lane->n++, parent;

	if (lane->n > lane->room) {
		lane->room = lane->room ? 2 * lane->room : 64;
		lane->heap = reallocarray(lane->heap, lane->room, sizeof(*lane->heap));
		if (!lane->heap)
			die("out of memory");
	}
	for (; i && by_time(item, &lane->heap[(i - 1) / 2]) < 0; i = parent) {
		parent = (i - 1) / 2;
		lane->heap[i] = lane->heap[parent];
	}
	lane->heap[i] = *item;
}

static struct item lane_take(struct lane *lane)
{
	struct item first = lane->heap[0], *last = &lane->heap[--lane->n];
	size_t i = 0, child;

	for (; (child = 2 * i + 1) < lane->n; i = child) {
		if (child + 1 < lane->n && by_time(&lane->heap[child + 1], &lane->heap[child]) < 0)
			child++;
		if (by_time(&lane->heap[child], last) >= 0)
			break;
		lane->heap[i] = lane->heap[child];
	}
	if (lane->n)
		lane->heap[i] = *last;
	lane->delivered = first.time;
	return first;
}

/* Copies the reader's state at this offset, where the second pass of a lane begins. */
static struct ue_capture_reader *reader_at(const struct ue_capture_reader *reader, size_t offset)
{
	struct ue_capture_reader *copy = malloc(sizeof(*copy));

	if (!copy)
		die("out of memory");
	memcpy(copy, reader, sizeof(*copy));
	copy->offset = offset;
	copy->work = 0;
	return copy;
}

/*
 * Takes an event in the first pass, and begins a new lane if its time is too far back for the
 * window. Returns the event's lane.
 */
static struct lane *look_at(struct captures *s, const struct ue_capture_reader *reader,
			    struct lane *lane, const struct ue_capture_event *captured)
{
	struct item item = item_of(s, captured);

	if (lane->n == WINDOW) {
		if (!lane->dropped && !lane->reader) {
			/* the second pass of a file's first lane starts at the file's beginning */
			lane->reader = allocate(sizeof(*lane->reader));
			ue_capture_read(lane->reader, reader->bytes, reader->size);
		}
		lane->dropped = true;
		lane_take(lane);
	}
	if (lane->dropped && item.time < lane->delivered && s->splits < LANES_MAX) {
		s->splits++;
		lane->reader->size = captured->offset;
		lane->n = 0;
		lane = lane_new(s);
		lane->reader = reader_at(reader, captured->offset);
	}
	lane_add(lane, &item);
	return lane;
}

static void look_through(struct captures *s, const char *file, const void *bytes, size_t size)
{
	static struct ue_capture_reader reader;
	struct ue_capture_event captured;
	struct lane *lane = lane_new(s);
	size_t bad = 0;
	int more;

	ue_capture_read(&reader, bytes, size);
	while ((more = ue_capture_next(&reader, &captured)) != 0) {
		if (more > 0) {
			lane = look_at(s, &reader, lane, &captured);
			continue;
		}
		/* a file that is no capture is reported once, below */
		if (reader.damaged == size)
			break;
		if (++bad <= REPORTED)
			warning("%s: %s at byte %zu (%zu bytes)", file,
				ue_capture_strerror(reader.error), reader.error_offset,
				reader.error_size);
	}
	if (lane->dropped) {
		lane->n = 0;
	} else {
		free(lane->reader);
		lane->reader = NULL;
	}
	s->source.lost += reader.lost;
	s->source.damaged += reader.damaged;
	if (bad > REPORTED)
		warning("%s: and %zu more like these", file, bad - REPORTED);
	if (bad)
		s->source.failed = true;
	if (size && reader.damaged == size) {
		warning("%s is no capture of user_events, no perf.data and no trace.dat", file);
		s->source.damaged -= size;
		s->source.failed = true;
	}
}

bool is_capture(const uint8_t *magic, size_t n)
{
	uint32_t number = 0;

	memcpy(&number, magic, n < 4 ? n : 4);
	return number == UE__CAPTURE_MAGIC || number == __builtin_bswap32(UE__CAPTURE_MAGIC) ||
	       number == UE__CAPTURE_UNHASHED || number == UE__CAPTURE_MEMORY_MAGIC;
}

static void on_bus_error(int signal)
{
	static const char text[] = "uetrace: a file became shorter while it was read\n";

	(void)signal;
	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		_exit(EXIT_FAILURE);
	_exit(EXIT_FAILURE);
}

void captures_add(struct captures *s, struct input *in)
{
	struct sigaction action = { .sa_handler = on_bus_error };
	struct mapping *mapping;
	size_t size;
	void *bytes;

	if (!input_seekable(in))
		in = input_spool(in);
	size = (size_t)input_size(in);
	if (size) {
		sigaction(SIGBUS, &action, NULL);
		bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, input_fd(in), 0);
		if (bytes == MAP_FAILED)
			die("cannot map %s: %s", input_name(in), strerror(errno));
		madvise(bytes, size, MADV_SEQUENTIAL);
		mapping = allocate(sizeof(*mapping));
		*mapping = (struct mapping){ s->mappings, bytes, size };
		s->mappings = mapping;
		look_through(s, input_name(in), bytes, size);
	}
	input_close(in);
}

/* Sets the event's sort key, and its time of day if all captures are of one boot. */
static void date(const struct captures *s, struct item *item)
{
	if (s->by_date) {
		item->time += (uint64_t)item->record.wall;
	} else if (s->one_clock) {
		item->record.wall = s->wall_min;
		item->record.dated = true;
	}
}

/* Fills the window of a lane. */
static void lane_fill(struct captures *s, struct lane *lane)
{
	struct ue_capture_event captured;
	struct item item;
	int more;

	while (lane->reader && lane->n < WINDOW) {
		more = ue_capture_next(lane->reader, &captured);
		if (more < 0)
			continue; /* reported in the first pass */
		if (!more) {
			free(lane->reader);
			lane->reader = NULL;
			break;
		}
		item = item_of(s, &captured);
		date(s, &item);
		lane_add(lane, &item);
	}
}

static void clocks(struct captures *s)
{
	s->one_clock = s->wall_max >= s->wall_min;
	s->by_date = s->one_clock && (uint64_t)s->wall_max - (uint64_t)s->wall_min >= FAR_NS;
}

/* Begins the second pass. */
static void rewind_lanes(struct captures *s)
{
	struct lane *lane;
	size_t i;

	clocks(s);
	s->numbers = 0;
	for (lane = s->lanes; lane && lane < s->lanes + s->lane_count; lane++) {
		lane->delivered = 0;
		for (i = 0; i < lane->n; i++)
			date(s, &lane->heap[i]);
		if (lane->n) /* a sorted array is a heap */
			qsort(lane->heap, lane->n, sizeof(*lane->heap), by_time);
	}
}

static struct lane *earliest(struct captures *s)
{
	struct lane *best = NULL, *lane;

	for (lane = s->lanes; lane && lane < s->lanes + s->lane_count; lane++) {
		lane_fill(s, lane);
		if (lane->n && (!best || lane->heap[0].time < best->heap[0].time))
			best = lane;
	}
	return best;
}

static void order(struct captures *s)
{
	size_t i;

	clocks(s);
	for (i = 0; i < s->n; i++)
		date(s, &s->items[i]);
	if (s->n)
		qsort(s->items, s->n, sizeof(*s->items), by_time);
}

static void on_interrupt(int signal)
{
	(void)signal;
	interrupted = 1;
}

/* Waits for events. Returns false if it was interrupted. */
static bool wait_for_more(struct captures *s)
{
	struct sigaction action = { .sa_handler = on_interrupt };
	size_t i;

	if (!s->growing_count)
		return false;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	fflush(stdout);
	while (!interrupted && !output_failed()) {
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

static int next_followed(struct captures *s)
{
	if (s->at == s->n && !wait_for_more(s))
		return 0;
	s->current = s->items[s->at++];
	return 1;
}

static int next_merged(struct captures *s)
{
	struct lane *lane = earliest(s);
	uint64_t before;

	if (!lane)
		return 0;
	before = lane->delivered;
	s->current = lane_take(lane);
	if (s->current.time < before && !s->disorder) {
		s->disorder = true;
		warning("the events of a capture are not quite in order of time");
	}
	return 1;
}

static int next(struct source *source, struct event **event, struct record *record)
{
	struct captures *s = (struct captures *)source;

	if (!(s->growing_count ? next_followed(s) : next_merged(s)))
		return 0;
	*event = s->current.event;
	*record = s->current.record;
	return 1;
}

static void close_captures(struct source *source)
{
	struct captures *s = (struct captures *)source;
	struct mapping *mapping, *following;
	size_t i;

	captured_free(s->formats);
	free(s->items);
	for (i = 0; i < s->lane_count; i++) {
		free(s->lanes[i].reader);
		free(s->lanes[i].heap);
	}
	free(s->lanes);
	for (i = 0; i < s->growing_count; i++)
		free(s->growing[i].reader);
	free(s->growing);
	for (mapping = s->mappings; mapping; mapping = following) {
		following = mapping->next;
		munmap(mapping->bytes, mapping->size);
		free(mapping);
	}
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
	if (s->growing_count)
		order(s);
	else
		rewind_lanes(s);
	return &s->source;
}
