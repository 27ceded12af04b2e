/* SPDX-License-Identifier: MIT */
/*
 * Events as requests of OpenTelemetry's protocol in JSON, one a line: ExportTraceServiceRequest for
 * what begins and ends, ExportLogsServiceRequest for the rest. As protobuf's JSON has it, 64-bit
 * integers are strings and enums numbers; ids are hexadecimal.
 *
 * What is read at once is one request, up to the length of a line. Records that follow one another
 * share their resource and scope.
 */
#include "format/format.h"
#include "fields/fields.h"
#include "select/select.h"
#include "util/util.h"
#include "format/chrome.h"
#include "summary/spans.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define OPEN_MAX (UE_DECODE_DEPTH + 8)
#define NAMES_MAX 1024	 /* of attributes that are open; the next ones may have a name again */
#define BATCH (1u << 20) /* bytes of a line that has no limit; the Collector's own */

/* A request that grows. Its last resource and scope are in it as JSON. */
struct batch {
	struct writer w;
	size_t resource, resource_n, scope, scope_n;
};

struct otlp {
	struct sink sink;
	FILE *out;
	struct spans *spans;
	size_t max;		       /* bytes of a line; 0: no limit */
	uint64_t last;		       /* time of the last event, */
	const struct machine *machine; /* and where it was */
	struct batch batches[2];       /* of logs, of spans */
	/* the record that is being written: its resource, its scope, and itself */
	FILE *text;
	char *s;
	size_t n, scope_at, record_at;
	bool cut;	      /* it is too long: texts are short, and some attributes left out */
	unsigned int dropped; /* those */
	/* its ids, as far as activities are */
	char trace[33], span[17], parent[17];
	/* of the attributes that are being written */
	bool schema; /* those of Common Schema, which are the members of PartC */
	bool hidden; /* what is open at the top is none */
	bool first, was_first;
	off_t at;		   /* where the one at the top begins */
	uint64_t names[NAMES_MAX]; /* hashes, of each that is open from used[] on */
	size_t names_n, used[OPEN_MAX];
	bool named[OPEN_MAX];
	unsigned int depth;
};

/* Attributes */

/* The bytes of a text that are written. */
static size_t cut(const struct otlp *o, size_t n)
{
	return o->cut && n > o->max / 64 ? o->max / 64 : n;
}

static void put_any(const struct otlp *o, const struct field *field)
{
	int n = (int)field->length;
	FILE *out = o->text;

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
		json_string(out, field->text, cut(o, field->length));
		putc_unlocked('}', out);
	}
}

static bool is_named(const struct field *field, const char *name)
{
	return field->name_length == strlen(name) && !field->again &&
	       !memcmp(field->name, name, field->name_length);
}

/* Returns whether the object has no attribute of this name yet, and adds it. */
static bool use_name(struct otlp *o, const char *name, size_t length)
{
	uint64_t key = hash(name, length);
	size_t i;

	for (i = o->used[o->depth]; i < o->names_n; i++) {
		if (o->names[i] == key)
			return false;
	}
	if (o->names_n < NAMES_MAX)
		o->names[o->names_n++] = key;
	return true;
}

/* A name may be there once: the second one is "name#2". */
static void put_key(struct otlp *o, const struct field *field)
{
	char *name = NULL;
	unsigned int k = 1;

	fputs_unlocked("{\"key\":", o->text);
	if (use_name(o, field->name, field->name_length)) {
		json_string(o->text, field->name, cut(o, field->name_length));
	} else {
		do {
			free(name);
			name = text("%.*s#%u", (int)cut(o, field->name_length), field->name, ++k);
		} while (!use_name(o, name, strlen(name)));
		json_string(o->text, name, strlen(name));
		free(name);
	}
	fputs_unlocked(",\"value\":", o->text);
}

