/* SPDX-License-Identifier: MIT */
/*
 * Writes events to a directory in the Common Trace Format, version 1.8. The file "metadata"
 * describes the event classes. For each CPU, there is a file with packets of events.
 *
 * While an event is read, its field values are collected in one buffer, and its shape in another.
 * The shape is the list of field names and types. Each combination of event name and shape has its
 * own class. The metadata of a class is written when its first event arrives.
 *
 * Names in the metadata consist only of letters, digits and underscores, so a field name cannot
 * inject declarations. All numbers are written with 64 bits, so that few types are needed.
 */
#include "format/format.h"
#include "event/event.h"
#include "event/names.h"
#include "fields/fields.h"
#include "util/buffer.h"
#include "util/util.h"

#include <ctype.h>
#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define CLASSES_MAX 16384
#define CPUS_MAX 4096
#define PACKET 65536 /* packet size in bytes; a packet ends after the event that exceeds it */
#define OPEN_MAX (UE_DECODE_DEPTH + 8)
/*
 * Name in the metadata of the "meta" struct that fields_each() adds. member_name() never returns
 * this name for an event's own field.
 */
#define OWN_NAME "_meta"
#define OWN_FLAG 0x40 /* flag of a type in a shape: this is the struct that fields_each() adds */

/* An open struct or array. */
struct group {
	bool array;
	bool differ;	   /* true if the shapes of all elements are listed, because they differ */
	uint32_t count;	   /* number of elements so far */
	size_t count_at;   /* position of the element count in ctf.values */
	size_t first;	   /* position of the first element in ctf.shape */
	size_t first_size; /* length of the first element's shape in bytes */
	size_t element;	   /* position of the current element in ctf.shape */
};

/* An event class. Its shape starts with the level, category and name of the event. */
struct class
{
	uint32_t id;
	size_t size;
	const char *shape;
};

/* Output file of one CPU. */
struct stream {
	unsigned int cpu;
	struct buffer packet;
	uint64_t begin, last, discarded;
};

struct ctf {
	struct sink sink;
	const char *directory;
	FILE *metadata;
	struct stream *streams;
	size_t streams_n;
	void *classes; /* tsearch() tree of struct class */
	uint32_t classes_n;
	struct buffer shape, values; /* shape and values of the current event */
	struct group groups[OPEN_MAX];
	unsigned int depth;
	struct names names; /* member names in the class that is being written */
	bool begun;
	int64_t realtime_offset; /* CLOCK_REALTIME minus the clock of the first record, ns */
	uint64_t lost;
	int error;
};

/* Strings */

/*
 * Appends text as UTF-8 without NULs. A NUL becomes U+2400, the symbol for NUL. An invalid UTF-8
 * byte becomes the Latin-1 character with the same code. If quoted is true, special characters are
 * escaped as in C, for a string in the metadata.
 */
static void put_string(struct buffer *b, const char *s, size_t n, bool quoted)
{
	const char *end = s + n, *clean;
	unsigned char c;
	size_t length;

	while (s < end) {
		for (clean = s; s<end && * s> 0 && !quoted; s++)
			;
		buffer_put(b, clean, (size_t)(s - clean));
		if (s == end)
			return;
		c = (unsigned char)*s;
		length = utf8_character(s, (size_t)(end - s));
		if (!c)
			buffer_put(b, "\xe2\x90\x80", 3);
		else if (!length)
			buffer_put(b, (char[]){ (char)(0xc0 | c >> 6), (char)(0x80 | (c & 0x3f)) },
				   2);
		else if (quoted && (c == '"' || c == '\\' || c < ' '))
			buffer_print(b, "\\%03o", c);
		else
			buffer_put(b, s, length);
		s += length ? length : 1;
	}
}

/* Shapes and values */

static void put_number(struct buffer *b, uint32_t number)
{
	buffer_put(b, &number, sizeof(number));
}

