/* SPDX-License-Identifier: MIT */
/*
 * Writes timelines in the Chrome Trace Event Format: a JSON object with one event per line. Times
 * are in microseconds, with three decimals. Each slice is a complete event ("X"). A thread's
 * additional lanes use thread IDs above the largest Linux thread ID.
 */
#include "format/chrome.h"
#include "util/util.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIDS 4194304		  /* Linux's PID_MAX_LIMIT; the first thread ID used for a lane */
#define EXACT (UINT64_C(1) << 53) /* largest integer that JavaScript represents exactly */

/*
 * Appends a member name. If a struct contains a name twice, the second member is called "name#2".
 */
static void put_key(struct writer *w, const struct field *field)
{
	char *name;

	if (!field->earlier) {
		put_json_string(w, field->name, field->name_length);
		return;
	}
	name = text("%.*s#%u", (int)field->name_length, field->name, field->earlier + 1);
	put_json_string(w, name, strlen(name));
	free(name);
}

/* Arguments */

/*
 * Returns true if the value is written without quotes. Numbers that viewers cannot represent
 * exactly need quotes.
 */
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
		put_char(&c->w, ',');
	if (field->name) {
		put_key(&c->w, field);
		put_char(&c->w, ':');
	}
	if (bracket)
		put_char(&c->w, bracket);
	else if (is_bare(field))
		put_bytes(&c->w, field->text, field->length);
	else
		put_json_string(&c->w, field->text, field->length);
	c->first = bracket == '{' || bracket == '[';
}

static void put_arguments(struct chrome *c, const char *name, const struct about *about)
{
	put_format(&c->w, ",\"%s\":{", name);
	c->first = true;
	fields_each(about->event, about->record, put_argument, c);
}

/* Events */

static void put_us(struct chrome *c, const char *key, uint64_t ns)
{
	put_format(&c->w, ",\"%s\":%llu.%03u", key, (unsigned long long)(ns / 1000),
		   (unsigned int)(ns % 1000));
}

static void begin_event(struct chrome *c, char phase, pid_t pid)
{
	put_format(&c->w, "%s{\"ph\":\"%c\",\"pid\":%d", c->more ? ",\n" : "\n", phase, pid);
	c->more = true;
}

static void begin_on_track(struct chrome *c, char phase, const struct track *track)
{
	begin_event(c, phase, track->pid);
	put_format(&c->w, ",\"tid\":%lld",
		   track->number ? (long long)TIDS + track->number : (long long)track->tid);
}

static void put_string(struct chrome *c, const char *key, const char *name, size_t length)
{
	put_format(&c->w, ",\"%s\":", key);
	put_json_string(&c->w, name, length);
}

/* Completes a metadata event, which names a process or a track. */
static void put_metadata(struct chrome *c, const char *kind, const char *name)
{
	put_format(&c->w, ",\"name\":\"%s\",\"args\":{\"name\":", kind);
	put_json_string(&c->w, name, strlen(name));
	put_text(&c->w, "}}");
}

void chrome_mark(struct chrome *c, const struct mark *mark)
{
	const struct about *about = mark->about;

	begin_on_track(c, (char)mark->kind, mark->track);
	put_us(c, "ts", mark->begin);
	if (mark->kind == MARK_INSTANT)
		put_text(&c->w, ",\"s\":\"t\"");
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
		put_char(&c->w, '}');
	}
	put_text(&c->w, "}}");
	put_end(&c->w, c->out);
}

/* Writes "bp":"e", which attaches the flow to the enclosing slice. */
void chrome_flow(struct chrome *c, char phase, const struct mark *mark, uint64_t flow)
{
	begin_on_track(c, phase, mark->track);
	put_us(c, "ts", mark->begin);
	put_format(&c->w, ",\"id\":%llu,\"bp\":\"e\",\"cat\":\"flow\",\"name\":\"%s\"}",
		   (unsigned long long)flow, flow & 1 ? "related" : "activity");
	put_end(&c->w, c->out);
}

void chrome_process(struct chrome *c, pid_t pid, const char *name)
{
	begin_event(c, 'M', pid);
	put_metadata(c, "process_name", name);
	put_end(&c->w, c->out);
}

void chrome_track(struct chrome *c, const struct track *track, unsigned int sort, const char *name)
{
	begin_on_track(c, 'M', track);
	put_metadata(c, "thread_name", name);
	begin_on_track(c, 'M', track);
	put_format(&c->w, ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%u}}", sort);
	put_end(&c->w, c->out);
}

void chrome_count(struct chrome *c, pid_t pid, const char *name, uint64_t time,
		  const struct field *value)
{
	double number = field_number(value);

	begin_event(c, 'C', pid);
	put_us(c, "ts", time);
	put_string(c, "name", name, strlen(name));
	put_text(&c->w, ",\"args\":{\"value\":");
	if (value->type == FIELD_HEX || value->type == FIELD_BOOL || !isfinite(number))
		put_format(&c->w, "%.0f", isfinite(number) ? number : 0);
	else
		put_bytes(&c->w, value->text, value->length);
	put_text(&c->w, "}}");
	put_end(&c->w, c->out);
}

void chrome_lost(struct chrome *c, uint64_t time, uint64_t lost)
{
	begin_on_track(c, 'i', &(struct track){ .pid = 0 });
	put_us(c, "ts", time);
	put_format(&c->w, ",\"s\":\"g\",\"name\":\"events lost\",\"args\":{\"lost\":%llu}}",
		   (unsigned long long)lost);
	put_end(&c->w, c->out);
}

/* Writes the "otherData" object, which viewers show as properties of the trace. */
void chrome_begin(struct chrome *c, int64_t realtime_offset, bool dated)
{
	put_text(&c->w, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"producer\":\"uetrace\"");
	if (dated)
		put_format(&c->w, ",\"realtime_minus_ts_ns\":\"%lld\"", (long long)realtime_offset);
	put_text(&c->w, "},\"traceEvents\":[");
	put_end(&c->w, c->out);
}

void chrome_end(struct chrome *c)
{
	put_text(&c->w, "\n]}\n");
	put_end(&c->w, c->out);
	free(c->w.line);
	c->w = (struct writer){ .n = 0 };
}