/* One at the top is written. In a line that is too long it is taken back if there is no room. */
static void end_attribute(struct otlp *o)
{
	if (!o->cut || ftello(o->text) < (off_t)o->max / 2)
		return;
	fseeko(o->text, o->at, SEEK_SET);
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
		fputs_unlocked(o->named[o->depth] ? "]}}}" : "]}}", o->text);
		o->names_n = o->used[o->depth + 1];
	} else if (shown) {
		if (o->cut && o->depth == o->schema) {
			o->at = ftello(o->text);
			o->was_first = o->first;
		}
		fputs_unlocked(o->first ? "" : ",", o->text);
		if (field->name)
			put_key(o, field);
		if (begins)
			fprintf(o->text, "{\"%s\":{\"values\":[",
				field->type == FIELD_ARRAY ? "arrayValue" : "kvlistValue");
		else
			put_any(o, field);
		fputs_unlocked(field->name && !begins ? "}" : "", o->text);
	}
	if (shown)
		o->first = begins;
	if (shown && !begins && o->depth == o->schema)
		end_attribute(o);
	if (begins)
		o->named[o->depth++] = field->name != NULL;
	if (begins && shown)
		o->used[o->depth] = o->names_n;
}

static void begin_attributes(struct otlp *o)
{
	fputs_unlocked("\"attributes\":[", o->text);
	o->first = true;
	o->schema = false;
	o->names_n = o->used[0] = 0;
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
	fprintf(o->text, ",\"%s\":", name);
	json_string(o->text, (const char *)item->value, cut(o, item->size));
	fputs_unlocked(end, o->text);
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
	char *links = text("%.*s", (int)cut(o, item->size), (const char *)item->value), *at = links;
	char trace[33], span[17];
	const char *before = ",\"links\":[";

	for (; (at = strstr(at, "\"toTraceId\"")); at++) {
		if (sscanf(at, "\"toTraceId\" : \"%32[0-9a-f]\" , \"toSpanId\" : \"%16[0-9a-f]\"",
			   trace, span) != 2)
			continue;
		fprintf(o->text, "%s{\"traceId\":\"%s\",\"spanId\":\"%s\"}", before, trace, span);
		before = ",";
	}
	fputs_unlocked(before[1] ? "" : "]", o->text);
	free(links);
}

/*
 * A service without a name has one that OpenTelemetry's specification makes of the program's, which
 * of a process that has ended may be known by its thread only.
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

/* Begins a record with its resource and scope, up to its attributes. thread NULL: it is our own. */
static void begin_record(struct otlp *o, const struct otel *otel, const struct record *record,
			 const struct thread *thread, const char *scope, size_t n)
{
	rewind(o->text);
	o->dropped = 0;
	putc_unlocked('{', o->text);
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
	fputs_unlocked("]}", o->text);
	fflush_unlocked(o->text);
	o->scope_at = o->n;
	fputs_unlocked("{\"name\":", o->text);
	json_string(o->text, scope, n);
	putc_unlocked('}', o->text);
	fflush_unlocked(o->text);
	o->record_at = o->n;
	putc_unlocked('{', o->text);
	begin_attributes(o);
}

/* Ends the attributes. */
static void end_attributes(struct otlp *o)
{
	putc_unlocked(']', o->text);
	if (o->dropped)
		fprintf(o->text, ",\"droppedAttributesCount\":%u", o->dropped);
}

static uint64_t realtime_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* time 0: not known; readers then take the other one. */
static void put_times(struct otlp *o, uint64_t time)
{
	if (time)
		fprintf(o->text, ",\"timeUnixNano\":\"%" PRIu64 "\"", time);
	fprintf(o->text, ",\"observedTimeUnixNano\":\"%" PRIu64 "\"", realtime_now());
}

