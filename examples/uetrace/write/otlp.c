/* SPDX-License-Identifier: MIT */
/*
 * Events as requests of OpenTelemetry's protocol in JSON, one a line: ExportTraceServiceRequest for
 * what begins and ends, ExportLogsServiceRequest for the rest. As protobuf's JSON has it, 64-bit
 * integers are strings and enums numbers; ids are hexadecimal.
 */
#include "write/write.h"
#include "fields/fields.h"
#include "util/util.h"
#include "write/chrome.h"
#include "write/spans.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OPEN_MAX (UE_DECODE_DEPTH + 8)

struct otlp {
	struct sink sink;
	FILE *out;
	struct spans *spans;
	char host[256];
	/* the ids of the line that is being written, as far as activities are */
	char trace[33], span[17], parent[17];
	/* of the attributes that are being written */
	bool schema; /* those of Common Schema, which are the members of PartC */
	bool hidden; /* what is open at the top is none */
	bool first;
	bool named[OPEN_MAX];
	unsigned int depth;
};

/* Attributes */

static void put_any(FILE *out, const struct field *field)
{
	int n = (int)field->length;

	if (field->type == FIELD_NULL)
		fputs_unlocked("{}", out);
	else if (field->type == FIELD_BOOL)
		fprintf(out, "{\"boolValue\":%.*s}", n, field->text);
	else if (field->type == FIELD_SIGNED ||
		 (field->type == FIELD_UNSIGNED && field->u <= INT64_MAX))
		fprintf(out, "{\"intValue\":\"%.*s\"}", n, field->text);
	else if (field->type == FIELD_FLOAT && isfinite(field->d))
		fprintf(out, "{\"doubleValue\":%.*s}", n, field->text);
	else if (field->type == FIELD_FLOAT)
		fprintf(out, "{\"doubleValue\":\"%s\"}",
			isnan(field->d) ? "NaN"
			: field->d < 0	? "-Infinity"
					: "Infinity");
	else {
		fputs_unlocked("{\"stringValue\":", out);
		json_string(out, field->text, field->length);
		putc_unlocked('}', out);
	}
}

static bool is_named(const struct field *field, const char *name)
{
	return field->name_length == strlen(name) && !field->again &&
	       !memcmp(field->name, name, field->name_length);
}

static void put_attribute(void *context, const struct field *field)
{
	struct otlp *o = context;
	bool ends = field->type == FIELD_STRUCT_END || field->type == FIELD_ARRAY_END;
	bool begins = field->type == FIELD_STRUCT || field->type == FIELD_ARRAY;
	bool shown;

	if (!o->depth)
		o->hidden = o->schema ? !is_named(field, "PartC") : is_named(field, "meta");
	o->depth -= ends;
	shown = !o->hidden && o->depth >= o->schema;
	if (shown && ends) {
		fputs_unlocked(o->named[o->depth] ? "]}}}" : "]}}", o->out);
	} else if (shown) {
		fputs_unlocked(o->first ? "" : ",", o->out);
		if (field->name) {
			fputs_unlocked("{\"key\":", o->out);
			json_name(o->out, field);
			fputs_unlocked(",\"value\":", o->out);
		}
		if (begins)
			fprintf(o->out, "{\"%s\":{\"values\":[",
				field->type == FIELD_ARRAY ? "arrayValue" : "kvlistValue");
		else
			put_any(o->out, field);
		fputs_unlocked(field->name && !begins ? "}" : "", o->out);
	}
	if (shown)
		o->first = begins;
	if (begins)
		o->named[o->depth++] = field->name != NULL;
}

static void begin_attributes(struct otlp *o)
{
	fputs_unlocked("\"attributes\":[", o->out);
	o->first = true;
	o->schema = false;
}

static void put_own(struct otlp *o, const char *name, enum field_type type, const void *s, size_t n)
{
	const struct field field = {
		.type = type, .name = name, .name_length = strlen(name), .text = s, .length = n
	};

	if (n)
		put_attribute(o, &field);
}

static void put_own_id(struct otlp *o, const char *name, int64_t id)
{
	char digits[24];

	if (id > 0)
		put_own(o, name, FIELD_SIGNED, digits,
			(size_t)snprintf(digits, sizeof(digits), "%" PRId64, id));
}

/* Lines */

static void put_item(struct otlp *o, const char *name, const struct ue_decode_item *item,
		     const char *end)
{
	if (!item->size)
		return;
	fprintf(o->out, ",\"%s\":", name);
	json_string(o->out, (const char *)item->value, item->size);
	fputs_unlocked(end, o->out);
}

