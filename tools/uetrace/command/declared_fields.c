/* SPDX-License-Identifier: MIT */
/* Describes an event and its fields, using a spec, a format file or a recorded event. */
#include "command/declared_fields.h"
#include "binary/binary.h"
#include "event/event.h"
#include "fields/fields.h"
#include "select/select.h"
#include "util/util.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <user_events.h>

#define FIELDS_MAX 256 /* maximum number of fields listed for an event */
/* maximum length of a field name, including the names of enclosing structs, in bytes */
#define NAME_MOST 200

static void keep_log(void *log)
{
	(void)log;
}

void listed_free(struct listed *listed)
{
	size_t i;

	tdestroy(listed->known_logs, keep_log);
	for (i = 0; i < listed->n_logs; i++) {
		listed_free(listed->logs[i]);
		free(listed->logs[i]);
	}
	free(listed->logs);
	free(listed->system);
	free(listed->name);
	free(listed->probe);
	for (i = 0; listed->declared && i < list_length(listed->fields); i++)
		list_free(listed->declared[i]);
	free(listed->declared);
	list_free(listed->types);
	list_free(listed->fields);
	list_free(listed->listeners);
	list_free(listed->instances);
}

/* Fields */

static void add_field(struct listed *listed, char *type, const char *name, size_t length)
{
	char *copy = text("%.*s", (int)length, name);

	add(&listed->types, type);
	add(&listed->fields, copy);
	free(copy);
	free(type);
}

struct listed listed_specified(const char *system, const char *spec)
{
	size_t length = strcspn(spec, " ");
	struct listed listed = { .system = text("%s", system),
				 .name = text("%.*s", (int)length, spec) };
	struct ue__i_field_words f;

	for (spec += length; *spec; spec += *spec == ';') {
		spec = ue__i_split_field(spec, &f);
		if (f.name == 0)
			continue;
		length = (size_t)(f.word[f.name - 1] - f.word[0]) + f.length[f.name - 1];
		add_field(&listed, text("%.*s", (int)length, f.word[0]), f.word[f.name],
			  f.length[f.name]);
	}
	return listed;
}

/*
 * Parses format file lines such as "field:char comm[16]; offset:8; size:16; signed:0;". Calculates
 * array lengths from field sizes, because for user events, Linux 6.12 prints array lengths from
 * uninitialised memory.
 */
struct listed listed_formatted(const char *system, const char *name, const char *file)
{
	struct listed listed = { .system = text("%s", system), .name = text("%s", name) };
	struct ue_decode_field fields[FIELDS_MAX], *f;
	struct ue_decode_format format = { .fields = fields, .fields_max = FIELDS_MAX };

	ue_decode_format_parse(&format, file, strlen(file));
	for (f = fields; f < fields + format.field_count && f < fields + FIELDS_MAX; f++) {
		const char *type = f->name, *end, *bracket;
		char *array;

		/* Omit common fields and the padding of kernel events. */
		if (f->common || strncmp(f->name, "__pad_", 6) == 0)
			continue;
		while (type[-1] != ':')
			type--;
		bracket = memchr(type, '[', strcspn(type, ";"));
		end = bracket && bracket < f->name ? bracket : f->name;
		while (end > type && end[-1] == ' ')
			end--;
		array = !bracket ? text("%s", "") : f->loc ? text("[]") : text("[%u]", f->size);
		add_field(&listed, text("%.*s%s", (int)(end - type), type, array), f->name,
			  f->name_length);
		free(array);
	}
	return listed;
}

/*
 * Returns the type name of an EventHeader field, such as u32, f64, string or ip. Types are named
 * after kernel types, or after the macros that write the fields. The format of a field determines
 * the word, and the kind determines the number of bits.
 */