static void shape_name(struct buffer *b, const char *name, size_t length)
{
	put_number(b, (uint32_t)length);
	buffer_put(b, name, length);
}

static void record_value(struct ctf *c, const struct field *field)
{
	uint64_t value = field->type == FIELD_BOOL ? field->b : field->u;

	if (field->type == FIELD_TEXT) {
		put_string(&c->values, field->text, field->length, false);
		buffer_put(&c->values, "", 1);
	} else if (field->type != FIELD_NULL) {
		buffer_put(&c->values, &value, sizeof(value));
	}
}

static void open_group(struct ctf *c, bool array)
{
	c->groups[c->depth++] = (struct group){ .array = array,
						.count_at = c->values.size,
						.first = c->shape.size,
						.element = c->shape.size };
	if (array)
		put_number(&c->values, 0);
}

/*
 * Replaces the shapes of the first and the last element with a list of the shapes of all elements.
 * This is necessary if the elements differ, for example in a truncated event.
 */
static void list_elements(struct ctf *c, struct group *g)
{
	size_t last_size = c->shape.size - g->element;
	char *first = memcpy(allocate(g->first_size), c->shape.data + g->first, g->first_size);
	char *last = memcpy(allocate(last_size), c->shape.data + g->element, last_size);
	uint32_t i;

	c->shape.size = g->element;
	for (i = 1; i < g->count; i++)
		buffer_put(&c->shape, first, g->first_size);
	buffer_put(&c->shape, last, last_size);
	g->differ = true;
	free(first);
	free(last);
}

/*
 * Ends an array element. If the element has the same shape as its predecessors, removes its shape
 * from the buffer.
 */
static void end_element(struct ctf *c)
{
	struct group *g = c->depth ? &c->groups[c->depth - 1] : NULL;
	size_t size;

	if (!g || !g->array)
		return;
	size = c->shape.size - g->element;
	if (!g->count)
		g->first_size = size;
	else if (!g->differ && size == g->first_size &&
		 memcmp(c->shape.data + g->first, c->shape.data + g->element, size) == 0)
		c->shape.size = g->element;
	else if (!g->differ)
		list_elements(c, g);
	g->count++;
	g->element = c->shape.size;
}

/*
 * Appends the type of a field to the shape. Also appends its name, except for array elements and
 * for the ends of structs and arrays.
 */
static void put_field(void *context, const struct field *field)
{
	struct ctf *c = context;
	bool begins = field->type == FIELD_STRUCT || field->type == FIELD_ARRAY;
	bool ends = field->type == FIELD_STRUCT_END || field->type == FIELD_ARRAY_END;
	bool own = !c->depth && !field->earlier && field->name_length == 4 &&
		   memcmp(field->name, "meta", 4) == 0;
	const struct group *g;

	buffer_put(&c->shape, (char[]){ (char)(field->type | (own ? OWN_FLAG : 0)) }, 1);
	if (field->name)
		shape_name(&c->shape, field->name, field->name_length);
	if (ends) {
		g = &c->groups[--c->depth];
		if (g->array)
			memcpy(c->values.data + g->count_at, &g->count, sizeof(g->count));
	}
	if (begins)
		open_group(c, field->type == FIELD_ARRAY);
	else if (!ends)
		record_value(c, field);
	if (!begins)
		end_element(c);
}

/* The metadata of a class */

/* Position in a shape that is being converted to metadata. */
struct reader {
	const char *p;
	struct buffer *out;
	struct names *names;
};

static unsigned int take_type(struct reader *r)
{
	return (unsigned char)*r->p++;
}

static const char *take_name(struct reader *r, size_t *length)
{
	uint32_t n;

	memcpy(&n, r->p, sizeof(n));
	r->p += sizeof(n) + n;
	*length = n;
	return r->p - n;
}

/*
 * Returns the hash key of a name without its leading underscores. Some readers compare names after
 * they have removed the first underscore, and others before, so names that differ only in leading
 * underscores count as equal.
 */
