/* SPDX-License-Identifier: MIT */
/*
 * Pictures in Perfetto's own format: a sequence of TracePackets of protobuf, written with the field
 * numbers that Perfetto publishes and has promised to keep.
 */
#include "picture.h"

#include <stdlib.h>
#include <string.h>

/* Field numbers of message Trace, and below it of each message in it. */
enum { TRACE_PACKET = 1 };
enum {
	PACKET_CLOCK_SNAPSHOT = 6,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_CLOCK = 58,
	PACKET_TRACK = 60,
};
enum { SNAPSHOT_CLOCK = 1, SNAPSHOT_PRIMARY = 2, CLOCK_ID = 1, CLOCK_TIMESTAMP = 2 };
enum { REALTIME = 1, MONOTONIC = 3 };
enum {
	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_IS_PROCESS = 3,
	TRACK_IS_THREAD = 4,
	TRACK_PARENT = 5,
	TRACK_IS_COUNTER = 8,
};
enum { PROCESS_PID = 1, PROCESS_NAME = 6, THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };
enum {
	EVENT_ANNOTATION = 4,
	EVENT_TYPE = 9,
	EVENT_TRACK = 11,
	EVENT_CATEGORY = 22,
	EVENT_NAME = 23,
	EVENT_COUNT = 30,
	EVENT_COUNT_FLOAT = 44,
	EVENT_FLOW = 47,
};
enum { TYPE_BEGIN = 1, TYPE_END = 2, TYPE_INSTANT = 3, TYPE_COUNTER = 4 };
enum {
	ANNOTATION_BOOL = 2,
	ANNOTATION_UNSIGNED = 3,
	ANNOTATION_SIGNED = 4,
	ANNOTATION_FLOAT = 5,
	ANNOTATION_TEXT = 6,
	ANNOTATION_POINTER = 7,
	ANNOTATION_NAME = 10,
	ANNOTATION_MEMBER = 11,
	ANNOTATION_ELEMENT = 12,
};

enum { WIRE_VARINT, WIRE_64BIT, WIRE_BYTES };

#define OPEN 32 /* messages within one another */
#define LENGTH_BYTES \
	4 /* of a message, whatever its length: a varint may be longer than it needs to be */
#define LENGTH_MAX ((1u << 28) - 1)

struct perfetto {
	struct canvas canvas;
	FILE *out;
	unsigned char *bytes; /* of the packet */
	size_t n, room;
	size_t open[OPEN]; /* where the lengths of messages will be */
	unsigned int depth;
};

/* Protobuf */

static unsigned char *more(struct perfetto *p, size_t n)
{
	unsigned char *at;

	if (p->n + n > p->room) {
		p->room = 2 * (p->n + n);
		p->bytes = realloc(p->bytes, p->room);
		if (!p->bytes)
			die("out of memory");
	}
	at = p->bytes + p->n;
	p->n += n;
	return at;
}

static void put_varint(struct perfetto *p, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		*more(p, 1) = (unsigned char)(value | 0x80);
	*more(p, 1) = (unsigned char)value;
}

static void put_tag(struct perfetto *p, unsigned int number, unsigned int wire)
{
	put_varint(p, number << 3 | wire);
}

static void put_number(struct perfetto *p, unsigned int number, uint64_t value)
{
	put_tag(p, number, WIRE_VARINT);
	put_varint(p, value);
}

static void put_fixed(struct perfetto *p, unsigned int number, uint64_t value)
{
	unsigned char *at;
	int i;

	put_tag(p, number, WIRE_64BIT);
	at = more(p, 8);
	for (i = 0; i < 8; i++)
		at[i] = (unsigned char)(value >> 8 * i);
}

static void put_double(struct perfetto *p, unsigned int number, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	put_fixed(p, number, bits);
}

static void begin(struct perfetto *p, unsigned int number)
{
	put_tag(p, number, WIRE_BYTES);
	p->open[p->depth++] = p->n;
	more(p, LENGTH_BYTES);
}

static void end(struct perfetto *p)
{
	size_t at = p->open[--p->depth], length = p->n - at - LENGTH_BYTES;
	unsigned int i;

	for (i = 0; i < LENGTH_BYTES; i++, length >>= 7)
		p->bytes[at + i] =
			(unsigned char)((length & 0x7f) | (i < LENGTH_BYTES - 1 ? 0x80 : 0));
}

