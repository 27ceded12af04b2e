/* SPDX-License-Identifier: MIT */
/*
 * Converts a uprobe record to the record that the program would have written if its tracepoint were
 * enabled, so that the rest of uetrace need not distinguish the two.
 *
 * Each field of the event is built from one or two probe arguments. If an argument is a pointer,
 * the uprobe also fetches the data at this address, because the program may free the memory before
 * uetrace can read it. uprobes can fetch only strings and arrays of constant length. Therefore,
 * only the first BYTES_MAX bytes of variable-length data are recorded.
 */
#include "usdt/usdt.h"
#include "event/event.h"
#include "select/select.h"
#include "util/buffer.h"
#include "util/util.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <user_events.h>
#include <user_events_capture.h>
#include <user_events_decode.h>

#define BYTES_MAX 256	/* limit on the data of a variable-length field, in bytes */
#define FIXED_MAX 1024	/* limit on a recorded array of constant length, in bytes */
#define ALL_MAX 2048	/* limit on all arrays, in bytes; arrays and strings must fit in a page */
#define ELEMENTS_MAX 64 /* maximum number of array elements per fetch argument */
#define STRINGS_MAX 4	/* maximum number of strings recorded from an array */
#define SLOTS_MAX 128	/* limit on fetch arguments, more than any probe needs */
#define NAME_MAX_KERNEL 31 /* maximum length of a fetch argument's name, in bytes */

enum part_kind {
	PART_VALUE,   /* a number */
	PART_BYTES,   /* pointer to an array of constant length */
	PART_STRING,  /* pointer to a zero-terminated string */
	PART_STRINGS, /* pointer to an array of strings, and the number of strings */
	PART_COUNTED, /* pointer to an array of variable length, and its length */
};

/* An event field. A slot is the index of a fetch argument of the uprobe. */
struct part {
	enum part_kind kind;
	size_t unit;  /* element size, in bytes */
	size_t size;  /* size in the event record, in bytes; for PART_VALUE and PART_BYTES */
	size_t fetch; /* number of bytes to fetch through the pointer */
	bool nul;     /* true if the length in __rel_loc includes a NUL */
	bool span;    /* true if arg is the address of a pointer followed by a count */
	const struct usdt_arg *arg, *count_arg;
	int value, count; /* slots of the value (or pointer) and of the count; -1 for a constant */
	int memory;	  /* first slot of the fetched memory */
	int chunks;	  /* number of slots for the fetched memory; 0 for a NULL pointer */
};

