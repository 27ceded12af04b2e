/* SPDX-License-Identifier: MIT */
/*
 * perf.data: the records of a file or a pipe, compressed ones too, in order of time.
 *
 * perf writes what it finds in each CPU's buffer, then a record that ends the round. All records
 * behind two of these are later than those before the first, so at most two rounds wait in memory.
 */
#include "perf.h"

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

#define MISC_BUILD_ID (1 << 14) /* of RECORD_MMAP2 */
#define HEADER 8		/* u32 type, u16 misc, u16 size */
#define RECORD_MAX 65536	/* the size has 16 bits */
#define PLAIN_MAX (1u << 18)	/* decompressed at a time */
#define QUEUE_MAX (256u << 20)	/* waiting in memory, where a file has no rounds */
#define TOLD 5			/* errors of one file */

struct perf {
	struct source source;
	struct perf_file file;
	uint64_t data_end;
	bool ended;
	struct queue queue;
	struct queued *current; /* that next() returned */
	uint64_t limit;		/* nothing earlier will come */
	uint64_t next_limit;	/* nor than this, after the next round */
	uint64_t latest;
	uint64_t delivered;
	bool disorder;
	unsigned int errors;
	uint8_t record[RECORD_MAX];
	/* of compressed files */
	ZSTD_DStream *zstd;
	ZSTD_inBuffer packed;
	uint8_t packed_bytes[RECORD_MAX];
	uint8_t *plain;
	size_t plain_begin, plain_end;
	uint64_t packed_offset;
};

/* What the fields of a sample, or the trailer of another record, say. */
struct sample {
	uint64_t time;
	uint32_t pid, tid, cpu;
	const uint8_t *raw;
	size_t raw_size;
	bool has_tid;
};

static void bad(struct perf *p, uint64_t offset, const char *what)
{
	p->source.failed = true;
	if (p->errors++ < TOLD)
		warning("%s: %s at byte %llu", p->source.file, what, (unsigned long long)offset);
	else if (p->errors == TOLD + 1)
		warning("%s: and more like these", p->source.file);
}

/* Fields */

static void skip(struct cursor *c, uint64_t n)
{
	if (n > (uint64_t)(c->end - c->at))
		c->bad = true;
	else
		c->at += n;
}

/* The counters of a group, or of one. */
static void skip_read(struct cursor *c, uint64_t format)
{
	/* ID and LOST are of each value, the times of all */
	unsigned int each = 1u + !!(format & 4) + !!(format & 16);
	unsigned int times = 0u + !!(format & 1) + !!(format & 2);
	uint64_t n = 1;

	if (format & 8)
		n = cursor_u64(c);
	skip(c, 8 * times);
	if (n > RECORD_MAX / 8)
		c->bad = true;
	else
		skip(c, 8 * each * n);
}

static void read_sample(struct cursor *c, const struct perf_attr *attr, struct sample *s)
{
	uint64_t type = attr->sample_type, n;

	skip(c, (type & SAMPLE_IDENTIFIER ? 8u : 0u) + (type & SAMPLE_IP ? 8u : 0u));
	if (type & SAMPLE_TID) {
		s->pid = cursor_u32(c);
		s->tid = cursor_u32(c);
		s->has_tid = true;
	}
	if (type & SAMPLE_TIME)
		s->time = cursor_u64(c);
	skip(c, (type & SAMPLE_ADDR ? 8u : 0u) + (type & SAMPLE_ID ? 8u : 0u) +
			(type & SAMPLE_STREAM_ID ? 8u : 0u));
	if (type & SAMPLE_CPU) {
		s->cpu = cursor_u32(c);
		skip(c, 4);
	}
	if (type & SAMPLE_PERIOD)
		skip(c, 8);
	if (type & SAMPLE_READ)
		skip_read(c, attr->read_format);
	if (type & SAMPLE_CALLCHAIN) {
		n = cursor_u64(c);
		skip(c, n > RECORD_MAX ? RECORD_MAX : 8 * n);
	}
	if (type & SAMPLE_RAW) {
		s->raw_size = cursor_u32(c);
		s->raw = c->at;
		skip(c, s->raw_size);
	}
}

/* Reads such fields from the trailer of a record that is no sample. */
static void read_trailer(const struct cursor *record, const struct perf_attr *attr,
			 struct sample *s)
{
	static const uint32_t bits[] = { SAMPLE_TID,	   SAMPLE_TIME, SAMPLE_ID,
					 SAMPLE_STREAM_ID, SAMPLE_CPU,	SAMPLE_IDENTIFIER };
	struct cursor c = *record;
	size_t i, n = 0;

