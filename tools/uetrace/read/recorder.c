/* SPDX-License-Identifier: MIT */
/*
 * Reads a recorder file or snapshot, even while programs are writing to it.
 *
 * The reader in user_events_recorder.h needs the whole file in memory. Therefore, it operates on an
 * image of the file: an anonymous mapping of the same size. Only the tables and the used part of
 * each ring are copied to the image. The rest remains zero and uses no memory.
 */
#include "read/read.h"
#include "event/event.h"
#include "util/util.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <user_events_capture.h>
#include <user_events_recorder.h>

#define POLL_US 100000
#define SETTLE_NS 200000000 /* Maximum time that a writer needs to finish an event, in ns */
#define PATIENCE 10	    /* Number of polls after which an unfinished event is considered torn */
#define CHUNK (1u << 20)    /* Number of bytes to read between two checks for signals */
#define PAGE 4096	    /* Block size for skipping zeros from a pipe, in bytes */
#define SPARSE_RATIO 64	    /* Maximum size ratio of file holes to data */
#define SPARSE_MOST (64u << 20) /* Total size of file holes that is always accepted, in bytes */

struct recording {
	struct source source;
	struct ue_recorder_reader reader;
	struct ue__recorder_layout layout;
	void *formats;
	struct input *in;
	uint8_t *image;
	uint64_t data, holes; /* Total sizes of copied data and of skipped file holes, in bytes */
	bool follow, begun;
	unsigned int idle; /* Number of polls since the last event */
};

/* A format ID and the event decoded from that format. */
struct format {
	uint64_t id;
	struct event *event;
};

static int compare_formats(const void *a, const void *b)
{
	const struct format *x = a, *y = b;

	return x->id == y->id ? 0 : x->id < y->id ? -1 : 1;
}

/* Returns the event for a captured record. Decodes the event's format on first use. */
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

/*
 * Copies part of the file to the image. Skips file holes, because the image is already zero there.
 */
static bool read_part(struct recording *r, uint64_t offset, uint64_t size)
{
	uint64_t end = offset + size, hole = offset;

	while (offset < end) {
		size_t most = end - offset < CHUNK ? (size_t)(end - offset) : CHUNK;
		ssize_t n;

		if (interrupted())
			return false;
		if (offset == hole) {
			off_t start = lseek(r->in->fd, (off_t)offset, SEEK_DATA), next;

			if (start < 0 && errno != ENXIO) {
				hole = end; /* the file system does not report holes */
				continue;
			}
			if (start < 0 || (uint64_t)start >= end) {
				r->holes += end - offset;
				return r->in->size >= end;
			}
			next = lseek(r->in->fd, start, SEEK_HOLE);
			r->holes += (uint64_t)start - offset;
			offset = (uint64_t)start;
			hole = next > start ? (uint64_t)next : end;
			continue;
		}
		if (most > hole - offset)
			most = (size_t)(hole - offset);
		n = pread(r->in->fd, r->image + offset, most, (off_t)offset);
		if (n <= 0)
			return false;
		offset += (uint64_t)n;
		r->data += (uint64_t)n;
	}
	return true;
}

/* Copies a small part of the file, such as the tables, without looking for holes. */
static bool read_small(const struct recording *r, uint64_t offset, uint64_t size)
{
	return pread(r->in->fd, r->image + offset, size, (off_t)offset) == (ssize_t)size;
}

static struct ue__recorder_ring *counters_of(const struct recording *r, uint32_t ring)
{
	return (struct ue__recorder_ring *)(r->image + sizeof(struct ue__recorder_head)) + ring;
}

static bool read_counters(const struct recording *r, uint32_t ring)
{
	return read_small(r,
			  sizeof(struct ue__recorder_head) + ring * sizeof(*counters_of(r, ring)),
			  sizeof(*counters_of(r, ring)));
}

/* Returns the number of bytes in a ring that have been written at least once. */
static uint64_t used_part(const struct recording *r, uint64_t next)
{
	uint64_t size = (uint64_t)1 << r->layout.shift, used = 8 * (next >> 32);

	if (!ue__recorder_is_unlapped(&r->layout, (uint32_t)(next >> 32), (uint32_t)next))
		return size;
	return used < size ? used : size;
}

