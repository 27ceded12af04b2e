/* SPDX-License-Identifier: MIT */
/*
 * Reads perf.data from a file or a pipe and returns its records in time order. Supports compressed
 * records.
 *
 * perf writes data in rounds. In each round, it drains the buffers of all CPUs and then writes a
 * FINISHED_ROUND record. Events that follow a FINISHED_ROUND record are never older than events
 * that precede the previous one. Therefore, the queue contains at most two rounds.
 */
#include "event/event.h"
#include "read/perf_file.h"
#include "read/queue.h"
#include "util/util.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum record_type {
	RECORD_MMAP = 1,
	RECORD_LOST = 2,
	RECORD_COMM = 3,
	RECORD_FORK = 7,
	RECORD_SAMPLE = 9,
	RECORD_MMAP2 = 10,
	RECORD_LOST_SAMPLES = 13,
	RECORD_ATTR = 64,
	RECORD_TRACING_DATA = 66,
	RECORD_BUILD_ID = 67,
	RECORD_FINISHED_ROUND = 68,
	RECORD_AUXTRACE = 71,
	RECORD_FEATURE = 80,
	RECORD_COMPRESSED = 81,
	RECORD_COMPRESSED2 = 83,
};

enum sample_bit {
	SAMPLE_IP = 1 << 0,
	SAMPLE_TID = 1 << 1,
	SAMPLE_TIME = 1 << 2,
	SAMPLE_ADDR = 1 << 3,
	SAMPLE_READ = 1 << 4,
	SAMPLE_CALLCHAIN = 1 << 5,
	SAMPLE_ID = 1 << 6,
	SAMPLE_CPU = 1 << 7,
	SAMPLE_PERIOD = 1 << 8,
	SAMPLE_STREAM_ID = 1 << 9,
	SAMPLE_RAW = 1 << 10,
	SAMPLE_IDENTIFIER = 1 << 16,
};

#define MISC_BUILD_ID (1 << 14) /* RECORD_MMAP2 flag: build ID instead of inode */
#define HEADER 8		/* size of a record header in bytes: u32 type, u16 misc, u16 size */
#define RECORD_MAX 65536	/* record buffer size, in bytes; record sizes have 16 bits */
#define PLAIN_MAX (1u << 18)	/* buffer size for decompressed records, in bytes */
#define QUEUE_MAX (256u << 20)	/* queue limit for files without FINISHED_ROUND, in bytes */
#define ERRORS_MAX 5		/* maximum number of errors reported per file */

struct perf {
	struct source source;
	struct perf_file file;
	bool ended;
	struct queue queue;
	uint64_t limit;	     /* time up to which all records have been read, in ns */
	uint64_t next_limit; /* value of limit after the current round, in ns */
	uint64_t latest;     /* time of the latest queued record, in ns */
	uint64_t delivered;  /* latest time of the returned records, in ns */
	bool disorder;	     /* true if out-of-order records have been reported */
	unsigned int errors;
	uint8_t record[RECORD_MAX];
	/* decompression state */
	ZSTD_DStream *zstd;
	ZSTD_inBuffer packed;	       /* unread part of the current compressed record */
	uint8_t plain[PLAIN_MAX];      /* decompressed bytes */
	size_t plain_begin, plain_end; /* unread range of plain */
	uint64_t packed_offset;	       /* file offset of the current compressed record */
};

/* Reports an error and continues with the next record. */
static void bad(struct perf *p, uint64_t offset, const char *error)
{
	p->source.failed = true;
	if (p->errors++ < ERRORS_MAX)
		warning("%s: %s at byte %llu", p->source.file, error, (unsigned long long)offset);
	else if (p->errors == ERRORS_MAX + 1)
		warning("%s: further errors of the file are not reported", p->source.file);
}

/* Reports an error that makes the rest of the file unreadable. */
static void broken(struct perf *p, uint64_t offset, const char *error)
{
	bad(p, offset, error);
	p->ended = true;
}

/* Fields */

static void skip_words(struct bytes *b, uint64_t bits)
{
	skip_bytes(b, 8 * (uint64_t)__builtin_popcountll(bits));
}

/* Skips the PERF_SAMPLE_READ counter values of a single event or a group. */
static void skip_read(struct bytes *b, uint64_t format)
{
	/*
	 * If enabled, each value has its own ID and lost count. The two times are stored only once.
	 */
	uint64_t n = format & 8 ? take(b, 8) : 1;

	skip_words(b, format & 3);
	b->bad = b->bad || n > RECORD_MAX / 8;
	if (!b->bad)
		skip_bytes(b, 8 * n * (1u + !!(format & 4) + !!(format & 16)));
}