	for (i = 0; i < ARRAY_SIZE(bits); i++)
		n += attr->sample_type & bits[i] ? 8 : 0;
	if (!attr->sample_id_all || n > (size_t)(c.end - c.at))
		return;
	c.at = c.end - n;
	if (attr->sample_type & SAMPLE_TID)
		skip(&c, 8);
	if (attr->sample_type & SAMPLE_TIME)
		s->time = cursor_u64(&c);
}

/* Returns the attribute that the record belongs to; NULL: none. */
static const struct perf_attr *attr_of(const struct perf *p, const struct cursor *record,
				       bool sample)
{
	struct cursor c = *record;

	if (!p->file.attr_count)
		return NULL;
	if (p->file.same)
		return &p->file.attrs[0];
	if (!(p->file.attrs[0].sample_type & SAMPLE_IDENTIFIER) || c.end - c.at < 8)
		return NULL;
	if (!sample)
		c.at = c.end - 8;
	return perf_attr_by_id(&p->file, cursor_u64(&c));
}

/* Records */

static struct queued *queue_record(struct perf *p, enum queued_kind kind, const struct sample *s,
				   const void *data, size_t size)
{
	/* with a NUL behind it, since libtraceevent takes texts to have one */
	struct queued *q = allocate(sizeof(*q) + size + 1);

	q->kind = kind;
	q->time = s->time;
	q->pid = (pid_t)s->pid;
	q->tid = (pid_t)s->tid;
	q->cpu = s->cpu;
	q->data_size = size;
	q->size = sizeof(*q) + size + 4 * sizeof(void *);
	if (size)
		memcpy(q->data, data, size);
	if (s->time > p->latest)
		p->latest = s->time;
	queue_add(&p->queue, q);
	return q;
}

static void take_sample(struct perf *p, struct cursor *c, uint64_t offset)
{
	const struct perf_attr *attr = attr_of(p, c, true);
	struct sample s = { .pid = UINT32_MAX, .cpu = CPU_UNKNOWN };
	uint16_t type;
	int32_t tid;

	if (!attr) {
		bad(p, offset, "a sample belongs to no event");
		return;
	}
	read_sample(c, attr, &s);
	if (c->bad) {
		bad(p, offset, "a sample is longer than its record");
		return;
	}
	if (s.raw_size < sizeof(type))
		return; /* of a counter, not of a tracepoint */
	if (!s.has_tid && s.raw_size >= 8) {
		memcpy(&tid, s.raw + 4, sizeof(tid));
		s.tid = p->file.swapped ? __builtin_bswap32((uint32_t)tid) : (uint32_t)tid;
	}
	queue_record(p, QUEUED_EVENT, &s, s.raw, s.raw_size)->offset = offset;
}

/* pid, tid, name; or the forked process' and its parent's */
static void take_thread(struct perf *p, const struct cursor *record, bool fork)
{
	const struct perf_attr *attr = attr_of(p, record, false);
	struct sample s = { .time = 0 };
	struct cursor c = *record;
	uint32_t parent = 0;
	char name[16] = "";
	size_t n;

	if (attr)
		read_trailer(record, attr, &s);
	s.pid = cursor_u32(&c);
	if (fork)
		skip(&c, 4);
	s.tid = cursor_u32(&c);
	if (fork) {
		parent = cursor_u32(&c);
		queue_record(p, QUEUED_FORK, &s, &parent, sizeof(parent));
		return;
	}
	n = strnlen((const char *)c.at, (size_t)(c.end - c.at));
	memcpy(name, c.at, n < 15 ? n : 15);
	queue_record(p, QUEUED_NAME, &s, name, sizeof(name));
}

static void take_lost(struct perf *p, const struct cursor *record, bool samples)
{
	const struct perf_attr *attr = attr_of(p, record, false);
	struct sample s = { .time = 0 };
	struct cursor c = *record;
	uint64_t lost;

	if (attr)
		read_trailer(record, attr, &s);
	if (!samples)
		skip(&c, 8);
	lost = cursor_u64(&c);
	queue_record(p, QUEUED_LOST, &s, &lost, sizeof(lost));
}

/* The binary of a mapping: pid, tid, address, length, offset, then its inode or build id, path. */
static void take_mapping(struct perf *p, struct cursor *c, bool two, bool has_id)
{
	const uint8_t *id;
	size_t id_size;

	skip(c, 32);
	id = c->at;
	id_size = two && has_id ? (size_t)cursor_number(c, 1) : 0;
	if (two)
		skip(c, has_id ? 31 : 32);
	if (!c->bad && memchr(c->at, 0, (size_t)(c->end - c->at)))
		formats_program(p->file.formats, (const char *)c->at, id + 4, id_size);
}

