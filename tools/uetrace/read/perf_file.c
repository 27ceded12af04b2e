/* SPDX-License-Identifier: MIT */
/*
 * Reads the parts of perf.data that describe its records: the header, attributes, features and
 * event formats.
 */
#include "read/perf_file.h"
#include "util/util.h"

#include <event-parse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ATTRS_MAX 65536
#define IDS_MAX (1u << 20)
#define ATTR_LEAST 64	/* size of the oldest struct perf_event_attr, in bytes */
#define FILE_HEADER 104 /* header length of a perf.data file, in bytes */
#define PIPE_HEADER 16	/* header length of perf.data written to a pipe, in bytes */

/* A byte range of the file. */
struct section {
	uint64_t offset, size;
};

static struct section take_section(struct bytes *b)
{
	struct section s;

	s.offset = take(b, 8);
	s.size = take(b, 8);
	return s;
}

/*
 * Loads a section into f->loaded, replacing the previous section. Returns false if the section is
 * truncated.
 */
static bool load(struct perf_file *f, struct section section, struct bytes *b)
{
	free(f->loaded);
	f->loaded = NULL;
	f->at = section.offset;
	if (input_seek(f->in, section.offset))
		f->loaded = input_text(f->in, section.size, PERF_TRACING_MAX);
	*b = (struct bytes){ (const uint8_t *)f->loaded, section.size, f->big, false };
	return f->loaded != NULL;
}

/* Attributes */

static bool add_attr(struct perf_file *f, struct bytes *b)
{
	/* On big-endian machines, bit-fields start at the most significant bit. */
	const unsigned int id_all = f->big ? 63 - 18 : 18, use_clockid = f->big ? 63 - 25 : 25;
	struct bytes one = *b;
	struct perf_attr attr;
	uint64_t flags, size;
	int clock;

	skip_bytes(&one, 4);
	size = take(&one, 4);
	if (!size)
		size = ATTR_LEAST;
	if (size < ATTR_LEAST || size > b->left || f->attr_count >= ATTRS_MAX)
		return false;
	one.left = size - 8;
	skip_bytes(b, size);
	skip_bytes(&one, 16);
	attr.sample_type = take(&one, 8);
	attr.read_format = take(&one, 8);
	flags = take(&one, 8);
	attr.sample_id_all = flags >> id_all & 1;
	skip_bytes(&one, 44);
	clock = (int)take(&one, 4);
	if (flags >> use_clockid & 1 && !one.bad)
		f->clock = clock;
	if (f->attr_count && memcmp(&attr, &f->attrs[f->attr_count - 1], sizeof(attr)) == 0)
		return true;
	if (!(f->attr_count & (f->attr_count - 1)))
		f->attrs = doubled(f->attrs, f->attr_count, sizeof(*f->attrs));
	f->attrs[f->attr_count++] = attr;
	return true;
}

/* Adds sample IDs for the last attribute. Returns false if there are too many. */
static bool add_ids(struct perf_file *f, struct bytes b)
{
	for (; b.left >= 8 && f->id_count < IDS_MAX; f->id_count++) {
		if (!(f->id_count & (f->id_count - 1)))
			f->ids = doubled(f->ids, f->id_count, sizeof(*f->ids));
		f->ids[f->id_count] = (struct perf_id){ take(&b, 8), f->attr_count - 1 };
		f->ids_sorted = false;
	}
	return b.left < 8;
}

bool perf_add_attr(struct perf_file *f, struct bytes b)
{
	return add_attr(f, &b) && add_ids(f, b);
}