/* Strings are UTF-8; other bytes become the replacement character. */
static void put_text(struct perfetto *p, unsigned int number, const char *s, size_t n)
{
	static const char replacement[] = "\xef\xbf\xbd";
	size_t i, length, bad = 0;

	for (i = 0; i < n; i += length ? length : 1) {
		length = utf8_character(s + i, n - i);
		bad += !length;
	}
	put_tag(p, number, WIRE_BYTES);
	put_varint(p, n + bad * (strlen(replacement) - 1));
	if (!bad) {
		if (n)
			memcpy(more(p, n), s, n);
		return;
	}
	for (i = 0; i < n; i += length ? length : 1) {
		length = utf8_character(s + i, n - i);
		if (length)
			memcpy(more(p, length), s + i, length);
		else
			memcpy(more(p, strlen(replacement)), replacement, strlen(replacement));
	}
}

/* Packets */

static void begin_packet(struct perfetto *p)
{
	begin(p, TRACE_PACKET);
	put_number(p, PACKET_SEQUENCE, 1);
}

static void begin_timed(struct perfetto *p, uint64_t time)
{
	begin_packet(p);
	put_number(p, PACKET_TIMESTAMP, time);
	put_number(p, PACKET_CLOCK, MONOTONIC);
}

static void end_packet(struct perfetto *p)
{
	end(p);
	if (p->n <= LENGTH_MAX)
		fwrite_unlocked(p->bytes, 1, p->n, p->out);
	p->n = 0;
}

static void put_clock(struct perfetto *p, unsigned int clock, uint64_t time)
{
	begin(p, SNAPSHOT_CLOCK);
	put_number(p, CLOCK_ID, clock);
	put_number(p, CLOCK_TIMESTAMP, time);
	end(p);
}

static void perfetto_clock(struct canvas *canvas, uint64_t time, int64_t wall, bool dated)
{
	struct perfetto *p = (struct perfetto *)canvas;

	begin_packet(p);
	begin(p, PACKET_CLOCK_SNAPSHOT);
	put_clock(p, MONOTONIC, time);
	if (dated)
		put_clock(p, REALTIME, time + (uint64_t)wall);
	put_number(p, SNAPSHOT_PRIMARY, MONOTONIC);
	end(p);
	end_packet(p);
}

static void put_process(struct perfetto *p, const struct track *track)
{
	begin(p, TRACK_IS_PROCESS);
	put_number(p, PROCESS_PID, (uint64_t)track->pid);
	put_text(p, PROCESS_NAME, track->name, strlen(track->name));
	end(p);
}

static void put_thread(struct perfetto *p, const struct track *track)
{
	begin(p, TRACK_IS_THREAD);
	put_number(p, THREAD_PID, (uint64_t)track->pid);
	put_number(p, THREAD_TID, (uint64_t)track->tid);
	put_text(p, THREAD_NAME, track->name, strlen(track->name));
	end(p);
}

static void perfetto_track(struct canvas *canvas, const struct track *track)
{
	struct perfetto *p = (struct perfetto *)canvas;

	begin_packet(p);
	begin(p, PACKET_TRACK);
	put_number(p, TRACK_UUID, track->id);
	if (track->parent)
		put_number(p, TRACK_PARENT, track->parent);
	switch (track->kind) {
	case TRACK_PROCESS:
		put_process(p, track);
		break;
	case TRACK_THREAD:
		put_thread(p, track);
		break;
	case TRACK_COUNTER:
		begin(p, TRACK_IS_COUNTER);
		end(p);
		/* fall through */
	case TRACK_LANE:
		put_text(p, TRACK_NAME, track->name, strlen(track->name));
	}
	end(p);
	end_packet(p);
}

/* Annotations */

static void begin_annotation(struct perfetto *p, const struct field *field)
{
	char *name = NULL;

	if (!field->name) {
		begin(p, ANNOTATION_ELEMENT);
		return;
	}
	/* the first message that is open is the packet, the second the event */
	begin(p, p->depth == 2 ? EVENT_ANNOTATION : ANNOTATION_MEMBER);
	if (field->again)
		name = text("%.*s#%u", (int)field->name_length, field->name, field->again + 1);
	put_text(p, ANNOTATION_NAME, name ? name : field->name,
		 name ? strlen(name) : field->name_length);
	free(name);
}

