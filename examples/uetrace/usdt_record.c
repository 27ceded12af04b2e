/* SPDX-License-Identifier: MIT */
/*
 * From the record of a uprobe to that of the event: what the program itself would have written, had
 * somebody listened to its tracepoint. So all that shows events shows these.
 *
 * A field of the event is a part of its record, made of one or two arguments. What arguments point
 * to is fetched with them, since it may be gone later. A uprobe fetches strings, and arrays of a
 * constant length: of what has a variable length, the first BYTES_MAX bytes.
 */
#include "usdt.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <user_events.h>
#include <user_events_capture.h>
#include <user_events_decode.h>

#define BYTES_MAX 256	/* of what has a variable length */
#define FIXED_MAX 1024	/* and of what has a constant one */
#define ALL_MAX 2048	/* of them all: the kernel has a page for an event, strings included */
#define ELEMENTS_MAX 64 /* that the kernel fetches as one array */
#define CHUNKS_MAX (FIXED_MAX / ELEMENTS_MAX)
#define STRINGS_MAX 4 /* of an array of strings */
#define SLOTS_MAX 256
#define DEPTH_MAX 8
#define NAME_MAX_KERNEL 31 /* bytes of a fetch argument's name */

enum part_kind {
	PART_VALUE,   /* a number */
	PART_BYTES,   /* behind a pointer, always as many */
	PART_STRING,  /* up to a zero unit */
	PART_STRINGS, /* pointer and count of such */
	PART_COUNTED, /* pointer and count */
};

/* A field of the uprobe's record. */
struct slot {
	char name[NAME_MAX_KERNEL + 1];
	uint32_t offset, size; /* size 0: it is not there */
};

struct part {
	enum part_kind kind;
	size_t unit;  /* bytes of an element */
	size_t size;  /* PART_VALUE, PART_BYTES: bytes in the event's record */
	size_t fetch; /* bytes that are fetched of what is pointed to */
	bool zero;    /* a string of an older header, which is recorded up to a zero unit */
	const struct usdt_arg *arg, *count_arg;
	bool span;	  /* arg points to pointer and count */
	int value, count; /* slots; -1: constant */
	int memory[CHUNKS_MAX];
	size_t chunks;
};

struct buffer {
	char *data;
	size_t size, room;
};

struct usdt_shape {
	struct usdt_arg args[USDT_ARGS_MAX];
	int n_args, next_arg;
	struct part parts[4 * USDT_ARGS_MAX];
	const uint32_t *type; /* EventHeader: of the next field */
	size_t n_parts;
	struct slot slots[SLOTS_MAX];
	size_t n_slots;
	size_t fetched; /* bytes of arrays */
	bool constants; /* are fetched, too, for filters */
	char *fetch;
	char *spec;
	uint8_t *meta; /* EventHeader: what comes before the activity and the values */
	size_t meta_size;
	bool eventheader;
	bool activity; /* the last two parts */
	bool whole;    /* the only part is the record */
	struct buffer out;
	uint8_t *kept; /* what is fetched of a part, in one piece */
};

/* Text */

