/* SPDX-License-Identifier: MIT */
/*
 * Reads the names, types and values of a record's fields. The record can be an EventHeader event, a
 * kernel event or a user event. The type of each value is derived from its JSON form, so that all
 * output formats agree.
 */
#include "event/event.h"
#include "event/names.h"
#include "fields/fields.h"
#include "util/util.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH (UE_DECODE_DEPTH + 4)

/* State of an iteration over the fields of a record. */
struct walk {
	field_fn fn;
	void *context;
	uint64_t scopes[DEPTH]; /* scope in member_names of each open struct or array */
	bool array[DEPTH];
	unsigned int depth;
};

/*
 * Counters of the member names visited so far. One table is sufficient, because only one iteration
 * is active at a time.
 */
static struct names member_names;

/*
 * Text of the most recently read value. One buffer is sufficient, because only one thread reads
 * values.
 */
static char *value_text;
static size_t value_room;

/* Formats a value into value_text. Returns its length. */
static size_t value_put(const struct ue_decode_item *item, unsigned int flags)
{
	size_t n = ue_decode_value(item, flags, value_text, value_room);

	if (n >= value_room) {
		free(value_text);
		value_room = n + 4096;
		value_text = allocate(value_room);
		n = ue_decode_value(item, flags, value_text, value_room);
	}
	return n;
}

/*
 * Derives the type of a value from its JSON text in value_text. JSON represents some numbers as
 * strings, so the item's format is also used.
 */
static enum field_type value_type(const struct ue_decode_item *item)
{
	bool number = item->kind >= UE_DECODE_KIND_VALUE8 && item->kind <= UE_DECODE_KIND_VALUE64;

	switch (*value_text) {
	case 'n':
		return FIELD_NULL;
	case 't':
	case 'f':
		return FIELD_BOOL;
	}
	if (number && item->format == UE_DECODE_FORMAT_FLOAT)
		return FIELD_FLOAT;
	if (number && item->format == UE_DECODE_FORMAT_HEX)
		return FIELD_HEX;
	if (*value_text == '"' || !*value_text)
		return FIELD_TEXT;
	/* a positive value of a signed field is also FIELD_SIGNED */
	if (*value_text == '-' || item->format == UE_DECODE_FORMAT_SIGNED ||
	    item->format == UE_DECODE_FORMAT_PID)
		return FIELD_SIGNED;
	return FIELD_UNSIGNED;
}

static void value_read(const struct ue_decode_item *item, struct field *field)
{
	field->length = value_put(item, UE_DECODE_JSON);
	field->type = value_type(item);
	if (*value_text == '"')
		field->length = value_put(item, 0);
	field->text = value_text;
	if (field->type == FIELD_BOOL)
		field->b = *value_text == 't';
	else if (field->type == FIELD_FLOAT)
		field->d = strtod(value_text, NULL);
	else if (field->type != FIELD_TEXT)
		field->u = strtoull(value_text, NULL, 0); /* strtoull() wraps negative numbers */
}

/*
 * Passes a field to the callback. Sets field->earlier to the number of preceding members with the
 * same name.
 */
static void pass(struct walk *w, struct field *field, const char *name, size_t length)
{
	field->name = name;
	field->name_length = name ? length : 0;
	if (name)
		field->earlier =
			(*names_count(&member_names, w->scopes[w->depth], hash(name, length)))++;
	w->fn(w->context, field);
}

static void open_group(struct walk *w, enum field_type type, const char *name, size_t length)
{
	struct field field = { .type = type };

	pass(w, &field, name, length);
	w->scopes[++w->depth] = names_scope(&member_names);
	w->array[w->depth] = type == FIELD_ARRAY;
}

static void close_group(struct walk *w)
{
	struct field field = { .type = w->array[w->depth] ? FIELD_ARRAY_END : FIELD_STRUCT_END };

	w->depth--;
	w->fn(w->context, &field);
}

static void pass_value(struct walk *w, const struct ue_decode_item *item, const char *name,
		       size_t length)
{
	struct field field = { .type = FIELD_NULL };

	value_read(item, &field);
	pass(w, &field, name, length);
}

/* Passes a text member of "meta" to the callback. */
static void pass_meta(struct walk *w, enum field_type type, const char *name, const char *s)
{
	const struct field field = { .type = type,
				     .name = name,
				     .name_length = strlen(name),
				     .text = s,
				     .length = strlen(s),
				     .u = type == FIELD_TEXT ? 0 : strtoull(s, NULL, 0) };

	w->fn(w->context, &field);
}

