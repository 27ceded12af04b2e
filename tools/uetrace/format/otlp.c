/* SPDX-License-Identifier: MIT */
/*
 * Writes events as OpenTelemetry protocol requests in JSON, one request per line.
 *
 * An activity or span becomes a span in an ExportTraceServiceRequest. Any other event becomes a log
 * record in an ExportLogsServiceRequest. As in protobuf's JSON encoding, 64-bit integers are
 * strings, enums are numbers, and IDs are hexadecimal.
 *
 * Events that are read together form one request, up to the maximum line length. Consecutive
 * records share their resource and scope.
 */
#include "command/options.h"
#include "format/format.h"
#include "event/event.h"
#include "event/names.h"
#include "fields/fields.h"
#include "summary/spans.h"
#include "util/util.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define OPEN_MAX (UE_DECODE_DEPTH + 8)
#define BATCH (1u << 20) /* default maximum line length in bytes, as in the Collector */
#define FRAME 128	 /* upper bound for the size of a request without its records, in bytes */

/*
 * A request under construction. The other members are the positions and lengths of the last
 * resource and the last scope in w.line.
 */
struct batch {
	struct writer w;
	size_t resource, resource_n, scope, scope_n;
};

struct otlp {
	struct sink sink;
	FILE *out;
	struct spans *spans;
	size_t max;		       /* maximum line length in bytes; 0 for no limit */
	uint64_t last;		       /* time of the last event, ns since 1970 */
	const struct machine *machine; /* machine of the last event */
	struct batch batches[2];       /* requests for logs and for spans */
	/* current record, with its resource and scope */
	struct writer w;
	size_t scope_at, record_at; /* positions of the scope and of the record in w */
	size_t text_max;	    /* maximum length of a string in bytes */
	bool truncates;		    /* true to omit attributes, because the record is too long */
	unsigned int dropped;	    /* number of omitted attributes */
	char trace[33], span[17], parent[17]; /* IDs of an activity */
	/* state of the attributes */
	bool schema; /* true if the attributes are the members of PartC of a Common Schema event */
	bool hidden; /* true if the open top-level member is not an attribute */
	bool first, was_first;
	size_t at; /* position of the current top-level attribute in w */
	struct names names;
	uint64_t scopes[OPEN_MAX]; /* scope in the table "names" of each open struct */
	bool named[OPEN_MAX];
	unsigned int depth;
};

/* Attributes */

/* Returns the length in bytes to which a string must be truncated. */
static size_t cut(const struct otlp *o, const char *s, size_t n)
{
	return text_cut(s, n, o->text_max);
}

static void put_cut(struct otlp *o, const char *s, size_t n)
{
	put_json_string(&o->w, s, cut(o, s, n));
}

static void put_any(struct otlp *o, const struct field *field)
{
	struct writer *w = &o->w;
	const char *text = field->text, *end = "}";
	size_t n = field->length;

	if (field->type == FIELD_NULL) {
		put_text(w, "{}");
		return;
	}
	if (field->type == FIELD_BOOL) {
		put_text(w, "{\"boolValue\":");
	} else if (field->type == FIELD_SIGNED ||
		   (field->type == FIELD_UNSIGNED && field->u <= INT64_MAX)) {
		put_text(w, "{\"intValue\":\"");
		end = "\"}";
	} else if (field->type == FIELD_FLOAT) {
		put_text(w, "{\"doubleValue\":");
		if (!isfinite(field->d)) {
			text = isnan(field->d) ? "\"NaN\""
			       : field->d < 0  ? "\"-Infinity\""
					       : "\"Infinity\"";
			n = strlen(text);
		}
	} else {
		put_text(w, "{\"stringValue\":");
		put_cut(o, text, n);
		n = 0;
	}
	put_bytes(w, text, n);
	put_text(w, end);
}

static bool is_named(const struct field *field, const char *name)
{
	return field->name_length == strlen(name) && !field->earlier &&
	       !memcmp(field->name, name, field->name_length);
}

