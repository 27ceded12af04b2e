/* SPDX-License-Identifier: MIT */
/*
 * Writes pictures in Chrome's Trace Event Format: a JSON object with one event a line, times in
 * microseconds with three decimals. A slice is a complete event ("X"). A lane beside a thread
 * gets a thread id above the largest id of Linux.
 */
#include "format/chrome.h"
#include "util/clean.h"
#include "util/util.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIDS 4194304		  /* PID_MAX_LIMIT of Linux; ids of lanes begin here */
#define EXACT (UINT64_C(1) << 53) /* numbers of JavaScript are exact up to this */

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
	for (; s < end; s += length) {
		length = utf8_character(s, (size_t)(end - s));
		other = escaped(escape, s, length);
		length += !length;
		if (other) {
			fwrite_unlocked(clean, 1, (size_t)(s - clean), out);
			fputs_unlocked(other, out);
			clean = s + length;
		}
	}
	fwrite_unlocked(clean, 1, (size_t)(s - clean), out);
	putc_unlocked('"', out);
}

void json_name(FILE *out, const struct field *field)
{
	char *name;

	if (!field->again) {
		json_string(out, field->name, field->name_length);
		return;
	}
	name = text("%.*s#%u", (int)field->name_length, field->name, field->again + 1);
	json_string(out, name, strlen(name));
	free(name);
}

/* Arguments */

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
	static const char brackets[] = { [FIELD_STRUCT] = '{',
					 [FIELD_STRUCT_END] = '}',
					 [FIELD_ARRAY] = '[',
					 [FIELD_ARRAY_END] = ']' };
	struct chrome *c = context;
	char bracket = brackets[field->type];

	if (!c->first && bracket != '}' && bracket != ']')
		putc_unlocked(',', c->out);
	if (field->name) {
		json_name(c->out, field);
		putc_unlocked(':', c->out);
	}
	if (bracket)
		putc_unlocked(bracket, c->out);
	else if (is_bare(field))
		fwrite_unlocked(field->text, 1, field->length, c->out);
	else
		json_string(c->out, field->text, field->length);
	c->first = bracket == '{' || bracket == '[';
}

static void put_arguments(struct chrome *c, const char *name, const struct about *about)
{
	fprintf(c->out, ",\"%s\":{", name);
	c->first = true;
	fields_each(about->event, about->record, put_argument, c);
}

/* Events */

static void put_us(struct chrome *c, const char *key, uint64_t ns)
{
	fprintf(c->out, ",\"%s\":%llu.%03u", key, (unsigned long long)(ns / 1000),
		(unsigned int)(ns % 1000));
}

static void begin_event(struct chrome *c, char phase, pid_t pid)
{
	fprintf(c->out, "%s{\"ph\":\"%c\",\"pid\":%d", c->more ? ",\n" : "\n", phase, pid);
	c->more = true;
}

static void begin_on_track(struct chrome *c, char phase, const struct track *track)
{
	begin_event(c, phase, track->pid);
	fprintf(c->out, ",\"tid\":%lld",
		track->number ? (long long)TIDS + track->number : (long long)track->tid);
}

static void put_string(struct chrome *c, const char *key, const char *name, size_t length)
{
	fprintf(c->out, ",\"%s\":", key);
	json_string(c->out, name, length);
}

/* Completes an event that names a process or a track. */
static void put_metadata(struct chrome *c, const char *kind, const char *name)
{
	fprintf(c->out, ",\"name\":\"%s\",\"args\":{\"name\":", kind);
	json_string(c->out, name, strlen(name));
	fputs_unlocked("}}", c->out);
}

void chrome_mark(struct chrome *c, const struct mark *mark)
{
	const struct about *about = mark->about;

	begin_on_track(c, (char)mark->kind, mark->track);
	put_us(c, "ts", mark->begin);
	if (mark->kind == MARK_INSTANT)
		fputs_unlocked(",\"s\":\"t\"", c->out);
	else if (mark->kind == MARK_SLICE)
		put_us(c, "dur", mark->end - mark->begin);
	if (about->label)
		put_string(c, "name", about->label, about->label_length);
	else
		put_string(c, "name", about->name, about->name_length);
	put_string(c, "cat", about->category, about->category_length);
	put_arguments(c, "args", about);
	if (mark->stop) {
		put_arguments(c, "stop", mark->stop);
		putc_unlocked('}', c->out);
	}
	fputs_unlocked("}}", c->out);
}

/* "bp":"e" binds the flow to the slice around it. */
void chrome_flow(struct chrome *c, char phase, const struct mark *mark, uint64_t flow)
{
	begin_on_track(c, phase, mark->track);
	put_us(c, "ts", mark->begin);
	fprintf(c->out, ",\"id\":%llu,\"bp\":\"e\",\"cat\":\"flow\",\"name\":\"%s\"}",
		(unsigned long long)flow, flow & 1 ? "related" : "activity");
}

void chrome_process(struct chrome *c, pid_t pid, const char *name)
{
	begin_event(c, 'M', pid);
	put_metadata(c, "process_name", name);
}

void chrome_track(struct chrome *c, const struct track *track, unsigned int sort, const char *name)
{
	begin_on_track(c, 'M', track);
	put_metadata(c, "thread_name", name);
	begin_on_track(c, 'M', track);
	fprintf(c->out, ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%u}}", sort);
}

void chrome_count(struct chrome *c, pid_t pid, const char *name, uint64_t time,
		  const struct field *value)
{
	double number = field_number(value);

	begin_event(c, 'C', pid);
	put_us(c, "ts", time);
	put_string(c, "name", name, strlen(name));
	fputs_unlocked(",\"args\":{\"value\":", c->out);
	if (value->type == FIELD_HEX || value->type == FIELD_BOOL || !isfinite(number))
		fprintf(c->out, "%.0f", isfinite(number) ? number : 0);
	else
		fwrite_unlocked(value->text, 1, value->length, c->out);
	fputs_unlocked("}}", c->out);
}

void chrome_lost(struct chrome *c, uint64_t time, uint64_t lost)
{
	begin_on_track(c, 'i', &(struct track){ .pid = 0 });
	put_us(c, "ts", time);
	fprintf(c->out, ",\"s\":\"g\",\"name\":\"events lost\",\"args\":{\"lost\":%llu}}",
		(unsigned long long)lost);
}

/* Viewers show "otherData" as properties of the whole trace. */
void chrome_begin(struct chrome *c, int64_t realtime_offset, bool dated)
{
	fputs_unlocked("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"producer\":\"uetrace\"",
		       c->out);
	if (dated)
		fprintf(c->out, ",\"realtime_minus_ts_ns\":\"%lld\"", (long long)realtime_offset);
	fputs_unlocked("},\"traceEvents\":[", c->out);
}

void chrome_end(struct chrome *c)
{
	fputs_unlocked("\n]}\n", c->out);
}
