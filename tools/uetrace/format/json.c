/* SPDX-License-Identifier: MIT */
/*
 * Writes each event as a line of JSON. user_events_decode.h formats the object; this file adds the
 * origin of the event to the object's member "meta". If a line would be too long, it is truncated
 * after the last field that fits.
 */
#include "format/format.h"
#include "command/options.h"
#include "event/event.h"
#include "fields/fields.h"
#include "util/util.h"

#include <stdlib.h>
#include <string.h>

struct json {
	struct sink sink;
	FILE *out;
	struct writer w;
	size_t max;   /* maximum line length in bytes, including the newline; 0 for no limit */
	size_t limit; /* line length in bytes at which the decoder is stopped */
	bool origin;
	const struct machine *machine; /* machine of the last event, or NULL */
	struct ue_decode_meta last;    /* time of the last event */
};

/*
 * Appends a piece of an event's JSON. Returns nonzero to stop the decoder if the line is too long.
 */
static int put_part(void *context, const char *s, size_t n)
{
	struct json *j = context;

	put_json(&j->w, s, n);
	return j->w.n > j->limit;
}

/* Appends an event as a JSON object. */
static void put_object(struct json *j, const struct event *event, const struct record *record,
		       const struct ue_decode_meta *meta)
{
	const struct ue_decode_format *format = &event->decoder->format;
	struct ue_decode_event e;

	j->limit = j->max ? j->max : SIZE_MAX;
	if (event->eventheader && record->size >= format->eventheader) {
		event_header(event, record, &e);
		ue_decode_json_to(&e, meta, UE_DECODE_SPACED, put_part, j);
	} else {
		ue_decode_format_json_to(format, record->data, record->size, meta, UE_DECODE_SPACED,
					 put_part, j);
	}
}

static void put_key(struct json *j, const char *name)
{
	if (j->w.line[j->w.n - 1] != '{')
		put_char(&j->w, ',');
	put_format(&j->w, " \"%s\": ", name);
}

#define ENDS " } }" /* closing braces of "meta" and of the object */

/*
 * Appends an event as a JSON object without fields. Truncates the provider name and the event name
 * to name_max bytes each. truncated reports whether the program truncated the event, because the
 * decoder cannot detect this without the fields.
 */
static void put_name_and_meta(struct json *j, const struct event *event,
			      const struct record *record, const struct ue_decode_meta *meta,
			      size_t name_max, bool truncated)
{
	struct ue_decode_format format = event->decoder->format;
	struct ue_decode_event e;

	j->limit = SIZE_MAX;
	if (event->eventheader && record->size >= format.eventheader) {
		event_header(event, record, &e);
		e.provider_length = text_cut(e.provider, e.provider_length, name_max);
		e.name_length = text_cut(e.name, e.name_length, name_max);
		e.attributes_length = e.definitions_length = 0;
		if (e.payload) /* the values of the omitted fields are not a mark */
			e.size = (size_t)(e.payload - e.data);
		ue_decode_json_to(&e, meta, UE_DECODE_SPACED, put_part, j);
	} else {
		format.field_count = 0;
		format.system_length = text_cut(format.system, format.system_length, name_max);
		format.name_length = text_cut(format.name, format.name_length, name_max);
		ue_decode_format_json_to(&format, record->data, record->size, meta,
					 UE_DECODE_SPACED, put_part, j);
	}
	if (truncated) {
		j->w.n -= strlen(ENDS);
		put_key(j, "truncated");
		put_text(&j->w, "true" ENDS);
	}
}

/* Appends a member to "meta" unless its value is empty. */
static void put_member(struct json *j, const char *name, const char *value)
{
	if (!*value)
		return;
	put_key(j, name);
	put_json_string(&j->w, value, strlen(value));
}

/*
 * Ends a line. Adds the event's origin to "meta" and, if uetrace truncated the line, the member
 * "cut".
 */
static void end_object(struct json *j, const char *comm, bool cut)
{
	j->w.n -= strlen(ENDS);
	if (comm)
		put_member(j, "comm", comm);
	if (comm && j->machine) {
		put_member(j, "host", j->machine->host);
		put_member(j, "boot", j->machine->boot);
	}
	if (cut) {
		put_key(j, "cut");
		put_text(&j->w, "true");
	}
	put_text(&j->w, ENDS "\n");
}

/*
 * Searches the first n bytes for commas between members of the outermost object. Returns the
 * position of the last comma, and sets *first to that of the first comma. Both are 0 if there is no
 * comma.
 */