static void put_value(struct perfetto *p, const struct field *field)
{
	switch (field->type) {
	case FIELD_UNSIGNED:
		put_number(p, ANNOTATION_UNSIGNED, field->u);
		break;
	case FIELD_SIGNED:
		put_number(p, ANNOTATION_SIGNED, (uint64_t)field->i);
		break;
	case FIELD_FLOAT:
		put_double(p, ANNOTATION_FLOAT, field->d);
		break;
	case FIELD_BOOL:
		put_number(p, ANNOTATION_BOOL, field->b);
		break;
	case FIELD_HEX:
		put_number(p, ANNOTATION_POINTER, field->u);
		break;
	default:
		put_text(p, ANNOTATION_TEXT, field->text, field->length);
	}
}

static void put_annotation(void *context, const struct field *field)
{
	struct perfetto *p = context;

	switch (field->type) {
	case FIELD_STRUCT_END:
	case FIELD_ARRAY_END:
		end(p);
		return;
	case FIELD_STRUCT:
	case FIELD_ARRAY:
		begin_annotation(p, field);
		return;
	default:
		begin_annotation(p, field);
		put_value(p, field);
		end(p);
	}
}

static void begin_event(struct perfetto *p, uint64_t time, unsigned int type,
			const struct track *track)
{
	begin_timed(p, time);
	begin(p, PACKET_TRACK_EVENT);
	put_number(p, EVENT_TYPE, type);
	put_number(p, EVENT_TRACK, track->id);
}

static void end_event(struct perfetto *p)
{
	end(p);
	end_packet(p);
}

static void put_stop(struct perfetto *p, const struct mark *mark)
{
	const struct field stop = { .type = FIELD_STRUCT, .name = "stop", .name_length = 4 };

	begin_event(p, mark->end, TYPE_END, mark->track);
	begin_annotation(p, &stop);
	fields_each(mark->stop_event, mark->stop_record, put_annotation, p);
	end(p);
	end_event(p);
}

static void perfetto_mark(struct canvas *canvas, const struct mark *mark)
{
	struct perfetto *p = (struct perfetto *)canvas;
	unsigned int i;

	begin_event(p, mark->begin, mark->kind == MARK_INSTANT ? TYPE_INSTANT : TYPE_BEGIN,
		    mark->track);
	put_text(p, EVENT_CATEGORY, mark->category, mark->category_length);
	put_text(p, EVENT_NAME, mark->name, mark->name_length);
	fields_each(mark->event, mark->record, put_annotation, p);
	for (i = 0; i < mark->outs; i++)
		put_fixed(p, EVENT_FLOW, mark->out[i]);
	for (i = 0; i < mark->ins; i++)
		put_fixed(p, EVENT_FLOW, mark->in[i]);
	end_event(p);
	if (mark->kind == MARK_SLICE)
		put_stop(p, mark);
}

static void perfetto_count(struct canvas *canvas, const struct track *track, uint64_t time,
			   const struct field *value)
{
	struct perfetto *p = (struct perfetto *)canvas;

	begin_event(p, time, TYPE_COUNTER, track);
	if (value->type == FIELD_FLOAT || (value->type == FIELD_UNSIGNED && value->u > INT64_MAX))
		put_double(p, EVENT_COUNT_FLOAT, field_number(value));
	else
		put_number(p, EVENT_COUNT,
			   value->type == FIELD_BOOL ? value->b : (uint64_t)value->i);
	end_event(p);
}

/* Puts it onto the track of the whole trace, number 0. */
static void perfetto_lost(struct canvas *canvas, uint64_t time, uint64_t lost)
{
	struct perfetto *p = (struct perfetto *)canvas;
	const struct field count = {
		.type = FIELD_UNSIGNED, .name = "lost", .name_length = 4, .u = lost
	};
	const struct track whole = { .id = 0 };

	begin_event(p, time, TYPE_INSTANT, &whole);
	put_text(p, EVENT_NAME, "events lost", strlen("events lost"));
	put_annotation(p, &count);
	end_event(p);
}

static void perfetto_end(struct canvas *canvas)
{
	(void)canvas; /* a file may end after any packet */
}

static void perfetto_free(struct canvas *canvas)
{
	struct perfetto *p = (struct perfetto *)canvas;

	free(p->bytes);
	free(p);
}

struct canvas *perfetto_new(FILE *out)
{
	struct perfetto *p = allocate(sizeof(*p));

	p->canvas = (struct canvas){ .clock = perfetto_clock,
				     .track = perfetto_track,
				     .mark = perfetto_mark,
				     .count = perfetto_count,
				     .lost = perfetto_lost,
				     .end = perfetto_end,
				     .free = perfetto_free };
	p->out = out;
	return &p->canvas;
}
