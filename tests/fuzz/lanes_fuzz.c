/* SPDX-License-Identifier: MIT */
/*
 * Hostile captures, through all of `uetrace show`: files that are merged, whose times go back,
 * whose clocks are of several boots, that are damaged, cut or raw bytes. The windows and lanes
 * are small here (UE_FUZZ), so that inputs get to their ends.
 *
 * For every input: nothing outside is read (ASan), no arithmetic overflows (UBSan), memory is
 * bounded; each event that the reader of captures finds comes once; they come in order of time,
 * or it is told that they do not, which only happens when there were more lanes than there may
 * be; a second reading gives the same.
 */
#include "recordings.h"

#include "../../examples/uetrace/capture.c"

#define FILES_MAX 3

static void look(struct source *source)
{
	static const struct captures *last;
	static uint64_t before;
	static size_t number;
	const struct captures *s = (const struct captures *)source;

	if (s != last || !number)
		before = 0;
	last = s;
	number = s->current.number + 1;
	check(s->current.time >= before || s->disorder);
	check(!s->disorder || s->splits == LANES_MAX || s->by_date);
	before = s->current.time;
}

/* Whatever may be in a record of some type, with a right checksum: a time, a body. */
static size_t build(const uint8_t **data, size_t *size, uint8_t *out, size_t room)
{
	static const char *const specs[] = { "x u32 a; u16 b", "S_L4K1 " UE__SET_FIELDS };
	struct ue_capture capture = { .memory = (struct ue__capture_memory *)(void *)out };
	size_t used = sizeof(*capture.memory), i;
	uint64_t time = 1000;

	memset(out, 0, room);
	capture.memory->magic = UE__CAPTURE_MEMORY_MAGIC;
	capture.memory->word = sizeof(size_t);
	capture.memory->size = room - used;
	for (i = 0; i < ARRAY_SIZE(specs); i++) {
		struct ue__capture_head head = { .type = UE__CAPTURE_FORMAT, .value = i };

		ue__capture_put(&capture, &head, specs[i], strlen(specs[i]) + 1, NULL, 0);
	}
	/* 0xff: the next file begins */
	while (*size >= 4 && (*data)[0] != 0xff) {
		const uint8_t *p = *data;
		struct ue__capture_head head = {
			.type = p[0] & 7u, .value = p[0] >> 6, .cpu = p[0] >> 3 & 7u, .pid = p[1]
		};
		size_t n = p[3] & 0x3fu;

		if (n > *size - 4)
			n = *size - 4;
		time += p[2] < 128 ? p[2] : (uint64_t)p[2] - 256;
		head.time = p[3] & 0x40 ? time << 40 : time;
		if (head.type == UE__CAPTURE_PROGRAM && n >= 8) {
			/* the time of day, and a name */
			memcpy(&head.value, p + 4, 8);
			ue__capture_put(&capture, &head, NULL, 0, "program", 8);
		} else {
			ue__capture_put(&capture, &head, NULL, 0, p + 4, n);
		}
		*data += 4 + n;
		*size -= 4 + n;
	}
	*data += *size > 0;
	*size -= *size > 0;
	return sizeof(*capture.memory) + capture.memory->used;
}

struct file {
	uint8_t *bytes;
	size_t size;
};

static size_t count(const struct file *file)
{
	static struct ue_capture_reader reader;
	struct ue_capture_event event;
	size_t events = 0;
	int more;

	ue_capture_read(&reader, file->bytes, file->size);
	while ((more = ue_capture_next(&reader, &event)) != 0)
		events += more > 0;
	return events;
}

static struct seen read_files(const struct file *files, size_t n)
{
	struct captures *captures = captures_new();
	size_t i;

	for (i = 0; i < n; i++)
		captures_add(captures, input_of(files[i].bytes, files[i].size));
	return print_all(captures_open(captures), look);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint64_t aligned[1 << 13];
	struct file files[FILES_MAX];
	struct seen first, second;
	size_t n, events = 0, i;
	uint8_t how;

	if (!size)
		return 0;
	how = *data++;
	size--;
	for (n = 0; n < FILES_MAX && (!n || size); n++) {
		if (how & 1) {
			files[n].size = build(&data, &size, (uint8_t *)aligned, sizeof(aligned));
			/* cut, or put behind itself */
			if (how & 2)
				files[n].size -= files[n].size / 8;
			files[n].bytes = malloc(2 * files[n].size);
			memcpy(files[n].bytes, aligned, files[n].size);
			memcpy(files[n].bytes + files[n].size, aligned, files[n].size);
			if (how & 4)
				files[n].size *= 2;
		} else {
			files[n].size = size;
			files[n].bytes = malloc(size + 1);
			memcpy(files[n].bytes, data, size);
			size = 0;
		}
		events += count(&files[n]);
	}
	first = read_files(files, n);
	second = read_files(files, n);
	check(first.events == events);
	check(second.events == first.events && second.sum == first.sum);
	for (i = 0; i < n; i++)
		free(files[i].bytes);
	return 0;
}