static char *type_name(const struct ue_decode_item *item)
{
	static const struct {
		const char *name;
		bool sized;
	} formats[] = {
		[UE_FORMAT_DEFAULT] = { "u", true },
		[UE_FORMAT_UNSIGNED] = { "u", true },
		[UE_FORMAT_SIGNED] = { "s", true },
		[UE_FORMAT_HEX] = { "x", true },
		[UE_FORMAT_ERRNO] = { "errno", false },
		[UE_FORMAT_PID] = { "pid", false },
		[UE_FORMAT_TIME] = { "time", false },
		[UE_FORMAT_BOOL] = { "bool", false },
		[UE_FORMAT_FLOAT] = { "f", true },
		[UE_FORMAT_HEX_BYTES] = { "bytes", false },
		[UE_FORMAT_STRING8] = { "char", false },
		[UE_FORMAT_UTF] = { "char", true },
		[UE_FORMAT_UTF_BOM] = { "char", true },
		[UE_FORMAT_XML] = { "xml", false },
		[UE_FORMAT_JSON] = { "json", false },
		[UE_FORMAT_UUID] = { "uuid", false },
		[UE_FORMAT_PORT] = { "port", false },
		[UE_FORMAT_IP] = { "ip", false },
		[UE_DECODE_FORMAT_IP_OLD] = { "ip", false },
	};
	static const unsigned int bits[] = {
		[UE_DECODE_KIND_VALUE8] = 8,	 [UE_DECODE_KIND_VALUE16] = 16,
		[UE_DECODE_KIND_VALUE32] = 32,	 [UE_DECODE_KIND_VALUE64] = 64,
		[UE_DECODE_KIND_VALUE128] = 128, [UE_DECODE_KIND_ZSTRING16] = 16,
		[UE_DECODE_KIND_ZSTRING32] = 32, [UE_DECODE_KIND_STRING16] = 16,
		[UE_DECODE_KIND_STRING32] = 32,
	};
	size_t format = item->format < ARRAY_SIZE(formats) ? item->format : 0;
	unsigned int size = item->kind < ARRAY_SIZE(bits) ? bits[item->kind] : 0;
	bool value = item->kind >= UE_DECODE_KIND_VALUE8 && item->kind <= UE_DECODE_KIND_VALUE128;
	const char *name = formats[format].name;

	if (item->kind == UE_DECODE_KIND_VALUE128 && !format)
		return text("bytes");
	if (value)
		return formats[format].sized ? text("%s%u", name, size) : text("%s", name);
	/*
	 * Use "string" for strings and "bytes" for binary data, unless the format is more specific.
	 */
	if (format > UE_FORMAT_UTF_BOM)
		return text("%s", name);
	if (format == UE_FORMAT_HEX_BYTES || (!format && item->kind == UE_DECODE_KIND_BINARY))
		return text("bytes");
	return size ? text("string%u", size) : text("string");
}

static char *type_of(const struct ue_decode_item *item)
{
	char *one = type_name(item), *whole = one;

	if (item->array & UE_DECODE_VARIABLE_ARRAY)
		whole = text("%s[]", one);
	else if (item->array)
		whole = text("%s[%u]", one, item->count);
	if (whole != one)
		free(one);
	return whole;
}

void listed_site(struct listed *listed, const struct note_event *site)
{
	size_t n = list_length(listed->fields), i;

	if (!listed->declared)
		listed->declared = allocate(n * sizeof(*listed->declared));
	for (i = 0; i < n && i < site->n; i++) {
		uint32_t type = site->fields[i].type;
		struct ue_decode_item item = { .kind = (uint8_t)UE__F_RECORDED_KIND(type),
					       .format = (uint8_t)UE__F_FORMAT_OF(type),
					       .array = type & UE__F_T_VARRAY
								? UE_DECODE_VARIABLE_ARRAY
								: 0 };
		char *name = type_of(&item);

		if (!list_has(listed->declared[i], name))
			add(&listed->declared[i], name);
		free(name);
	}
}

/* Adds up to n fields. Struct members are named "struct.field", as in filters. */
static void add_defined(struct listed *listed, struct ue_decode_fields *f, const char *within,
			unsigned int n, unsigned int depth)
{
	while (n-- && list_length(listed->fields) < FIELDS_MAX &&
	       ue_decode_next_definition(f) > 0) {
		const struct ue_decode_item *item = &f->item;
		bool is_struct = item->kind == UE_DECODE_KIND_STRUCT;
		char *name = text("%s%.*s", within, (int)item->name_length, item->name), *inner;

		if (strlen(name) > NAME_MOST)
			name[NAME_MOST] = '\0';
		if (is_struct && depth < UE_DECODE_DEPTH) {
			inner = text("%s%s.", name, item->array ? "[]" : "");
			add_defined(listed, f, inner, item->format, depth + 1);
			free(inner);
		} else if (!is_struct) {
			add_field(listed, type_of(item), name, strlen(name));
		}
		free(name);
	}
}