/* Reads a sample. record.data is the raw tracepoint data, which may be empty. */
static struct record read_sample(struct bytes *b, const struct perf_attr *attr)
{
	struct record record = { .pid = -1, .cpu = CPU_UNKNOWN };
	uint64_t type = attr->sample_type, n;

	skip_words(b, type & (SAMPLE_IDENTIFIER | SAMPLE_IP));
	if (type & SAMPLE_TID) {
		record.pid = (pid_t)take(b, 4);
		record.tid = (pid_t)take(b, 4);
	}
	if (type & SAMPLE_TIME)
		record.time = take(b, 8);
	skip_words(b, type & (SAMPLE_ADDR | SAMPLE_ID | SAMPLE_STREAM_ID));
	if (type & SAMPLE_CPU) {
		record.cpu = (unsigned int)take(b, 4);
		skip_bytes(b, 4);
	}
	skip_words(b, type & SAMPLE_PERIOD);
	if (type & SAMPLE_READ)
		skip_read(b, attr->read_format);
	if (type & SAMPLE_CALLCHAIN) {
		n = take(b, 8);
		skip_bytes(b, n > RECORD_MAX ? RECORD_MAX : 8 * n);
	}
	if (type & SAMPLE_RAW) {
		record.size = (size_t)take(b, 4);
		record.data = b->p;
		skip_bytes(b, record.size);
	}
	return record;
}

/* Reads the timestamp from the trailer of a non-sample record. Returns 0 if there is none. */
static uint64_t read_time(struct bytes b, const struct perf_attr *attr)
{
	const uint64_t fields = SAMPLE_TID | SAMPLE_TIME | SAMPLE_ID | SAMPLE_STREAM_ID |
				SAMPLE_CPU | SAMPLE_IDENTIFIER;
	size_t size = 8 * (size_t)__builtin_popcountll(attr->sample_type & fields);

	if (!attr->sample_id_all || !(attr->sample_type & SAMPLE_TIME) || size > b.left)
		return 0;
	skip_bytes(&b, b.left - size);
	skip_words(&b, attr->sample_type & SAMPLE_TID);
	return take(&b, 8);
}

/*
 * Looks up the attribute of a record by its sample ID. Returns NULL if the ID is missing or
 * unknown.
 */
static const struct perf_attr *attr_of(struct perf *p, struct bytes b, bool sample)
{
	if (p->file.attr_count <= 1)
		return p->file.attrs;
	if (!(p->file.attrs[0].sample_type & SAMPLE_IDENTIFIER) || b.left < 8)
		return NULL;
	if (!sample)
		skip_bytes(&b, b.left - 8);
	return perf_attr_by_id(&p->file, take(&b, 8));
}

/* Records */

static struct queued *queue_record(struct perf *p, const struct record *record, uint64_t offset)
{
	struct queued *q = queue_add(&p->queue, record);

	q->offset = offset;
	if (record->time > p->latest)
		p->latest = record->time;
	return q;
}

static void take_sample(struct perf *p, struct bytes *b, uint64_t offset)
{
	const struct perf_attr *attr = attr_of(p, *b, true);
	struct record record;
	struct event *event;
	struct bytes raw;

	if (!attr) {
		bad(p, offset, "a sample has an unknown event ID");
		return;
	}
	record = read_sample(b, attr);
	if (b->bad) {
		bad(p, offset, "a sample extends beyond its record");
		return;
	}
	if (record.size < 2)
		return; /* counter sample without tracepoint data */
	raw = (struct bytes){ record.data, record.size, p->file.data_big, false };
	event = formats_find(p->file.formats, (unsigned int)take(&raw, 2));
	if (!event) {
		bad(p, offset, "a sample belongs to an event whose format is not in the file");
		return;
	}
	skip_bytes(&raw, 2);
	if (!(attr->sample_type & SAMPLE_TID))
		record.tid = (pid_t)take(&raw, 4);
	queue_record(p, &record, offset)->event = event;
}

/* Queues a non-sample record, so that it is processed in time order. */
static void take_other(struct perf *p, uint32_t type, struct bytes b, uint64_t offset)
{
	const struct perf_attr *attr = attr_of(p, b, false);
	struct record record = { .data = b.p, .size = b.left };

	if (attr)
		record.time = read_time(b, attr);
	queue_record(p, &record, offset)->type = type;
}