static void finish_round(struct perf *p)
{
	p->limit = p->next_limit;
	p->next_limit = p->latest;
}

static void take_tracing_data(struct perf *p, struct cursor *c, uint64_t offset)
{
	uint64_t size = cursor_u32(c), at = p->file.in->offset;
	char *bytes = input_text(p->file.in, size, PERF_TRACING_MAX);
	const char *error;

	if (!bytes) {
		bad(p, offset, "the descriptions of the events are cut");
		p->ended = true;
		return;
	}
	error = perf_tracing_data(&p->file, (const uint8_t *)bytes, size, &at);
	if (error)
		bad(p, at, error);
	free(bytes);
	input_skip(p->file.in, -size & 7);
}

static void take(struct perf *p, const uint8_t *record, size_t size, uint64_t offset, bool plain)
{
	struct cursor c = { record, record + size, p->file.swapped, false };
	uint32_t type = cursor_u32(&c);
	uint16_t misc = cursor_u16(&c);

	c.at = record + HEADER;
	switch (type) {
	case RECORD_SAMPLE:
		take_sample(p, &c, offset);
		break;
	case RECORD_COMM:
	case RECORD_FORK:
		take_thread(p, &c, type == RECORD_FORK);
		break;
	case RECORD_MMAP:
	case RECORD_MMAP2:
		take_mapping(p, &c, type == RECORD_MMAP2, misc & MISC_BUILD_ID);
		break;
	case RECORD_BUILD_ID:
		perf_build_id(&p->file, &c);
		break;
	case RECORD_LOST:
	case RECORD_LOST_SAMPLES:
		take_lost(p, &c, type == RECORD_LOST_SAMPLES);
		break;
	case RECORD_FINISHED_ROUND:
		finish_round(p);
		break;
	case RECORD_ATTR:
		if (perf_add_attr(&p->file, &c) != 0)
			bad(p, offset, "an event's attributes are damaged");
		break;
	case RECORD_TRACING_DATA:
		if (!plain)
			take_tracing_data(p, &c, offset);
		break;
	case RECORD_FEATURE:
		perf_feature(&p->file, (unsigned int)cursor_u64(&c), c);
		break;
	case RECORD_AUXTRACE:
		if (!plain && !input_skip(p->file.in, cursor_u64(&c)))
			bad(p, offset, "a trace of the processor is cut");
		break;
	default:
		break; /* nothing that events need */
	}
	if (c.bad)
		bad(p, offset, "a record is too short");
}

/* Compressed records: one stream, in which records begin and end anywhere. */

static void unpack_begin(struct perf *p, size_t head, size_t size, uint64_t offset)
{
	if (head > size)
		head = size;
	if (!p->zstd) {
		p->zstd = ZSTD_createDStream();
		p->plain = allocate(PLAIN_MAX);
	}
	if (!p->zstd)
		die("out of memory");
	memcpy(p->packed_bytes, p->record + head, size - head);
	p->packed = (ZSTD_inBuffer){ p->packed_bytes, size - head, 0 };
	p->packed_offset = offset;
}

/* Decompresses some more of it. */
static void unpack(struct perf *p)
{
	ZSTD_outBuffer out = { p->plain, PLAIN_MAX, 0 };
	size_t before = p->packed.pos, result;

	memmove(p->plain, p->plain + p->plain_begin, p->plain_end - p->plain_begin);
	p->plain_end -= p->plain_begin;
	p->plain_begin = 0;
	out.pos = p->plain_end;
	result = ZSTD_decompressStream(p->zstd, &out, &p->packed);
	if (ZSTD_isError(result) || (p->packed.pos == before && out.pos == p->plain_end)) {
		bad(p, p->packed_offset, "compressed records are damaged");
		p->packed.size = p->packed.pos = 0;
		p->ended = true;
	}
	p->plain_end = out.pos;
}

static bool take_plain(struct perf *p)
{
	const uint8_t *record = p->plain + p->plain_begin;
	size_t there = p->plain_end - p->plain_begin, size;
	struct cursor c = { record + 6, record + there, p->file.swapped, false };

	if (there < HEADER)
		return false;
	size = cursor_u16(&c);
	if (size < HEADER) {
		bad(p, p->packed_offset, "a compressed record has no size");
		p->plain_begin = p->plain_end;
		p->ended = true;
		return false;
	}
	if (size > there)
		return false;
	p->plain_begin += size;
	take(p, record, size, p->packed_offset, true);
	return true;
}

