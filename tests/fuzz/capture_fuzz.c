/* SPDX-License-Identifier: MIT */
/*
 * The capture's reader, with two kinds of bytes: raw ones, of which few are records, and records with
 * right checksums whose contents are the fuzzer's: formats, events and names.
 *
 * Every event is looked through with each function that takes one. What must hold: nothing outside the
 * bytes is read (AddressSanitizer), JSON is the same in pieces and at once, reading ends, and twice gives
 * the same.
 *
 * Built with -fsanitize=fuzzer, or with -DUE_FUZZ_REPLAY, which runs the files of its arguments.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <user_events_capture.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int holds)
{
	if (!holds)
		abort();
}

static int count(void *context, const char *text, size_t length)
{
	(void)text;
	*(size_t *)context += length;
	return 0;
}

static void look(const struct ue_capture_event *event, const uint8_t *bytes, size_t size)
{
	static const char *const fields[] = { "a", "b[1]", "c.d", "e[0].f", "common_pid", "s" };
	static char text[UE_CAPTURE_TEXT];
	size_t pieces = 0, n;
	char small[8];

	check(event->record >= bytes && event->record + event->size <= bytes + size);
	check(strlen(event->spec) < 512);
	check(event->name + event->name_length <= (const char *)bytes + size);
	n = ue_capture_format_text(event->spec, 1, text, sizeof(text));
	check(strlen(text) == (n < sizeof(text) ? n : sizeof(text) - 1));
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		struct ue_decode_item item;
		int length = ue_captured_string(event, fields[i], small, sizeof(small));

		check(strlen(small) < sizeof(small));
		check(length >= -1 || length == -ENOENT);
		if (ue_captured_item(event, fields[i], &item) == 0 && item.value)
			check(item.value >= bytes && item.value + item.size <= bytes + size);
		ue_captured_u64(event, fields[i]);
		ue_captured_i64(event, fields[i]);
		ue_captured_double(event, fields[i]);
	}
	n = ue_captured_json(event, UE_DECODE_SPACED, small, sizeof(small));
	check(strlen(small) == sizeof(small) - 1 && n > sizeof(small));
	ue_captured_json_to(event, UE_DECODE_SPACED, count, &pieces);
	check(pieces == n);
}

static unsigned int run(const uint8_t *bytes, size_t size, int twice)
{
	static struct ue_capture_reader reader;
	struct ue_capture_event event;
	unsigned int events = 0;
	size_t calls = 0;
	int more;

	ue_capture_read(&reader, bytes, size);
	while ((more = ue_capture_next(&reader, &event)) != 0) {
		check(calls++ <= size);
		if (more > 0) {
			events++;
			look(&event, bytes, size);
		} else {
			check(more == -EBADMSG && reader.error > 0);
			check(reader.error_size && reader.error_size <= size - reader.error_offset);
			check(*ue_capture_strerror(reader.error));
		}
	}
	check(reader.damaged <= size);
	if (!twice)
		check(run(bytes, size, 1) == events);
	return events;
}

/* A record of each piece: type, format (one of four), size, body. */
static size_t build(const uint8_t *data, size_t size, uint8_t *out, size_t room)
{
	static const char *const specs[] = { "x u32 a; u16 b", "S_L4K1 " UE__SET_FIELDS };
	struct ue_capture capture = { .memory = (struct ue__capture_memory *)(void *)out };
	size_t used = sizeof(*capture.memory);

	memset(out, 0, room);
	capture.memory->magic = UE__CAPTURE_MEMORY_MAGIC;
	capture.memory->word = sizeof(size_t);
	capture.memory->size = room - used;
	for (size_t i = 0; i < 2; i++) {
		struct ue__capture_head head = { .type = UE__CAPTURE_FORMAT, .value = i };

		ue__capture_put(&capture, &head, specs[i], strlen(specs[i]) + 1, NULL, 0);
	}
	while (size >= 3) {
		struct ue__capture_head head = { .type = data[0] & 7u,
						 .value = data[0] >> 6,
						 .pid = data[1] };
		size_t n = data[2] < size - 3 ? data[2] : size - 3;

		ue__capture_put(&capture, &head, NULL, 0, data + 3, n);
		data += 3 + n;
		size -= 3 + n;
	}
	return sizeof(*capture.memory) + capture.memory->used;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint64_t aligned[1 << 13];
	uint8_t *copy;
	size_t n;

	if (!size)
		return 0;
	if (data[0] & 1) {
		n = build(data + 1, size - 1, (uint8_t *)aligned, sizeof(aligned));
		copy = malloc(n);
		memcpy(copy, aligned, n);
		run(copy, n, 0);
		/* and cut */
		run(copy, n - n / 4, 0);
		free(copy);
	} else {
		run(data + 1, size - 1, 0);
	}
	return 0;
}

#include "replay.h"