static void pass_truncated(struct walk *w)
{
	const struct field field = { .type = FIELD_BOOL,
				     .name = "truncated",
				     .name_length = strlen("truncated"),
				     .text = "true",
				     .length = strlen("true"),
				     .b = true };

	w->fn(w->context, &field);
}

static void pass_number(struct walk *w, const char *name, uint64_t value, bool hex)
{
	char s[24];

	snprintf(s, sizeof(s), hex ? "0x%" PRIX64 : "%" PRIu64, value);
	pass_meta(w, hex ? FIELD_HEX : FIELD_UNSIGNED, name, s);
}

/* Events with kernel-typed fields */

/* Passes the elements of a numeric array. */
static void pass_elements(struct walk *w, const struct ue_decode_item *array,
			  const struct ue_decode_field *field)
{
	struct ue_decode_item item = *array;
	uint32_t i;

	open_group(w, FIELD_ARRAY, field->name, field->name_length);
	item.type = UE_DECODE_VALUE;
	item.size = field->unit;
	for (i = 0; field->unit && (i + 1) * (size_t)field->unit <= array->size; i++) {
		item.value = array->value + i * (size_t)field->unit;
		pass_value(w, &item, NULL, 0);
	}
	close_group(w);
}

static void typed_each(struct walk *w, const struct event *event, const struct record *record)
{
	const struct ue_decode_format *format = event_format(event);
	const struct ue_decode_field *field = format->fields;
	struct ue_decode_item item;

	for (; field < format->fields + format->field_count; field++) {
		if (field->common)
			continue;
		ue_decode_format_item(format, field, record->data, record->size, &item);
		if (item.type == UE_DECODE_ARRAY)
			pass_elements(w, &item, field);
		else
			pass_value(w, &item, field->name, field->name_length);
	}
}

/* EventHeader events */

static void header_each(struct walk *w, struct ue_decode_event *e)
{
	struct ue_decode_fields fields;
	int more;

	ue_decode_start(&fields, e);
	while ((more = ue_decode_next(&fields)) > 0) {
		const struct ue_decode_item *item = &fields.item;
		/* the decoder also returns the array's name with each element */
		bool element = item->array && item->type != UE_DECODE_ARRAY;
		const char *name = element ? NULL : item->name;

		switch (item->type) {
		case UE_DECODE_STRUCT:
			open_group(w, FIELD_STRUCT, name, item->name_length);
			break;
		case UE_DECODE_ARRAY:
			open_group(w, FIELD_ARRAY, name, item->name_length);
			break;
		case UE_DECODE_VALUE:
			pass_value(w, item, name, item->name_length);
			break;
		default:
			close_group(w);
		}
	}
	if (more < 0 && !e->error) {
		e->error = fields.error;
		e->error_offset = fields.error_offset;
	}
	/* close the structs and arrays that a truncated event has left open */
	while (w->depth)
		close_group(w);
}

static void pass_uuid(struct walk *w, const char *name, const uint8_t *id)
{
	struct ue_decode_item item = { .type = UE_DECODE_VALUE,
				       .kind = UE_DECODE_KIND_VALUE128,
				       .format = UE_DECODE_FORMAT_UUID,
				       .value = id,
				       .size = 16,
				       .count = 1 };

	if (id) {
		value_put(&item, 0);
		pass_meta(w, FIELD_TEXT, name, value_text);
	}
}

static void pass_header(struct walk *w, const struct ue_decode_event *e)
{
	const struct {
		const char *name;
		uint64_t value;
		bool hex;
	} rows[] = { { "id", e->id, false },	     { "version", e->version, false },
		     { "level", e->level, false },   { "keyword", e->keyword, true },
		     { "opcode", e->opcode, false }, { "tag", e->tag, true } };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].value)
			pass_number(w, rows[i].name, rows[i].value, rows[i].hex);
	}
	pass_uuid(w, "activity", e->activity);
	pass_uuid(w, "relatedActivity", e->related);
	if (ue_decode_truncated(e))
		pass_truncated(w);
	if (e->error) {
		char *error = text("%s at byte %zu", ue_decode_strerror(e->error), e->error_offset);

		pass_meta(w, FIELD_TEXT, "error", error);
		free(error);
	}
}