/* Reads the next record of the file. */
static void read_record(struct perf *p)
{
	uint64_t offset = p->file.in->offset;
	struct cursor c = { p->record, p->record + HEADER, p->file.swapped, false };
	size_t size, n;
	uint32_t type;

	if (p->plain && take_plain(p))
		return;
	if (p->packed.pos < p->packed.size) {
		unpack(p);
		return;
	}
	n = offset < p->data_end ? input_read(p->file.in, p->record, HEADER) : 0;
	if (n < HEADER) {
		p->ended = true;
		if (n || (p->data_end != UINT64_MAX && offset < p->data_end))
			bad(p, offset, "the file ends within a record");
		else if (p->plain_end > p->plain_begin)
			bad(p, p->packed_offset, "the compressed records end within a record");
		return;
	}
	type = cursor_u32(&c);
	c.at += 2;
	size = cursor_u16(&c);
	if (size < HEADER) {
		bad(p, offset, "these bytes are no record");
		p->ended = true;
		return;
	}
	n = input_read(p->file.in, p->record + HEADER, size - HEADER);
	if (n < size - HEADER) {
		bad(p, offset, "the file ends within a record");
		p->ended = true;
	} else if (type == RECORD_COMPRESSED || type == RECORD_COMPRESSED2) {
		/* the later kind tells how many bytes are not padding, as zstd itself does */
		unpack_begin(p, HEADER + (type == RECORD_COMPRESSED2 ? 8 : 0), size, offset);
	} else {
		take(p, p->record, size, offset, false);
	}
}

/* What the queue has */

static bool deliver(struct perf *p, struct queued *q, struct event **event, struct record *record)
{
	uint32_t parent;
	uint64_t lost;
	uint16_t id;

	switch (q->kind) {
	case QUEUED_LOST:
		memcpy(&lost, q->data, sizeof(lost));
		p->source.lost += lost;
		return false;
	case QUEUED_NAME:
		formats_thread(p->file.formats, q->tid, q->pid, (const char *)q->data, 0);
		return false;
	case QUEUED_FORK:
		memcpy(&parent, q->data, sizeof(parent));
		formats_thread(p->file.formats, q->tid, q->pid, NULL, (pid_t)parent);
		return false;
	default:
		break;
	}
	memcpy(&id, q->data, sizeof(id));
	if (p->file.data_swapped)
		id = __builtin_bswap16(id);
	*event = formats_find(p->file.formats, id);
	if (!*event) {
		bad(p, q->offset, "the file does not describe the event of the sample");
		return false;
	}
	*record = (struct record){ .time = q->time,
				   .wall = p->file.wall,
				   .dated = p->file.dated,
				   .cpu = q->cpu,
				   .data = q->data,
				   .size = q->data_size,
				   .tid = q->tid,
				   .pid = q->pid };
	record->program = formats_thread_name(p->file.formats, q->tid, &record->pid);
	return true;
}

static int next(struct source *source, struct event **event, struct record *record)
{
	struct perf *p = (struct perf *)source;
	const struct queued *first;

	for (;;) {
		first = queue_first(&p->queue);
		if (first && (p->ended || first->time <= p->limit || p->queue.bytes > QUEUE_MAX)) {
			if (first->time < p->delivered && !p->disorder) {
				p->disorder = true;
				warning("%s: the events are not quite in order of time, from byte %llu on",
					source->file, (unsigned long long)first->offset);
			}
			p->delivered = first->time > p->delivered ? first->time : p->delivered;
			free(p->current);
			p->current = queue_take(&p->queue);
			if (deliver(p, p->current, event, record))
				return 1;
			continue;
		}
		if (p->ended)
			return 0;
		read_record(p);
	}
}

static void close_perf(struct source *source)
{
	struct perf *p = (struct perf *)source;

	free(p->current);
	queue_free(&p->queue);
	perf_file_close(&p->file);
	ZSTD_freeDStream(p->zstd);
	free(p->plain);
	free(p);
}

struct source *perf_open(struct input *in)
{
	struct perf *p = allocate(sizeof(*p));
	const char *error;
	uint64_t at = 0;

	p->source = (struct source){ .file = in->name, .next = next, .close = close_perf };
	error = perf_file_open(&p->file, in, &p->data_end, &at);
	if (error) {
		bad(p, at, error);
		p->ended = true;
	}
	p->source.clock = p->file.clock;
	return &p->source;
}
