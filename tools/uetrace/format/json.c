/* SPDX-License-Identifier: MIT */
/*
 * Events as lines of JSON. user_events_decode.h writes the object; what says where it is from is
 * added to its "meta", and a line that is too long is cut between two fields.
 */
#include "format/format.h"
#include "event/event.h"
#include "fields/fields.h"
#include "select/select.h"
#include "util/util.h"

#include <stdlib.h>
#include <string.h>

struct json {
	struct sink sink;
	FILE *out;
	struct writer w;
	size_t max; /* bytes of a line with its newline; 0: no limit */
	bool origin;
	const struct machine *machine; /* of the last event; NULL: not known */
	struct ue_decode_meta last;    /* its time, as far as it is known */
};

/* Puts a part of an event. Returns whether the line is too long already. */
static int put_part(void *context, const char *s, size_t n)
{
	struct json *j = context;

	put_json(&j->w, s, n);
	return j->max && j->w.n > j->max;
}

/* fields: else only the name, of which a very long one is cut, and "meta" */
static void put_object(struct json *j, const struct event *event, const struct record *record,
		       const struct ue_decode_meta *meta, bool fields)
{
	struct ue_decode_format format = event->decoder->format;
	struct ue_decode_event e;

	if (!event->eventheader || record->size < format.eventheader) {
		if (!fields)
			format.field_count = 0;
		ue_decode_format_json_to(&format, record->data, record->size, meta,
					 UE_DECODE_SPACED, put_part, j);
		return;
	}
	event_header(event, record, &e);
	if (!fields) {
		e.name_length = e.name_length < j->max / 16 ? e.name_length : j->max / 16;
		e.attributes_length = e.definitions_length = 0;
	}
	ue_decode_json_to(&e, meta, UE_DECODE_SPACED, put_part, j);
}

static void put_key(struct json *j, const char *name)
{
	if (j->w.line[j->w.n - 1] != '{')
		put_char(&j->w, ',');
	put_format(&j->w, " \"%s\": ", name);
}

/* A member of "meta", unless it is empty. */
static void put_member(struct json *j, const char *name, const char *value)
{
	struct ue_decode_item item = { .type = UE_DECODE_VALUE,
				       .kind = UE_DECODE_KIND_STRING8,
				       .value = (const uint8_t *)value,
				       .size = strlen(value) };
	char quoted[256 * 6 + 3]; /* with all letters escaped */

	if (!*value)
		return;
	ue_decode_value(&item, UE_DECODE_JSON, quoted, sizeof(quoted));
	put_key(j, name);
	put_json(&j->w, quoted, strlen(quoted));
}

#define ENDS " } }" /* of "meta" and of the object */

/* Ends the line. Before the ends of "meta" and of the object it says where it is from. */
static void end_object(struct json *j, const char *comm, bool cut)
{
	if (j->w.n > strlen(ENDS)) {
		j->w.n -= strlen(ENDS);
		if (j->origin)
			put_member(j, "comm", comm);
		if (j->origin && j->machine) {
			put_member(j, "host", j->machine->host);
			put_member(j, "boot", j->machine->boot);
		}
		if (cut) {
			put_key(j, "cut");
			put_text(&j->w, "true");
		}
		put_text(&j->w, ENDS);
	}
	put_char(&j->w, '\n');
}

/*
 * Finds the first comma between members of the object, and the last of the first n bytes; 0: none.
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

/* Replaces a line that is too long by one with as many of its first fields as fit. */
static void cut_line(struct json *j, const struct event *event, const struct record *record,
		     const struct ue_decode_meta *meta, const char *comm)
{
	struct writer whole = j->w, rest;
	size_t room, first, last, name;

	j->w = (struct writer){ .n = 0 };
	put_object(j, event, record, meta, false);
	end_object(j, comm, true);
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
	put_object(j, event, record, &meta, true);
	if (!j->max || j->w.n <= j->max)
		end_object(j, thread->name, false);
	if (j->max && j->w.n > j->max)
		cut_line(j, event, record, &meta, thread->name);
	put_end(&j->w, j->out);
}

/* An event of our own, at the time of the one before it: "uetrace:lost". */
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
	end_object(j, OWN_SYSTEM, false);
	put_end(&j->w, j->out);
}

static void json_free(struct sink *sink)
{
	free(((struct json *)sink)->w.line);
	free(sink);
}

struct sink *json_new(FILE *out, const struct options *o)
{
	struct json *j = allocate(sizeof(*j));

	j->sink = (struct sink){ .event = json_event, .lost = json_lost, .free = json_free };
	j->out = out;
	j->max = o->max_line;
	j->origin = o->origin;
	j->machine = o->recorded ? NULL : machine_here();
	return &j->sink;
}