struct usdt_shape {
	struct usdt_arg args[USDT_ARGS_MAX];
	int n_args, next_arg;
	struct part parts[USDT_ARGS_MAX];
	size_t n_parts;
	int n_slots;
	struct ue_decode_field fields[SLOTS_MAX + 16];
	size_t first;	   /* index of slot 0 in fields; the common fields precede it */
	size_t fetched;	   /* total size of the arrays fetched so far, in bytes */
	bool constants;	   /* true if constants are also fetched, for use in filters */
	bool out_of_reach; /* true if no uprobe can fetch the current part */
	char *fetch;
	char *spec;
	struct note_field types[USDT_ARGS_MAX + 1]; /* declared types of the fields in spec */
	size_t n_types;
	char float_names[USDT_ARGS_MAX][16]; /* names of the floating-point fields in types */
	struct buffer meta; /* EventHeader data that precedes the activity ID and the values */
	bool eventheader;
	bool activity;	   /* true if the last two parts are the activity IDs */
	bool whole;	   /* true if the only part is a complete TRACE_EVENT record */
	struct buffer out; /* record under construction */
	bool cut;	   /* true if values of this record were truncated */
	uint8_t *kept;	   /* buffer of FIXED_MAX bytes for joining the chunks of a part */
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

static void miss(char **missing, const char *name)
{
	append(missing, "%s%s", *missing ? ", " : "", name);
}

/* Bytes */

/* Appends the low-order bytes of a number in this machine's byte order. */
static void put_number(struct buffer *b, uint64_t value, size_t size)
{
	bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	buffer_put(b, (char *)&value + (big ? sizeof(value) - size : 0), size);
}

/* Fetch arguments */

static bool name_is_free(const struct usdt_shape *s, const char *name)
{
	char *word = text(" %s=", name);
	bool taken = s->fetch && strstr(s->fetch, word);

	free(word);
	return !taken && ue__i_is_identifier(name, strlen(name)) &&
	       strlen(name) <= NAME_MAX_KERNEL && strncmp(name, "common_", 7) != 0 &&
	       strncmp(name, "__probe_", 8) != 0;
}

/*
 * Adds a fetch argument and returns its slot. The argument has the name of the event field, so that
 * filters work. If there is no field name or the kernel would reject it, the name is uetrace_N,
 * where N is the slot.
 */
static int slot_new(struct usdt_shape *s, const char *name, const char *fetch)
{
	if (name && name_is_free(s, name))
		append(&s->fetch, " %s=%s", name, fetch);
	else
		append(&s->fetch, " uetrace_%d=%s", s->n_slots, fetch);
	return s->n_slots++;
}

static int fetch_value(struct usdt_shape *s, const struct usdt_arg *arg, const char *name,
		       size_t size, bool is_signed)
{
	char fetch[USDT_FETCH_MAX];

	if (arg->kind == USDT_CONSTANT && !(name && s->constants))
		return -1;
	if (usdt_fetch_value(arg, (unsigned int)size, is_signed, fetch, sizeof(fetch)) == 0)
		return slot_new(s, name, fetch);
	s->out_of_reach = true;
	return -1;
}

static void fetch_memory(struct usdt_shape *s, struct part *part, size_t offset, const char *type,
			 const char *name)
{
	char fetch[USDT_FETCH_MAX];
	int slot;

	if (part->arg->kind == USDT_CONSTANT && !part->arg->value)
		return; /* NULL */
	if (usdt_fetch_memory(part->arg, part->span, offset, type, fetch, sizeof(fetch)) != 0) {
		s->out_of_reach = true;
		return;
	}
	slot = slot_new(s, name, fetch);
	if (!part->chunks++)
		part->memory = slot;
}

/*
 * Fetches an array element by element instead of as a single block, because the memory after the
 * array may be unmapped.
 */
static void fetch_array(struct usdt_shape *s, struct part *part)
{
	size_t unit = part->unit == 2 || part->unit == 4 || part->unit == 8 ? part->unit : 1;
	size_t done, n;
	char type[32];

	if (s->whole) /* the record is on the stack, so the memory after it is mapped */
		unit = 8;
	for (done = 0; done < part->fetch; done += n * unit) {
		n = (part->fetch - done) / unit;
		if (n > ELEMENTS_MAX)
			n = ELEMENTS_MAX;
		snprintf(type, sizeof(type), "x%zu[%zu]", 8 * unit, n);
		fetch_memory(s, part, done, type, NULL);
	}
}

static void fetch_strings(struct usdt_shape *s, struct part *part)
{
	char fetch[USDT_FETCH_MAX + 16], place[USDT_FETCH_MAX] = "";
	size_t i;

	part->memory = s->n_slots;
	for (i = 0; i < STRINGS_MAX; i++) {
		if (usdt_fetch_memory(part->arg, part->span, i * sizeof(long), "", place,
				      sizeof(place)) != 0)
			s->out_of_reach = true;
		snprintf(fetch, sizeof(fetch), "+0(%.*s):string", (int)strcspn(place, ":"), place);
		slot_new(s, NULL, fetch);
	}
}

/* Fetches the pointer or the count of a span. The argument is the address of the span. */
static int fetch_span(struct usdt_shape *s, const struct part *part, size_t offset)
{
	const char *type = sizeof(long) == 8 ? "u64" : "u32";
	char fetch[USDT_FETCH_MAX] = "";

	if (usdt_fetch_memory(part->arg, false, offset, type, fetch, sizeof(fetch)) != 0)
		s->out_of_reach = true;
	return slot_new(s, NULL, fetch);
}

static void fetch_part(struct usdt_shape *s, struct part *part, const char *name)
{
	if (part->kind == PART_VALUE) {
		part->value = fetch_value(s, part->arg, name, part->size, part->arg->is_signed);
		return;
	}
	part->value = part->span ? fetch_span(s, part, 0)
				 : fetch_value(s, part->arg, NULL, 8, false);
	if (part->span)
		part->count = fetch_span(s, part, sizeof(long));
	else if (part->count_arg)
		part->count = fetch_value(s, part->count_arg, NULL, 8, false);
	if (part->kind == PART_STRINGS)
		fetch_strings(s, part);
	else if (part->kind == PART_STRING && part->unit == 1)
		fetch_memory(s, part, 0, "string", name);
	else
		fetch_array(s, part);
}

/*
 * Adds a part built from the next probe arguments. If too few arguments are left, or if a uprobe
 * cannot fetch them, adds nothing and returns false.
 */
static bool add_part(struct usdt_shape *s, struct part part, const char *name)
{
	bool counted = part.kind == PART_COUNTED || part.kind == PART_STRINGS;
	size_t fetched = s->fetch ? strlen(s->fetch) : 0;
	int first = s->next_arg, slots = s->n_slots;

	part.span = counted && first < s->n_args && usdt_is_span(&s->args[first]);
	s->next_arg += counted && !part.span ? 2 : 1;
	if (s->next_arg > s->n_args) {
		s->next_arg = s->n_args + 1; /* also reject all later parts */
		return false;
	}
	part.arg = &s->args[first];
	part.count_arg = counted ? part.arg + !part.span : NULL;
	if (part.kind == PART_COUNTED || (part.kind == PART_STRING && part.unit > 1))
		part.fetch = s->whole ? FIXED_MAX : BYTES_MAX / part.unit * part.unit;
	if (part.kind == PART_BYTES)
		part.fetch = part.size < FIXED_MAX ? part.size : FIXED_MAX / part.unit * part.unit;
	if (part.fetch > ALL_MAX - s->fetched)
		part.fetch = (ALL_MAX - s->fetched) / part.unit * part.unit;
	s->out_of_reach = false;
	fetch_part(s, &part, name);
	if (!s->out_of_reach) {
		s->fetched += part.fetch;
		s->parts[s->n_parts++] = part;
		return true;
	}
	s->n_slots = slots;
	if (s->fetch)
		s->fetch[fetched] = '\0';
	return false;
}

static struct part part_of(uint32_t type)
{
	size_t unit = (size_t)1 << UE__F_LOG2_OF(type);
	struct part part = { .unit = unit, .size = unit, .nul = UE__F_IS_CHARS(type) };

