/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the reader of recorder files with two kinds of input. In the first kind, the fuzzer's
 * bytes overwrite parts of a recording at offsets of the fuzzer's choice, and the checksum of the
 * header is then corrected. In the second kind, the records, formats and processes of a recording
 * contain the fuzzer's bytes, and all checksums are valid.
 *
 * No byte outside the input is read (AddressSanitizer), reading ends, and the amount of work is
 * limited by the input size. Reading the input twice gives the same result, also in two copies with
 * ue_recorder_more().
 *
 * Build this file with -fsanitize=fuzzer, or with -DUE_FUZZ_REPLAY to run the files given as
 * arguments.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <user_events_capture.h>
#include <user_events_recorder.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

UE_TRACEPOINT(fuzzed, UE_U32(a), UE_STR(s));
UE_EVENT_SET(set, "Fuzzed", UE_LEVEL_INFORMATION, 0x1);

enum { SIZE = 8192 };

static uint64_t memory[SIZE / 8];

static void check(int holds)
{
	if (!holds)
		abort();
}

static void look(const struct ue_capture_event *event)
{
	static const char *const fields[] = { "a", "b[1]", "c.d", "common_pid", "s" };
	static char text[UE_CAPTURE_TEXT];
	static unsigned int looks;
	char small[8];

	check(strlen(event->spec) < 512);
	check(event->size >= 8 && event->size <= 65535 + 8);
	check(strlen(event->program) < 16);
	if (looks++ % 32)
		return; /* decode only some events, to spend most of the time on the reader */
	ue_capture_format_text(event->spec, 1, text, sizeof(text));
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		ue_captured_string(event, fields[i], small, sizeof(small));
		ue_captured_u64(event, fields[i]);
	}
	ue_captured_json(event, UE_DECODE_SPACED, small, sizeof(small));
}

static size_t read_all(struct ue_recorder_reader *reader, size_t size)
{
	struct ue_capture_event event;
	size_t events = 0;
	int more;

	while ((more = ue_recorder_next(reader, &event)) != 0) {
		check(more == 1);
		check(++events <= size);
		if (more > 0)
			look(&event);
	}
	/*
	 * each word of a valid record is hashed twice; a failed attempt hashes four words for each
	 * word
	 */
	check(reader->work <= 8 * (uint64_t)size + 65536);
	return events;
}

static void run(const uint8_t *bytes, size_t size)
{
	static struct ue_recorder_reader reader;
	size_t events;

	if (ue_recorder_read(&reader, bytes, size))
		return;
	events = read_all(&reader, size);
	check(ue_recorder_read(&reader, bytes, size) == 0);
	reader.follow = 1;
	check(read_all(&reader, size) <= events);
	check(ue_recorder_more(&reader, bytes, size) == 0);
	reader.follow = 0;
	read_all(&reader, size);
}

/*
 * Overwrites parts of the recording with the fuzzer's bytes. Each part of the input starts with two
 * bytes for the offset and one byte for the length. Afterwards, corrects the checksum of the
 * header.
 */
static void overlay(uint8_t *copy, const uint8_t *data, size_t size)
{
	struct ue__recorder_head head;

	while (size > 3) {
		size_t at = ((size_t)data[0] << 8 | data[1]) % SIZE, n = data[2];

		data += 3;
		size -= 3;
		n = n < size ? n : size;
		n = n < SIZE - at ? n : SIZE - at;
		memcpy(copy + at, data, n);
		data += n;
		size -= n;
	}
	memcpy(&head, copy, sizeof(head));
	head.check = ue__recorder_check(&head);
	memcpy(copy, &head, sizeof(head));
}

static struct ue_event late;

/*
 * Writes events that the fuzzer chooses. Each event is a format with arbitrary text, or a payload
 * for one of two known formats.
 */
static void record(const uint8_t *data, size_t size)
{
	while (size > 2) {
		size_t n = data[1] < size - 2 ? data[1] : size - 2;
		union ue__recorder_entry format;

		if (data[0] & 1) {
			memset(&format, 0, sizeof(format));
			memcpy(format.e.text, data + 2, n);
			/*
			 * write directly to the recorder's format table, because the kernel would
			 * not accept this format
			 */
			ue__recorder_format(ue__recorder_v1.recording, &format);
		} else {
			ue_event_write(data[0] & 2 ? &set.event : &late, data + 2, n);
		}
		data += 2 + n;
		size -= 2 + n;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy;

	if (!size)
		return 0;
	ue_recorder_close();
	check(ue_recorder_memory(memory, SIZE, (data[0] & 6) == 6 ? 4 : 1) == 0);
	if (!ue_event_enabled(&late))
		ue_event_register(&late, "late u32 a; __rel_loc char[] s", 0);
	for (uint32_t i = 0; i < 60; i++) {
		trace_fuzzed(i, "fuzzed");
		UE_LOG(set, "Log", UE_U32(i));
	}
	if (data[0] & 1)
		record(data + 1, size - 1);
	copy = malloc(SIZE);
	memcpy(copy, memory, SIZE);
	if (!(data[0] & 1))
		overlay(copy, data + 1, size - 1);
	run(copy, SIZE);
	free(copy);
	return 0;
}

#include "replay.h"
