/* SPDX-License-Identifier: MIT */
/*
 * Writes pictures in Chrome's Trace Event Format: a JSON object with one event a line, times in
 * microseconds with three decimals. A slice is a complete event ("X"). A lane beside a thread
 * gets a thread id above the largest id of Linux.
 */
#include "clean.h"
#include "picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TIDS 4194304		  /* PID_MAX_LIMIT of Linux; ids of lanes begin here */
#define EXACT (UINT64_C(1) << 53) /* numbers of JavaScript are exact up to this */

struct chrome {
	struct canvas canvas;
	FILE *out;
	bool more;  /* the list of events is not empty */
	bool first; /* the next member is the first of its object or array */
};

#define ESCAPE 12 /* bytes of "\\u%04x" with the largest number, as the compiler computes them */

/*
 * Returns the escape sequence of the character at s, or NULL if it needs none. A length of 0 says
 * that the byte at s is not UTF-8.
 */
static const char *escaped(char escape[ESCAPE], const char *s, size_t length)
{
	const unsigned char *u = (const unsigned char *)s;
	unsigned int code;

	if (!length)
		return "\xef\xbf\xbd"; /* U+FFFD, the replacement character */
	code = *u < 32 ? *u : unclean_character(u, length);
	if (*s == '"' || *s == '\\')
		snprintf(escape, ESCAPE, "\\%c", *s);
	else if (code || !*s)
		snprintf(escape, ESCAPE, "\\u%04x", code);
	else
		return NULL;
	return escape;
}

void json_string(FILE *out, const char *s, size_t n)
{
	const char *end = s + n, *clean = s, *other;
	char escape[ESCAPE];
	size_t length;

	putc_unlocked('"', out);
	while (s < end) {
		length = utf8_character(s, (size_t)(end - s));
		other = escaped(escape, s, length);
		if (!other) {
			s += length;
			continue;
		}
		fwrite_unlocked(clean, 1, (size_t)(s - clean), out);
		fputs_unlocked(other, out);
		s += length ? length : 1;
		clean = s;
	}
	fwrite_unlocked(clean, 1, (size_t)(s - clean), out);
	putc_unlocked('"', out);
}

/* Arguments */

static void put_key(struct chrome *c, const struct field *field)
{
	char *name = NULL;

	if (!c->first)
		putc_unlocked(',', c->out);
	c->first = false;
	if (!field->name)
		return;
	/* a name may occur once in an object of JSON: the second field is "name#2" */
	if (field->again)
		name = text("%.*s#%u", (int)field->name_length, field->name, field->again + 1);
	json_string(c->out, name ? name : field->name, name ? strlen(name) : field->name_length);
	free(name);
	putc_unlocked(':', c->out);
}

/* Tells whether the value needs no quotes: a number that viewers read exactly needs none. */
static bool is_bare(const struct field *field)
{
	switch (field->type) {
	case FIELD_UNSIGNED:
		return field->u <= EXACT;
	case FIELD_SIGNED:
		return field->i >= -(int64_t)EXACT && field->i <= (int64_t)EXACT;
	case FIELD_FLOAT:
		return isfinite(field->d);
	default:
		return field->type == FIELD_NULL || field->type == FIELD_BOOL;
	}
}

static void put_argument(void *context, const struct field *field)
{
	struct chrome *c = context;

	switch (field->type) {
	case FIELD_STRUCT_END:
	case FIELD_ARRAY_END:
		putc_unlocked(field->type == FIELD_STRUCT_END ? '}' : ']', c->out);
		c->first = false;
		return;
	case FIELD_STRUCT:
	case FIELD_ARRAY:
		put_key(c, field);
		putc_unlocked(field->type == FIELD_STRUCT ? '{' : '[', c->out);
		c->first = true;
		return;
	default:
		put_key(c, field);
		if (is_bare(field))
			fwrite_unlocked(field->text, 1, field->length, c->out);
		else
			json_string(c->out, field->text, field->length);
	}
}

static void put_arguments(struct chrome *c, const struct mark *mark)
{
	fputs_unlocked(",\"args\":{", c->out);
	c->first = true;
	fields_each(mark->event, mark->record, put_argument, c);
	if (mark->stop_event) {
		fputs_unlocked(",\"stop\":{", c->out);
		c->first = true;
		fields_each(mark->stop_event, mark->stop_record, put_argument, c);
		putc_unlocked('}', c->out);
	}
	putc_unlocked('}', c->out);
}

/* Events */

static void put_us(struct chrome *c, const char *key, uint64_t ns)
{
	fprintf(c->out, ",\"%s\":%llu.%03u", key, (unsigned long long)(ns / 1000),
		(unsigned int)(ns % 1000));
}

static void begin_event(struct chrome *c, const char *phase, const struct track *track)
{
	fprintf(c->out, "%s{\"ph\":\"%s\",\"pid\":%d", c->more ? ",\n" : "\n", phase, track->pid);
	c->more = true;
	if (track->kind == TRACK_THREAD || track->kind == TRACK_LANE)
		fprintf(c->out, ",\"tid\":%lld",
			track->number ? (long long)TIDS + track->number : (long long)track->tid);
}

