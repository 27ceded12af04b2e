/* SPDX-License-Identifier: MIT */
/* Reads what describes the records of perf.data: header, attributes, features, formats. */
#include "perf.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#define ATTRS_MAX 65536
#define IDS_MAX (1u << 20)
#define ATTR_LEAST 64	/* of the first version of perf_event_attr */
#define FILE_HEADER 104 /* of a file; that of a pipe has 16 bytes */
#define PIPE_HEADER 16

enum feature {
	FEATURE_TRACING_DATA = 1,
	FEATURE_BUILD_ID = 2,
	FEATURE_ARCH = 6,
	FEATURE_DIR_FORMAT = 24,
	FEATURE_CLOCK_DATA = 29,
	FEATURES = 256
};

/* A place in the file. */
struct section {
	uint64_t offset, size;
};

static struct section cursor_section(struct cursor *c)
{
	struct section s;

	s.offset = cursor_u64(c);
	s.size = cursor_u64(c);
	return s;
}

/* Attributes */

static bool alike(const struct perf_attr *a, const struct perf_attr *b)
{
	return a->sample_type == b->sample_type && a->read_format == b->read_format &&
	       a->sample_id_all == b->sample_id_all;
}

/* Adds an attribute. Returns the size that it says it has, 0 if it is wrong. */
static size_t add_attr(struct perf_file *f, const struct cursor *bytes)
{
	/* bits are numbered from the other end there */
	bool big = f->swapped != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	struct cursor c = *bytes;
	struct perf_attr *attr;
	uint64_t flags;
	size_t size;

	c.at += 4;
	size = cursor_u32(&c);
	if (!size)
		size = ATTR_LEAST;
	if (size < ATTR_LEAST || size > (size_t)(bytes->end - bytes->at) ||
	    f->attr_count >= ATTRS_MAX)
		return 0;
	if (!(f->attr_count & (f->attr_count - 1)))
		f->attrs = doubled(f->attrs, f->attr_count, sizeof(*f->attrs));
	attr = &f->attrs[f->attr_count];
	c.at = bytes->at + 24;
	attr->sample_type = cursor_u64(&c);
	attr->read_format = cursor_u64(&c);
	flags = cursor_u64(&c);
	attr->sample_id_all = flags >> (big ? 63 - 18 : 18) & 1;
	c.at = bytes->at + 92;
	if (flags >> (big ? 63 - 25 : 25) & 1 && size >= 96)
		f->clock = (int)cursor_u32(&c);
	if (!f->attr_count)
		f->same = true;
	f->same = f->same && alike(attr, &f->attrs[0]);
	f->attr_count++;
	return size;
}

static int add_id(struct perf_file *f, uint64_t id)
{
	if (f->id_count >= IDS_MAX)
		return -1;
	if (!(f->id_count & (f->id_count - 1)))
		f->ids = doubled(f->ids, f->id_count, sizeof(*f->ids));
	f->ids[f->id_count++] = (struct perf_id){ id, f->attr_count - 1 };
	f->ids_sorted = false;
	return 0;
}

int perf_add_attr(struct perf_file *f, struct cursor *c)
{
	size_t size = add_attr(f, c);

	if (!size)
		return -1;
	for (c->at += size; c->end - c->at >= 8;) {
		if (add_id(f, cursor_u64(c)) != 0)
			return -1;
	}
	return 0;
}