void fields_each(const struct event *event, const struct record *record, field_fn fn, void *context)
{
	struct walk w = { .fn = fn, .context = context };
	struct field meta = { .type = FIELD_STRUCT, .name = "meta", .name_length = 4 };
	const struct thread *thread;
	struct ue_decode_event e;

	names_clear(&member_names);
	w.scopes[0] = names_scope(&member_names);
	/* reserve "meta" and "stop", because output formats add members with these names */
	*names_count(&member_names, w.scopes[0], hash("meta", 4)) = 1;
	*names_count(&member_names, w.scopes[0], hash("stop", 4)) = 1;
	if (event->eventheader) {
		event_header(event, record, &e);
		header_each(&w, &e);
	} else {
		typed_each(&w, event, record);
	}
	fn(context, &meta);
	if (record->cpu != CPU_UNKNOWN)
		pass_number(&w, "cpu", record->cpu, false);
	if (event->eventheader)
		pass_header(&w, &e);
	else if (event_truncated(event, record))
		pass_truncated(&w);
	if (!system_is_user(event->system)) {
		thread = thread_of(record);
		pass_number(&w, "tid", (uint32_t)thread->tid, false);
		pass_meta(&w, FIELD_TEXT, "thread", thread->name);
	}
	fn(context, &(struct field){ .type = FIELD_STRUCT_END });
}

/* Finding a single field */

struct search {
	const char *path[DEPTH + 1]; /* remaining path within each matched struct */
	unsigned int depth;	     /* number of open structs and arrays */
	unsigned int matched;	     /* number of open structs that match the path */
	bool found;
	struct field *value;
};

/*
 * If the path begins with this field's name, returns the part after the name and the dot, or "" at
 * the end of the path. Otherwise returns NULL.
 */
static const char *path_after(const char *path, const struct field *field)
{
	size_t n = field->name_length;

	if (!field->name || strncmp(path, field->name, n) != 0)
		return NULL;
	if (!path[n])
		return path + n;
	return path[n] == '.' ? path + n + 1 : NULL;
}

static char *found_text; /* text of the last field found */

static void search_field(void *context, const struct field *field)
{
	struct search *s = context;
	bool here = s->depth == s->matched && !s->found;
	const char *rest = here ? path_after(s->path[s->matched], field) : NULL;

	if (field->type == FIELD_STRUCT_END || field->type == FIELD_ARRAY_END) {
		s->matched -= s->matched == s->depth;
		s->depth--;
	} else if (field->type == FIELD_STRUCT || field->type == FIELD_ARRAY) {
		s->depth++;
		if (field->type == FIELD_STRUCT && rest && *rest)
			s->path[++s->matched] = rest;
	} else if (rest && !*rest && field->type != FIELD_NULL) {
		*s->value = *field;
		s->found = true;
		free(found_text);
		/* copy by length, because the text may contain NULs */
		found_text = allocate(field->length + 1);
		memcpy(found_text, field->text, field->length);
		s->value->text = found_text;
	}
}

bool field_find(const struct event *event, const struct record *record, const char *path,
		struct field *value)
{
	struct search s = { .path = { path }, .value = value };

	fields_each(event, record, search_field, &s);
	return s.found;
}

double field_number(const struct field *field)
{
	switch (field->type) {
	case FIELD_UNSIGNED:
	case FIELD_HEX:
		return (double)field->u;
	case FIELD_SIGNED:
		return (double)field->i;
	case FIELD_FLOAT:
		return field->d;
	case FIELD_BOOL:
		return field->b;
	default:
		return 0;
	}
}

/* Name of an event, and the span that it starts or stops */

static uint64_t span_id(const struct otel *otel, enum otel_field field)
{
	uint64_t id = 0;

	if (otel_is_id(otel, field, 16))
		sscanf((const char *)otel->items[field].value, "%16" SCNx64, &id);
	return id;
}

static void about_otel(const struct ue_decode_event *e, struct about *about)
{
	const struct ue_decode_item *label;
	struct otel otel;

	if (!otel_read(e, &otel))
		return;
	label = &otel.items[otel.span ? OTEL_NAME : OTEL_BODY];
	about->label = label->value ? (const char *)label->value : "";
	about->label_length = label->size;
	about->span = otel.span;
	about->took = otel.end - otel.begin;
	about->id = span_id(&otel, OTEL_SPAN);
	about->parent = span_id(&otel, OTEL_PARENT);
}

static void about_header(const struct event *event, const struct record *record,
			 struct about *about)
{
	struct ue_decode_event e;