static void put_id(struct otlp *o, const char *name, const struct otel *otel, enum otel_field field,
		   size_t digits)
{
	if (otel_is_id(otel, field, digits))
		put_item(o, name, &otel->items[field], "");
}

/* They are JSON, with other names. */
static void put_links(struct otlp *o, const struct ue_decode_item *item)
{
	char *links = text("%.*s", (int)item->size, (const char *)item->value), *at = links;
	char trace[33], span[17];
	const char *before = ",\"links\":[";

	for (; (at = strstr(at, "\"toTraceId\"")); at++) {
		if (sscanf(at, "\"toTraceId\" : \"%32[0-9a-f]\" , \"toSpanId\" : \"%16[0-9a-f]\"",
			   trace, span) != 2)
			continue;
		fprintf(o->out, "%s{\"traceId\":\"%s\",\"spanId\":\"%s\"}", before, trace, span);
		before = ",";
	}
	fputs_unlocked(before[1] ? "" : "]", o->out);
	free(links);
}

/* Begins a line, up to the attributes of its span or log. */
static void begin_line(struct otlp *o, const struct otel *otel, const struct thread *thread,
		       const char *scope, size_t n)
{
	const struct ue_decode_item *role = &otel->items[OTEL_ROLE];
	const struct ue_decode_item *instance = &otel->items[OTEL_INSTANCE];
	const char *kind = otel->span ? "Spans" : "Logs";

	fprintf(o->out, "{\"resource%s\":[{\"resource\":{", kind);
	begin_attributes(o);
	put_own(o, "host.name", FIELD_TEXT, o->host, strlen(o->host));
	put_own_id(o, "process.pid", thread->pid);
	put_own(o, "process.executable.name", FIELD_TEXT, thread->name, strlen(thread->name));
	put_own(o, "service.name", FIELD_TEXT, role->value, role->size);
	put_own(o, "service.instance.id", FIELD_TEXT, instance->value, instance->size);
	fprintf(o->out, "]},\"scope%s\":[{\"scope\":{\"name\":", kind);
	json_string(o->out, scope, n);
	fprintf(o->out, "},\"%s\":[{", otel->span ? "spans" : "logRecords");
	begin_attributes(o);
}

/* Writes a span or a log; end is the event that an activity ends with, or NULL. */
static void put_line(struct otlp *o, const struct about *about, const struct about *end,
		     const struct otel *otel)
{
	const struct ue_decode_item *items = otel->items;
	const struct thread *thread = thread_of(about->record);
	uint64_t number;

	begin_line(o, otel, thread, about->category, about->category_length);
	put_own_id(o, "thread.id", thread->tid);
	put_own_id(o, "event.id", (int64_t)otel_number(otel, OTEL_EVENT_ID));
	o->schema = about->label != NULL;
	fields_each(about->event, about->record, put_attribute, o);
	if (end)
		fields_each(end->event, end->record, put_attribute, o);
	fputs_unlocked("]", o->out);
	put_id(o, "traceId", otel, OTEL_TRACE, 32);
	put_id(o, "spanId", otel, OTEL_SPAN, 16);
	put_id(o, "parentSpanId", otel, OTEL_PARENT, 16);
	if (otel->span) {
		number = otel_number(otel, OTEL_KIND);
		fprintf(o->out,
			",\"startTimeUnixNano\":\"%" PRIu64 "\",\"endTimeUnixNano\":\"%" PRIu64
			"\",\"kind\":%u",
			otel->begin, otel->end, number < 5 ? (unsigned int)number + 1 : 0);
		put_item(o, "name", &items[OTEL_NAME], "");
		if (items[OTEL_SUCCESS].name && !otel_number(otel, OTEL_SUCCESS)) {
			fputs_unlocked(",\"status\":{\"code\":2", o->out);
			put_item(o, "message", &items[OTEL_MESSAGE], "");
			putc_unlocked('}', o->out);
		}
		if (items[OTEL_LINKS].name)
			put_links(o, &items[OTEL_LINKS]);
	} else {
		number = otel_number(otel, OTEL_SEVERITY);
		fprintf(o->out, ",\"timeUnixNano\":\"%" PRIu64 "\"", otel->begin);
		if (number >= 1 && number <= 24)
			fprintf(o->out, ",\"severityNumber\":%u", (unsigned int)number);
		put_item(o, "severityText", &items[OTEL_SEVERITY_TEXT], "");
		put_item(o, "body\":{\"stringValue", &items[OTEL_BODY], "}");
		put_item(o, "eventName", &items[OTEL_NAME], "");
	}
	fputs_unlocked("}]}]}]}\n", o->out);
}

/* Other events, in OpenTelemetry's terms */