static int compare_lists(char *const *a, char *const *b)
{
	int order;

	for (; a && *a && b && *b; a++, b++) {
		order = strcmp(*a, *b);
		if (order)
			return order;
	}
	return (a && *a) - (b && *b);
}

bool listed_same_fields(const struct listed *a, const struct listed *b)
{
	return !compare_lists(a->fields, b->fields) && !compare_lists(a->types, b->types);
}

static int by_log(const void *a, const void *b)
{
	const struct listed *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	order = order ? order : x->opcode - y->opcode;
	order = order ? order : compare_lists(x->fields, y->fields);
	return order ? order : compare_lists(x->types, y->types);
}

void listed_log(struct listed *set, const struct ue_decode_event *event, const char *probe)
{
	static struct ue_decode_fields fields;
	struct listed *log, **known;

	if (!event->name)
		return;
	log = allocate(sizeof(*log));
	*log = (struct listed){ .name = text("%.*s:%.*s", (int)event->provider_length,
					     event->provider ? event->provider : "",
					     (int)event->name_length, event->name),
				.opcode = event->opcode };
	ue_decode_start(&fields, event);
	add_defined(log, &fields, "", ~0u, 0);
	known = tsearch(log, &set->known_logs, by_log);
	if (!known)
		die("out of memory");
	if (*known != log) {
		listed_free(log);
		free(log);
		return;
	}
	if (!(set->n_logs & (set->n_logs - 1)))
		set->logs = doubled(set->logs, set->n_logs, sizeof(*set->logs));
	log->probe = probe ? text("%s", probe) : NULL;
	set->logs[set->n_logs++] = log;
}

/*
 * The parsed name of an event set. The fields are omitted, because all sets have the same six
 * kernel fields.
 */
struct set {
	struct ue_decode_event event; /* provider and group */
	unsigned long long keyword;
	unsigned int level;
};

static bool is_set(const struct listed *listed, struct set *set)
{
	if (!listed->fields || strcmp(listed->fields[0], "eventheader_flags") != 0 ||
	    !set_name(listed->name, &set->level, &set->keyword))
		return false;
	ue_decode_parse(&set->event, listed->name, strlen(listed->name), NULL, 0);
	return true;
}

/* Returns true if the set has options other than the group. */
static bool has_options(const struct set *set)
{
	return set->event.options_length > set->event.group_length + (set->event.group_length != 0);
}

/* Text */

static bool put_set(const struct listed *listed)
{
	static const char *const levels[] = { "",	    " (critical)",    " (error)",
					      " (warning)", " (information)", " (verbose)" };
	struct set set;

	if (!is_set(listed, &set))
		return false;
	fputs("    events of provider ", stdout);
	put_clean(stdout, set.event.provider, set.event.provider_length);
	if (set.level)
		printf(", level %u%s", set.level,
		       set.level < ARRAY_SIZE(levels) ? levels[set.level] : "");
	if (set.keyword)
		printf(", keyword 0x%llx", set.keyword);
	if (set.event.group_length) {
		fputs(", group ", stdout);
		put_clean(stdout, set.event.group, set.event.group_length);
	}
	if (has_options(&set)) {
		fputs(", options ", stdout);
		put_clean(stdout, set.event.options, set.event.options_length);
	}
	putchar('\n');
	return true;
}

/* Prints untrusted text between two trusted strings. Only the untrusted text is sanitised. */
static void put_between(const char *before, const char *text, const char *after)
{
	fputs(before, stdout);
	put_clean(stdout, text, strlen(text));
	fputs(after, stdout);
}

/*
 * If the sites of an event declare different types for a field, returns these types, otherwise
 * NULL.
 */
static char **differing_types(const struct listed *listed, size_t field)
{
	char **declared = listed->declared ? listed->declared[field] : NULL;

	return list_length(declared) > 1 ? declared : NULL;
}

/* Prints the fields of an event on indented lines. */
static void put_fields(const struct listed *listed, const char *indent)
{
	char **p, **type, **declared;

	for (p = listed->fields, type = listed->types; p && *p; p++, type++) {
		put_between(indent, *type, " ");
		put_between("", *p, "");
		declared = differing_types(listed, (size_t)(p - listed->fields));
		for (; declared && *declared; declared++)
			put_between(declared == listed->declared[p - listed->fields]
					    ? "  (declared as "
					    : ", ",
				    *declared, declared[1] ? "" : ")");
		putchar('\n');
	}
}