/*
 * Reads the used part of a ring. If the ring's counter changes meanwhile, writers may have
 * overwritten records in a full ring. In this case, the image contains both the old and the new
 * counter, as in a snapshot. If nothing was overwritten, it contains the old counter.
 */
static bool read_whole_ring(struct recording *r, uint32_t ring)
{
	uint64_t offset = r->layout.data + ((uint64_t)ring << r->layout.shift), before, after, used;

	do {
		if (!read_counters(r, ring))
			return false;
		before = counters_of(r, ring)->u.next;
		used = used_part(r, before);
		if (!read_part(r, offset, used) || !read_counters(r, ring))
			return false;
		after = counters_of(r, ring)->u.next;
	} while (used_part(r, after) > used && used_part(r, after) >> r->layout.shift);
	if (after == before)
		return true;
	if (used >> r->layout.shift && !(r->layout.flags & UE__RECORDER_KEEPS))
		counters_of(r, ring)->before = before;
	else
		counters_of(r, ring)->u.next = before;
	return true;
}

/*
 * Reads the tables, then the rings, then the tables again, because records may refer to formats and
 * processes that were added while the rings were read.
 */
static bool read_file(struct recording *r)
{
	const uint64_t changing = offsetof(struct ue__recorder_head, used);
	uint32_t i;

	if (!read_small(r, 0, r->layout.data))
		return false;
	for (i = 0; i < r->layout.rings; i++) {
		if (!read_whole_ring(r, i))
			return false;
	}
	return read_small(r, changing, sizeof(struct ue__recorder_head) - changing) &&
	       read_small(r, r->layout.processes, r->layout.data - r->layout.processes);
}

/*
 * Reads the recording from a pipe. Skips pages of zeros, so that the image needs no memory for
 * them.
 */
static bool read_pipe(struct recording *r)
{
	static const uint8_t zeros[PAGE];
	uint8_t page[PAGE];
	uint64_t offset = 0;

	while (offset < r->layout.size) {
		uint64_t left = r->layout.size - offset;
		size_t n = left < PAGE ? (size_t)left : PAGE;

		if (interrupted() || input_read(r->in, page, n) != n)
			return false;
		if (memcmp(page, zeros, n) != 0)
			memcpy(r->image + offset, page, n);
		offset += n;
	}
	return true;
}

/*
 * Reads the records added to a ring since the last call. Positions are in 8-byte words and keep
 * increasing when the ring wraps around.
 */
static bool read_ring(struct recording *r, uint32_t ring)
{
	uint32_t words = ue__recorder_ring_words(&r->layout), from = r->reader.rings[ring].at;
	uint32_t added = (uint32_t)(counters_of(r, ring)->u.next >> 32) - from;
	uint64_t base = r->layout.data + ((uint64_t)ring << r->layout.shift);
	uint64_t at = from & (words - 1), n = added < words ? added : words;
	uint64_t first = n < words - at ? n : words - at;

	return read_part(r, base + 8 * at, 8 * first) && read_part(r, base, 8 * (n - first));
}

/*
 * Reads the records added to all rings. Returns false if the file was removed or replaced by
 * another recording.
 *
 * Events of the last 200 ms are delayed until the next call, because threads may still be recording
 * earlier events. If more than half of a ring was written since the last call, no events are
 * delayed, because they could be overwritten before the next call.
 */
static bool read_more(struct recording *r)
{
	uint64_t settled = now() - SETTLE_NS, start = r->layout.start;
	uint32_t i, added;

	r->reader.until = settled > start ? settled : start;
	if (!read_small(r, 0, r->layout.data))
		return false;
	for (i = 0; i < r->layout.rings; i++) {
		added = (uint32_t)(counters_of(r, i)->u.next >> 32) - r->reader.rings[i].at;
		if (added > ue__recorder_ring_words(&r->layout) / 2 &&
		    !(r->layout.flags & UE__RECORDER_KEEPS))
			r->reader.until = 0;
		if (!read_ring(r, i))
			return false;
	}
	return ue_recorder_more(&r->reader, r->image, (size_t)r->layout.size) == 0;
}

/*
 * Reads the next event. With --follow, waits until there is one. Returns false at the end of the
 * recording.
 */