/*
 * Reserves an attribute name in the innermost open struct. Returns false if the name is already
 * taken.
 */
static bool use_name(struct otlp *o, const char *name, size_t length)
{
	uint32_t *count = names_count(&o->names, o->scopes[o->depth], hash(name, length));

	return (*count)++ == 0;
}

/* Writes an attribute name. If a struct contains a name twice, the second one becomes "name#2". */
static void put_key(struct otlp *o, const struct field *field)
{
	size_t length = cut(o, field->name, field->name_length);
	uint64_t next_key = ~hash(field->name, length);
	char *name = NULL;
	uint32_t k;

	put_text(&o->w, "{\"key\":");
	if (use_name(o, field->name, length)) {
		put_json_string(&o->w, field->name, length);
	} else {
		/* the table stores the last number used for this name under the inverted key */
		k = *names_count(&o->names, o->scopes[o->depth], next_key);
		k = k ? k : 1;
		do {
			free(name);
			name = text("%.*s#%u", (int)length, field->name, ++k);
		} while (!use_name(o, name, strlen(name)));
		*names_count(&o->names, o->scopes[o->depth], next_key) = k;
		put_json_string(&o->w, name, strlen(name));
		free(name);
	}
	put_text(&o->w, ",\"value\":");
}

/*
 * Ends a top-level attribute. If attributes must be omitted and the record exceeds half of the
 * maximum line length, removes this attribute.
 */
static void end_attribute(struct otlp *o)
{
	if (!o->truncates || o->w.n < o->max / 2)
		return;
	o->w.n = o->at;
	o->first = o->was_first;
	o->dropped++;
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
		put_text(&o->w, o->named[o->depth] ? "]}}}" : "]}}");
	} else if (shown) {
		if (o->depth == o->schema) {
			o->at = o->w.n;
			o->was_first = o->first;
		}
		put_text(&o->w, o->first ? "" : ",");
		if (field->name)
			put_key(o, field);
		if (begins)
			put_text(&o->w, field->type == FIELD_ARRAY
						? "{\"arrayValue\":{\"values\":["
						: "{\"kvlistValue\":{\"values\":[");
		else
			put_any(o, field);
		put_text(&o->w, field->name && !begins ? "}" : "");
	}
	if (shown)
		o->first = begins;
	if (shown && !begins && o->depth == o->schema)
		end_attribute(o);
	if (begins)
		o->named[o->depth++] = field->name != NULL;
	if (begins && shown)
		o->scopes[o->depth] = names_scope(&o->names);
}

static void begin_attributes(struct otlp *o)
{
	put_text(&o->w, "\"attributes\":[");
	o->first = true;
	o->schema = false;
	names_clear(&o->names);
	o->scopes[0] = names_scope(&o->names);
}

static void put_own(struct otlp *o, const char *name, enum field_type type, const void *s, size_t n)
{
	const struct field field = {
		.type = type, .name = name, .name_length = strlen(name), .text = s, .length = n
	};

	if (n)
		put_attribute(o, &field);
}

static void put_text_of(struct otlp *o, const char *name, const char *value)
{
	put_own(o, name, FIELD_TEXT, value, strlen(value));
}

static void put_own_id(struct otlp *o, const char *name, int64_t id)
{
	char digits[24];

	if (id > 0)
		put_own(o, name, FIELD_SIGNED, digits,
			(size_t)snprintf(digits, sizeof(digits), "%" PRId64, id));
}

/* Records */

static void put_item(struct otlp *o, const char *name, const struct ue_decode_item *item,
		     const char *end)
{
	if (!item->size)
		return;
	put_text(&o->w, ",\"");
	put_text(&o->w, name);
	put_text(&o->w, "\":");
	put_cut(o, (const char *)item->value, item->size);
	put_text(&o->w, end);
}