/*
 * Stores the path and build ID of a mapped binary. An MMAP record contains the PID, TID, address,
 * length, offset and path. In an MMAP2 record, the inode or build ID precedes the path.
 */
static void take_mapping(struct perf *p, struct bytes b, bool two, bool has_id)
{
	const uint8_t *id;
	size_t id_size;
	const char *path;

	skip_bytes(&b, 32);
	id = b.p;
	id_size = two && has_id ? (size_t)take(&b, 1) : 0;
	if (two)
		skip_bytes(&b, has_id ? 31 : 32);
	path = take_string(&b);
	if (!b.bad)
		formats_program(p->file.formats, path, id + 4, id_size);
}

static void finish_round(struct perf *p)
{
	p->limit = p->next_limit;
	p->next_limit = p->latest;
}

static void take_tracing_data(struct perf *p, uint64_t size, uint64_t offset)
{
	struct input *in = p->file.in;
	const char *error;
	char *bytes;

	p->file.at = in->offset;
	bytes = input_text(in, size, PERF_TRACING_MAX);
	if (!bytes) {
		broken(p, offset, "the event descriptions are truncated");
		return;
	}
	error = perf_tracing_data(&p->file,
				  (struct bytes){ (uint8_t *)bytes, size, p->file.big, false });
	if (error)
		bad(p, p->file.at, error);
	free(bytes);
	input_skip(in, -size & 7);
}

/*
 * Reads the record types that never occur in compressed data: compressed records, and records that
 * are followed by additional data.
 */
static void take_long(struct perf *p, uint32_t type, struct bytes *b, uint64_t offset)
{
	switch (type) {
	case RECORD_TRACING_DATA:
		take_tracing_data(p, take(b, 4), offset);
		break;
	case RECORD_AUXTRACE:
		if (!input_skip(p->file.in, take(b, 8)))
			bad(p, offset, "a hardware trace (AUXTRACE) is truncated");
		break;
	case RECORD_COMPRESSED2:
		/* Skip the data size, because zstd detects the end of the data. */
		skip_bytes(b, 8);
		/* fallthrough */
	case RECORD_COMPRESSED:
		p->packed = (ZSTD_inBuffer){ b->p, b->left, 0 };
		p->packed_offset = offset;
		break;
	}
}

static void take_record(struct perf *p, const uint8_t *record, size_t size, uint64_t offset,
			bool plain)
{
	struct bytes b = { record, size, p->file.big, false };
	uint32_t type = (uint32_t)take(&b, 4);
	uint16_t misc = (uint16_t)take(&b, 2);

	skip_bytes(&b, 2);
	switch (type) {
	case RECORD_SAMPLE:
		take_sample(p, &b, offset);
		break;
	case RECORD_COMM:
	case RECORD_FORK:
	case RECORD_LOST:
	case RECORD_LOST_SAMPLES:
		take_other(p, type, b, offset);
		break;
	case RECORD_MMAP:
	case RECORD_MMAP2:
		take_mapping(p, b, type == RECORD_MMAP2, misc & MISC_BUILD_ID);
		break;
	case RECORD_BUILD_ID:
		perf_build_id(&p->file, b);
		break;
	case RECORD_FINISHED_ROUND:
		finish_round(p);
		break;
	case RECORD_ATTR:
		if (!perf_add_attr(&p->file, b))
			bad(p, offset, "an event's attributes are damaged");
		break;
	case RECORD_FEATURE:
		perf_feature(&p->file, take(&b, 8), b);
		break;
	default:
		if (!plain)
			take_long(p, type, &b, offset);
		break;
	}
	if (b.bad)
		bad(p, offset, "a record is too short");
}

/*
 * The compressed records of a file form a single zstd stream. An event record may therefore begin
 * in one compressed record and end in the next.
 */

/* Decompresses the next part of the zstd stream. */
static void unpack(struct perf *p)
{
	ZSTD_outBuffer out = { p->plain, PLAIN_MAX, p->plain_end - p->plain_begin };
	size_t before = p->packed.pos, kept = out.pos, result;

	memmove(p->plain, p->plain + p->plain_begin, kept);
	result = ZSTD_decompressStream(p->zstd, &out, &p->packed);
	if (ZSTD_isError(result) || (p->packed.pos == before && out.pos == kept))
		broken(p, p->packed_offset, "compressed records are damaged");
	p->plain_begin = 0;
	p->plain_end = out.pos;
}

static size_t record_size(const struct perf *p, const uint8_t *header)
{
	struct bytes b = { header + 6, 2, p->file.big, false };

	return (size_t)take(&b, 2);
}

