/* SPDX-License-Identifier: MIT */
/*
 * Events as a folder in the Common Trace Format, version 1.8: "metadata", a text that describes
 * them, and a file of packets for each CPU.
 *
 * The layout of an event decides its class: a name with several layouts has several classes. Names
 * in the metadata keep only letters that its grammar has, so that no event can say more there.
 * Numbers have 64 bits, so that a value needs no more types than it has in JSON.
 */
#include "format/format.h"
#include "event/event.h"
#include "util/util.h"

#include <ctype.h>
#include <errno.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define CLASSES_MAX 16384
#define CPUS_MAX 4096
#define PACKET 65536 /* bytes; one event may need more */
#define OPEN_MAX (UE_DECODE_DEPTH + 8)
#define OWN_NAME "_meta" /* of what fields_each() gives last: no field of the event has it */

struct buffer {
	char *s;
	size_t n, room;
};

/* An open struct or array. */
struct group {
	char *name;
	bool array;
	uint32_t count;	   /* of its elements so far */
	size_t text, data; /* where their types and values begin */
	size_t used;	   /* where the names of its members begin in ctf.used */
};

/* Events of one name and layout. The key is the name, as the metadata quote it, and the layout. */
struct layout {
	uint32_t id;
	char key[];
};

struct stream {
	unsigned int cpu;
	struct buffer packet;
	uint64_t begin, last, discarded;
};

struct ctf {
	struct sink sink;
	const char *folder;
	FILE *metadata;
	struct stream *streams;
	size_t streams_n;
	void *classes;
	uint32_t classes_n;
	/* of the event: types and values of its fields, names that are used */
	struct buffer text, data, used, key;
	struct group groups[OPEN_MAX];
	unsigned int depth;
	bool begun;
	int64_t realtime_offset; /* of the first record */
	uint64_t lost;
	int error;
};

static void put(struct buffer *b, const void *data, size_t n)
{
	if (b->n + n > b->room) {
		b->room = 2 * (b->n + n);
		b->s = realloc(b->s, b->room);
		if (!b->s)
			die("out of memory");
	}
	if (n)
		memcpy(b->s + b->n, data, n);
	b->n += n;
}

static void __attribute__((format(printf, 2, 3))) print(struct buffer *b, const char *format, ...)
{
	va_list arguments;
	char *s;
	int n;

	va_start(arguments, format);
	n = vasprintf(&s, format, arguments);
	va_end(arguments);
	if (n < 0)
		die("out of memory");
	put(b, s, (size_t)n);
	free(s);
}

/*
 * Strings end at a NUL and are UTF-8: a NUL becomes U+2400, its symbol, and another byte Latin-1.
 * quoted: as in C, for the metadata.
 */
static void put_string(struct buffer *b, const char *s, size_t n, bool quoted)
{
	unsigned char c;
	size_t length;

	for (; n; s += length, n -= length) {
		c = (unsigned char)*s;
		length = utf8_character(s, n);
		if (!c)
			put(b, "\xe2\x90\x80", 3);
		else if (!length)
			put(b, (char[]){ (char)(0xc0 | c >> 6), (char)(0x80 | (c & 0x3f)) }, 2);
		else if (quoted && (c == '"' || c == '\\' || c < ' '))
			print(b, "\\%03o", c);
		else
			put(b, s, length);
		length += !length;
	}
}

/* Types and values */

/*
 * Names that differ only in the underscores in front are one name: some readers remove the first
 * underscore before they compare names, some after.
 */
static uint64_t name_key(const char *name)
{
	name += strspn(name, "_");
	return hash(name, strlen(name));
}

static bool has_name(const struct ctf *c, uint64_t key)
{
	size_t at = c->depth ? c->groups[c->depth - 1].used : 0;

	for (; at < c->used.n; at += sizeof(key)) {
		if (!memcmp(c->used.s + at, &key, sizeof(key)))
			return true;
	}
	return false;
}

/* The grammar reserves more words (C.1.2), but only these begin with an underscore. */
static bool is_reserved(const char *name)
{
	return !strcmp(name, "_Bool") || !strcmp(name, "_Complex") || !strcmp(name, "_Imaginary");
}