static uint64_t name_key(const char *name)
{
	name += strspn(name, "_");
	return hash(name, strlen(name));
}

/* Returns true for a reserved word of the grammar (C.1.2) that begins with an underscore. */
static bool is_reserved(const char *name)
{
	return !strcmp(name, "_Bool") || !strcmp(name, "_Complex") || !strcmp(name, "_Imaginary");
}

/*
 * Reserves a member name in a struct. For an array, also reserves the name of the member that
 * contains the array length. Returns false if either name is already taken.
 */
static bool use_name(const struct reader *r, uint64_t scope, const char *name, bool array)
{
	char *length = text("%s_length", name);
	uint64_t key = name_key(name), length_key = name_key(length);
	bool is_free = !is_reserved(name) && !*names_count(r->names, scope, key) &&
		       !(array && *names_count(r->names, scope, length_key));

	if (is_free)
		*names_count(r->names, scope, key) = 1;
	if (is_free && array)
		*names_count(r->names, scope, length_key) = 1;
	free(length);
	return is_free;
}

/*
 * Returns the name of a member. The name is "_", which readers remove, followed by the field name
 * in which each character other than a letter or digit is replaced with "_". If this name is taken,
 * or consists only of underscores, a number is appended. The caller frees the name.
 */
static char *member_name(const struct reader *r, uint64_t scope, const char *given, size_t length,
			 bool array)
{
	char *name = text("_%.*s", (int)length, given), *unique = NULL, *s;
	uint64_t next_key;
	uint32_t k;

	for (s = name + 1; *s; s++) {
		if (!isalnum((unsigned char)*s) || (unsigned char)*s > 127)
			*s = '_';
	}
	if (name[strspn(name, "_")] && use_name(r, scope, name, array))
		return name;
	/*
	 * the table stores the last number used for this name under the inverted key, so that the
	 * search continues there
	 */
	next_key = ~name_key(name);
	k = *names_count(r->names, scope, next_key);
	k = k ? k + 1 : name[strspn(name, "_")] ? 2 : 1;
	do {
		free(unique);
		unique = text("%s_%u", name, k++);
	} while (!use_name(r, scope, unique, array));
	*names_count(r->names, scope, next_key) = k - 1;
	free(name);
	return unique;
}

static void print_members(struct reader *r, bool outermost);

/* Prints the type of a value or struct. In the metadata, the type precedes the name. */
static void print_type(struct reader *r, unsigned int type)
{
	static const char *const types[] = {
		[FIELD_NULL] = "struct { }",
		[FIELD_UNSIGNED] = "uint64",
		[FIELD_SIGNED] = "int64",
		[FIELD_FLOAT] = "float64",
		[FIELD_TEXT] = "string",
		[FIELD_HEX] = "hex64",
		/*
		 * do not use a typealias, because then Trace Compass does not show the enum's
		 * labels
		 */
		[FIELD_BOOL] = "enum : uint64 { \"false\" = 0, \"true\" = 1 }",
	};

	if (type == FIELD_STRUCT) {
		buffer_print(r->out, "struct { ");
		print_members(r, false);
		buffer_print(r->out, "}");
	} else {
		buffer_print(r->out, "%s", types[type]);
	}
}

/*
 * Prints an array. If its elements have different shapes, prints a struct with members 0, 1 and so
 * on.
 */
static void print_array(struct reader *r, const char *name)
{
	struct buffer first = { .size = 0 }, *out = r->out;
	unsigned int n = 0;

	buffer_print(out, "uint32 _%s_length; ", name);
	while (*r->p != FIELD_ARRAY_END) {
		r->out = n ? out : &first;
		if (n == 1) {
			buffer_print(out, "struct { ");
			buffer_put(out, first.data, first.size);
			buffer_print(out, " _0; ");
		}
		print_type(r, take_type(r));
		if (n)
			buffer_print(out, " _%u; ", n);
		n++;
	}
	r->p++;
	r->out = out;
	if (n > 1) {
		buffer_print(out, "} %s; ", name);
	} else {
		if (n)
			buffer_put(out, first.data, first.size);
		buffer_print(out, "%s %s[_%s_length]; ", n ? "" : "uint64", name, name);
	}
	free(first.data);
}

