/* SPDX-License-Identifier: MIT */
/* A recorder's file, or a snapshot of one; also while it is written. */
#include "read/read.h"
#include "event/event.h"
#include "read/queue.h"
#include "util/util.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <user_events_capture.h>
#include <user_events_recorder.h>

#define POLL_US 100000
#define LATE_NS 200000000 /* events that writers may still be at */
#define WINDOW 128	  /* events that are sorted by time */
#define PATIENCE 10	  /* polls that an event may take to be finished */

struct recording {
	struct source source;
	/* Writers take the time before their place in a ring, so neighbours may be out of order. */
	struct queue queue;
	struct ue_recorder_reader reader;
	void *formats;
	struct input *in;
	char *bytes;
	size_t size;
	bool follow, begun;
	unsigned int idle;
};

/* The format of an event. */
struct format {
	uint64_t id;
	struct event *event;
};

static int compare_formats(const void *a, const void *b)
{
	const struct format *x = a, *y = b;

	return x->id == y->id ? 0 : x->id < y->id ? -1 : 1;
}

static struct event *captured_event(void **formats, const struct ue_capture_event *captured)
{
	struct format key = { .id = captured->format };
	struct format **found = tsearch(&key, formats, compare_formats);
	struct event *event;

	if (!found)
		die("out of memory");
	if (*found != &key)
		return (*found)->event;
	event = allocate(sizeof(*event));
	event->system = text(USER_SYSTEM);
	event->name = text("%.*s", (int)strcspn(captured->spec, " "), captured->spec);
	event->shown = text("%s", event->name);
	event->format_text = allocate(UE_CAPTURE_TEXT);
	ue_capture_format_text(captured->spec, (uint16_t)key.id, event->format_text,
			       UE_CAPTURE_TEXT);
	event_decode(event);
	*found = allocate(sizeof(**found));
	**found = (struct format){ key.id, event };
	return event;
}

static void format_free(void *p)
{
	struct format *f = p;

	event_free(f->event);
	free(f);
}

static struct record captured_record(const struct ue_capture_event *captured)
{
	return (struct record){ .time = captured->time,
				.realtime_offset = captured->wall,
				.dated = captured->wall != 0,
				.cpu = captured->cpu,
				.data = captured->record,
				.size = captured->size,
				.tid = (pid_t)captured->tid,
				.pid = (pid_t)captured->pid,
				.program = *captured->program ? captured->program : "<...>",
				.process = captured->program };
}

static bool read_at(const struct recording *r, size_t offset, size_t size)
{
	while (size) {
		ssize_t n = pread(r->in->fd, r->bytes + offset, size, (off_t)offset);

		if (n <= 0)
			return false;
		offset += (size_t)n;
		size -= (size_t)n;
	}
	return true;
}

/* Reads what is new of a ring. Positions are in words, and count on when the ring goes round. */
static bool read_ring(const struct recording *r, uint32_t ring)
{
	const struct ue__recorder_ring *rings =
		(const void *)(r->bytes + sizeof(struct ue__recorder_head));
	uint32_t words = 1u << (r->reader.layout.shift - 3), before = r->reader.rings[ring].at;
	uint32_t new = (uint32_t)(rings[ring].u.next >> 32) - before;
	size_t base = r->reader.layout.data + ((size_t)ring << r->reader.layout.shift);
	size_t at = before & (words - 1), n = new < words ? new : words;
	size_t first = n < words - at ? n : words - at;

	return read_at(r, base + 8 * at, 8 * first) && read_at(r, base, 8 * (n - first));
}

/* Copies what has changed; the counters first. False if the file is gone, or another. */
static bool read_more(struct recording *r)
{
	uint64_t late = now() - LATE_NS, start = r->reader.layout.start;
	uint32_t i;

	/* what is older than this is there */
	r->reader.until = late > start ? late : start;
	if (!read_at(r, 0, r->reader.layout.data))
		return false;
	for (i = 0; i < r->reader.layout.rings; i++) {
		if (!read_ring(r, i))
			return false;
	}
	return ue_recorder_more(&r->reader, r->bytes, r->size) == 0;
}