/* Adds a name to those of the struct. Returns false if it is taken. */
static bool use_name(struct ctf *c, const char *name)
{
	const uint64_t key = name_key(name);

	if (has_name(c, key) || is_reserved(name))
		return false;
	put(&c->used, &key, sizeof(key));
	return true;
}

/* Also adds the name of its length. */
static bool use_array(struct ctf *c, const char *name)
{
	char *length = text("%s_length", name);
	bool is_free = !has_name(c, name_key(length)) && use_name(c, name) && use_name(c, length);

	free(length);
	return is_free;
}

/*
 * Returns the name of a member, which the caller frees: "_", which readers remove, then the letters
 * and digits of its name. A name that is taken gets a number, as does one of underscores alone.
 */
static char *name_of(struct ctf *c, const struct field *field)
{
	char *name = text("_%.*s", (int)field->name_length, field->name), *whole = NULL, *s;
	unsigned int k;

	if (!c->depth && !field->again && !strcmp(name, OWN_NAME))
		return name;
	for (s = name + 1; *s; s++) {
		if (!isalnum((unsigned char)*s) || (unsigned char)*s > 127)
			*s = '_';
	}
	k = !name[strspn(name, "_")];
	do {
		free(whole);
		whole = k ? text("%s_%u", name, k) : text("%s", name);
		k += k ? 1 : 2;
	} while (!(field->type == FIELD_ARRAY ? use_array(c, whole) : use_name(c, whole)));
	free(name);
	return whole;
}

static void put_value(struct ctf *c, const struct field *field)
{
	static const char *const types[] = {
		[FIELD_NULL] = "struct { }",
		[FIELD_UNSIGNED] = "uint64",
		[FIELD_SIGNED] = "int64",
		[FIELD_FLOAT] = "float64",
		[FIELD_TEXT] = "string",
		[FIELD_HEX] = "hex64",
		/* in place: Trace Compass shows the labels of no enumeration that has an alias */
		[FIELD_BOOL] = "enum : uint64 { \"false\" = 0, \"true\" = 1 }",
	};
	uint64_t value = field->type == FIELD_BOOL ? field->b : field->u;

	print(&c->text, "%s", types[field->type]);
	if (field->type == FIELD_TEXT) {
		put_string(&c->data, field->text, field->length, false);
		put(&c->data, "", 1);
	} else if (field->type != FIELD_NULL) {
		put(&c->data, &value, sizeof(value));
	}
}

static void open_group(struct ctf *c, const struct field *field)
{
	struct group *g = &c->groups[c->depth];

	*g = (struct group){ .name = field->name ? name_of(c, field) : NULL,
			     .array = field->type == FIELD_ARRAY };
	c->depth++;
	if (g->array)
		put(&c->data, &g->count, sizeof(g->count));
	else
		print(&c->text, "struct { ");
	g->used = c->used.n;
	g->text = c->text.n;
	g->data = c->data.n;
}

/*
 * Ends an array, of which the text has the type of each element, with a NUL. If they differ, as
 * those of an event that was cut may, it becomes a struct of members 0, 1 and so on.
 */
static void close_array(struct ctf *c, const struct group *g)
{
	size_t n = c->text.n - g->text;
	char *types = g->count ? memcpy(allocate(n), c->text.s + g->text, n) : text("uint64");
	const char *type = types;
	bool alike = true;
	uint32_t i;

	for (i = 1; i < g->count && alike; i++)
		alike = strcmp(types, type += strlen(types) + 1) == 0;
	c->text.n = g->text;
	memcpy(c->data.s + g->data - sizeof(g->count), &g->count, sizeof(g->count));
	print(&c->text, "uint32 _%s_length; ", g->name);
	if (alike)
		print(&c->text, "%s %s[_%s_length]; ", types, g->name, g->name);
	else
		print(&c->text, "struct { ");
	for (i = 0, type = types; !alike && i < g->count; i++, type += strlen(type) + 1)
		print(&c->text, "%s _%u; ", type, i);
	if (!alike)
		print(&c->text, "} %s; ", g->name);
	free(types);
}