static size_t find_commas(const char *s, size_t n, size_t *first)
{
	unsigned int depth = 0;
	bool string = false;
	size_t i, last = 0;

	*first = 0;
	for (i = 0; i < n; i++) {
		if (string && s[i] == '\\') {
			i++;
		} else if (s[i] == '"') {
			string = !string;
		} else if (string) {
			continue;
		} else if (s[i] == '{' || s[i] == '[') {
			depth++;
		} else if (s[i] == '}' || s[i] == ']') {
			depth--;
		} else if (s[i] == ',' && depth == 1) {
			last = i;
			*first = *first ? *first : i;
		}
	}
	return last;
}

/*
 * Builds the longest object without fields that fits in a line. Tries decreasing limits for the
 * length of names, because their length in JSON is not known in advance: a control character takes
 * six bytes. The last attempt omits the names and the origin.
 */
static void put_short_object(struct json *j, const struct event *event, const struct record *record,
			     const struct ue_decode_meta *meta, const char *comm)
{
	bool truncated = event_truncated(event, record);
	size_t name_max = j->max / 16;

	for (;; name_max /= 2) {
		j->w.n = 0;
		put_name_and_meta(j, event, record, meta, name_max, truncated);
		end_object(j, name_max ? comm : NULL, true);
		if (j->w.n <= j->max || !name_max)
			return;
	}
}

/*
 * Replaces a line that is too long with a line that contains only as many of the first fields as
 * fit.
 */
static void cut_line(struct json *j, const struct event *event, const struct record *record,
		     const struct ue_decode_meta *meta, const char *comm)
{
	struct writer whole = j->w, rest;
	size_t room, first, last, name;

	j->w = (struct writer){ .n = 0 };
	put_short_object(j, event, record, meta, comm);
	rest = j->w;
	room = rest.n < j->max ? j->max - rest.n : 0;
	find_commas(rest.line, rest.n, &name);
	find_commas(whole.line, whole.n, &first);
	last = find_commas(whole.line, first + room < whole.n ? first + room : whole.n, &first);
	j->w = (struct writer){ .n = 0 };
	put_bytes(&j->w, rest.line, name);
	if (last > first)
		put_bytes(&j->w, whole.line + first, last - first);
	put_bytes(&j->w, rest.line + name, rest.n - name);
	free(rest.line);
	free(whole.line);
}

static void json_event(struct sink *sink, struct event *event, const struct record *record)
{
	struct json *j = (struct json *)sink;
	const struct thread *thread = thread_of(record);
	const char *comm = j->origin ? thread->name : NULL;
	const struct ue_decode_meta meta = {
		.time = record->time + (uint64_t)record->realtime_offset,
		.cpu = record->cpu,
		.tid = (uint32_t)thread->tid,
		.pid = (uint32_t)thread->pid,
		.known = UE_DECODE_HAS_TIME | UE_DECODE_HAS_TID |
			 (record->cpu != CPU_UNKNOWN ? UE_DECODE_HAS_CPU : 0) |
			 (record->dated ? UE_DECODE_HAS_WALL_TIME : 0) |
			 (thread->pid == -1 ? 0 : UE_DECODE_HAS_PID),
	};

	j->machine = record->machine;
	j->last.time = meta.time;
	j->last.known = meta.known & (UE_DECODE_HAS_TIME | UE_DECODE_HAS_WALL_TIME);
	put_object(j, event, record, &meta);
	if (j->w.n <= j->limit)
		end_object(j, comm, false);
	if (j->w.n > j->limit)
		cut_line(j, event, record, &meta, comm);
	put_end(&j->w, j->out);
}

/* Writes an event "uetrace:lost" with the same time as the last event. */
static void json_lost(struct sink *sink, uint64_t lost)
{
	static const char text[] = "name: lost\nID: 0\nformat:\n"
				   "\tfield:u64 lost;\toffset:0;\tsize:8;\tsigned:0;\n";
	struct json *j = (struct json *)sink;
	struct ue_decode_field field;
	struct ue_decode_format format = { .system = OWN_SYSTEM,
					   .system_length = strlen(OWN_SYSTEM),
					   .fields = &field,
					   .fields_max = 1,
					   .big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ };

	ue_decode_format_parse(&format, text, strlen(text));
	ue_decode_format_json_to(&format, &lost, sizeof(lost), &j->last, UE_DECODE_SPACED, put_json,
				 &j->w);
	end_object(j, j->origin ? OWN_SYSTEM : NULL, false);
	put_end(&j->w, j->out);
}

static void json_free(struct sink *sink)
{
	free(((struct json *)sink)->w.line);
	free(sink);
}

struct sink *json_new(FILE *out, const struct line_settings *settings)
{
	struct json *j = allocate(sizeof(*j));

	j->sink = (struct sink){ .event = json_event, .lost = json_lost, .free = json_free };
	j->out = out;
	j->max = settings->max_line;
	j->origin = settings->origin;
	j->machine = settings->machine;
	return &j->sink;
}