	event_header(event, record, &e);
	about->level = e.level;
	about->activity = e.activity;
	about->related = e.related;
	if (e.name_length) {
		about->name = e.name;
		about->name_length = e.name_length;
	}
	if (e.provider_length) {
		about->category = e.provider;
		about->category_length = e.provider_length;
	}
	about_otel(&e, about);
	if (!e.activity || e.opcode < 1 || e.opcode > 4)
		return;
	/*
	 * opcodes 1 and 2 start and stop an activity; opcodes 3 and 4 start and stop a collection
	 */
	about->starts = e.opcode & 1;
	about->stops = !about->starts;
	about->key.kind = e.opcode <= 2 ? SPAN_ACTIVITY : SPAN_COLLECTION;
	memcpy(about->key.bytes, e.activity, sizeof(about->key.bytes));
}

/*
 * Sets the span key of a system call, which lasts from sys_enter_NAME to sys_exit_NAME in one
 * thread.
 */
static void about_call(const struct event *event, const struct record *record, struct about *about)
{
	static const char enter[] = "sys_enter", leave[] = "sys_exit";
	const char *rest;
	uint64_t call;
	pid_t tid;

	about->starts = strncmp(event->name, enter, strlen(enter)) == 0;
	about->stops = strncmp(event->name, leave, strlen(leave)) == 0;
	if (!about->starts && !about->stops)
		return;
	rest = event->name + (about->starts ? strlen(enter) : strlen(leave));
	about->key.kind = SPAN_CALL;
	tid = thread_of(record)->tid;
	call = hash(rest, strlen(rest));
	memcpy(about->key.bytes, &tid, sizeof(tid));
	memcpy(about->key.bytes + sizeof(tid), &call, sizeof(call));
}

void about_read(struct event *event, const struct record *record, struct about *about)
{
	*about = (struct about){
		.event = event,
		.record = record,
		.name = system_is_user(event->system) ? event->shown : event->name,
		.category = system_is_user(event->system) && !event->group
				    ? USER_SYSTEM
				    : event_format(event)->system,
	};
	about->name_length = strlen(about->name);
	about->category_length = strlen(about->category);
	if (event->eventheader)
		about_header(event, record, about);
	else if (strcmp(event->system, "syscalls") == 0 ||
		 strcmp(event->system, "raw_syscalls") == 0)
		about_call(event, record, about);
}

bool about_matches(const struct about *about, const char *pattern)
{
	char *whole = text("%.*s:%.*s", (int)about->category_length, about->category,
			   (int)about->name_length, about->name);
	bool matches = fnmatch(pattern, whole, 0) == 0 ||
		       fnmatch(pattern, whole + about->category_length + 1, 0) == 0 ||
		       fnmatch(pattern, about->event->shown, 0) == 0;

	free(whole);
	return matches;
}

/*
 * Returns the name of the system call whose number is in the "id" field of a raw sys_enter event,
 * or NULL if it is unknown.
 */
static const char *call_name(const struct about *start)
{
	const struct event *event = start->event;
	const struct ue_decode_format *format = event_format(event);
	const struct ue_decode_field *field = format->fields;
	struct ue_decode_item item;
	struct field id;

	if (event->swapped || !(event->live || (event->native && *event->native)))
		return NULL;
	for (; field < format->fields + format->field_count; field++) {
		if (field->name_length != 2 || memcmp(field->name, "id", 2) != 0)
			continue;
		ue_decode_format_item(format, field, start->record->data, start->record->size,
				      &item);
		value_read(&item, &id);
		return id.type == FIELD_SIGNED ? syscall_name(id.u) : NULL;
	}
	return NULL;
}

void span_name(struct about *start, const struct about *stop)
{
	static const char *const pairs[][2] = {
		{ "Start", "Stop" }, { "start", "stop" }, { "Start", "End" },  { "start", "end" },
		{ "Begin", "End" },  { "begin", "end" },  { "START", "STOP" }, { "BEGIN", "END" },
	};
	static const char enter[] = "sys_enter_";
	const char *call;
	size_t i, n, a, b;

	if (start->key.kind == SPAN_CALL) {
		call = strncmp(start->name, enter, strlen(enter)) == 0 ? start->name + strlen(enter)
								       : call_name(start);
		start->name = call ? call : start->name;
		start->name_length = strlen(start->name);
		return;
	}
	for (i = 0; i < ARRAY_SIZE(pairs); i++) {
		a = strlen(pairs[i][0]);
		b = strlen(pairs[i][1]);
		n = start->name_length - a;
		if (start->name_length <= a || stop->name_length != n + b ||
		    memcmp(start->name, stop->name, n) != 0 ||
		    memcmp(start->name + n, pairs[i][0], a) != 0 ||
		    memcmp(stop->name + n, pairs[i][1], b) != 0)
			continue;
		while (n > 1 && strchr("_.-/: ", start->name[n - 1]))
			n--;
		start->name_length = n;
		return;
	}
}