static void put_id(struct otlp *o, const char *name, const struct otel *otel, enum otel_field field,
		   size_t digits)
{
	if (otel_is_id(otel, field, digits))
		put_item(o, name, &otel->items[field], "");
}

/* Writes the links of a span. In the event, they are a JSON string with other member names. */
static void put_links(struct otlp *o, const struct ue_decode_item *item)
{
	size_t n = cut(o, (const char *)item->value, item->size);
	char *links = text("%.*s", (int)n, (const char *)item->value), *at = links;
	char trace[33], span[17];
	const char *before = ",\"links\":[";

	for (; (at = strstr(at, "\"toTraceId\"")); at++) {
		if (sscanf(at, "\"toTraceId\" : \"%32[0-9a-f]\" , \"toSpanId\" : \"%16[0-9a-f]\"",
			   trace, span) != 2)
			continue;
		put_format(&o->w, "%s{\"traceId\":\"%s\",\"spanId\":\"%s\"}", before, trace, span);
		before = ",";
	}
	put_text(&o->w, before[1] ? "" : "]");
	free(links);
}

/*
 * Writes the service name and the service instance ID. If the event has no service name, uses the
 * default of the OpenTelemetry specification, which contains the program's name. If the process
 * exited before its name could be read, the thread's name is used.
 */
static void put_service(struct otlp *o, const struct otel *otel, const struct record *record,
			const struct thread *thread)
{
	const struct ue_decode_item *role = &otel->items[OTEL_ROLE];
	const struct ue_decode_item *instance = &otel->items[OTEL_INSTANCE];
	const char *program = *thread->process	? thread->process
			      : record->program ? ""
						: thread->name;
	char name[sizeof("unknown_service:") + sizeof(thread->process)];

	snprintf(name, sizeof(name), *program ? "unknown_service:%s" : "unknown_service", program);
	if (role->size)
		put_own(o, "service.name", FIELD_TEXT, role->value, role->size);
	else
		put_text_of(o, "service.name", name);
	put_own(o, "service.instance.id", FIELD_TEXT, instance->value, instance->size);
}

/*
 * Writes the start of a record, up to the event's own attributes. thread is NULL if uetrace
 * generated the event.
 */
static void begin_record(struct otlp *o, const struct otel *otel, const struct record *record,
			 const struct thread *thread, const char *scope, size_t n)
{
	o->w.n = 0;
	o->dropped = 0;
	put_char(&o->w, '{');
	begin_attributes(o);
	if (o->machine) {
		put_text_of(o, "host.name", o->machine->host);
		put_text_of(o, "host.id", o->machine->id);
	}
	if (thread) {
		put_own_id(o, "process.pid", thread->pid);
		if (!record->program)
			put_text_of(o, "process.executable.name", thread->process);
		put_service(o, otel, record, thread);
	} else {
		put_text_of(o, "service.name", OWN_SYSTEM);
	}
	put_text(&o->w, "]}");
	o->scope_at = o->w.n;
	put_text(&o->w, "{\"name\":");
	put_cut(o, scope, n);
	put_char(&o->w, '}');
	o->record_at = o->w.n;
	put_char(&o->w, '{');
	begin_attributes(o);
}

/* Ends the list of attributes, and writes the number of omitted attributes. */
static void end_attributes(struct otlp *o)
{
	put_char(&o->w, ']');
	if (o->dropped)
		put_format(&o->w, ",\"droppedAttributesCount\":%u", o->dropped);
}

static uint64_t realtime_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/*
 * Writes the time of a log and the current time as its observed time. If time is 0, it is unknown
 * and omitted; readers then use the observed time.
 */
static void put_times(struct otlp *o, uint64_t time)
{
	if (time) {
		put_text(&o->w, ",\"timeUnixNano\":\"");
		put_padded(&o->w, time, 1);
		put_char(&o->w, '"');
	}
	put_text(&o->w, ",\"observedTimeUnixNano\":\"");
	put_padded(&o->w, realtime_now(), 1);
	put_char(&o->w, '"');
}