/* Reads the next decompressed record. Returns false if no complete record is available yet. */
static bool take_plain(struct perf *p)
{
	const uint8_t *record = p->plain + p->plain_begin;
	size_t there = p->plain_end - p->plain_begin;
	size_t size = there < HEADER ? HEADER : record_size(p, record);

	if (size > there)
		return false;
	p->plain_begin += size;
	if (size < HEADER)
		broken(p, p->packed_offset, "a compressed record has no size");
	else
		take_record(p, record, size, p->packed_offset, true);
	return true;
}

/* Reads the next record of the file. */
static void read_record(struct perf *p)
{
	struct input *in = p->file.in;
	uint64_t offset = in->offset;
	size_t size, n = 0;

	if (take_plain(p))
		return;
	if (p->packed.pos < p->packed.size) {
		unpack(p);
		return;
	}
	if (offset < p->file.data_end)
		n = input_read(in, p->record, HEADER);
	if (!n) {
		p->ended = true;
		if (p->plain_end > p->plain_begin)
			bad(p, p->packed_offset, "the compressed records end within a record");
		return;
	}
	size = n < HEADER ? RECORD_MAX : record_size(p, p->record);
	if (size < HEADER) {
		broken(p, offset, "invalid record size");
		return;
	}
	n += input_read(in, p->record + HEADER, size - HEADER);
	if (n < size)
		broken(p, offset, "the file ends within a record");
	else
		take_record(p, p->record, size, offset, false);
}

/* Queued records */

/* Reads a COMM record (pid, tid, name) or a FORK record (pid, parent pid, tid, parent tid). */
static void take_thread(struct perf *p, struct bytes *b, bool fork)
{
	pid_t pid, tid;

	pid = (pid_t)take(b, 4);
	skip_bytes(b, fork ? 4 : 0);
	tid = (pid_t)take(b, 4);
	formats_thread(p->file.formats, tid, pid, fork ? NULL : take_string(b),
		       fork ? (pid_t)take(b, 4) : 0);
}

static void deliver_other(struct perf *p, const struct queued *q)
{
	struct bytes b = { q->data, q->record.size, p->file.big, false };

	if (q->type == RECORD_COMM || q->type == RECORD_FORK) {
		take_thread(p, &b, q->type == RECORD_FORK);
	} else {
		skip_bytes(&b, q->type == RECORD_LOST ? 8 : 0); /* skip the event ID */
		p->source.lost += take(&b, 8);
	}
	if (b.bad)
		bad(p, q->offset, "a record is too short");
}

static int next(struct source *source, struct event **event, struct record *record)
{
	struct perf *p = (struct perf *)source;
	const struct queued *q;
	pid_t pid;

	for (;;) {
		q = queue_first(&p->queue);
		if (!q && p->ended)
			return 0;
		if (!q || !(p->ended || q->record.time <= p->limit || p->queue.bytes > QUEUE_MAX)) {
			read_record(p);
			continue;
		}
		if (q->record.time < p->delivered && !p->disorder) {
			p->disorder = true;
			warning("%s: some events are out of order, the first at byte %llu",
				source->file, (unsigned long long)q->offset);
		}
		if (q->record.time > p->delivered)
			p->delivered = q->record.time;
		q = queue_take(&p->queue);
		if (q->event)
			break;
		deliver_other(p, q);
	}
	*event = q->event;
	*record = q->record;
	record->realtime_offset = p->file.realtime_offset;
	record->dated = p->file.dated;
	pid = record->pid;
	record->process = formats_thread_name(p->file.formats, pid, &pid);
	if (*record->process == '<')
		record->process = NULL; /* "<...>" means that the name is unknown */
	record->machine = &p->file.machine;
	record->program = formats_thread_name(p->file.formats, record->tid, &record->pid);
	return 1;
}

static void close_perf(struct source *source)
{
	struct perf *p = (struct perf *)source;

	queue_free(&p->queue);
	perf_file_close(&p->file);
	ZSTD_freeDStream(p->zstd);
	free(p);
}

struct source *perf_open(struct input *in)
{
	struct perf *p = allocate(sizeof(*p));
	const char *error;

	p->source = (struct source){ .file = in->name, .next = next, .close = close_perf };
	p->zstd = ZSTD_createDStream();
	if (!p->zstd)
		die("out of memory");
	error = perf_file_open(&p->file, in);
	if (error)
		broken(p, p->file.at, error);
	p->source.clock = p->file.clock;
	return &p->source;
}