/* Comes behind the type of a value or a struct. */
static void end_field(struct ctf *c, const char *name)
{
	struct group *outer = c->depth ? &c->groups[c->depth - 1] : NULL;

	if (outer && outer->array) {
		put(&c->text, "", 1);
		outer->count++;
	} else {
		print(&c->text, " %s; ", name);
	}
}

static void put_field(void *context, const struct field *field)
{
	struct ctf *c = context;
	struct group *g;
	char *name;

	if (field->type == FIELD_STRUCT_END || field->type == FIELD_ARRAY_END) {
		g = &c->groups[--c->depth];
		c->used.n = g->used;
		if (g->array) {
			close_array(c, g);
		} else {
			print(&c->text, "}");
			end_field(c, g->name);
		}
		free(g->name);
	} else if (field->type == FIELD_STRUCT || field->type == FIELD_ARRAY) {
		open_group(c, field);
	} else {
		name = field->name ? name_of(c, field) : NULL;
		put_value(c, field);
		end_field(c, name);
		free(name);
	}
}

/* The metadata */

/* What is not known is left out. */
static void put_env(struct buffer *b, const char *name, const char *value)
{
	if (!*value)
		return;
	print(b, "\t%s = \"", name);
	put_string(b, value, strlen(value), true);
	print(b, "\";\n");
}

/*
 * Names of the environment are LTTng's and perf's; the clock's uuid is the boot's, as LTTng has it.
 */
static void put_machine(struct buffer *b, const struct machine *machine)
{
	print(b, "env {\n\tdomain = \"user_events\";\n\ttracer_name = \"uetrace\";\n");
	put_env(b, "hostname", machine->host);
	put_env(b, "sysname", *machine->release ? "Linux" : "");
	put_env(b, "release", machine->release);
	put_env(b, "machine", machine->arch);
	print(b, "};\n");
}