/*
 * Prints the members of a struct up to the end of the struct. outermost is true for an event's
 * fields.
 */
static void print_members(struct reader *r, bool outermost)
{
	uint64_t scope = names_scope(r->names);
	unsigned int type, own;
	const char *given;
	size_t length;
	char *name;

	if (outermost)
		use_name(r, scope, OWN_NAME, false);
	while ((type = take_type(r)) != FIELD_STRUCT_END) {
		own = type & OWN_FLAG;
		type -= own;
		given = take_name(r, &length);
		name = own ? text(OWN_NAME)
			   : member_name(r, scope, given, length, type == FIELD_ARRAY);
		if (type == FIELD_ARRAY) {
			print_array(r, name);
		} else {
			print_type(r, type);
			buffer_print(r->out, " %s; ", name);
		}
		free(name);
	}
}

/* The metadata of the trace */

/* Appends an environment attribute unless its value is empty. */
static void put_env(struct buffer *b, const char *name, const char *value)
{
	if (!*value)
		return;
	buffer_print(b, "\t%s = \"", name);
	put_string(b, value, strlen(value), true);
	buffer_print(b, "\";\n");
}

/* Appends a description of the machine, using the attribute names of LTTng and perf. */
static void put_machine(struct buffer *b, const struct machine *machine)
{
	buffer_print(b, "env {\n\tdomain = \"user_events\";\n\ttracer_name = \"uetrace\";\n");
	put_env(b, "hostname", machine->host);
	put_env(b, "sysname", *machine->release ? "Linux" : "");
	put_env(b, "release", machine->release);
	put_env(b, "machine", machine->arch);
	buffer_print(b, "};\n");
}

static void begin(struct ctf *c, const struct record *first)
{
	static const struct machine unknown;
	const struct machine *machine = first->machine ? first->machine : &unknown;
	bool dated = first->dated && first->realtime_offset > 0;
	struct buffer b = { .size = 0 };

	c->begun = true;
	c->realtime_offset = first->realtime_offset;
	buffer_print(
		&b,
		"/* CTF 1.8 */\n"
		"typealias integer { size = 32; align = 8; } := uint32;\n"
		"typealias integer { size = 32; align = 8; signed = true; } := int32;\n"
		"typealias integer { size = 64; align = 8; } := uint64;\n"
		"typealias integer { size = 64; align = 8; signed = true; } := int64;\n"
		"typealias integer { size = 64; align = 8; base = 16; } := hex64;\n"
		"typealias floating_point { exp_dig = 11; mant_dig = 53; align = 8; } := float64;\n"
		"trace {\n\tmajor = 1; minor = 8; byte_order = %s;\n"
		"\tpacket.header := struct { uint32 magic; uint32 stream_id; };\n};\n",
		__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? "be" : "le");
	put_machine(&b, machine);
	buffer_print(&b, "clock {\n\tname = trace_clock;\n");
	put_env(&b, "uuid", machine->boot); /* the boot ID, as in traces of LTTng */
	buffer_print(
		&b,
		"\tfreq = 1000000000;\n\toffset = %lld;\n%s};\n"
		"typealias integer { size = 64; align = 8; map = clock.trace_clock.value; } "
		":= time;\nstream {\n\tid = 0;\n"
		"\tpacket.context := struct { time timestamp_begin; time timestamp_end;\n\t\t"
		"uint64 content_size; uint64 packet_size; uint64 events_discarded; uint32 cpu_id; "
		"};\n"
		"\tevent.header := struct { uint32 id; time timestamp; };\n"
		"\tevent.context := struct { int32 _vpid; int32 _vtid; string _procname; };\n};\n",
		dated ? (long long)first->realtime_offset : 0ll,
		dated ? "\tabsolute = true;\n" : "");
	fwrite(b.data, 1, b.size, c->metadata);
	free(b.data);
}