static void append(char **to, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void append(char **to, const char *format, ...)
{
	va_list arguments;
	char *more, *both;

	va_start(arguments, format);
	if (vasprintf(&more, format, arguments) < 0)
		die("out of memory");
	va_end(arguments);
	both = text("%s%s", *to ? *to : "", more);
	free(more);
	free(*to);
	*to = both;
}

/* What to fetch */

static bool name_is_free(const struct usdt_shape *s, const char *name)
{
	static const char *const reserved[] = { "common_type",		"common_flags",
						"common_preempt_count", "common_pid",
						"common_tgid",		"__probe_ip",
						"__probe_ret_ip",	"__probe_func" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(reserved); i++) {
		if (strcmp(name, reserved[i]) == 0)
			return false;
	}
	for (i = 0; i < s->n_slots; i++) {
		if (strcmp(name, s->slots[i].name) == 0)
			return false;
	}
	return ue__is_identifier(name, strlen(name)) && strlen(name) <= NAME_MAX_KERNEL;
}

/* A field that is named as the event's, for filters, or, where that cannot be, after its number. */
static int slot_new(struct usdt_shape *s, const char *name, const char *fetch)
{
	struct slot *slot;

	if (s->n_slots == SLOTS_MAX)
		return -1;
	slot = &s->slots[s->n_slots];
	if (name && name_is_free(s, name))
		snprintf(slot->name, sizeof(slot->name), "%s", name);
	else
		snprintf(slot->name, sizeof(slot->name), "uetrace_%zu", s->n_slots);
	append(&s->fetch, " %s=%s", slot->name, fetch);
	return (int)s->n_slots++;
}

static bool fetch_value(struct usdt_shape *s, const struct usdt_arg *arg, const char *name,
			size_t size, bool is_signed, int *slot)
{
	char fetch[USDT_FETCH_MAX];

	*slot = -1;
	if (arg->kind == USDT_CONSTANT && !(name && s->constants))
		return true;
	if (usdt_fetch_value(arg, (unsigned int)size, is_signed, fetch, sizeof(fetch)) != 0)
		return false;
	*slot = slot_new(s, name, fetch);
	return *slot >= 0;
}

static bool fetch_memory(struct usdt_shape *s, struct part *part, size_t offset, const char *type,
			 const char *name)
{
	char fetch[USDT_FETCH_MAX];

	if (part->chunks == CHUNKS_MAX)
		return false;
	part->memory[part->chunks] = -1;
	if (part->arg->kind == USDT_CONSTANT && !part->arg->value) {
		part->chunks++; /* NULL */
		return true;
	}
	if (usdt_fetch_memory(part->arg, part->span, offset, type, fetch, sizeof(fetch)) != 0)
		return false;
	part->memory[part->chunks] = slot_new(s, name, fetch);
	return part->memory[part->chunks++] >= 0;
}

/* Elements are read one by one, so that those behind the last one may be out of memory. */
static bool fetch_array(struct usdt_shape *s, struct part *part)
{
	size_t unit = part->unit == 2 || part->unit == 4 || part->unit == 8 ? part->unit : 1;
	size_t done, n;
	char type[16];

	if (s->whole) /* on the stack, behind which there is more of it */
		unit = 8;
	for (done = 0; done < part->fetch; done += n * unit) {
		n = (part->fetch - done) / unit;
		if (n > ELEMENTS_MAX)
			n = ELEMENTS_MAX;
		snprintf(type, sizeof(type), "x%zu[%zu]", 8 * unit, n);
		if (!fetch_memory(s, part, done, type, NULL))
			return false;
	}
	return true;
}

static bool fetch_strings(struct usdt_shape *s, struct part *part)
{
	char fetch[USDT_FETCH_MAX], place[USDT_FETCH_MAX];
	size_t i;

	for (i = 0; i < STRINGS_MAX; i++) {
		if (usdt_fetch_memory(part->arg, part->span, i * sizeof(long), "", place,
				      sizeof(place)) != 0)
			return false;
		place[strlen(place) - 1] = '\0'; /* the colon */
		if (snprintf(fetch, sizeof(fetch), "+0(%s):string", place) >= (int)sizeof(fetch))
			return false;
		part->memory[i] = slot_new(s, NULL, fetch);
		part->chunks++;
		if (part->memory[i] < 0)
			return false;
	}
	return true;
}

/* Pointer and count, which are behind the argument. */
static bool fetch_span(struct usdt_shape *s, struct part *part)
{
	const char *type = sizeof(long) == 8 ? "u64" : "u32";
	char fetch[USDT_FETCH_MAX];

	if (usdt_fetch_memory(part->arg, false, 0, type, fetch, sizeof(fetch)) != 0)
		return false;
	part->value = slot_new(s, NULL, fetch);
	if (usdt_fetch_memory(part->arg, false, sizeof(long), type, fetch, sizeof(fetch)) != 0)
		return false;
	part->count = slot_new(s, NULL, fetch);
	return part->value >= 0 && part->count >= 0;
}

static bool fetch_part(struct usdt_shape *s, struct part *part, const char *name)
{
	switch (part->kind) {
	case PART_VALUE:
		return fetch_value(s, part->arg, name, part->size, part->arg->is_signed,
				   &part->value);
	case PART_STRING:
		if (!fetch_value(s, part->arg, NULL, 8, false, &part->value))
			return false;
		if (part->unit == 1)
			return fetch_memory(s, part, 0, "string", name);
		return fetch_array(s, part);
	case PART_BYTES:
		return fetch_value(s, part->arg, NULL, 8, false, &part->value) &&
		       fetch_array(s, part);
	case PART_COUNTED:
	case PART_STRINGS:
		if (part->span ? !fetch_span(s, part)
			       : !fetch_value(s, part->arg, NULL, 8, false, &part->value) ||
					 !fetch_value(s, part->count_arg, NULL, 8, false,
						      &part->count))
			return false;
		return part->kind == PART_COUNTED ? fetch_array(s, part) : fetch_strings(s, part);
	}
	return false;
}

/*
 * A part of the next arguments. False: there are not as many, or no uprobe reads them; then nothing
 * of it is left.
 */
static bool add_part(struct usdt_shape *s, struct part part, const char *name)
{
	bool counted = part.kind == PART_COUNTED || part.kind == PART_STRINGS;
	size_t slots = s->n_slots, fetched = s->fetch ? strlen(s->fetch) : 0;
	int first = s->next_arg;

	part.span = counted && first < s->n_args && usdt_is_span(&s->args[first]);
	s->next_arg += counted && !part.span ? 2 : 1;
	if (s->next_arg > s->n_args) {
		s->next_arg = s->n_args + 1; /* and no later one */
		return false;
	}
	if (s->n_parts == ARRAY_SIZE(s->parts))
		return false;
	part.arg = &s->args[first];
	part.count_arg = counted && !part.span ? part.arg + 1 : part.arg;
	if (part.kind == PART_COUNTED || (part.kind == PART_STRING && part.unit > 1)) {
		part.fetch = BYTES_MAX / part.unit * part.unit;
		if (s->whole)
			part.fetch = FIXED_MAX;
	}
	if (part.kind == PART_BYTES)
		part.fetch = part.size < FIXED_MAX ? part.size : FIXED_MAX / part.unit * part.unit;
	if (part.fetch > ALL_MAX - s->fetched)
		part.fetch = (ALL_MAX - s->fetched) / part.unit * part.unit;
	if (fetch_part(s, &part, name)) {
		s->fetched += part.fetch;
		s->parts[s->n_parts++] = part;
		return true;
	}
	s->n_slots = slots;
	if (s->fetch)
		s->fetch[fetched] = '\0';
	return false;
}

/* Kernel-typed events */

static struct part part_of(const struct note_field *field)
{
	struct note_type type = note_type(field);
	struct part part = { .unit = type.unit, .size = type.unit };

	if (type.counted)
		part.kind = type.zstring ? PART_STRINGS : PART_COUNTED;
	else if (type.zstring)
		part.kind = PART_STRING;
	else
		part.kind = type.value ? PART_VALUE : PART_BYTES;
	if (field->type & UE__T_CARRAY)
		part.size = (size_t)UE__LENGTH_OF(field->type) * type.unit;
	return part;
}

/* Fields stand in the spec in the notes' order. */
static void shape_event(struct usdt_shape *s, const struct note_event *event, char ***missing)
{
	const char *spec = event->spec + strlen(event->name), *end;
	size_t i;

	append(&s->spec, "%s", event->name);
	for (i = 0; i < event->n; i++) {
		spec += strspn(spec, "; ");
		end = spec + strcspn(spec, ";");
		if (add_part(s, part_of(&event->fields[i]), event->fields[i].name))
			append(&s->spec, "%s%.*s", s->n_parts > 1 ? "; " : " ", (int)(end - spec),
			       spec);
		else
			add(missing, event->fields[i].name);
		spec = end;
	}
}

/* TRACE_EVENT: its record, ready, which the last two arguments tell of. */
static bool shape_whole(struct usdt_shape *s, const struct note_event *event)
{
	s->whole = true;
	s->next_arg = s->n_args - 2;
	append(&s->spec, "%s", event->spec);
	return add_part(s, (struct part){ .kind = PART_COUNTED, .unit = 1 }, NULL);
}

/* Self-describing events */

static bool add_defined(struct usdt_shape *s, const struct ue_decode_item *d, const char *name)
{
	struct part part = { .unit = d->size, .size = d->size * d->count };
	bool pointer = d->kind == UE_DECODE_KIND_VALUE128 ||
		       (d->kind == UE_DECODE_KIND_VALUE32 && d->format == UE_DECODE_FORMAT_IP);
	bool varray = d->array & UE_DECODE_VARIABLE_ARRAY;
	uint32_t type = *s->type ? *s->type++ : 0;
	bool zero = d->kind >= UE_DECODE_KIND_ZSTRING8 && d->kind <= UE_DECODE_KIND_ZSTRING32;
	bool zstring = zero || UE__IS_ZSTRING(type);

	part.zero = zero;
	if (zstring)
		part.kind = varray ? PART_STRINGS : PART_STRING;
	else if (d->kind >= UE_DECODE_KIND_ZSTRING8 || varray)
		part.kind = PART_COUNTED;
	else
		part.kind = pointer || d->array ? PART_BYTES : PART_VALUE;
	if (zstring && d->array && (!varray || part.unit > 1)) {
		s->next_arg += varray ? 2 : 1;
		return false;
	}
	return add_part(s, part, part.kind == PART_VALUE ? name : NULL);
}

/* A field with all that is in it. False: it cannot be had as a whole. */
static bool add_field(struct usdt_shape *s, struct ue_decode_fields *f, unsigned int depth)
{
	const struct ue_decode_item *d = &f->item;
	unsigned int members;
	bool good = true;
	char *name;

	if (ue_decode_next_definition(f) <= 0)
		return false;
	if (d->kind != UE_DECODE_KIND_STRUCT) {
		name = text("%.*s", (int)d->name_length, d->name);
		good = add_defined(s, d, name);
		free(name);
		return good;
	}
	if (depth == DEPTH_MAX || d->array)
		f->error = UE_DECODE_EDEPTH;
	for (members = d->format; members && !f->error; members--)
		good &= add_field(s, f, depth + 1);
	return good;
}

static void meta_add(struct usdt_shape *s, const uint8_t *from, const uint8_t *to)
{
	memcpy(s->meta + s->meta_size, from, (size_t)(to - from));
	s->meta_size += (size_t)(to - from);
}

#define HEAD (8 + 4) /* struct eventheader, and the extension's */

/* What filters of event sets ask for. */
static void fetch_level(struct usdt_shape *s, unsigned int level)
{
	char fetch[16];

	snprintf(fetch, sizeof(fetch), "\\%u:u8", level & 0xff);
	slot_new(s, "level", fetch);
}

static unsigned int level_of(const char *spec)
{
	char *name = text("%.*s", (int)strcspn(spec, " "), spec);
	unsigned long long keyword;
	unsigned int level = 0;

	set_name(name, &level, &keyword);
	free(name);
	return level;
}

static bool shape_site(struct usdt_shape *s, const struct note_site *site,
		       const struct note_set *set, char ***missing)
{
	static struct ue_decode_fields f;
	struct ue_decode_event event;
	uint16_t size;

	if (ue_decode_parse(&event, NULL, 0, site->meta, site->size))
		return false;
	ue_decode_start(&f, &event);
	s->eventheader = true;
	s->type = site->types + (site->types[0] == UE__T_ACTIVITY);
	s->spec = text("%s", set->spec);
	s->meta = allocate(site->size);
	meta_add(s, site->meta, f.definition);
	s->meta[7] = (uint8_t)level_of(s->spec);
	if (s->constants)
		fetch_level(s, s->meta[7]);
	while (f.definition < f.definitions_end && !f.error) {
		const uint8_t *begin = f.definition;
		size_t parts = s->n_parts;

		if (add_field(s, &f, 0)) {
			meta_add(s, begin, f.definition);
		} else if (!f.error) {
			s->n_parts = parts;
			add(missing, (const char *)begin);
		}
	}
	size = (uint16_t)(s->meta_size - HEAD);
	memcpy(s->meta + 8, &size, sizeof(size));
	s->activity =
		s->next_arg + 2 == s->n_args &&
		add_part(s, (struct part){ .kind = PART_BYTES, .unit = 1, .size = 16 }, NULL) &&
		add_part(s, (struct part){ .kind = PART_BYTES, .unit = 1, .size = 16 }, NULL);
	return !f.error;
}

/*
 * Other programs' probes: arguments without names and types. In a spec a blank or ';' would end the
 * probe's name.
 */
static void shape_other(struct usdt_shape *s, const struct usdt_probe *probe, char ***missing)
{
	char name[16], *c;
	int i;

	append(&s->spec, "%s", probe->name);
	for (c = s->spec; *c; c++) {
		if (*c == ';' || isspace((unsigned char)*c))
			*c = '_';
	}
	for (i = 0; i < s->n_args; i++) {
		const struct usdt_arg *arg = &s->args[i];
		struct part part = { .kind = PART_VALUE, .unit = arg->size, .size = arg->size };

		snprintf(name, sizeof(name), "arg%d", i + 1);
		if (!add_part(s, part, name))
			add(missing, name);
		else if (arg->size == 8 && !arg->is_signed) /* often a pointer */
			append(&s->spec, "%sunsigned long %s", s->n_parts > 1 ? "; " : " ", name);
		else
			append(&s->spec, "%s%c%d %s", s->n_parts > 1 ? "; " : " ",
			       arg->is_signed ? 's' : 'u', 8 * arg->size, name);
	}
	if (probe->n < 0)
		add(missing, "its arguments");
}

struct usdt_shape *usdt_shape_new(const struct usdt_file *file, const struct usdt_probe *probe,
				  bool filter, char ***missing)
{
	struct usdt_shape *s = allocate(sizeof(*s));
	const struct note_event *event = usdt_event_of(file, probe);
	const struct note_site *site = usdt_site_of(file, probe);
	const struct note_set *set = usdt_set_of(file, probe);
	bool good = true;

	memcpy(s->args, probe->args, sizeof(s->args));
	s->n_args = probe->n > 0 ? probe->n : 0;
	s->kept = allocate(FIXED_MAX);
	s->constants = filter;
	if (site && set)
		good = shape_site(s, site, set, missing);
	else if (event && event->record)
		good = shape_whole(s, event);
	else if (event)
		shape_event(s, event, missing);
	else
		shape_other(s, probe, missing);
	if (good)
		return s;
	usdt_shape_free(s);
	return NULL;
}

void usdt_shape_free(struct usdt_shape *s)
{
	if (!s)
		return;
	free(s->out.data);
	free(s->kept);
	free(s->meta);
	free(s->fetch);
	free(s->spec);
	free(s);
}

const char *usdt_shape_fetch(const struct usdt_shape *s)
{
	return s->fetch ? s->fetch : "";
}

const char *usdt_shape_spec(const struct usdt_shape *s)
{
	return s->spec;
}

/* Where things are in the uprobe's record */

bool usdt_shape_format(struct usdt_shape *s, const char *format_text)
{
	struct ue_decode_field *fields = allocate((SLOTS_MAX + 16) * sizeof(*fields));
	struct ue_decode_format format = { .fields = fields, .fields_max = SLOTS_MAX + 16 };
	size_t i, j = 0, found = 0;

	if (ue_decode_format_parse(&format, format_text, strlen(format_text)) == 0) {
		/* in the order that they were asked for */
		for (i = 0; i < format.field_count && found < s->n_slots; i++) {
			struct slot *slot = &s->slots[j];

			if (strlen(slot->name) != fields[i].name_length ||
			    memcmp(slot->name, fields[i].name, fields[i].name_length) != 0)
				continue;
			slot->offset = fields[i].offset;
			slot->size = fields[i].size;
			found++;
			j++;
		}
	}
	free(fields);
	return found == s->n_slots;
}

/* Records */

static void put(struct buffer *b, const void *data, size_t size)
{
	if (!size)
		return;
	if (b->room - b->size < size) {
		b->room = 2 * b->room + size;
		b->data = realloc(b->data, b->room);
		if (!b->data)
			die("out of memory");
	}
	memcpy(b->data + b->size, data, size);
	b->size += size;
}

static void put_number(struct buffer *b, uint64_t value, size_t size)
{
	bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	put(b, (char *)&value + (big ? sizeof(value) - size : 0), size);
}

static const uint8_t *slot_bytes(const struct usdt_shape *s, const struct record *in, int slot,
				 size_t *size)
{
	const struct slot *at = slot < 0 ? NULL : &s->slots[slot];

	*size = 0;
	if (!at || at->offset > in->size || in->size - at->offset < at->size)
		return NULL;
	*size = at->size;
	return (const uint8_t *)in->data + at->offset;
}

static uint64_t value_of(const struct usdt_shape *s, const struct record *in,
			 const struct usdt_arg *arg, int slot)
{
	size_t size;
	const uint8_t *p = slot_bytes(s, in, slot, &size);
	struct bytes b = { p, size, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, false };
	unsigned int shift = 64 - 8 * (unsigned int)size;
	uint64_t value;

	if (!p || !size || size > 8)
		return arg->kind == USDT_CONSTANT ? (uint64_t)arg->value : 0;
	value = take(&b, size);
	return arg->is_signed ? (uint64_t)((int64_t)(value << shift) >> shift) : value;
}

/*
 * A string that the kernel fetched, without its NUL. One of 4096 bytes or more is a fault, as one
 * that cannot be read: then it is not all that there is.
 */
static const char *string_of(const struct usdt_shape *s, const struct record *in, int slot,
			     size_t *length, bool *cut)
{
	static const char fault[] = "(fault)";
	size_t size;
	const uint8_t *p = slot_bytes(s, in, slot, &size);
	uint32_t loc = 0;

	if (p && size == sizeof(loc))
		memcpy(&loc, p, sizeof(loc));
	size = loc >> 16;
	if (!size || (loc & 0xffff) > in->size || in->size - (loc & 0xffff) < size) {
		*cut = true;
		*length = strlen(fault);
		return fault;
	}
	*length = strnlen((const char *)in->data + (loc & 0xffff), size);
	return (const char *)in->data + (loc & 0xffff);
}

/* An array that was fetched in pieces, in s->kept. */
static void gather(const struct usdt_shape *s, const struct record *in, const struct part *part)
{
	size_t done = 0, i, size;

	for (i = 0; i < part->chunks && done < FIXED_MAX; i++) {
		const uint8_t *p = slot_bytes(s, in, part->memory[i], &size);

		if (size > FIXED_MAX - done)
			size = FIXED_MAX - done;
		if (p)
			memcpy(s->kept + done, p, size);
		done += size;
	}
	memset(s->kept + done, 0, FIXED_MAX - done);
}

/* What belongs to a part, and how many elements of how many that are. */
struct content {
	const void *data;
	size_t size;
	size_t elements, all;
};

static size_t units_before_zero(const struct part *part, const uint8_t *data)
{
	size_t i;

	for (i = 0; i < part->fetch; i += part->unit) {
		if (memcmp(data + i, "\0\0\0", part->unit) == 0)
			break;
	}
	return i / part->unit;
}

static struct content content_of(const struct usdt_shape *s, const struct record *in,
				 const struct part *part)
{
	struct content c = { s->kept, 0, 0, 0 };
	bool null = !value_of(s, in, part->arg, part->value), cut = false;

	if (part->kind == PART_STRING && part->unit == 1) {
		if (!null)
			c.data = string_of(s, in, part->memory[0], &c.size, &cut);
		c.elements = c.size;
		c.all = c.size + cut;
		return c;
	}
	gather(s, in, part);
	if (part->kind == PART_BYTES) {
		if (null)
			memset(s->kept, 0, FIXED_MAX);
		c.elements = part->fetch;
		c.all = part->size;
	} else if (part->kind == PART_STRING) {
		c.elements = null ? 0 : units_before_zero(part, s->kept);
		c.all = c.elements + (c.elements == part->fetch / part->unit);
	} else {
		c.all = null ? 0 : value_of(s, in, part->count_arg, part->count);
		c.elements = c.all < part->fetch / part->unit ? c.all : part->fetch / part->unit;
	}
	c.size = c.elements * (part->kind == PART_BYTES ? 1 : part->unit);
	return c;
}

static void put_bytes(struct buffer *b, const struct part *part, const struct content *c)
{
	static const char zeros[64];
	size_t left = part->size - c->size, n;

	put(b, c->data, c->size);
	for (; left; left -= n) {
		n = left < sizeof(zeros) ? left : sizeof(zeros);
		put(b, zeros, n);
	}
}

/* "char name" of a __rel_loc ends with NUL, which is in its length. */
static bool ends_with_nul(const struct usdt_shape *s, size_t part)
{
	const char *field = s->spec;

	for (; part && field; part--)
		field = strchr(field + 1, ';');
	return field && (field = strstr(field, "__rel_loc ")) &&
	       strncmp(field, "__rel_loc char[]", strlen("__rel_loc char[]")) == 0;
}

/*
 * Numbers and arrays of constant length in place, for all others a __rel_loc: size, and how far from
 * behind it to the bytes, which follow the last field.
 */
static bool put_kernel_typed(struct usdt_shape *s, const struct record *in)
{
	struct buffer *b = &s->out, behind = { NULL, 0, 0 };
	size_t locs[ARRAY_SIZE(s->parts)], at[ARRAY_SIZE(s->parts)], i;
	bool cut = false;

	for (i = 0; i < s->n_parts; i++) {
		const struct part *part = &s->parts[i];
		struct content c;

		locs[i] = 0;
		if (part->kind == PART_VALUE) {
			put_number(b, value_of(s, in, part->arg, part->value), part->size);
			continue;
		}
		c = content_of(s, in, part);
		cut |= c.all > c.elements;
		if (part->kind == PART_BYTES) {
			put_bytes(b, part, &c);
			continue;
		}
		locs[i] = b->size;
		at[i] = behind.size;
		put(&behind, c.data, c.size);
		if (ends_with_nul(s, i))
			put(&behind, "", 1);
		put_number(b, (uint64_t)(behind.size - at[i]) << 16, 4);
	}
	for (i = 0; i < s->n_parts; i++) {
		uint32_t loc;

		if (!locs[i])
			continue;
		memcpy(&loc, b->data + locs[i], sizeof(loc));
		loc |= (uint32_t)(b->size - locs[i] - 4 + at[i]) & 0xffff;
		memcpy(b->data + locs[i], &loc, sizeof(loc));
	}
	put(b, behind.data ? behind.data : "", behind.size);
	free(behind.data);
	return cut;
}

static bool put_strings(struct usdt_shape *s, const struct record *in, const struct part *part)
{
	uint64_t all = value_of(s, in, part->arg, part->value)
			       ? value_of(s, in, part->count_arg, part->count)
			       : 0;
	size_t n = all < STRINGS_MAX ? (size_t)all : STRINGS_MAX, i, length;
	bool cut = all > n;

	put_number(&s->out, n, 2);
	for (i = 0; i < n; i++) {
		const char *string = string_of(s, in, part->memory[i], &length, &cut);

		if (!part->zero)
			put_number(&s->out, length, 2);
		put(&s->out, string, length);
		put(&s->out, "", part->zero);
	}
	return cut;
}

/* Extensions that follow the metadata's: the activity's. */
static void put_activity(struct usdt_shape *s, const struct record *in)
{
	const struct part *id = &s->parts[s->n_parts - 2], *related = id + 1;
	bool both = value_of(s, in, related->arg, related->value);
	uint16_t kind;

	if (!value_of(s, in, id->arg, id->value))
		return;
	memcpy(&kind, s->meta + 10, sizeof(kind));
	kind |= UE__EXTENSION_MORE;
	memcpy(s->out.data + 8 + 10, &kind, sizeof(kind));
	put_number(&s->out, both ? 32 : 16, 2);
	put_number(&s->out, UE__EXTENSION_ACTIVITY, 2);
	put(&s->out, content_of(s, in, id).data, 16);
	if (both)
		put(&s->out, content_of(s, in, related).data, 16);
}

static bool put_eventheader(struct usdt_shape *s, const struct record *in)
{
	size_t n = s->n_parts - (s->activity ? 2 : 0), i;
	bool cut = false;

	put(&s->out, s->meta, s->meta_size);
	if (s->activity)
		put_activity(s, in);
	for (i = 0; i < n; i++) {
		const struct part *part = &s->parts[i];
		struct content c;

		if (part->kind == PART_VALUE) {
			put_number(&s->out, value_of(s, in, part->arg, part->value), part->size);
			continue;
		}
		if (part->kind == PART_STRINGS) {
			cut |= put_strings(s, in, part);
			continue;
		}
		c = content_of(s, in, part);
		cut |= c.all > c.elements;
		if (part->kind != PART_BYTES && !part->zero)
			put_number(&s->out, c.elements, 2);
		if (part->kind == PART_BYTES)
			put_bytes(&s->out, part, &c);
		else
			put(&s->out, c.data, c.size);
		if (part->zero)
			put(&s->out, "\0\0\0", part->unit);
	}
	return cut;
}

bool usdt_shape_record(struct usdt_shape *s, const struct record *in, unsigned int id,
		       struct record *out, bool *cut)
{
	struct content c;
	uint16_t type = (uint16_t)id;

	*cut = false;
	if (in->size < 8)
		return false;
	s->out.size = 0;
	put(&s->out, &type, sizeof(type));
	put(&s->out, (const char *)in->data + 2, 8 - 2); /* the other common fields */
	if (s->whole) {
		c = content_of(s, in, &s->parts[0]);
		put(&s->out, c.data, c.size);
		*cut = c.all > c.elements;
	} else if (s->eventheader) {
		*cut = put_eventheader(s, in);
	} else {
		*cut = put_kernel_typed(s, in);
	}
	*out = *in;
	out->data = s->out.data;
	out->size = s->out.size;
	return true;
}

/* The format file */

/* The kernel's notation, and the type of arguments that are shown in hexadecimal. */
static unsigned int size_of_field(const struct ue__field_words *f, size_t length)
{
	if (length == strlen("unsigned long") && strncmp(f->word[0], "unsigned long", length) == 0)
		return 8;
	return ue__size_of_field(f);
}

static void put_field_line(char **to, const struct ue__field_words *f, size_t *offset)
{
	const char *type = f->word[0], *end = f->word[f->name - 1] + f->length[f->name - 1];
	size_t length = (size_t)(end - type), bare = strcspn(type, "[");
	unsigned int size = size_of_field(f, length);

	if (size)
		append(to, "\tfield:%.*s %.*s%s;\toffset:%zu;\tsize:%u;\tsigned:%d;\n",
		       (int)(bare < length ? bare : length), type, (int)f->length[f->name],
		       f->word[f->name], bare < length ? "[]" : "", *offset, size,
		       strchr("sc_", *type) && strncmp(type, "struct ", 7) != 0);
	*offset += size;
}

char *usdt_format_text(const char *spec)
{
	size_t name = strcspn(spec, " "), offset = 8;
	const char *field = spec + name;
	char *format = text("name: %.*s\nID: 0\nformat:\n"
			    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
			    "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
			    "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;"
			    "\tsigned:0;\n"
			    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n",
			    (int)name, spec);

	for (; *field; field += *field == ';') {
		struct ue__field_words words;

		field = ue__split_field(field, &words);
		if (words.name)
			put_field_line(&format, &words, &offset);
	}
	append(&format, "\nprint fmt: \"\"\n");
	return format;
}