static int compare_ids(const void *a, const void *b)
{
	const struct perf_id *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

const struct perf_attr *perf_attr_by_id(const struct perf_file *f, uint64_t id)
{
	struct perf_id key = { .id = id }, *found;

	if (!f->ids_sorted && f->id_count)
		qsort(f->ids, f->id_count, sizeof(*f->ids), compare_ids);
	((struct perf_file *)(uintptr_t)f)->ids_sorted = true;
	found = f->id_count ? bsearch(&key, f->ids, f->id_count, sizeof(*f->ids), compare_ids)
			    : NULL;
	return found ? &f->attrs[found->attr] : NULL;
}

/* Reads some bytes at a place of the file. */
static bool read_at(struct perf_file *f, uint64_t offset, void *to, size_t n)
{
	return input_seek(f->in, offset) && input_read(f->in, to, n) == n;
}

static const char *read_ids(struct perf_file *f, struct section ids, uint64_t *at)
{
	uint8_t bytes[8];
	uint64_t done;

	*at = ids.offset;
	if (!input_seek(f->in, ids.offset))
		return "the ids of an event are not in the file";
	for (done = 0; done + 8 <= ids.size; done += 8) {
		struct cursor c = { bytes, bytes + 8, f->swapped, false };

		*at = f->in->offset;
		if (input_read(f->in, bytes, 8) != 8)
			return "the ids of an event are cut";
		if (add_id(f, cursor_u64(&c)) != 0)
			return "there are too many ids of events";
	}
	return NULL;
}

static const char *read_attrs(struct perf_file *f, struct section attrs, uint64_t each,
			      uint64_t *at)
{
	uint8_t bytes[4096];
	const char *error = NULL;
	uint64_t i;

	*at = 16;
	if (each < ATTR_LEAST + 16 || each > sizeof(bytes))
		return "the header tells a wrong size of attributes";
	for (i = 0; i < attrs.size / each && !error; i++) {
		struct cursor c = { bytes, bytes + each - 16, f->swapped, false };
		struct cursor ids = { bytes + each - 16, bytes + each, f->swapped, false };

		*at = attrs.offset + i * each;
		if (!read_at(f, *at, bytes, (size_t)each))
			return "the attributes of an event are cut";
		if (!add_attr(f, &c))
			return "an event's attributes are damaged";
		error = read_ids(f, cursor_section(&ids), at);
	}
	return error;
}

/* Formats: numbers in the machine's byte order, texts with their sizes in front */

static const char *take_text(struct cursor *c)
{
	const char *s = (const char *)c->at;
	size_t n = strnlen(s, (size_t)(c->end - c->at));

	if (n == (size_t)(c->end - c->at)) {
		c->bad = true;
		return "";
	}
	c->at += n + 1;
	return s;
}

/* Returns it as text with a NUL, which the caller frees; NULL if it is cut. */
static char *take_sized(struct cursor *c, size_t number)
{
	uint64_t size = cursor_number(c, number);
	char *s;

	if (c->bad || size > (uint64_t)(c->end - c->at)) {
		c->bad = true;
		return NULL;
	}
	s = text("%.*s", (int)strnlen((const char *)c->at, (size_t)size), (const char *)c->at);
	c->at += size;
	return s;
}

static void take_formats(struct perf_file *f, struct cursor *c, const char *system)
{
	uint32_t n = cursor_u32(c);
	char *format;

	for (; n && (format = take_sized(c, 8)) != NULL; n--) {
		formats_add(f->formats, system, format);
		free(format);
	}
}

const char *perf_tracing_data(struct perf_file *f, const uint8_t *bytes, size_t size, uint64_t *at)
{
	static const char magic[] = "\x17\x08\x44tracing";
	struct cursor c = { bytes, bytes + size, false, false };
	const char *name;
	uint32_t systems, i;
	unsigned int long_size;
	bool big;

	if (size < sizeof(magic) - 1 || memcmp(bytes, magic, sizeof(magic) - 1) != 0)
		return "the descriptions of the events do not begin as they should";
	c.at += sizeof(magic) - 1;
	take_text(&c); /* version */
	big = cursor_number(&c, 1) == 1;
	long_size = (unsigned int)cursor_number(&c, 1);
	c.swapped = f->data_swapped = big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	if (long_size != 4 && long_size != 8)
		c.bad = true;
	formats_machine(f->formats, big, long_size == 4 ? 4 : 8);
	cursor_u32(&c);		  /* size of a page */
	for (i = 0; i < 2; i++) { /* header_page, header_event */
		take_text(&c);
		free(take_sized(&c, 8));
	}
	take_formats(f, &c, "ftrace");
	systems = cursor_u32(&c);
	for (i = 0; i < systems && !c.bad; i++) {
		name = take_text(&c);
		take_formats(f, &c, name);
	}
	/*
	 * Symbols, strings of printk() and names of threads follow: perf leaves them empty, and the
	 * library does not survive wrong ones.
	 */
	*at += (uint64_t)(c.at - bytes);
	return c.bad ? "the descriptions of the events are damaged" : NULL;
}

/* Features */

/* The machine as uname() tells it. */
static void take_machine(struct perf_file *f, struct cursor *c)
{
	char *machine = take_sized(c, 4);
	struct utsname ours;

	if (machine && uname(&ours) == 0 && strcmp(machine, ours.machine) == 0)
		formats_native(f->formats);
	free(machine);
}

/* pid, the id with its size behind it, path */
void perf_build_id(struct perf_file *f, struct cursor *c)
{
	const uint8_t *id;
	size_t size;

	cursor_u32(c);
	id = c->at;
	cursor_u64(c);
	cursor_u64(c);
	cursor_u32(c);
	size = (size_t)cursor_number(c, 1);
	cursor_number(c, 3);
	if (!c->bad && memchr(c->at, 0, (size_t)(c->end - c->at)))
		formats_program(f->formats, (const char *)c->at, id, size ? size : 20);
}

/* Records of a header of 8 bytes, one for each binary. */
static void take_build_ids(struct perf_file *f, struct cursor c)
{
	while (c.end - c.at >= 8) {
		struct cursor one = { c.at + 8, NULL, f->swapped, false };
		size_t size;

		c.at += 6;
		size = cursor_u16(&c);
		if (size < 8 || size - 8 > (size_t)(c.end - c.at))
			return;
		one.end = c.at += size - 8;
		perf_build_id(f, &one);
	}
}

void perf_feature(struct perf_file *f, unsigned int feature, struct cursor c)
{
	uint64_t wall, clock;

	if (feature == FEATURE_BUILD_ID)
		take_build_ids(f, c);
	if (feature == FEATURE_ARCH)
		take_machine(f, &c);
	if (feature != FEATURE_CLOCK_DATA)
		return;
	cursor_u32(&c); /* version */
	f->clock = (int)cursor_u32(&c);
	wall = cursor_u64(&c);
	clock = cursor_u64(&c);
	if (c.bad)
		return;
	f->wall = (int64_t)(wall - clock);
	f->dated = true;
}

static const char *read_feature(struct perf_file *f, unsigned int feature, struct section place,
				uint64_t *at)
{
	const char *error = NULL;
	char *bytes;

	if (feature == FEATURE_DIR_FORMAT)
		return "the events are in other files of a directory, as perf record --threads "
		       "writes them; record without it";
	if (feature != FEATURE_TRACING_DATA && feature != FEATURE_BUILD_ID &&
	    feature != FEATURE_ARCH && feature != FEATURE_CLOCK_DATA)
		return NULL;
	*at = place.offset;
	bytes = input_seek(f->in, place.offset) ? input_text(f->in, place.size, PERF_TRACING_MAX)
						: NULL;
	if (!bytes)
		return "the descriptions of the events are cut";
	if (feature == FEATURE_TRACING_DATA)
		error = perf_tracing_data(f, (const uint8_t *)bytes, (size_t)place.size, at);
	else
		perf_feature(f, feature,
			     (struct cursor){ (const uint8_t *)bytes,
					      (const uint8_t *)bytes + place.size, f->swapped,
					      false });
	free(bytes);
	return error;
}

/* After the data, a section for each feature in order of its bit. */
static const char *read_features(struct perf_file *f, uint64_t table, const uint64_t bits[4],
				 uint64_t *at)
{
	const char *error = NULL;
	unsigned int i;

	for (i = 0; i < FEATURES && !error; i++) {
		uint8_t bytes[16];
		struct cursor c = { bytes, bytes + sizeof(bytes), f->swapped, false };

		if (!(bits[i / 64] >> i % 64 & 1))
			continue;
		*at = table;
		if (!read_at(f, table, bytes, sizeof(bytes)))
			return "the list of features is cut";
		table += sizeof(bytes);
		error = read_feature(f, i, cursor_section(&c), at);
	}
	return error;
}

static const char *read_file(struct perf_file *f, struct cursor *c, uint64_t *data_end,
			     uint64_t *at)
{
	uint64_t each = cursor_u64(c), bits[4], size = f->in->size;
	struct section attrs = cursor_section(c), data = cursor_section(c);
	const char *error;
	int i;

	cursor_section(c); /* names of events, of old files */
	for (i = 0; i < 4; i++)
		bits[i] = cursor_u64(c);
	*at = 40;
	if (!data.size)
		return "perf was ended before it finished the file, which has no descriptions of "
		       "its events; record again, or through a pipe: perf record -o - >FILE";
	if (data.offset > size)
		return "the data begin beyond the end of the file, which was cut";
	error = read_attrs(f, attrs, each, at);
	if (error)
		return error;
	*at = data.offset;
	if (data.size > size - data.offset)
		return "the file was cut, and ends before the descriptions of its events";
	error = read_features(f, data.offset + data.size, bits, at);
	if (error)
		return error;
	*data_end = data.offset + data.size;
	*at = data.offset;
	return input_seek(f->in, data.offset) ? NULL : "cannot read the data";
}

const char *perf_file_open(struct perf_file *f, struct input *in, uint64_t *data_end, uint64_t *at)
{
	static const char magic[] = "PERFILE2";
	uint8_t head[FILE_HEADER];
	struct cursor c = { head, head + sizeof(head), false, false };
	uint64_t size;

	f->in = in;
	f->formats = formats_new();
	f->clock = -1;
	*data_end = UINT64_MAX;
	if (input_read(in, head, PIPE_HEADER) != PIPE_HEADER)
		return "the header is cut";
	/* a number of this machine's, so that it is spelt backwards on the other kind */
	f->swapped = memcmp(head, magic, 8) != 0;
	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		f->swapped = !f->swapped;
	c.swapped = f->swapped;
	c.at += 8;
	size = cursor_u64(&c);
	if (size == PIPE_HEADER)
		return NULL;
	*at = 8;
	if (size != FILE_HEADER)
		return "this version of perf.data is not known";
	if (input_read(in, head + PIPE_HEADER, FILE_HEADER - PIPE_HEADER) !=
	    FILE_HEADER - PIPE_HEADER)
		return "the header is cut";
	return read_file(f, &c, data_end, at);
}

void perf_file_close(struct perf_file *f)
{
	formats_free(f->formats);
	free(f->attrs);
	free(f->ids);
	input_close(f->in);
}