static void write_record(struct otlp *o, const struct about *about, const struct about *end,
			 const struct otel *otel)
{
	const struct ue_decode_item *items = otel->items;
	const struct thread *thread = thread_of(about->record);
	uint64_t number;

	begin_record(o, otel, about->record, thread, about->category, about->category_length);
	put_own_id(o, "thread.id", thread->tid);
	put_text_of(o, "thread.name", thread->name);
	put_own_id(o, "event.id", (int64_t)otel_number(otel, OTEL_EVENT_ID));
	if (event_truncated(about->event, about->record) ||
	    (end && event_truncated(end->event, end->record)))
		put_own(o, "event.truncated", FIELD_BOOL, "true", strlen("true"));
	o->schema = about->label != NULL;
	/*
	 * the members of PartC become attributes like thread.id, so all of these names must be
	 * unique
	 */
	o->scopes[1] = o->scopes[0];
	fields_each(about->event, about->record, put_attribute, o);
	if (end)
		fields_each(end->event, end->record, put_attribute, o);
	end_attributes(o);
	put_id(o, "traceId", otel, OTEL_TRACE, 32);
	put_id(o, "spanId", otel, OTEL_SPAN, 16);
	put_id(o, "parentSpanId", otel, OTEL_PARENT, 16);
	if (otel->span) {
		number = otel_number(otel, OTEL_KIND);
		put_format(&o->w, ",\"startTimeUnixNano\":\"%" PRIu64 "\"", otel->begin);
		put_format(&o->w, ",\"endTimeUnixNano\":\"%" PRIu64 "\",\"kind\":%u", otel->end,
			   number < 5 ? (unsigned int)number + 1 : 0);
		put_item(o, "name", &items[OTEL_NAME], "");
		if (items[OTEL_SUCCESS].name && !otel_number(otel, OTEL_SUCCESS)) {
			put_text(&o->w, ",\"status\":{\"code\":2");
			put_item(o, "message", &items[OTEL_MESSAGE], "");
			put_char(&o->w, '}');
		}
		if (items[OTEL_LINKS].name)
			put_links(o, &items[OTEL_LINKS]);
	} else {
		number = otel_number(otel, OTEL_SEVERITY);
		put_times(o, otel->begin);
		if (number >= 1 && number <= 24)
			put_format(&o->w, ",\"severityNumber\":%u", (unsigned int)number);
		put_item(o, "severityText", &items[OTEL_SEVERITY_TEXT], "");
		put_item(o, "body\":{\"stringValue", &items[OTEL_BODY], "}");
		put_item(o, "eventName", &items[OTEL_NAME], "");
	}
	put_char(&o->w, '}');
}

/* Requests */

static void batch_write(struct otlp *o, struct batch *b)
{
	if (!b->w.n)
		return;
	put_text(&b->w, "]}]}]}\n");
	put_end(&b->w, o->out);
}

static void put_part(struct otlp *o, struct writer *w, size_t from, size_t to)
{
	put_bytes(w, o->w.line + from, to - from);
}

/*
 * Compares n bytes at position at in the batch with the record's bytes between the positions from
 * and to. Returns true if they are equal.
 */
static bool is_same(const struct otlp *o, const struct batch *b, size_t at, size_t n, size_t from,
		    size_t to)
{
	return n == to - from && memcmp(b->w.line + at, o->w.line + from, n) == 0;
}