static void put_lines(const struct listed *listed)
{
	const struct listed *log;
	size_t i;
	char **p;

	if (strcmp(listed->system, USER_SYSTEM) != 0)
		put_between("", listed->system, ":");
	put_between("", listed->name, "");
	if (listed->sites > 1)
		printf("  (%zu sites)", listed->sites);
	if (listed->disagrees)
		printf("  (an event of this name has other fields)");
	for (p = listed->listeners; p && *p; p++)
		put_between(p == listed->listeners ? "  # listened to by " : " ", *p, "");
	for (p = listed->instances; p && *p; p++)
		put_between(" (instance ", *p, ")");
	putchar('\n');
	if (!put_set(listed))
		put_fields(listed, "    ");
	for (i = 0; i < listed->n_logs; i++) {
		log = listed->logs[i];
		put_between("    ", log->name, "");
		if (log->opcode)
			printf(" (%s)", opcode_name(log->opcode));
		if (log->probe)
			put_between("  (USDT probe ", log->probe, ")");
		putchar('\n');
		put_fields(log, "        ");
	}
}

/* JSON */

static void put_string(const char *s, size_t n)
{
	struct ue_decode_item item = {
		.value = (const uint8_t *)s,
		.size = n,
		.type = UE_DECODE_VALUE,
		.kind = UE_DECODE_KIND_STRING8,
	};
	static struct writer w;

	put_value(&w, &item);
	put_end(&w, stdout);
}

static void put_member(const char *name, const char *s, size_t n)
{
	printf(", \"%s\": ", name);
	put_string(s, n);
}

static void put_strings(const char *name, char **list)
{
	char **p;

	printf(", \"%s\": [", name);
	for (p = list; p && *p; p++) {
		fputs(p == list ? " " : ", ", stdout);
		put_string(*p, strlen(*p));
	}
	fputs(" ]", stdout);
}

static void put_set_members(const struct listed *listed)
{
	struct set set;

	if (!is_set(listed, &set))
		return;
	put_member("provider", set.event.provider, set.event.provider_length);
	printf(", \"level\": %u, \"keyword\": \"0x%llX\"", set.level, set.keyword);
	if (set.event.group_length)
		put_member("group", set.event.group, set.event.group_length);
	if (has_options(&set))
		put_member("options", set.event.options, set.event.options_length);
}

static void put_fields_member(const struct listed *listed)
{
	char **p, **type, **declared;

	fputs(", \"fields\": [", stdout);
	for (p = listed->fields, type = listed->types; p && *p; p++, type++) {
		fputs(p == listed->fields ? " { \"type\": " : ", { \"type\": ", stdout);
		put_string(*type, strlen(*type));
		put_member("name", *p, strlen(*p));
		declared = differing_types(listed, (size_t)(p - listed->fields));
		if (declared)
			put_strings("declared", declared);
		fputs(" }", stdout);
	}
	fputs(" ]", stdout);
}

static void put_logs(const struct listed *listed)
{
	const struct listed *log;
	size_t i;

	for (i = 0; i < listed->n_logs; i++) {
		log = listed->logs[i];
		fputs(i ? ", { \"name\": " : ", \"events\": [ { \"name\": ", stdout);
		put_string(log->name, strlen(log->name));
		if (log->opcode)
			printf(", \"opcode\": %u", log->opcode);
		put_fields_member(log);
		if (log->probe)
			put_member("probe", log->probe, strlen(log->probe));
		fputs(" }", stdout);
	}
	if (listed->n_logs)
		fputs(" ]", stdout);
}

static void put_object(const struct listed *listed, bool registered)
{
	fputs("{ \"system\": ", stdout);
	put_string(listed->system, strlen(listed->system));
	put_member("name", listed->name, strlen(listed->name));
	put_set_members(listed);
	put_fields_member(listed);
	if (listed->sites > 1)
		printf(", \"sites\": %zu", listed->sites);
	put_logs(listed);
	if (registered) {
		put_strings("listeners", listed->listeners);
		put_strings("instances", listed->instances);
	}
	puts(" }");
}

void listed_put(const struct listed *listed, bool json, bool registered)
{
	if (json)
		put_object(listed, registered);
	else
		put_lines(listed);
}