static uint64_t time_of(const struct record *record)
{
	return record->time + (record->dated ? (uint64_t)record->wall : 0);
}

static void set(struct otel *otel, enum otel_field field, const void *value, size_t size)
{
	otel->items[field] = (struct ue_decode_item){ .value = value, .size = size };
}

/* The id of a trace is that of the outermost activity, as far as those around this one are open. */
static void set_trace(struct otlp *o, struct otel *otel, const struct about *about)
{
	const uint8_t *id = about->related ? about->related : about->activity;
	struct about outer;
	const struct span *span;
	size_t i;

	for (i = 0; i <= RELATED_MAX && (span = spans_activity(o->spans, id)); i++) {
		about_read(span->event, &span->record, &outer);
		if (!outer.related)
			break;
		id = outer.related;
	}
	for (i = 0; i < 16; i++)
		snprintf(o->trace + 2 * i, 3, "%02x", id[i]);
	set(otel, OTEL_TRACE, o->trace, 32);
}

/* An activity's span has 8 bytes of a hash as its id. */
static void set_span(struct otel *otel, enum otel_field field, char digits[17],
		     const uint8_t *activity)
{
	snprintf(digits, 17, "%016" PRIx64, hash(activity, 16));
	set(otel, field, digits, 16);
}

/* Writes what begins and ends as a span; end NULL: the event as a log. */
static void put_event(struct otlp *o, const struct about *about, const struct about *end)
{
	static const uint8_t severities[] = { 0, 21, 17, 13, 9, 5 }; /* of levels */
	struct otel otel = { .span = end != NULL,
			     .begin = time_of(about->record),
			     .end = time_of((end ? end : about)->record) };

	set(&otel, OTEL_NAME, about->name, about->name_length);
	set(&otel, OTEL_BODY, about->name, about->name_length);
	set(&otel, OTEL_SEVERITY, &severities[about->level <= 5 ? about->level : 5], 1);
	if (about->activity) {
		set_trace(o, &otel, about);
		set_span(&otel, OTEL_SPAN, o->span, about->activity);
	}
	if (end && about->related)
		set_span(&otel, OTEL_PARENT, o->parent, about->related);
	put_line(o, about, end, &otel);
}

/* The sink */

/* A begin whose end is not known is a log. */
static void put_begin(void *context, struct span *span)
{
	struct about about;

	about_read(span->event, &span->record, &about);
	put_event(context, &about, NULL);
}

static void otlp_event(struct sink *sink, struct event *event, const struct record *record)
{
	struct otlp *o = (struct otlp *)sink;
	struct about about, start;
	struct ue_decode_event e;
	struct span *span = NULL;
	struct otel otel;

	about_read(event, record, &about);
	if (about.key.kind == SPAN_ACTIVITY)
		span = spans_find(o->spans, &about.key);
	if (about.key.kind == SPAN_ACTIVITY && about.starts) {
		spans_open(o->spans, &about.key, time_of(record), event, record);
	} else if (span) {
		about_read(span->event, &span->record, &start);
		span_name(&start, &about);
		put_event(o, &start, &about);
		spans_close(o->spans, span);
	} else if (about.label) {
		event_header(event, record, &e);
		otel_read(&e, &otel);
		put_line(o, &about, NULL, &otel);
	} else {
		put_event(o, &about, NULL);
	}
}

static void otlp_lost(struct sink *sink, uint64_t lost)
{
	const struct thread nobody = { .pid = -1 };
	const struct otel none = { .span = false };
	struct otlp *o = (struct otlp *)sink;

	begin_line(o, &none, &nobody, "uetrace", strlen("uetrace"));
	put_own_id(o, "lost", (int64_t)lost);
	fputs_unlocked("],\"severityNumber\":13,\"eventName\":\"lost\"}]}]}]}\n", o->out);
}

static void otlp_end(struct sink *sink)
{
	struct otlp *o = (struct otlp *)sink;
	struct span *span;

	while ((span = o->spans->newest)) {
		put_begin(o, span);
		spans_close(o->spans, span);
	}
}

static void otlp_free(struct sink *sink)
{
	spans_free(((struct otlp *)sink)->spans);
	free(sink);
}

struct sink *otlp_new(FILE *out, bool recorded)
{
	struct otlp *o = allocate(sizeof(*o));

	o->sink = (struct sink){
		.event = otlp_event, .lost = otlp_lost, .end = otlp_end, .free = otlp_free
	};
	o->out = out;
	if (!recorded)
		gethostname(o->host, sizeof(o->host) - 1);
	o->spans = spans_new(SPANS_MAX, SPANS_BYTES, put_begin, o);
	return &o->sink;
}