/* Appends the record to the request for spans or to the request for logs. */
static void add_record(struct otlp *o, bool span)
{
	static const char *const words[2][3] = {
		{ "{\"resourceLogs\":[{\"resource\":", ",\"scopeLogs\":[{\"scope\":",
		  ",\"logRecords\":[" },
		{ "{\"resourceSpans\":[{\"resource\":", ",\"scopeSpans\":[{\"scope\":",
		  ",\"spans\":[" },
	};
	struct batch *b = &o->batches[span];
	struct writer *w = &b->w;
	bool resource, scope;

	if (w->n && w->n + o->w.n + FRAME > (o->max ? o->max : BATCH))
		batch_write(o, b);
	resource = w->n && is_same(o, b, b->resource, b->resource_n, 0, o->scope_at);
	scope = resource && is_same(o, b, b->scope, b->scope_n, o->scope_at, o->record_at);
	if (scope) {
		put_char(w, ',');
	} else if (resource) {
		put_text(w, "]},{\"scope\":");
	} else {
		put_text(w, w->n ? "]}]},{\"resource\":" : words[span][0]);
		b->resource = w->n;
		b->resource_n = o->scope_at;
		put_part(o, w, 0, o->scope_at);
		put_text(w, words[span][1]);
	}
	if (!scope) {
		b->scope = w->n;
		b->scope_n = o->record_at - o->scope_at;
		put_part(o, w, o->scope_at, o->record_at);
		put_text(w, words[span][2]);
	}
	put_part(o, w, o->record_at, o->w.n);
}

/* Writes a span or a log. end is the event that ended an activity, or NULL. */
static void put_record(struct otlp *o, const struct about *about, const struct about *end,
		       const struct otel *otel)
{
	size_t text_max;

	o->last = otel->end;
	o->machine = about->record->machine;
	o->text_max = SIZE_MAX;
	write_record(o, about, end, otel);
	o->truncates = o->max != 0;
	/*
	 * try decreasing string limits, because the length in JSON is not known in advance: a
	 * control character takes six bytes
	 */
	for (text_max = o->max / 64; o->truncates && o->w.n + FRAME > o->max; text_max /= 2) {
		o->text_max = text_max;
		write_record(o, about, end, otel);
		if (!text_max)
			break;
	}
	o->truncates = false;
	add_record(o, otel->span);
}

/* Events that are not OpenTelemetry logs or spans */

static uint64_t time_of(const struct record *record)
{
	return record->time + (record->dated ? (uint64_t)record->realtime_offset : 0);
}

static void set(struct otel *otel, enum otel_field field, const void *value, size_t size)
{
	otel->items[field] = (struct ue_decode_item){ .value = value, .size = size };
}

/*
 * Returns the trace ID of an activity. If the activity is already open, returns its stored trace
 * ID, because its related activity may have ended in the meantime. Otherwise, returns the trace ID
 * of the related activity if that is open, the ID of the related activity if there is one, or the
 * activity's own ID.
 */
static const uint8_t *trace_of(const struct otlp *o, const struct about *about)
{
	const struct span *span = spans_activity(o->spans, about->activity);
	const struct span *outer = spans_activity(o->spans, about->related);

	return span		? span->trace
	       : outer		? outer->trace
	       : about->related ? about->related
				: about->activity;
}

static void set_trace(struct otlp *o, struct otel *otel, const uint8_t *id)
{
	static const char digits[] = "0123456789abcdef";
	size_t i;

	for (i = 0; i < 16; i++) {
		o->trace[2 * i] = digits[id[i] >> 4];
		o->trace[2 * i + 1] = digits[id[i] & 15];
	}
	set(otel, OTEL_TRACE, o->trace, 32);
}

/* Sets the span ID of an activity, which is a 64-bit hash of the activity ID. */
static void set_span(struct otel *otel, enum otel_field field, char digits[17],
		     const uint8_t *activity)
{
	snprintf(digits, 17, "%016" PRIx64, hash(activity, 16));
	set(otel, field, digits, 16);
}

/*
 * Writes an activity as a span that ends with the event end. If end is NULL, writes an event as a
 * log.
 */