static int compare_classes(const void *a, const void *b)
{
	const struct class *x = a, *y = b;

	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return memcmp(x->shape, y->shape, x->size);
}

/* Starts an event's shape with the level, category and name of the event. */
static void put_event(struct ctf *c, const struct about *about)
{
	put_number(&c->shape, about->level);
	shape_name(&c->shape, about->category, about->category_length);
	shape_name(&c->shape, about->name, about->name_length);
}

/* Writes the metadata of a class. */
static void describe_class(struct ctf *c, const struct class *class)
{
	/* LTTng's log levels for our levels 1 (critical) to 5 (verbose) */
	static const unsigned int levels[] = { 0, 2, 3, 4, 6, 14 };
	struct buffer b = { .size = 0 };
	struct reader r = { class->shape + sizeof(uint32_t), &b, &c->names };
	uint32_t level;
	const char *name;
	size_t length;

	memcpy(&level, class->shape, sizeof(level));
	buffer_print(&b, "event {\n\tname = \"");
	name = take_name(&r, &length);
	put_string(&b, name, length, true);
	buffer_print(&b, ":");
	name = take_name(&r, &length);
	put_string(&b, name, length, true);
	buffer_print(&b, "\";\n\tstream_id = 0;\n");
	if (level)
		buffer_print(&b, "\tloglevel = %u;\n", levels[level <= 5 ? level : 5]);
	buffer_print(&b, "\tfields := struct { ");
	names_clear(&c->names);
	print_members(&r, true);
	buffer_print(&b, "};\n\tid = %u;\n};\n", class->id);
	fwrite(b.data, 1, b.size, c->metadata);
	free(b.data);
}

/* Returns the class with the current shape, or NULL if there are too many classes. */
static const struct class *class_of_shape(struct ctf *c)
{
	const struct class key = { .size = c->shape.size, .shape = c->shape.data };
	struct class **found = tfind(&key, &c->classes, compare_classes), *class;

	if (found || c->classes_n == CLASSES_MAX)
		return found ? *found : NULL;
	class = allocate(sizeof(*class) + key.size);
	*class = (struct class){ c->classes_n++, key.size, memcpy(class + 1, key.shape, key.size) };
	if (!tsearch(class, &c->classes, compare_classes))
		die("out of memory");
	describe_class(c, class);
	return class;
}

/* Packets */

static void write_packet(struct ctf *c, struct stream *s, uint64_t end)
{
	struct __attribute__((__packed__)) {
		uint32_t magic, stream;
		uint64_t begin, end, content, size, discarded;
		uint32_t cpu;
	} head = { 0xc1fc1fc1,	 0,	s->begin, end, 8 * (sizeof(head) + s->packet.size), 0,
		   s->discarded, s->cpu };
	char *path = text("%s/cpu%u", c->directory, s->cpu);
	bool failed;
	FILE *out;

	head.size = head.content;
	fflush(c->metadata); /* readers need the metadata before the packet */
	out = fopen(path, "ae");
	failed = !out || fwrite(&head, sizeof(head), 1, out) != 1 ||
		 (s->packet.size && fwrite(s->packet.data, s->packet.size, 1, out) != 1);
	failed = (out && fclose(out)) || failed;
	if (failed && !c->error)
		c->error = errno;
	free(path);
	s->packet.size = 0;
}

static struct stream *stream_of(struct ctf *c, unsigned int cpu, uint64_t time)
{
	size_t i;

	if (cpu >= CPUS_MAX)
		cpu = CPU_UNKNOWN;
	for (i = 0; i < c->streams_n; i++) {
		if (c->streams[i].cpu == cpu)
			return &c->streams[i];
	}
	if (!(i & (i - 1)))
		c->streams = doubled(c->streams, i, sizeof(*c->streams));
	c->streams[c->streams_n++] = (struct stream){ .cpu = cpu, .begin = time, .last = time };
	return &c->streams[i];
}