static int compare_ids(const void *a, const void *b)
{
	const struct perf_id *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

const struct perf_attr *perf_attr_by_id(struct perf_file *f, uint64_t id)
{
	struct perf_id key = { .id = id }, *found;

	if (!f->id_count)
		return NULL;
	if (!f->ids_sorted)
		qsort(f->ids, f->id_count, sizeof(*f->ids), compare_ids);
	f->ids_sorted = true;
	found = bsearch(&key, f->ids, f->id_count, sizeof(*f->ids), compare_ids);
	return found ? &f->attrs[found->attr] : NULL;
}

/* Reads the attribute table. Each entry ends with the file offset and size of its sample IDs. */
static const char *read_attrs(struct perf_file *f, struct section attrs, uint64_t each)
{
	struct bytes b, ids;
	uint64_t i;

	if (each < ATTR_LEAST + 16)
		return "the attribute size in the header is wrong";
	for (i = 0; i < attrs.size / each; i++) {
		if (!load(f, (struct section){ attrs.offset + i * each, each }, &b))
			return "the attributes of an event are truncated";
		ids = b;
		b.left -= 16;
		skip_bytes(&ids, b.left);
		if (!add_attr(f, &b))
			return "an event's attributes are damaged";
		if (!load(f, take_section(&ids), &b))
			return "the IDs of an event are truncated";
		if (!add_ids(f, b))
			return "too many event IDs";
	}
	return NULL;
}

/*
 * Event formats. Integers use the byte order of the recorded machine. Strings are preceded by their
 * lengths.
 */

/*
 * Reads a length-prefixed string. The length field has number bytes. Returns a copy, which the
 * caller frees, or NULL if the string is truncated.
 */
static char *take_sized(struct bytes *b, size_t number)
{
	uint64_t size = take(b, number);
	const char *s = (const char *)b->p;

	skip_bytes(b, size);
	return b->bad ? NULL : text("%.*s", (int)size, s);
}

static void take_formats(struct perf_file *f, struct bytes *b, const char *system)
{
	uint64_t n = take(b, 4);
	char *format;

	for (; n && (format = take_sized(b, 8)) != NULL; n--) {
		formats_add(f->formats, system, format);
		free(format);
	}
}

const char *perf_tracing_data(struct perf_file *f, struct bytes b)
{
	static const char magic[] = "\x17\x08\x44tracing";
	const uint8_t *begin = b.p;
	uint64_t long_size, n;

	skip_bytes(&b, sizeof(magic) - 1);
	if (b.bad || memcmp(begin, magic, sizeof(magic) - 1) != 0)
		return "the event descriptions have no valid signature";
	take_string(&b); /* version */
	b.big = f->data_big = take(&b, 1) == 1;
	long_size = take(&b, 1);
	b.bad = b.bad || (long_size != 4 && long_size != 8);
	formats_machine(f->formats, b.big, long_size == 4 ? 4 : 8);
	skip_bytes(&b, 4);	  /* page size */
	for (n = 0; n < 2; n++) { /* header_page, header_event */
		take_string(&b);
		skip_bytes(&b, take(&b, 8));
	}
	take_formats(f, &b, "ftrace");
	for (n = take(&b, 4); n && !b.bad; n--)
		take_formats(f, &b, take_string(&b));
	/*
	 * Ignore the symbols, printk() strings and thread names that follow. perf leaves them
	 * empty, and libtraceevent would crash if they were malformed.
	 */
	f->at += (uint64_t)(b.p - begin);
	return b.bad ? "the event descriptions are damaged" : NULL;
}

/* Features */

/* Reads a string that perf obtained from uname(), such as the host name. */
static void take_name(char *name, size_t size, struct bytes b)
{
	char *taken = take_sized(&b, 4);

	snprintf(name, size, "%s", taken ? taken : "");
	free(taken);
}

static const char *take_host(struct perf_file *f, struct bytes b)
{
	take_name(f->machine.host, sizeof(f->machine.host), b);
	return NULL;
}

static const char *take_release(struct perf_file *f, struct bytes b)
{
	take_name(f->machine.release, sizeof(f->machine.release), b);
	return NULL;
}

static const char *take_arch(struct perf_file *f, struct bytes b)
{
	take_name(f->machine.arch, sizeof(f->machine.arch), b);
	if (*f->machine.arch && !strcmp(f->machine.arch, machine_here()->arch))
		formats_native(f->formats);
	return NULL;
}

/*
 * A build ID record contains the PID, the build ID (20 bytes), its length (1 byte), 3 bytes of
 * padding and the path.
 */
void perf_build_id(struct perf_file *f, struct bytes b)
{
	const uint8_t *id;
	const char *path;
	size_t size;

	skip_bytes(&b, 4);
	id = b.p;
	skip_bytes(&b, 20);
	size = (size_t)take(&b, 1);
	skip_bytes(&b, 3);
	path = take_string(&b);
	if (!b.bad)
		formats_program(f->formats, path, id, size ? size : 20);
}

/* Reads the build ID section. It contains one record per binary, each with an 8-byte header. */
static const char *take_build_ids(struct perf_file *f, struct bytes b)
{
	struct bytes one;
	size_t size;

	while (b.left) {
		one = b;
		skip_bytes(&one, 6);
		size = (size_t)take(&one, 2);
		skip_bytes(&b, size);
		if (b.bad || size < 8)
			break;
		one.left = size - 8;
		perf_build_id(f, one);
	}
	return NULL;
}

static const char *take_clock(struct perf_file *f, struct bytes b)
{
	uint64_t offset;
	int clock;

	skip_bytes(&b, 4); /* version */
	clock = (int)take(&b, 4);
	offset = take(&b, 8);
	offset -= take(&b, 8);
	if (b.bad)
		return NULL;
	f->clock = clock;
	f->realtime_offset = (int64_t)offset;
	f->dated = true;
	return NULL;
}

static const char *reject_directory(struct perf_file *f, struct bytes b)
{
	(void)f;
	(void)b;
	return "the events are in separate files, written by perf record --threads; "
	       "record without --threads";
}

/* Functions that read the feature sections, indexed by feature bit. Other features are ignored. */
static const char *(*const features[])(struct perf_file *f, struct bytes b) = {
	[1] = perf_tracing_data, [2] = take_build_ids,	  [3] = take_host,   [4] = take_release,
	[6] = take_arch,	 [24] = reject_directory, [29] = take_clock,
};

void perf_feature(struct perf_file *f, uint64_t feature, struct bytes b)
{
	if (feature < ARRAY_SIZE(features) && features[feature])
		features[feature](f, b);
}

/*
 * Reads the feature sections. A table of their offsets, in the order of the feature bits, follows
 * the event records.
 */
static const char *read_features(struct perf_file *f, uint64_t table, uint64_t bits)
{
	const char *error = NULL;
	struct bytes b;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(features) && !error; i++) {
		if (!(bits >> i & 1))
			continue;
		if (!load(f, (struct section){ table, 16 }, &b))
			return "the feature table is truncated";
		table += 16;
		if (!features[i])
			continue;
		if (!load(f, take_section(&b), &b))
			return "a feature section is truncated";
		error = features[i](f, b);
	}
	return error;
}