static void put_name(struct chrome *c, const char *key, const char *name, size_t length)
{
	fprintf(c->out, ",\"%s\":", key);
	json_string(c->out, name, length);
}

/* Writes one end of a flow. "bp":"e" binds it to the slice around it. */
static void put_flow(struct chrome *c, const char *phase, const struct track *track, uint64_t time,
		     uint64_t id)
{
	begin_event(c, phase, track);
	put_us(c, "ts", time);
	fprintf(c->out, ",\"id\":%llu,\"bp\":\"e\",\"cat\":\"flow\",\"name\":\"%s\"}",
		(unsigned long long)id, id & 1 ? "related" : "activity");
}

static void chrome_mark(struct canvas *canvas, const struct mark *mark)
{
	struct chrome *c = (struct chrome *)canvas;
	/* a flow ends at a slice only, so an instant with a flow becomes a slice of length 0 */
	bool instant = mark->kind == MARK_INSTANT && !mark->ins;
	unsigned int i;

	begin_event(c, instant ? "i" : mark->kind == MARK_OPEN ? "B" : "X", mark->track);
	put_us(c, "ts", mark->begin);
	if (instant)
		fputs_unlocked(",\"s\":\"t\"", c->out);
	else if (mark->kind != MARK_OPEN)
		put_us(c, "dur", mark->end - mark->begin);
	put_name(c, "name", mark->name, mark->name_length);
	put_name(c, "cat", mark->category, mark->category_length);
	put_arguments(c, mark);
	putc_unlocked('}', c->out);
	for (i = 0; i < mark->outs; i++)
		put_flow(c, "s", mark->track, mark->begin, mark->out[i]);
	for (i = 0; i < mark->ins; i++)
		put_flow(c, "f", mark->track, mark->begin, mark->in[i]);
}

static void put_metadata(struct chrome *c, const struct track *track, const char *name)
{
	begin_event(c, "M", track);
	fprintf(c->out, ",\"name\":\"%s\",\"args\":{", name);
}

static void chrome_track(struct canvas *canvas, const struct track *track)
{
	struct chrome *c = (struct chrome *)canvas;
	bool process = track->kind == TRACK_PROCESS;

	if (track->kind == TRACK_COUNTER)
		return; /* its first value declares the track */
	put_metadata(c, track, process ? "process_name" : "thread_name");
	fputs_unlocked("\"name\":", c->out);
	json_string(c->out, track->name, strlen(track->name));
	fputs_unlocked("}}", c->out);
	if (process)
		return;
	put_metadata(c, track, "thread_sort_index");
	fprintf(c->out, "\"sort_index\":%u}}", track->sort);
}

static void chrome_count(struct canvas *canvas, const struct track *track, uint64_t time,
			 const struct field *value)
{
	struct chrome *c = (struct chrome *)canvas;

	begin_event(c, "C", track);
	put_us(c, "ts", time);
	put_name(c, "name", track->name, strlen(track->name));
	fputs_unlocked(",\"args\":{\"value\":", c->out);
	if (value->type == FIELD_FLOAT && !isfinite(value->d))
		putc_unlocked('0', c->out);
	else if (value->type == FIELD_HEX || value->type == FIELD_BOOL)
		fprintf(c->out, "%llu", (unsigned long long)field_number(value));
	else
		fwrite_unlocked(value->text, 1, value->length, c->out);
	fputs_unlocked("}}", c->out);
}

static void chrome_lost(struct canvas *canvas, uint64_t time, uint64_t lost)
{
	struct chrome *c = (struct chrome *)canvas;
	const struct track kernel = { .kind = TRACK_THREAD };

	begin_event(c, "i", &kernel);
	put_us(c, "ts", time);
	fprintf(c->out, ",\"s\":\"g\",\"name\":\"events lost\",\"args\":{\"lost\":%llu}}",
		(unsigned long long)lost);
}

/* Begins the file. Viewers show "otherData" as properties of the whole trace. */
static void chrome_clock(struct canvas *canvas, uint64_t time, int64_t wall, bool dated)
{
	struct chrome *c = (struct chrome *)canvas;

	(void)time;
	fputs_unlocked("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"producer\":\"uetrace\"",
		       c->out);
	if (dated)
		fprintf(c->out, ",\"realtime_minus_ts_ns\":\"%lld\"", (long long)wall);
	fputs_unlocked("},\"traceEvents\":[", c->out);
}

static void chrome_end(struct canvas *canvas)
{
	struct chrome *c = (struct chrome *)canvas;

	fputs_unlocked("\n]}\n", c->out);
}

static void chrome_free(struct canvas *canvas)
{
	free(canvas);
}

struct canvas *chrome_new(FILE *out)
{
	struct chrome *c = allocate(sizeof(*c));

	c->canvas = (struct canvas){ .clock = chrome_clock,
				     .track = chrome_track,
				     .mark = chrome_mark,
				     .count = chrome_count,
				     .lost = chrome_lost,
				     .end = chrome_end,
				     .free = chrome_free };
	c->out = out;
	return &c->canvas;
}