	if (!(type & UE__F_T_DATA))
		part.kind = PART_VALUE;
	else if (UE__F_IS_FIXED(type))
		part.kind = PART_BYTES;
	else if (UE__F_IS_STRINGS(type))
		part.kind = PART_STRINGS;
	else
		part.kind = UE__F_IS_ZSTRING(type) ? PART_STRING : PART_COUNTED;
	if (type & UE__F_T_CARRAY)
		part.size = UE__F_LENGTH_OF(type) * unit;
	return part;
}

/* Kernel-typed events */

/* Adds the fields of an event. The spec and the notes list the fields in the same order. */
static void shape_event(struct usdt_shape *s, const struct note_event *event, char **missing)
{
	const char *spec = event->spec + strlen(event->name), *end;
	size_t i;

	append(&s->spec, "%s", event->name);
	for (i = 0; i < event->n; i++) {
		spec += strspn(spec, "; ");
		end = spec + strcspn(spec, ";");
		if (add_part(s, part_of(event->fields[i].type), event->fields[i].name)) {
			append(&s->spec, "%s%.*s", s->n_parts > 1 ? "; " : " ", (int)(end - spec),
			       spec);
			s->types[s->n_types++] = event->fields[i];
		} else {
			miss(missing, event->fields[i].name);
		}
		spec = end;
	}
}

/*
 * Adds a complete TRACE_EVENT record. The last two arguments of the probe are the record's address
 * and size.
 */
static bool shape_whole(struct usdt_shape *s, const struct note_event *event)
{
	s->whole = true;
	s->next_arg = s->n_args - 2;
	append(&s->spec, "%s", event->spec);
	return add_part(s, (struct part){ .kind = PART_COUNTED, .unit = 1 }, NULL);
}

/* EventHeader events */

/*
 * Adds a field, or all members of a struct. The notes contain the types of the values. Returns
 * false if a value cannot be recorded.
 */
static bool add_field(struct usdt_shape *s, struct ue_decode_fields *f,
		      const struct note_field **field)
{
	const struct ue_decode_item *d = &f->item;
	unsigned int left = 1; /* number of remaining field definitions */
	bool good = true;

	for (; left && ue_decode_next_definition(f) > 0; left--) {
		uint32_t type = (*field)->type;
		struct part part;
		char *name;

		if (d->kind == UE_DECODE_KIND_STRUCT) {
			if (d->array)
				f->error = UE_DECODE_EDEPTH;
			left += d->format;
			continue;
		}
		if (!type)
			return false;
		part = part_of(type);
		if (part.kind == PART_STRINGS && (type & UE__F_T_CARRAY || part.unit > 1)) {
			s->next_arg += UE__F_IS_PAIR(type) ? 2 : 1;
			good = false;
		} else {
			name = text("%.*s", (int)d->name_length, d->name);
			good &= add_part(s, part, part.kind == PART_VALUE ? name : NULL);
			free(name);
		}
		(*field)++;
	}
	return good && !left;
}

#define HEAD (8 + 4) /* length of struct eventheader and the extension header, in bytes */

/* Returns the level in the name of an event set. Filters use the level. */
static uint8_t level_of(const char *spec)
{
	char *name = text("%.*s", (int)strcspn(spec, " "), spec);
	unsigned long long keyword;
	unsigned int level = 0;

	set_name(name, &level, &keyword);
	free(name);
	return (uint8_t)level;
}

static bool add_id(struct usdt_shape *s)
{
	return add_part(s, (struct part){ .kind = PART_BYTES, .unit = 1, .size = 16 }, NULL);
}

static bool shape_site(struct usdt_shape *s, const struct note_event *site,
		       const struct note_event *set, char **missing)
{
	const struct note_field *field = site->fields;
	static struct ue_decode_fields f;
	struct ue_decode_event event;
	uint8_t level = level_of(set->spec);
	char fetch[16];
	uint16_t size;

	if (ue_decode_parse(&event, NULL, 0, site->meta, site->size))
		return false;
	ue_decode_start(&f, &event);
	s->eventheader = true;
	s->spec = text("%s", set->spec);
	buffer_put(&s->meta, site->meta, (size_t)(f.definition - site->meta));
	s->meta.data[7] = (char)level;
	snprintf(fetch, sizeof(fetch), "\\%u:u8", level);
	if (s->constants)
		slot_new(s, "level", fetch);
	while (f.definition < f.definitions_end && !f.error) {
		const uint8_t *begin = f.definition;
		size_t parts = s->n_parts;

		if (add_field(s, &f, &field)) {
			buffer_put(&s->meta, begin, (size_t)(f.definition - begin));
		} else if (!f.error) {
			s->n_parts = parts;
			miss(missing, (const char *)begin);
		}
	}
	size = (uint16_t)(s->meta.size - HEAD);
	memcpy(s->meta.data + 8, &size, sizeof(size));
	s->activity = s->next_arg + 2 == s->n_args && add_id(s) && add_id(s);
	return !f.error;
}

/* Adds a floating-point field, which the uprobe records as an integer. */
static void add_float(struct usdt_shape *s, const char *name, size_t size)
{
	char *kept = s->float_names[s->n_types];

	append(&s->spec, "%su%zu %s", s->n_parts > 1 ? "; " : " ", 8 * size, name);
	snprintf(kept, sizeof(s->float_names[0]), "%s", name);
	s->types[s->n_types++] =
		(struct note_field){ kept, size == 8 ? UE__F_TYPE(F64) : UE__F_TYPE(F32) };
}

/*
 * Describes a probe of another provider, whose arguments have neither names nor types. Replaces
 * spaces and ';' in the probe name, because they would end the name in a spec.
 */
static void shape_other(struct usdt_shape *s, const struct usdt_probe *probe, char **missing)
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
			miss(missing, name);
		else if (arg->is_float && arg->size >= 4)
			add_float(s, name, arg->size);
		else if (arg->size == 8 && !arg->is_signed) /* often a pointer */
			append(&s->spec, "%sunsigned long %s", s->n_parts > 1 ? "; " : " ", name);
		else
			append(&s->spec, "%s%c%d %s", s->n_parts > 1 ? "; " : " ",
			       arg->is_signed ? 's' : 'u', 8 * arg->size, name);
	}
	if (probe->n < 0)
		miss(missing, "its arguments");
}