static void end_record(struct otlp *o)
{
	putc_unlocked('}', o->text);
	fflush_unlocked(o->text);
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
	o->schema = about->label != NULL;
	o->used[1] = 0; /* PartC's members are beside our own */
	fields_each(about->event, about->record, put_attribute, o);
	if (end)
		fields_each(end->event, end->record, put_attribute, o);
	end_attributes(o);
	put_id(o, "traceId", otel, OTEL_TRACE, 32);
	put_id(o, "spanId", otel, OTEL_SPAN, 16);
	put_id(o, "parentSpanId", otel, OTEL_PARENT, 16);
	if (otel->span) {
		number = otel_number(otel, OTEL_KIND);
		fprintf(o->text,
			",\"startTimeUnixNano\":\"%" PRIu64 "\",\"endTimeUnixNano\":\"%" PRIu64
			"\",\"kind\":%u",
			otel->begin, otel->end, number < 5 ? (unsigned int)number + 1 : 0);
		put_item(o, "name", &items[OTEL_NAME], "");
		if (items[OTEL_SUCCESS].name && !otel_number(otel, OTEL_SUCCESS)) {
			fputs_unlocked(",\"status\":{\"code\":2", o->text);
			put_item(o, "message", &items[OTEL_MESSAGE], "");
			putc_unlocked('}', o->text);
		}
		if (items[OTEL_LINKS].name)
			put_links(o, &items[OTEL_LINKS]);
	} else {
		number = otel_number(otel, OTEL_SEVERITY);
		put_times(o, otel->begin);
		if (number >= 1 && number <= 24)
			fprintf(o->text, ",\"severityNumber\":%u", (unsigned int)number);
		put_item(o, "severityText", &items[OTEL_SEVERITY_TEXT], "");
		put_item(o, "body\":{\"stringValue", &items[OTEL_BODY], "}");
		put_item(o, "eventName", &items[OTEL_NAME], "");
	}
	end_record(o);
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
	put_bytes(w, o->s + from, to - from);
}

/* Is this part of the record the one that the batch has at a place? */
static bool is_same(const struct otlp *o, const struct batch *b, size_t at, size_t n, size_t from,
		    size_t to)
{
	return n == to - from && memcmp(b->w.line + at, o->s + from, n) == 0;
}

/* Adds the record to the request of its kind. */
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

	if (w->n && w->n + o->n + 128 > (o->max ? o->max : BATCH))
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
	put_part(o, w, o->record_at, o->n);
}

/* Writes a span or a log; end is the event that an activity ends with, or NULL. */
static void put_record(struct otlp *o, const struct about *about, const struct about *end,
		       const struct otel *otel)
{
	o->last = otel->end;
	o->machine = about->record->machine;
	write_record(o, about, end, otel);
	o->cut = o->max && o->n + 128 > o->max;
	if (o->cut)
		write_record(o, about, end, otel);
	o->cut = false;
	add_record(o, otel->span);
}

/* Other events, in OpenTelemetry's terms */

static uint64_t time_of(const struct record *record)
{
	return record->time + (record->dated ? (uint64_t)record->realtime_offset : 0);
}

static void set(struct otel *otel, enum otel_field field, const void *value, size_t size)
{
	otel->items[field] = (struct ue_decode_item){ .value = value, .size = size };
}

/*
 * The trace of an activity is that of the one it is related to, which was there before; else its id
 * is the trace's. It is known from the begin on, since the other one may end first.
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
	size_t i;

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
		if (!otel.end) /* no PartA */
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

	begin_record(o, &none, NULL, NULL, OWN_SYSTEM, strlen(OWN_SYSTEM));
	put_own_id(o, "lost", (int64_t)lost);
	end_attributes(o);
	put_times(o, o->last);
	fprintf(o->text,
		",\"severityNumber\":13,\"body\":{\"stringValue\":\"%" PRIu64
		" event%s lost\"},\"eventName\":\"lost\"",
		lost, lost == 1 ? "" : "s");
	end_record(o);
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
	fclose(o->text);
	free(o->s);
	free(o->batches[0].w.line);
	free(o->batches[1].w.line);
	free(o);
}

struct sink *otlp_new(FILE *out, const struct options *options)
{
	struct otlp *o = allocate(sizeof(*o));

	o->sink = (struct sink){ .event = otlp_event,
				 .lost = otlp_lost,
				 .flush = otlp_flush,
				 .end = otlp_end,
				 .free = otlp_free };
	o->out = out;
	o->max = options->max_line;
	o->machine = options->recorded ? NULL : machine_here();
	o->last = options->recorded ? 0 : realtime_now();
	o->text = open_memstream(&o->s, &o->n);
	if (!o->text)
		die("out of memory");
	o->spans = spans_new(SPANS_MAX, SPANS_BYTES, put_begin, o);
	return &o->sink;
}