static bool next_captured(struct recording *r, struct ue_capture_event *captured)
{
	int more;

	if (interrupted())
		r->reader.until = 0;
	while ((more = ue_recorder_next(&r->reader, captured)) == 0 && r->follow &&
	       !interrupted()) {
		/*
		 * If an event is still unfinished after PATIENCE polls, assume that its writer was
		 * killed.
		 */
		r->reader.follow = ++r->idle % PATIENCE != 0;
		if (!output_flush())
			break;
		usleep(POLL_US);
		if (!read_more(r)) {
			if (!interrupted())
				warning("cannot follow %s: the file was removed or replaced",
					r->source.file);
			break;
		}
	}
	if (!more && r->reader.until) {
		r->reader.until = 0;
		more = ue_recorder_next(&r->reader, captured);
	}
	if (more)
		r->idle = 0;
	return more > 0;
}

/*
 * Returns the time from which the recording is complete, in ns, or 0 if no events were overwritten.
 * If a ring was overwritten, it is complete from its oldest remaining event, so the result is the
 * latest of these times. Call this after reading the first event, because the reader does not know
 * the times earlier.
 */
static uint64_t complete_since(const struct recording *r)
{
	uint64_t since = 0;
	uint32_t i;

	for (i = 0; i < r->layout.rings; i++) {
		const struct ue__recorder_cursor *c = &r->reader.rings[i];

		if (!c->unlapped && (c->have || c->whole) && c->time > since)
			since = c->time;
	}
	return since;
}

static int next(struct source *source, struct event **event, struct record *record)
{
	struct recording *r = (struct recording *)source;
	struct ue_capture_event captured;
	bool more = r->image && !source->failed && next_captured(r, &captured);

	source->lost = r->reader.torn + r->reader.large + r->reader.late;
	source->overwritten = r->reader.overwritten;
	if (r->reader.refused && !source->failed) {
		warning("%s is damaged: some events may be missing", source->file);
		source->failed = true;
		r->reader.refused = false;
	}
	if (!more)
		return 0;
	if (!r->begun) {
		r->begun = true;
		source->complete = complete_since(r);
	}
	*event = captured_event(&r->formats, &captured);
	*record = captured_record(&captured);
	return 1;
}

static void close_recording(struct source *source)
{
	struct recording *r = (struct recording *)source;

	tdestroy(r->formats, format_free);
	input_close(r->in);
	if (r->image)
		munmap(r->image, (size_t)r->layout.size);
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

/* Reads the recording into the image. Returns NULL on success, or an error message. */
static const char *read_image(struct recording *r)
{
	const uint8_t *head;
	size_t n = input_peek(r->in, &head, sizeof(struct ue__recorder_head));
	bool whole;

	if (magic_of(head, n) == __builtin_bswap32(UE__RECORDER_MAGIC))
		return "its byte order differs from this machine's; "
		       "show it on a machine with the same byte order";
	if (n < sizeof(struct ue__recorder_head) ||
	    !ue__recorder_valid(head, r->in->size, &r->layout))
		return "it is not a complete recorder file of this version";
	r->image = mmap(NULL, (size_t)r->layout.size, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (r->image == MAP_FAILED) {
		r->image = NULL;
		return "it is larger than the address space";
	}
	whole = r->in->seekable ? read_file(r) : read_pipe(r);
	if (!whole)
		return interrupted() ? "interrupted"
				     : "it is not a complete recorder file of this version";
	if (r->holes > SPARSE_MOST && r->holes / SPARSE_RATIO > r->data)
		return "the file has holes in place of records; copy it again";
	if (ue_recorder_read(&r->reader, r->image, (size_t)r->layout.size))
		return "it is not a complete recorder file of this version";
	return NULL;
}

struct source *recorder_open(struct input *in, bool follow)
{
	struct recording *r = allocate(sizeof(*r));
	const char *error;

	r->source = (struct source){
		.file = in->name, .next = next, .close = close_recording, .clock = CLOCK_MONOTONIC
	};
	r->in = in;
	error = read_image(r);
	if (error) {
		warning("cannot read %s: %s", in->name, error);
		r->source.failed = true;
		return &r->source;
	}
	r->reader.stop = interrupted;
	r->follow = follow && in->seekable;
	r->reader.follow = r->follow;
	return &r->source;
}