static void put_event(struct otlp *o, const struct about *about, const struct about *end)
{
	static const uint8_t severities[] = { 0, 21, 17, 13, 9, 5 }; /* indexed by level */
	struct otel otel = { .span = end != NULL,
			     .begin = time_of(about->record),
			     .end = time_of((end ? end : about)->record) };

	set(&otel, OTEL_NAME, about->name, about->name_length);
	set(&otel, OTEL_BODY, about->name, about->name_length);
	set(&otel, OTEL_SEVERITY, &severities[about->level <= 5 ? about->level : 5], 1);
	if (about->event->ours)
		set(&otel, OTEL_ROLE, OWN_SYSTEM, strlen(OWN_SYSTEM));
	if (about->activity) {
		set_trace(o, &otel, trace_of(o, about));
		set_span(&otel, OTEL_SPAN, o->span, about->activity);
	}
	if (end && about->related)
		set_span(&otel, OTEL_PARENT, o->parent, about->related);
	put_record(o, about, end, &otel);
}

/* The sink */

/* Writes the start of a dropped activity as a log, because the activity's end is unknown. */
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
	uint8_t trace[16];

	about_read(event, record, &about);
	if (about.key.kind == SPAN_ACTIVITY)
		span = spans_find(o->spans, &about.key);
	if (about.key.kind == SPAN_ACTIVITY && about.starts) {
		memcpy(trace, trace_of(o, &about), sizeof(trace));
		span = spans_open(o->spans, &about.key, time_of(record), event, record);
		memcpy(span->trace, trace, sizeof(trace));
	} else if (span) {
		about_read(span->event, &span->record, &start);
		span_name(&start, &about);
		put_event(o, &start, &about);
		spans_close(o->spans, span);
	} else if (about.label) {
		event_header(event, record, &e);
		otel_read(&e, &otel);
		if (!otel.end) /* the event has no PartA */
			otel.begin = otel.end = time_of(record);
		if (!otel.items[OTEL_NAME].size &&
		    (e.name_length != 3 || memcmp(e.name, "Log", 3) != 0))
			set(&otel, OTEL_NAME, e.name, e.name_length);
		put_record(o, &about, NULL, &otel);
	} else {
		put_event(o, &about, NULL);
	}
}

static void otlp_lost(struct sink *sink, uint64_t lost)
{
	static const struct otel none;
	struct otlp *o = (struct otlp *)sink;

	o->text_max = SIZE_MAX;
	begin_record(o, &none, NULL, NULL, OWN_SYSTEM, strlen(OWN_SYSTEM));
	put_own_id(o, "lost", (int64_t)lost);
	end_attributes(o);
	put_times(o, o->last);
	put_format(&o->w,
		   ",\"severityNumber\":13,\"body\":{\"stringValue\":\"%" PRIu64
		   " event%s lost\"},\"eventName\":\"lost\"",
		   lost, lost == 1 ? "" : "s");
	put_char(&o->w, '}');
	add_record(o, false);
}

static void otlp_flush(struct sink *sink)
{
	struct otlp *o = (struct otlp *)sink;

	batch_write(o, &o->batches[0]);
	batch_write(o, &o->batches[1]);
}

static void otlp_end(struct sink *sink)
{
	struct otlp *o = (struct otlp *)sink;
	struct span *span;

	while ((span = o->spans->newest)) {
		put_begin(o, span);
		spans_close(o->spans, span);
	}
	otlp_flush(sink);
}

static void otlp_free(struct sink *sink)
{
	struct otlp *o = (struct otlp *)sink;

	spans_free(o->spans);
	free(o->w.line);
	names_free(&o->names);
	free(o->batches[0].w.line);
	free(o->batches[1].w.line);
	free(o);
}

struct sink *otlp_new(FILE *out, const struct line_settings *settings)
{
	struct otlp *o = allocate(sizeof(*o));

	o->sink = (struct sink){ .event = otlp_event,
				 .lost = otlp_lost,
				 .flush = otlp_flush,
				 .end = otlp_end,
				 .free = otlp_free };
	o->out = out;
	o->max = settings->max_line;
	o->machine = settings->machine;
	o->last = settings->machine ? realtime_now() : 0;
	o->spans = spans_new(SPANS_MAX, SPANS_BYTES, put_begin, o);
	return &o->sink;
}