static int next_captured(struct recording *r, struct ue_capture_event *captured)
{
	int more;

	if (interrupted())
		r->reader.until = 0;
	while ((more = ue_recorder_next(&r->reader, captured)) == 0 && r->follow &&
	       !interrupted()) {
		/* what is not finished for so long never will be */
		r->reader.follow = ++r->idle % PATIENCE != 0;
		if (!output_flush())
			break;
		usleep(POLL_US);
		if (!read_more(r)) {
			warning("%s is not there any more", r->source.file);
			break;
		}
	}
	if (more == 0 && r->reader.until) {
		r->reader.until = 0;
		more = ue_recorder_next(&r->reader, captured);
	}
	r->idle = more ? 0 : r->idle;
	return more;
}

/*
 * Each ring has lost its own oldest events, so that what is older than the oldest event of all
 * rings that have has gaps. When the first event is there, the reader knows the oldest one of each
 * ring.
 */
static uint64_t complete_since(const struct recording *r)
{
	uint64_t since = 0;
	uint32_t i;

	for (i = 0; i < r->reader.layout.rings; i++) {
		const struct ue__recorder_cursor *c = &r->reader.rings[i];

		if (!c->unlapped && (c->have || c->whole) && c->time > since)
			since = c->time;
	}
	return since;
}

/* Reads the next event into the window. Returns false at the end. */
static bool take(struct recording *r)
{
	struct ue_capture_event captured;
	struct record record;
	int more = next_captured(r, &captured);

	if (more > 0 && !r->begun) {
		r->begun = true;
		r->source.complete = complete_since(r);
	}
	if (more < 0) {
		warning("%s: it is made to be slow to read; the rest was not read", r->source.file);
		r->source.failed = true;
	}
	r->source.lost = r->reader.torn + r->reader.large + r->reader.late;
	r->source.overwritten = r->reader.overwritten;
	if (more <= 0)
		return false;
	record = captured_record(&captured);
	queue_add(&r->queue, &record)->event = captured_event(&r->formats, &captured);
	return true;
}

static int next(struct source *source, struct event **event, struct record *record)
{
	struct recording *r = (struct recording *)source;
	/* one that is followed is shown as far as it is there */
	size_t window = r->follow ? 1 : WINDOW;
	const struct queued *first;

	while (r->queue.n < window && take(r))
		;
	if (!r->queue.n)
		return 0;
	first = queue_take(&r->queue);
	*event = first->event;
	*record = first->record;
	return 1;
}

static void close_recording(struct source *source)
{
	struct recording *r = (struct recording *)source;

	queue_free(&r->queue);
	tdestroy(r->formats, format_free);
	input_close(r->in);
	free(r->bytes);
	free(r);
}

static uint32_t magic_of(const void *bytes, size_t n)
{
	uint32_t magic = 0;

	memcpy(&magic, bytes, n < 4 ? n : 4);
	return magic;
}

bool is_recorder(const uint8_t *bytes, size_t n)
{
	uint32_t magic = magic_of(bytes, n);

	return magic == UE__RECORDER_MAGIC || magic == __builtin_bswap32(UE__RECORDER_MAGIC);
}

struct source *recorder_open(struct input *in, bool follow)
{
	struct recording *r = allocate(sizeof(*r));

	r->source = (struct source){
		.file = in->name, .next = next, .close = close_recording, .clock = CLOCK_MONOTONIC
	};
	r->in = in;
	r->bytes = input_rest(in, &r->size);
	if (ue_recorder_read(&r->reader, r->bytes, r->size)) {
		if (magic_of(r->bytes, r->size) == __builtin_bswap32(UE__RECORDER_MAGIC))
			warning("%s is of a machine of the other byte order: show it there",
				r->source.file);
		else
			warning("%s is no whole recorder of this version", r->source.file);
		r->source.failed = true;
		return &r->source;
	}
	if (follow && in->seekable) {
		r->follow = true;
		r->reader.follow = 1;
	}
	return &r->source;
}
