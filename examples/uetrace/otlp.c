/* SPDX-License-Identifier: MIT */
/*
 * Events as requests of OpenTelemetry's protocol in JSON, one a line: ExportTraceServiceRequest for
 * what begins and ends, ExportLogsServiceRequest for the rest. As protobuf's JSON has it, 64-bit
 * integers are strings and enums numbers; ids are hexadecimal.
 */
#include "decode.h"
#include "otel.h"
#include "picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SPANS_MAX 65536
#define SPANS_BYTES (64u << 20)
#define OPEN_MAX (UE_DECODE_DEPTH + 8)
#define DEPTH_MAX 32 /* of activities that are related to one another */

struct otlp {
	struct sink sink;
	FILE *out;
	struct spans *spans;
	char host[256];
	/* of the attributes that are being written */
	bool parts;  /* those of Common Schema, of which PartC has the attributes; */
	bool within; /* it is open */
	bool first;
	bool named[OPEN_MAX];
	unsigned int depth, skipped;
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

static void put_attribute(void *context, const struct field *field)
{
	struct otlp *o = context;
	bool ends = field->type == FIELD_STRUCT_END || field->type == FIELD_ARRAY_END;
	bool begins = field->type == FIELD_STRUCT || field->type == FIELD_ARRAY;
	bool top = !o->depth && begins;
	char *name;

	if (o->skipped) {
		o->skipped += (unsigned int)begins - ends;
	} else if (ends && !o->depth) {
		o->within = false;
	} else if (ends) {
		fputs_unlocked(o->named[--o->depth] ? "]}}}" : "]}}", o->out);
		o->first = false;
	} else if (top && o->parts && field->name_length == 5 && !memcmp(field->name, "PartC", 5)) {
		o->within = true;
	} else if (top && ((o->parts && !o->within) || (field->name_length == 4 && !field->again &&
							!memcmp(field->name, "meta", 4)))) {
		o->skipped = 1;
	} else if (!o->parts || o->within) {
		fputs_unlocked(o->first ? "" : ",", o->out);
		o->first = begins;
		if (field->name) {
			name = text(field->again ? "%.*s#%u" : "%.*s", (int)field->name_length,
				    field->name, field->again + 1);
			fputs_unlocked("{\"key\":", o->out);
			json_string(o->out, name, strlen(name));
			fputs_unlocked(",\"value\":", o->out);
			free(name);
		}
		if (begins) {
			fprintf(o->out, "{\"%s\":{\"values\":[",
				field->type == FIELD_ARRAY ? "arrayValue" : "kvlistValue");
			o->named[o->depth++] = field->name != NULL;
			return;
		}
		put_any(o->out, field);
		fputs_unlocked(field->name ? "}" : "", o->out);
	}
}

static void begin_attributes(struct otlp *o)
{
	fputs_unlocked("\"attributes\":[", o->out);
	o->first = true;
	o->parts = o->within = false;
	o->depth = o->skipped = 0;
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

/* Members of records */

static void put_string(struct otlp *o, const char *name, const void *s, size_t n, const char *end)
{
	if (!n)
		return;
	fprintf(o->out, ",\"%s\":", name);
	json_string(o->out, s, n);
	fputs_unlocked(end, o->out);
}

static void put_item(struct otlp *o, const char *name, const struct ue_decode_item *item,
		     const char *end)
{
	put_string(o, name, item->value, item->size, end);
}

static void put_hex(struct otlp *o, const char *name, const uint8_t *id, size_t n)
{
	fprintf(o->out, ",\"%s\":\"", name);
	while (n--)
		fprintf(o->out, "%02x", *id++);
	putc_unlocked('"', o->out);
}

/* An activity's span has 8 bytes of a hash as its id. */
static void put_span_id(struct otlp *o, const char *name, const uint8_t *activity)
{
	if (activity)
		fprintf(o->out, ",\"%s\":\"%016" PRIx64 "\"", name, hash(activity, 16));
}

/* The id of a trace is that of the outermost activity, as far as those around this one are open. */
static void put_ids(struct otlp *o, const struct about *about)
{
	struct span_key key = { .kind = SPAN_ACTIVITY };
	const struct span *span = NULL;
	struct about outer = *about;
	unsigned int depth = 0;

	if (!about->activity)
		return;
	memcpy(key.bytes, about->activity, sizeof(key.bytes));
	do {
		if (outer.related)
			memcpy(key.bytes, outer.related, sizeof(key.bytes));
		span = spans_find(o->spans, &key);
		if (span)
			about_read(span->event, &span->record, &outer);
	} while (span && outer.related && depth++ < DEPTH_MAX);
	put_hex(o, "traceId", key.bytes, sizeof(key.bytes));
	put_span_id(o, "spanId", about->activity);
}

static void put_otel_ids(struct otlp *o, const struct otel *otel)
{
	static const struct {
		const char *name;
		enum otel_field field;
		size_t digits;
	} rows[] = { { "traceId", OTEL_TRACE, 32 },
		     { "spanId", OTEL_SPAN, 16 },
		     { "parentSpanId", OTEL_PARENT, 16 } };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		if (otel_is_id(otel, rows[i].field, rows[i].digits))
			put_item(o, rows[i].name, &otel->items[rows[i].field], "");
	}
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

/* Lines */

static uint64_t time_of(const struct record *record)
{
	return record->time + (record->dated ? (uint64_t)record->wall : 0);
}

/* Writes an event; with its end, or if it is one of OpenTelemetry's spans, as a span, else as a log. */
static void put_line(struct otlp *o, const struct event *event, const struct record *record,
		     const struct about *about, const struct otel *otel,
		     const struct event *end_event, const struct record *end)
{
	static const struct otel none;
	static const unsigned int severities[] = { 0, 21, 17, 13, 9, 5 }; /* of levels */
	bool span = end || (otel && otel->span);
	const struct ue_decode_item *items = otel ? otel->items : none.items;
	const struct thread *thread = thread_of(record);
	uint64_t number, begin = otel ? otel->begin : time_of(record);

	fprintf(o->out, "{\"resource%s\":[{\"resource\":{", span ? "Spans" : "Logs");
	begin_attributes(o);
	put_own(o, "host.name", FIELD_TEXT, o->host, strlen(o->host));
	put_own_id(o, "process.pid", thread->pid);
	put_own(o, "process.executable.name", FIELD_TEXT, thread->name, strlen(thread->name));
	put_own(o, "service.name", FIELD_TEXT, items[OTEL_ROLE].value, items[OTEL_ROLE].size);
	put_own(o, "service.instance.id", FIELD_TEXT, items[OTEL_INSTANCE].value,
		items[OTEL_INSTANCE].size);
	fprintf(o->out, "]},\"scope%s\":[{\"scope\":{\"name\":", span ? "Spans" : "Logs");
	json_string(o->out, about->category, about->category_length);
	fprintf(o->out, "},\"%s\":[{", span ? "spans" : "logRecords");
	begin_attributes(o);
	put_own_id(o, "thread.id", thread_of(record)->tid);
	if (otel && otel->items[OTEL_EVENT_ID].name)
		put_own_id(o, "event.id", (int64_t)otel_number(otel, OTEL_EVENT_ID));
	o->parts = otel != NULL;
	fields_each(event, record, put_attribute, o);
	if (end)
		fields_each(end_event, end, put_attribute, o);
	fputs_unlocked("]", o->out);
	if (otel)
		put_otel_ids(o, otel);
	else
		put_ids(o, about);
	if (span) {
		number = otel ? otel_number(otel, OTEL_KIND) : 0;
		fprintf(o->out,
			",\"startTimeUnixNano\":\"%" PRIu64 "\",\"endTimeUnixNano\":\"%" PRIu64
			"\",\"kind\":%u",
			begin, end ? time_of(end) : otel->end,
			number < 5 ? (unsigned int)number + 1 : 0);
		put_string(o, "name", about->name, about->name_length, "");
		if (!otel)
			put_span_id(o, "parentSpanId", about->related);
		else if (items[OTEL_SUCCESS].name && !otel_number(otel, OTEL_SUCCESS)) {
			fputs_unlocked(",\"status\":{\"code\":2", o->out);
			put_item(o, "message", &items[OTEL_MESSAGE], "");
			putc_unlocked('}', o->out);
		}
		if (items[OTEL_LINKS].name)
			put_links(o, &items[OTEL_LINKS]);
	} else {
		number = otel ? otel_number(otel, OTEL_SEVERITY)
			      : severities[about->level <= 5 ? about->level : 5];
		fprintf(o->out, ",\"timeUnixNano\":\"%" PRIu64 "\"", begin);
		if (number >= 1 && number <= 24)
			fprintf(o->out, ",\"severityNumber\":%u", (unsigned int)number);
		put_item(o, "severityText", &items[OTEL_SEVERITY_TEXT], "");
		if (otel)
			put_item(o, "body\":{\"stringValue", &items[OTEL_BODY], "}");
		else
			put_string(o, "body\":{\"stringValue", about->name, about->name_length,
				   "}");
		put_string(o, "eventName", about->name, about->name_length, "");
	}
	fputs_unlocked("}]}]}]}\n", o->out);
}

/* A begin whose end is not known is a log. */
static void put_begin(void *context, struct span *span)
{
	struct about about;

	about_read(span->event, &span->record, &about);
	put_line(context, span->event, &span->record, &about, NULL, NULL, NULL);
}

static void otlp_event(struct sink *sink, struct event *event, const struct record *record)
{
	struct otlp *o = (struct otlp *)sink;
	struct about about, start;
	struct ue_decode_event e;
	struct span *span = NULL;
	struct otel otel;
	bool schema = false;

	about_read(event, record, &about);
	if (event->eventheader) {
		event_header(event, record, &e);
		schema = otel_read(&e, &otel);
		about.name = schema ? (const char *)otel.items[OTEL_NAME].value : about.name;
		about.name_length = schema ? otel.items[OTEL_NAME].size : about.name_length;
	}
	if (about.key.kind == SPAN_ACTIVITY)
		span = spans_find(o->spans, &about.key);
	if (about.key.kind == SPAN_ACTIVITY && about.starts) {
		spans_open(o->spans, &about.key, time_of(record), event, record, true);
	} else if (span && about.stops) {
		about_read(span->event, &span->record, &start);
		span_name(&start, &about);
		put_line(o, span->event, &span->record, &start, NULL, event, record);
		spans_close(o->spans, span);
	} else {
		put_line(o, event, record, &about, schema ? &otel : NULL, NULL, NULL);
	}
}

static void otlp_lost(struct sink *sink, uint64_t lost)
{
	struct otlp *o = (struct otlp *)sink;

	fputs_unlocked("{\"resourceLogs\":[{\"resource\":{", o->out);
	begin_attributes(o);
	put_own(o, "host.name", FIELD_TEXT, o->host, strlen(o->host));
	fputs_unlocked("]},\"scopeLogs\":[{\"scope\":{\"name\":\"uetrace\"},\"logRecords\":[{",
		       o->out);
	begin_attributes(o);
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