static void begin(struct ctf *c, const struct record *first)
{
	static const struct machine unknown;
	const struct machine *machine = first->machine ? first->machine : &unknown;
	bool dated = first->dated && first->realtime_offset > 0;
	struct buffer b = { .n = 0 };

	c->begun = true;
	c->realtime_offset = first->realtime_offset;
	print(&b,
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
	print(&b, "clock {\n\tname = trace_clock;\n");
	put_env(&b, "uuid", machine->boot);
	print(&b,
	      "\tfreq = 1000000000;\n\toffset = %lld;\n%s};\n"
	      "typealias integer { size = 64; align = 8; map = clock.trace_clock.value; } "
	      ":= time;\nstream {\n\tid = 0;\n"
	      "\tpacket.context := struct { time timestamp_begin; time timestamp_end;\n\t\t"
	      "uint64 content_size; uint64 packet_size; uint64 events_discarded; uint32 cpu_id; "
	      "};\n"
	      "\tevent.header := struct { uint32 id; time timestamp; };\n"
	      "\tevent.context := struct { int32 _vpid; int32 _vtid; string _procname; };\n};\n",
	      dated ? (long long)first->realtime_offset : 0ll, dated ? "\tabsolute = true;\n" : "");
	fwrite(b.s, 1, b.n, c->metadata);
	free(b.s);
}

static int compare_classes(const void *a, const void *b)
{
	const struct layout *x = a, *y = b;

	return strcmp(x->key, y->key);
}

/* Returns the class of the event; NULL: it would be one too many. */
static const struct layout *class_of(struct ctf *c, const struct about *about)
{
	/* as LTTng numbers them; ours are from 1, critical, to 5, verbose */
	static const unsigned int levels[] = { 0, 2, 3, 4, 6, 14 };
	struct buffer *key = &c->key;
	struct layout *class, **found;

	key->n = offsetof(struct layout, key);
	print(key, "event {\n\tname = \"");
	put_string(key, about->category, about->category_length, true);
	print(key, ":");
	put_string(key, about->name, about->name_length, true);
	print(key, "\";\n\tstream_id = 0;\n");
	if (about->level)
		print(key, "\tloglevel = %u;\n", levels[about->level <= 5 ? about->level : 5]);
	print(key, "\tfields := struct { ");
	put(key, c->text.s, c->text.n);
	put(key, "};\n", sizeof("};\n"));
	found = tfind(key->s, &c->classes, compare_classes);
	if (found || c->classes_n == CLASSES_MAX)
		return found ? *found : NULL;
	class = memcpy(allocate(key->n), key->s, key->n);
	class->id = c->classes_n++;
	if (!tsearch(class, &c->classes, compare_classes))
		die("out of memory");
	fprintf(c->metadata, "%s\tid = %u;\n};\n", class->key, class->id);
	return class;
}

/* Packets */

static void write_packet(struct ctf *c, struct stream *s, uint64_t end)
{
	struct __attribute__((__packed__)) {
		uint32_t magic, stream;
		uint64_t begin, end, content, size, discarded;
		uint32_t cpu;
	} head = { 0xc1fc1fc1,	 0,	s->begin, end, 8 * (sizeof(head) + s->packet.n), 0,
		   s->discarded, s->cpu };
	char *path = text("%s/cpu%u", c->folder, s->cpu);
	bool failed;
	FILE *out;

	head.size = head.content;
	fflush(c->metadata); /* what describes it comes first */
	out = fopen(path, "ae");
	failed = !out || fwrite(&head, sizeof(head), 1, out) != 1 ||
		 (s->packet.n && fwrite(s->packet.s, s->packet.n, 1, out) != 1);
	failed = (out && fclose(out)) || failed;
	if (failed && !c->error)
		c->error = errno;
	free(path);
	s->packet.n = 0;
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

/* Writes a packet without events, so that the time is known in which some were lost. */
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
	const struct layout *class;
	const struct thread *thread;
	struct about about;
	struct stream *s;
	uint64_t time;

	if (!c->begun)
		begin(c, record);
	/* records of another boot, or machine, on the clock of the first one */
	time = record->time + (uint64_t)record->realtime_offset - (uint64_t)c->realtime_offset;
	s = stream_of(c, record->cpu, time);
	if (time < s->last)
		time = s->last; /* in a stream, time does not go back */
	c->text.n = c->data.n = c->used.n = c->depth = 0;
	use_name(c, OWN_NAME);
	about_read(event, record, &about);
	fields_each(event, record, put_field, c);
	class = class_of(c, &about);
	c->lost += !class; /* there are too many layouts */
	if (c->lost)
		put_lost(c, s, time);
	if (!class)
		return;
	if (!s->packet.n)
		s->begin = time;
	s->last = time;
	thread = thread_of(record);
	put(&s->packet, &class->id, sizeof(class->id));
	put(&s->packet, &time, sizeof(time));
	put(&s->packet, &thread->pid, sizeof(int32_t));
	put(&s->packet, &thread->tid, sizeof(int32_t));
	put_string(&s->packet, thread->name, strnlen(thread->name, sizeof(thread->name)), false);
	put(&s->packet, "", 1);
	put(&s->packet, c->data.s, c->data.n);
	if (s->packet.n >= PACKET)
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
		if (s->packet.n)
			write_packet(c, s, s->last);
	}
	if (fflush(c->metadata) && !c->error)
		c->error = errno;
	if (c->error)
		warning("cannot write %s: %s", c->folder, strerror(c->error));
	c->sink.failed = c->error != 0;
}

static void ctf_free(struct sink *sink)
{
	struct ctf *c = (struct ctf *)sink;
	size_t i;

	for (i = 0; i < c->streams_n; i++)
		free(c->streams[i].packet.s);
	free(c->streams);
	tdestroy(c->classes, free);
	free(c->text.s);
	free(c->data.s);
	free(c->used.s);
	free(c->key.s);
	fclose(c->metadata);
	free(c);
}

struct sink *ctf_new(const char *folder)
{
	struct ctf *c = allocate(sizeof(*c));
	char *metadata = text("%s/metadata", folder);

	c->sink = (struct sink){
		.event = ctf_event, .lost = ctf_lost, .end = ctf_end, .free = ctf_free
	};
	c->folder = folder;
	if (mkdir(folder, 0777) == 0)
		c->metadata = fopen(metadata, "we");
	if (!c->metadata)
		die("cannot write %s: %s", folder, strerror(errno));
	free(metadata);
	return &c->sink;
}