struct usdt_shape *usdt_shape_new(const struct usdt_file *file, const struct usdt_probe *probe,
				  bool filter, char **missing)
{
	struct usdt_shape *s = allocate(sizeof(*s));
	const struct note_event *event = usdt_event_of(file, probe);
	const struct note_event *site = usdt_site_of(file, probe);
	const struct note_event *set = usdt_set_of(file, probe);
	bool good = true;

	s->n_args = probe->n > 0 ? probe->n : 0;
	memcpy(s->args, probe->args ? probe->args : s->args, (size_t)s->n_args * sizeof(*s->args));
	s->kept = allocate(FIXED_MAX);
	s->constants = filter;
	if (site && set)
		good = shape_site(s, site, set, missing);
	else if (event && event->kind == NOTE_RECORD)
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
	free(s->meta.data);
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

const struct note_field *usdt_shape_types(const struct usdt_shape *s)
{
	return s->n_types ? s->types : NULL;
}

/* Field offsets. The last fields of the format are the fetch arguments, in the same order. */

bool usdt_shape_format(struct usdt_shape *s, const char *format_text)
{
	struct ue_decode_format format = { .fields = s->fields,
					   .fields_max = ARRAY_SIZE(s->fields) };

	if (ue_decode_format_parse(&format, format_text, strlen(format_text)) != 0 ||
	    format.field_count < (size_t)s->n_slots)
		return false;
	s->first = format.field_count - (size_t)s->n_slots;
	return true;
}

/* Records */

static const uint8_t *slot_bytes(const struct usdt_shape *s, const struct record *in, int slot,
				 size_t *size)
{
	const struct ue_decode_field *at = slot < 0 ? NULL : &s->fields[s->first + (size_t)slot];

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
 * Returns a string that the kernel fetched, and sets *length to its length without the NUL. If the
 * kernel could not read the string, or if the string has 4096 bytes or more, returns "(fault)" and
 * marks the record as truncated.
 */
static const char *string_of(struct usdt_shape *s, const struct record *in, int slot,
			     size_t *length)
{
	static const char fault[] = "(fault)";
	size_t size;
	const uint8_t *p = slot_bytes(s, in, slot, &size);
	uint32_t loc = 0;

	if (p && size == sizeof(loc))
		memcpy(&loc, p, sizeof(loc));
	size = loc >> 16;
	if (!size || (loc & 0xffff) > in->size || in->size - (loc & 0xffff) < size) {
		s->cut = true;
		*length = strlen(fault);
		return fault;
	}
	*length = strnlen((const char *)in->data + (loc & 0xffff), size);
	return (const char *)in->data + (loc & 0xffff);
}

/* Joins the chunks of an array in s->kept. */
static void gather(const struct usdt_shape *s, const struct record *in, const struct part *part)
{
	size_t done = 0, size;
	int i;

	for (i = 0; i < part->chunks; i++) {
		const uint8_t *p = slot_bytes(s, in, part->memory + i, &size);

		if (size > FIXED_MAX - done)
			size = FIXED_MAX - done;
		if (p)
			memcpy(s->kept + done, p, size);
		done += size;
	}
	memset(s->kept + done, 0, FIXED_MAX - done);
}

/* The recorded value of a part, which may be truncated. */
struct content {
	const void *data;
	size_t size;
	size_t elements;
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

/*
 * Returns the number of elements, or 0 if the pointer is NULL or the count is negative, as in
 * user_events.h.
 */
static uint64_t count_of(const struct usdt_shape *s, const struct record *in,
			 const struct part *part)
{
	bool null = !value_of(s, in, part->arg, part->value);
	int64_t count = null ? 0 : (int64_t)value_of(s, in, part->count_arg, part->count);

	return count > 0 ? (uint64_t)count : 0;
}

static struct content content_of(struct usdt_shape *s, const struct record *in,
				 const struct part *part)
{
	struct content c = { s->kept, 0, 0 };
	bool null = !value_of(s, in, part->arg, part->value);
	uint64_t all;

	if (part->kind == PART_STRING && part->unit == 1) {
		if (!null)
			c.data = string_of(s, in, part->memory, &c.size);
		c.elements = c.size;
		return c;
	}
	gather(s, in, part);
	c.elements = part->fetch / part->unit;
	if (part->kind == PART_BYTES) {
		if (null)
			memset(s->kept, 0, FIXED_MAX);
		all = part->size / part->unit;
	} else if (part->kind == PART_STRING) {
		all = null ? 0 : units_before_zero(part, s->kept);
		all += all == c.elements;
	} else {
		all = count_of(s, in, part);
	}
	s->cut |= all > c.elements;
	if (all < c.elements)
		c.elements = all;
	c.size = c.elements * part->unit;
	return c;
}

/* Appends a number or an array of constant length. Returns false for other kinds of parts. */
static bool put_fixed(struct usdt_shape *s, const struct record *in, const struct part *part)
{
	struct content c;

	if (part->kind == PART_VALUE) {
		put_number(&s->out, value_of(s, in, part->arg, part->value), part->size);
	} else if (part->kind == PART_BYTES) {
		c = content_of(s, in, part);
		memcpy(buffer_extend(&s->out, part->size), c.data, c.size);
	}
	return part->kind == PART_VALUE || part->kind == PART_BYTES;
}

/*
 * Appends the fields of a kernel-typed event. Each variable-length field is a __rel_loc, which
 * contains the size of the data and its distance from the end of the __rel_loc. The data follows
 * the last field.
 */
static void put_kernel_typed(struct usdt_shape *s, const struct record *in)
{
	size_t locs[USDT_ARGS_MAX] = { 0 }, i;

	for (i = 0; i < s->n_parts; i++) {
		if (put_fixed(s, in, &s->parts[i]))
			continue;
		locs[i] = s->out.size;
		buffer_extend(&s->out, 4);
	}
	for (i = 0; i < s->n_parts; i++) {
		struct content c;
		uint32_t loc;

		if (!locs[i])
			continue;
		c = content_of(s, in, &s->parts[i]);
		loc = (uint32_t)(c.size + s->parts[i].nul) << 16 |
		      ((uint32_t)(s->out.size - locs[i] - 4) & 0xffff);
		memcpy(s->out.data + locs[i], &loc, sizeof(loc));
		buffer_put(&s->out, c.data, c.size);
		buffer_put(&s->out, "", s->parts[i].nul);
	}
}

static void put_strings(struct usdt_shape *s, const struct record *in, const struct part *part)
{
	uint64_t all = count_of(s, in, part);
	int n = all < STRINGS_MAX ? (int)all : STRINGS_MAX, i;
	size_t length;

	s->cut |= all > STRINGS_MAX;
	put_number(&s->out, (uint64_t)n, 2);
	for (i = 0; i < n; i++) {
		const char *string = string_of(s, in, part->memory + i, &length);

		put_number(&s->out, length, 2);
		buffer_put(&s->out, string, length);
	}
}

/* Appends the extension with the activity ID and, if set, the related activity ID. */
static void put_activity(struct usdt_shape *s, const struct record *in)
{
	const struct part *id = &s->parts[s->n_parts - 2], *related = id + 1;
	bool both = value_of(s, in, related->arg, related->value);
	uint16_t kind;

	if (!value_of(s, in, id->arg, id->value))
		return;
	memcpy(&kind, s->meta.data + 10, sizeof(kind));
	kind |= UE__F_EXTENSION_MORE;
	memcpy(s->out.data + 8 + 10, &kind, sizeof(kind));
	put_number(&s->out, both ? 32 : 16, 2);
	put_number(&s->out, UE__F_EXTENSION_ACTIVITY, 2);
	put_fixed(s, in, id);
	if (both)
		put_fixed(s, in, related);
}

static void put_eventheader(struct usdt_shape *s, const struct record *in)
{
	size_t n = s->n_parts - (s->activity ? 2 : 0), i;

	buffer_put(&s->out, s->meta.data, s->meta.size);
	if (s->activity)
		put_activity(s, in);
	for (i = 0; i < n; i++) {
		struct content c;

		if (put_fixed(s, in, &s->parts[i]))
			continue;
		if (s->parts[i].kind == PART_STRINGS) {
			put_strings(s, in, &s->parts[i]);
			continue;
		}
		c = content_of(s, in, &s->parts[i]);
		put_number(&s->out, c.elements, 2);
		buffer_put(&s->out, c.data, c.size);
	}
}

bool usdt_shape_record(struct usdt_shape *s, const struct record *in, unsigned int id,
		       struct record *out, bool *cut)
{
	struct content c;

	if (in->size < 8)
		return false;
	s->cut = false;
	s->out.size = 0;
	put_number(&s->out, id, 2);
	buffer_put(&s->out, (const char *)in->data + 2, 8 - 2); /* other common fields */
	if (s->whole) {
		c = content_of(s, in, &s->parts[0]);
		buffer_put(&s->out, c.data, c.size);
	} else if (s->eventheader) {
		put_eventheader(s, in);
	} else {
		put_kernel_typed(s, in);
	}
	*cut = s->cut;
	*out = *in;
	out->data = s->out.data;
	out->size = s->out.size;
	return true;
}

char *usdt_format_text(const char *spec)
{
	char *format = allocate(UE_CAPTURE_TEXT);

	ue_capture_format_text(spec, 0, format, UE_CAPTURE_TEXT);
	return format;
}