static const char *read_file(struct perf_file *f, struct bytes b)
{
	uint64_t each = take(&b, 8), size = f->in->size, bits;
	struct section attrs = take_section(&b), data = take_section(&b);
	const char *error;

	take_section(&b); /* event names, which only old files contain */
	bits = take(&b, 8);
	f->at = 40;
	if (!data.size)
		return "perf was killed before it wrote the event descriptions; record again, or "
		       "write to a pipe: perf record -o - >FILE";
	if (data.offset > size)
		return "the file is truncated: its data section begins after the end of the file";
	f->at = 16;
	error = read_attrs(f, attrs, each);
	if (error)
		return error;
	f->at = data.offset;
	if (data.size > size - data.offset)
		return "the file is truncated and ends before the event descriptions";
	f->data_end = data.offset + data.size;
	error = read_features(f, f->data_end, bits);
	if (!error && !input_seek(f->in, data.offset))
		error = "cannot read the data";
	return error;
}

const char *perf_file_open(struct perf_file *f, struct input *in)
{
	uint8_t head[FILE_HEADER];
	struct bytes b = { head + 8, sizeof(head) - 8, false, false };
	uint64_t size;

	f->in = in;
	f->formats = formats_new(tep_alloc());
	f->clock = -1;
	f->data_end = UINT64_MAX;
	if (input_read(in, head, PIPE_HEADER) != PIPE_HEADER)
		return "the header is truncated";
	b.big = f->big = memcmp(head, "PERFILE2", 8) != 0;
	size = take(&b, 8);
	if (size == PIPE_HEADER)
		return NULL;
	f->at = 8;
	if (size != FILE_HEADER)
		return "unsupported version of perf.data";
	if (input_read(in, head + PIPE_HEADER, FILE_HEADER - PIPE_HEADER) !=
	    FILE_HEADER - PIPE_HEADER)
		return "the header is truncated";
	return read_file(f, b);
}

void perf_file_close(struct perf_file *f)
{
	formats_free(f->formats);
	free(f->loaded);
	free(f->attrs);
	free(f->ids);
	input_close(f->in);
}