/*
 * Writes an empty packet for the time between the previous event and now. The packet's counter of
 * discarded events includes the events that were lost during this time.
 */
static void put_lost(struct ctf *c, struct stream *s, uint64_t time)
{
	write_packet(c, s, s->last);
	s->begin = s->last;
	s->discarded += c->lost;
	c->lost = 0;
	write_packet(c, s, time);
}

static void ctf_event(struct sink *sink, struct event *event, const struct record *record)
{
	struct ctf *c = (struct ctf *)sink;
	const struct class *class;
	const struct thread *thread;
	struct about about;
	struct stream *s;
	uint64_t time;

	if (!c->begun)
		begin(c, record);
	/*
	 * convert the time to the clock of the first record, because this record may come from
	 * another boot or machine
	 */
	time = record->time + (uint64_t)record->realtime_offset - (uint64_t)c->realtime_offset;
	s = stream_of(c, record->cpu, time);
	if (time < s->last)
		time = s->last; /* CTF requires that times never decrease within a file */
	c->shape.size = c->values.size = c->depth = 0;
	about_read(event, record, &about);
	put_event(c, &about);
	fields_each(event, record, put_field, c);
	buffer_put(&c->shape, (char[]){ FIELD_STRUCT_END }, 1);
	class = class_of_shape(c);
	c->lost += !class;
	if (c->lost)
		put_lost(c, s, time);
	if (!class)
		return;
	if (!s->packet.size)
		s->begin = time;
	s->last = time;
	thread = thread_of(record);
	put_number(&s->packet, class->id);
	buffer_put(&s->packet, &time, sizeof(time));
	buffer_put(&s->packet, &thread->pid, sizeof(int32_t));
	buffer_put(&s->packet, &thread->tid, sizeof(int32_t));
	put_string(&s->packet, thread->name, strnlen(thread->name, sizeof(thread->name)), false);
	buffer_put(&s->packet, "", 1);
	buffer_put(&s->packet, c->values.data, c->values.size);
	if (s->packet.size >= PACKET)
		write_packet(c, s, time);
}

static void ctf_lost(struct sink *sink, uint64_t lost)
{
	((struct ctf *)sink)->lost += lost;
}

static void ctf_end(struct sink *sink)
{
	struct ctf *c = (struct ctf *)sink;
	const struct record none = { .dated = false };
	struct stream *s;

	if (!c->begun)
		begin(c, &none);
	for (s = c->streams; s < c->streams + c->streams_n; s++) {
		if (c->lost)
			put_lost(c, s, s->last);
		if (s->packet.size)
			write_packet(c, s, s->last);
	}
	if (fflush(c->metadata) && !c->error)
		c->error = errno;
	if (c->error)
		warning("cannot write %s: %s", c->directory, strerror(c->error));
	c->sink.failed = c->error != 0;
}

static void ctf_free(struct sink *sink)
{
	struct ctf *c = (struct ctf *)sink;
	size_t i;

	for (i = 0; i < c->streams_n; i++)
		free(c->streams[i].packet.data);
	free(c->streams);
	tdestroy(c->classes, free);
	free(c->shape.data);
	free(c->values.data);
	names_free(&c->names);
	fclose(c->metadata);
	free(c);
}

struct sink *ctf_new(const char *directory)
{
	struct ctf *c = allocate(sizeof(*c));
	char *metadata = text("%s/metadata", directory);

	c->sink = (struct sink){
		.event = ctf_event, .lost = ctf_lost, .end = ctf_end, .free = ctf_free
	};
	c->directory = directory;
	if (mkdir(directory, 0777) == 0)
		c->metadata = fopen(metadata, "we");
	if (!c->metadata)
		die("cannot write %s: %s", directory, strerror(errno));
	free(metadata);
	return &c->sink;
}
